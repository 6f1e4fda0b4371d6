package plots

import (
	"cmp"
	"fmt"
	"math"
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

// trajectory is the path of one captioner in one domain.
type trajectory struct {
	points []LinePoint
	end    float64 // its value with all images
}

func drawTrajectories(ts Tables, domains domainSet, on Page, metric string) (*Drawing, error) {
	t, err := ts.Get("ranking_trajectories")
	if err != nil {
		return nil, err
	}
	from := Read(t)
	provenance := from.provenance()
	found := from.domains()
	if from.Err != nil {
		return nil, from.Err
	}
	paths := map[[2]string]*trajectory{} // by domain and model_id
	names, trials, err := readTrajectories(t, metric, paths)
	if err != nil {
		return nil, err
	}
	best := bestTrajectories(paths, found, names)
	looks := Looks(best)
	var panels []*plot.Plot
	for _, d := range found {
		var series []LineSeries
		for i, id := range best {
			if p := paths[[2]string{d, id}]; p != nil {
				slices.SortFunc(p.points, func(a, b LinePoint) int { return cmp.Compare(a.X, b.X) })
				series = append(series, LineSeries{Name: names[id], Look: looks[i], Points: p.points})
			}
		}
		if len(series) == 0 {
			continue // the best captioners have no answers in this domain
		}
		l, err := NewLines(series)
		if err != nil {
			return nil, fmt.Errorf("domain %s: %w", d, err)
		}
		p := newPlot()
		panelTitle(p, d, domains.text(d))
		_, xmax, ymin, ymax := l.DataRange()
		p.Add(horizontalGrid{}, l)
		p.X.Min, p.X.Max = 0, xmax
		if ymin == ymax {
			ymin, ymax = ymin-1, ymax+1
		}
		step := niceStep(ymax-ymin, 6)
		p.Y.Min, p.Y.Max = math.Floor(ymin/step)*step, math.Ceil(ymax/step)*step
		p.X.Tick.Marker, p.Y.Tick.Marker = steps(niceStep(xmax, 6)), steps(step)
		p.X.Label.Text, p.Y.Label.Text = "images drawn", metric+", %"
		panels = append(panels, p)
	}
	if len(panels) == 0 {
		return nil, noRows("table %s has no captioner in the domains %v", t.Name(), found)
	}
	var keys []Key
	for i, id := range best {
		keys = append(keys, Key{Name: names[id], Look: Look{Color: looks[i].Color, Dashes: looks[i].Dashes}, Line: true})
	}
	pairs := pairChart{200, panels}
	return &Drawing{
		Subtitle: fmt.Sprintf("Mean %s (%%) over k random images, %s, of the %d best captioners by their mean over the domains.",
			metric, plural(trials, "random order of the images", "random orders of the images"), len(best)),
		Source:     "mart ranking_trajectories; CaptionQA section 11.",
		Provenance: provenance, Keys: keys,
		Height: pairs.height(on), Body: pairs.draw,
	}, nil
}

// readTrajectories fills the paths and returns the captioners' names by model_id and the number of trials.
func readTrajectories(t *Table, metric string, paths map[[2]string]*trajectory) (names map[string]string, trials int, err error) {
	from := Read(t)
	groups := from.Text("domain")
	ids := from.Text("captioner")
	models := from.Text("captioner_name")
	ks := from.Floats("n_images")
	values := from.Floats(metric)
	counts := from.Floats("n_trials")
	if from.Err != nil {
		return nil, 0, from.Err
	}
	shown := modelNames(ids, models, nil)
	names = map[string]string{}
	last := map[[2]string]float64{}
	for i := range ids {
		k := [2]string{groups[i], ids[i]}
		if paths[k] == nil {
			paths[k] = &trajectory{}
		}
		names[ids[i]] = shown[i]
		trials = max(trials, int(counts[i]))
		paths[k].points = append(paths[k].points, LinePoint{X: ks[i], Y: Number{values[i], true}})
		if ks[i] > last[k] {
			last[k], paths[k].end = ks[i], values[i]
		}
	}
	return names, trials, nil
}

// bestTrajectories returns the model_ids of the best captioners by the mean over the domains that they have, those with all domains first.
func bestTrajectories(paths map[[2]string]*trajectory, found []string, names map[string]string) []string {
	type mean struct {
		id      string
		domains int
		value   float64
	}
	var all []mean
	for id := range names {
		m := mean{id: id}
		for _, d := range found {
			if p := paths[[2]string{d, id}]; p != nil {
				m.domains++
				m.value += p.end
			}
		}
		if m.domains == 0 {
			continue
		}
		m.value /= float64(m.domains)
		all = append(all, m)
	}
	slices.SortFunc(all, func(a, b mean) int {
		return cmp.Or(cmp.Compare(b.domains, a.domains), cmp.Compare(b.value, a.value), strings.Compare(a.id, b.id))
	})
	var out []string
	for _, m := range all[:min(topModels, len(all))] {
		out = append(out, m.id)
	}
	return out
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
