package plots

import (
	"cmp"
	"errors"
	"fmt"
	"image"
	"sync"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/plots/ggsql"
	"github.com/captionlake/captionlake/sql"
)

// Pictures opens the first picture of an item of a benchmark. It returns nil where there is none.
type Pictures func(imageID string) (image.Image, error)

// Figure is one picture of a paper: a function from the marts it needs to a drawing.
type Figure struct {
	Name  string // file name stem, lower case with underscores
	Title string // one line that heads the drawing
	Paper string // paper and figure or table that it renders
	// Benchmark is the name of the benchmark that it belongs to.
	Benchmark string
	Needs     []string // names of the marts
	Also      []string // names of marts that are drawn as well, or instead, where they have rows
	// All is true of figures that compare readers, protocols or question banks; others are drawn of one of each at a time.
	All     bool
	File    *ggsql.File // that says what is drawn; nil of figures that are drawn by a function
	domains domainSet   // of the lake; nil for the published ones alone
	draw    func(Tables, domainSet, Page) (*Drawing, error)
}

// Figures returns all figures of the benchmarks in their order. found are the domains that occur in the lake, in any order and with
// repetitions: a user's own get figures beside those of the published ones, and colours.
func Figures(found ...string) []Figure {
	domains := domainsOf(found...)
	drawn := map[string][]Figure{}
	radarOfAll, scoresOfAll := domainProfiles(data.Domain{}, "Figure 28")
	for _, f := range []Figure{
		leaderboard, promptsFigure, taxonomyFigure, optionsFigure, densityFigure,
		radarOfAll, scoresOfAll,
		examplesFigure, captionsFigure, arenaMatrix, arenaBenchmarks, arenaBias, benchmarkSlopes,
	} {
		drawn[f.Name] = []Figure{f}
	}
	for _, f := range fileFigures() {
		drawn[f.Name] = []Figure{f}
	}
	for i, d := range domains {
		drawn["questions_{domain}"] = append(drawn["questions_{domain}"], categoryFigure(d, paperFigure(9, i)))
		radar, scores := domainProfiles(d, paperFigure(24, i))
		drawn["radar_{domain}"], drawn["scores_{domain}"] = append(drawn["radar_{domain}"], radar), append(drawn["scores_{domain}"], scores)
	}
	var out []Figure
	for _, b := range data.Benchmarks() {
		if len(b.Dimensions) > 0 {
			for _, f := range rubricFigures(b) {
				drawn[f.Name] = []Figure{f}
			}
		}
		for _, name := range b.Figures {
			for _, f := range drawn[name] {
				f.domains, f.Benchmark = domains, b.Name
				out = append(out, f)
			}
		}
	}
	return out
}

// paperFigure is the paper's figure of a domain, where the first domain has the number first; own domains have none.
func paperFigure(first, i int) string {
	if published := len(data.CaptionQA().Domains); i >= published {
		return fmt.Sprintf("as Figures %d–%d, for another domain", first, first+published-1)
	}
	return fmt.Sprintf("Figure %d", first+i)
}

// Draw makes the drawing on a page. The error names the figure, and below it the table, column and row that
// cannot be drawn; it is an [ErrNoRows] when there is nothing to draw.
func (f Figure) Draw(ts Tables, on Page) (*Drawing, error) {
	var faults []error
	needs := f.Needs
	if f.File != nil {
		needs = []string{f.File.Rows()}
	}
	for _, n := range needs {
		if _, err := ts.Get(n); err != nil {
			faults = append(faults, err)
		}
	}
	if err := errors.Join(faults...); err != nil {
		return nil, fmt.Errorf("figure %s: %w", f.Name, err)
	}
	if f.domains == nil {
		f.domains = domainsOf()
	}
	d, err := f.draw(ts, f.domains, on)
	if err != nil {
		return nil, fmt.Errorf("figure %s: %w", f.Name, err)
	}
	d.Page = on
	d.Title = cmp.Or(d.Title, f.Title)
	if err := d.check(); err != nil {
		return nil, fmt.Errorf("figure %s: %w", f.Name, err)
	}
	return d, nil
}

// fileFigures are the figures of sql/figures. Their text is part of the program, and a test reads them all.
var fileFigures = sync.OnceValue(func() (out []Figure) {
	files, err := ggsql.All(sql.Shown())
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
