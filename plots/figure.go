package plots

import (
	"fmt"
	"image"
	"sync"

	"github.com/captionlake/captionlake/data/rows"
	"github.com/captionlake/captionlake/plots/ggsql"
)

// Pictures opens the first picture of an item of a benchmark. It returns nil for an item without a
// picture.
type Pictures func(imageID string) (image.Image, error)

// Figure is one picture of a paper: a file of sql/figures, or a user's own.
type Figure struct {
	Name    string // file name stem, lower case with underscores
	Title   string // one line that heads the drawing
	Paper   string // paper and figure or table that it renders
	File    *ggsql.File
	domains domainSet // of the lake; nil for the published domains alone
	draw    func(*rows.Rows, domainSet, Page) (*Drawing, error)
}

// With returns the figure for a lake that has some domains, in any order and with repetitions. A
// user's own domains get colours beside the colours of the published domains.
func (f Figure) With(domains ...string) Figure {
	f.domains = domainsOf(domains...)
	return f
}

// Draw makes the drawing on a page. The error names the figure, and below it the table, column and row that
// cannot be drawn; it is an [rows.ErrNone] when there is nothing to draw.
func (f Figure) Draw(t *rows.Rows, on Page) (*Drawing, error) {
	if f.domains == nil {
		f.domains = domainsOf()
	}
	d, err := f.fitted(t, on)
	if err == nil && d.tooHigh() > 1 {
		_, high := d.Size()
		err = rows.None("it is %.1f in high, and the page of %.1f in has %.1f in; choose another page, or fewer captioners, domains or panels",
			high/72, on.width()/72, on.height()/72)
	}
	if err != nil {
		return nil, fmt.Errorf("figure %s: %w", f.Name, err)
	}
	return d, nil
}

// fitted lays the figure out. A figure that is higher than the page is laid out closer, and then
// with narrower panels.
func (f Figure) fitted(t *rows.Rows, on Page) (*Drawing, error) {
	d, err := f.laid(t, on)
	for _, narrow := range []bool{false, true} {
		if err != nil || d.tooHigh() <= 1 {
			break
		}
		on.body, on.narrow = d.Height-d.tooHigh(), narrow
		d, err = f.laid(t, on)
	}
	return d, err
}

// laid lays the figure out for the height that the page is known to have.
func (f Figure) laid(t *rows.Rows, on Page) (*Drawing, error) {
	d, err := f.draw(t, f.domains, on)
	if err != nil {
		return nil, err
	}
	d.Page = on
	return d, d.check()
}

// Figures lists the figures of sql/figures, in the order of [ggsql.All]. Their text is part of the
// program, and a test reads all of them.
var Figures = sync.OnceValue(func() (out []Figure) {
	files, err := ggsql.All()
	for _, f := range files {
		if f.Form == "figure" && err == nil {
			var one Figure
			one, err = FileFigure(f)
			out = append(out, one)
		}
	}
	if err != nil {
		panic(err)
	}
	return out
})
