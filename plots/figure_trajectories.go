package plots

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot"
)

// topModels is how many captioners the paper draws in its stability figures.
const topModels = 10

// trajectoriesFigure shows how the captioners' accuracy or score settles as more images are drawn.
func trajectoriesFigure(metric, paper string) Figure {
	return Figure{
		Name:  "stability_" + metric,
		Title: "How many images the " + metric + " of a captioner needs to settle",
		Paper: "CaptionQA, " + paper,
		Needs: []string{"ranking_trajectories"},
		draw: func(ts Tables, domains domainSet, on Page) (*Drawing, error) {
			return drawTrajectories(ts, domains, on, metric)
		},
	}
}

func drawTrajectories(ts Tables, domains domainSet, on Page, metric string) (*Drawing, error) {
	from := ts.Read("ranking_trajectories")
	models, provenance, found := from.models(), from.provenance(), from.domains()
	groups, sizes, trials := from.Text("domain"), from.Floats("n_images"), from.Floats("n_trials")
	values, sds := from.Floats(metric), from.NumbersIf(metric+"_sd")
	if from.Err != nil {
		return nil, from.Err
	}
	// Captioners with all domains first, then by their mean over the domains with all images.
	ends := map[string][]Number{}
	for _, m := range models {
		slices.SortFunc(m.rows, func(a, b int) int { return cmp.Compare(sizes[a], sizes[b]) })
		last := map[string]float64{}
		for _, i := range m.rows {
			last[groups[i]] = values[i]
		}
		for _, v := range last {
			ends[m.id] = append(ends[m.id], Number{v, true})
		}
		slices.SortFunc(ends[m.id], func(a, b Number) int { return cmp.Compare(a.Value, b.Value) }) // a map has no order, and a sum has one
	}
	slices.SortFunc(models, func(a, b modelRows) int {
		return cmp.Or(cmp.Compare(len(ends[b.id]), len(ends[a.id])), cmp.Compare(meanOf(ends[b.id]).Value, meanOf(ends[a.id]).Value), strings.Compare(a.id, b.id))
	})
	best, banded := models[:min(topModels, len(models))], false
	shown := arranged(on, chosen(best), modelRows.modelID, asChosen[modelRows])
	var panels []*plot.Plot
	var lines []*Lines
	for _, d := range found {
		var series []LineSeries
		for _, m := range shown {
			s := LineSeries{Name: m.name, Look: Look{Color: m.look.Color, Dashes: m.look.Dashes}}
			for _, i := range m.rows {
				if groups[i] == d {
					s.Points = append(s.Points, withBand(sizes[i], Number{values[i], true}, sds[i], 0, 100))
					banded = banded || sds[i].Valid
				}
			}
			if len(s.Points) > 0 {
				series = append(series, s)
			}
		}
		if len(series) == 0 {
			continue // the captioners shown have no answers in this domain
		}
		l, err := NewLines(series)
		if err != nil {
			return nil, fmt.Errorf("domain %s: %w", d, err)
		}
		p := newPlot()
		panelTitle(p, d, domains.text(d))
		p.Add(horizontalGrid{}, l)
		p.X.Label.Text, p.Y.Label.Text = "images drawn (logarithmic)", metric+", %"
		panels, lines = append(panels, p), append(lines, l)
	}
	if len(panels) == 0 {
		return nil, noRows("table %s has no captioner in the domains %v", from.Table.Name(), found)
	}
	oneScale(panels, lines, false)
	var keys []Key
	for _, m := range shown {
		keys = append(keys, Key{Name: m.name, Look: Look{Color: m.look.Color, Dashes: m.look.Dashes}, Line: true})
	}
	bands := ""
	if banded {
		bands = " Bands reach one standard deviation over the orders to each side."
	}
	pairs := pairChart{200, panels}
	return &Drawing{
		Subtitle: fmt.Sprintf("Mean %s (%%) over k random images, %s.%s%s", metric,
			plural(int(slices.Max(trials)), "random order of the images", "random orders of the images"), bands,
			chosenWords(len(best), fmt.Sprintf("%d best captioners by their mean over the domains", len(best)))),
		Source:     "mart ranking_trajectories; CaptionQA section 11.",
		Provenance: provenance, Keys: keys,
		Height: pairs.height(on), Body: pairs.draw,
	}, nil
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
