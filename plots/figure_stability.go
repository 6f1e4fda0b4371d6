package plots

import (
	"cmp"
	"fmt"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

var rankingStability = Figure{
	Name:  "ranking_stability",
	Title: "How many images keep the ranking of captioners",
	Paper: "CaptionQA, Section 11 (Figures 15 and 16)",
	Needs: []string{"ranking_stability", "ranking_stability_summary"},
	draw:  drawStability,
}

// stableFrom is the agreement that the paper asks of a smaller benchmark.
const stableFrom = 0.95

// stabilityMetrics are what captioners are ranked by, each with its colour.
var stabilityMetrics = []struct {
	name string
	look Look
}{
	{"score", Look{Color: palette[0]}}, {"accuracy", Look{Color: palette[1], Dashes: []vg.Length{4, 1.5}}},
}

func drawStability(ts Tables, domains domainSet, on Page) (*Drawing, error) {
	from, summary := ts.Read("ranking_stability"), ts.Read("ranking_stability_summary")
	provenance, found := from.provenance(), from.domains()
	trials, models := from.Floats("n_trials"), from.Floats("n_models")
	if from.Err != nil {
		return nil, from.Err
	}
	measures := []struct{ column, label string }{{"spearman", "Spearman's ρ"}, {"kendall", "Kendall's τ"}}
	panels := make([][]*plot.Plot, len(measures))
	rows, across := balanced(len(found), on.across(85, 12, panelsAcross))
	var lines []*Lines
	for m, measure := range measures {
		for k, d := range found {
			l, err := stabilityLines(from.Where("domain", d), measure.column)
			if err != nil {
				return nil, fmt.Errorf("domain %s: %w", d, err)
			}
			lines = append(lines, l)
			p := newPlot()
			if m == 0 {
				panelTitle(p, d, domains.text(d))
			}
			p.Add(horizontalGrid{}, marker{at: stableFrom}, l)
			p.X.Label.Text = "images drawn"
			if k%across == 0 {
				p.Y.Label.Text = measure.label
			}
			if m == 0 {
				if err := addThreshold(p, summary, d); err != nil {
					return nil, err
				}
			}
			panels[m] = append(panels[m], p)
		}
	}
	oneScale(slices.Concat(panels...), lines, true)
	var keys []Key
	for _, m := range stabilityMetrics {
		keys = append(keys, Key{Name: "ranked by " + m.name, Look: m.look, Line: true})
	}
	return &Drawing{
		Subtitle: fmt.Sprintf("Agreement of the ranking over k random images (logarithmic) with the ranking over all: mean and, as a band, one standard deviation to each side over %s, %d captioners at most. Dashed: %.2f; in the upper row the smallest k from which on the mean ρ by score stays above it.",
			plural(int(slices.Max(trials)), "trial", "trials"), int(slices.Max(models)), stableFrom),
		Source:     "marts ranking_stability and ranking_stability_summary; CaptionQA section 11.",
		Provenance: provenance, Keys: keys,
		Height: vg.Length(rows) * 320,
		Body: func(c draw.Canvas) {
			for r, part := range cells(c, 1, rows, 16) {
				grid := cells(part, across, len(measures), 12)
				for m := range panels {
					for k, p := range panels[m][r*across : min((r+1)*across, len(found))] {
						p.Draw(grid[m*across+k])
					}
				}
			}
		},
	}, nil
}

// stabilityLines returns a line with its band for each metric.
func stabilityLines(from *Reading, column string) (*Lines, error) {
	metrics, ks := from.Text("metric"), from.Floats("n_images")
	means, sds := from.Numbers(column), from.Numbers(column+"_sd")
	if from.Err != nil {
		return nil, from.Err
	}
	var series []LineSeries
	for _, m := range stabilityMetrics {
		s := LineSeries{Name: m.name, Look: m.look}
		found := false
		for i := range ks {
			if metrics[i] != m.name {
				continue
			}
			found = found || means[i].Valid
			s.Points = append(s.Points, withBand(ks[i], means[i], sds[i], -1, 1))
		}
		slices.SortFunc(s.Points, func(a, b LinePoint) int { return cmp.Compare(a.X, b.X) })
		if found {
			series = append(series, s)
		}
	}
	return NewLines(series)
}

// addThreshold marks the smallest size that keeps the ranking by score.
func addThreshold(p *plot.Plot, summary *Reading, domain string) error {
	from := summary.Where("domain", domain).Where("metric", "score")
	images, shares := from.Numbers("mean_images"), from.Numbers("mean_share")
	if from.Err != nil {
		return from.Err
	}
	if images[0].Valid && shares[0].Valid {
		p.Add(marker{at: images[0].Value, vertical: true, label: fmt.Sprintf("%s (%.0f %%)", plural(int(images[0].Value), "image", "images"), shares[0].Value)})
	}
	return nil
}
