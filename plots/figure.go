package plots

import (
	"cmp"
	"fmt"
	"image"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/rows"
	"github.com/captionlake/captionlake/plots/ggsql"
)

// Pictures opens the first picture of an item of a benchmark. The picture is nil for an item
// without a picture.
type Pictures func(imageID string) (image.Image, error)

// Draw draws the rows of a file's SELECT as its clauses say. An error names the figure, and the
// table, column and row that cannot be drawn. If there is nothing to draw, or if the figure does
// not fit the page, the error is an [rows.ErrNone].
func Draw(f *ggsql.File, t *rows.Rows, on Page) (*Drawing, error) {
	d, err := fitted(f, t, on)
	if err == nil && d.tooHigh() > 1 { // One point is tolerated; 72 points are an inch.
		_, high := d.Size()
		err = rows.None("it is %.2f in high, and the page of %.1f in has %.2f in; "+
			"choose another page, or fewer captioners, domains or panels",
			high/72, on.width()/72, on.height()/72)
	}
	if err != nil {
		return nil, fmt.Errorf("figure %s: %w", f.Name, err)
	}
	return d, nil
}

// fitted lays the figure out. A figure that is higher than the page is laid out again with closer
// rows, and if this is not enough, also with narrower panels.
func fitted(f *ggsql.File, t *rows.Rows, on Page) (*Drawing, error) {
	d, err := laid(f, t, on)
	for _, narrow := range []bool{false, true} {
		if err != nil || d.tooHigh() <= 1 { // Draw tolerates one point.
			break
		}
		on.body, on.narrow = d.Height-d.tooHigh(), narrow // The page has this height left for the body.
		d, err = laid(f, t, on)
	}
	return d, err
}

// laid lays the figure out once, with the rows and the panels that the file and the page choose.
func laid(f *ggsql.File, t *rows.Rows, on Page) (*Drawing, error) {
	p, err := f.Plot()
	if err != nil {
		return nil, err
	}
	if p == nil {
		return nil, fmt.Errorf("%s: there is no VISUALISE, so nothing to draw", f.Path)
	}
	// uniqueNames also checks that captioner and captioner_name are texts; later TextIf reads them
	// without a check.
	if t = uniqueNames(t.Read().One(f.One)); t.Err != nil {
		return nil, t.Err
	}
	if facet := p.Facet.Column; facet != "" && len(on.Panels) > 0 {
		read := t.Read()
		panelOf := read.TextIf(facet)
		if read.Err != nil {
			return nil, read.Err
		}
		place := func(i int) int { return slices.Index(on.Panels, panelOf[i]) }
		t = t.Sort(func(a, b int) int { return place(a) - place(b) })
		panelOf = t.Read().TextIf(facet) // in the new order
		// Panels that are not chosen have the place -1.
		if t = t.Pick(func(i int) bool { return place(i) >= 0 }); t.Len() == 0 {
			return nil, rows.None("it has no panels %s", strings.Join(on.Panels, ", "))
		}
	}
	c := &chart{File: f, Plot: p, Page: on, rows: t, domains: data.CaptionQA().WithOwn(on.Domains),
		ids: t.Read().TextIf("captioner")}
	draw := c.drawing
	if f.Cards {
		draw = c.cards
	}
	d, err := draw()
	if err != nil {
		return nil, err
	}
	d.Page, d.Derived = on, f.Computed
	d.Source = c.source(d.Source)
	d.Title, d.Subtitle = cmp.Or(d.Title, c.said("title"), f.Shows), c.said("subtitle") // c.cards may have set a title
	if d.Title == "" {
		// The place of the fault is the end of the file, where the user can add LABEL.
		return nil, data.WithHint(f.Fault(len(f.Text), "the figure has no title"),
			"add: LABEL title => 'What it shows'")
	}
	return d, d.check()
}
