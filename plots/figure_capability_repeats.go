package plots

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
)

// judgeRepeats shows the range of figures over repeated judgments.
func judgeRepeats(b data.Benchmark) Figure {
	return Figure{
		Name:  rubricName(b, "repeats"),
		Title: "How far repeated judgments lie apart",
		Paper: b.Title + ", Figure 7",
		Needs: []string{"capability_repeats", "capability_rubric"},
		All:   true,
		draw:  func(ts Tables, _ domainSet, on Page) (*Drawing, error) { return drawJudgeRepeats(ts, b.Name, on) },
	}
}

// rubricMetrics are the figures of a dimension with their names.
var rubricMetrics = []struct{ id, name string }{{"precision", "Precision"}, {"recall", "Recall"}, {"f1", "F1"}, {"hit_rate", "Hit rate"}}

func drawJudgeRepeats(ts Tables, benchmark string, on Page) (*Drawing, error) {
	from, chosen := ts.Read("capability_repeats").Where("benchmark", benchmark).most("judge", "captioner")
	provenance, repeats, present := from.provenance(), from.Floats("n_repeats"), from.Distinct("dimension")
	dimensions, err := rubricDimensions(ts, benchmark)
	if err := cmp.Or(from.Err, err); err != nil {
		return nil, err
	}
	dimensions = append(dimensions, rubricDimension{"average", "Average", ""})
	dimensions = slices.DeleteFunc(dimensions, func(d rubricDimension) bool { return !slices.Contains(present, d.id) })
	labels := make([]rowLabel, len(dimensions))
	for i, d := range dimensions {
		labels[i] = rowLabel{d.name, viewColor(d.view)}
	}
	var panels []panel
	scale := newAxis("", percents)
	var notes []string
	for _, m := range rubricMetrics {
		dots, widest, err := repeatsDots(from.Where("metric", m.id), dimensions)
		if err != nil {
			return nil, err
		}
		panels = append(panels, newPanel(m.name, ink, scale, dots))
		notes = append(notes, fmt.Sprintf("%s %.1f", strings.ToLower(m.name), widest))
	}
	notes[2] = strings.Replace(notes[2], "f1", "F1", 1)
	chart := newRowChart(labels, 110, 17, panels...)
	return &Drawing{
		Subtitle: fmt.Sprintf("Captions of %s judged %.0f times by %s: mean (%%) and, beside the dot, the greatest figure less the least in points. Widest: %s.",
			on.Model(chosen[1]), slices.Max(repeats), on.Model(chosen[0]), strings.Join(notes, ", ")),
		Source:     "mart capability_repeats; CAPability section 4.3.",
		Provenance: provenance,
		Height:     chart.height(on), Body: chart.draw,
	}, nil
}

// repeatsDots are the dots of one metric, one row for each dimension, and the widest range in points.
func repeatsDots(from *Reading, dimensions []rubricDimension) (dots *Dots, widest float64, err error) {
	of, means, spreads := from.Text("dimension"), from.Floats("mean"), from.Floats("spread")
	lowest, highest := from.Floats("lowest"), from.Floats("highest")
	if from.Err != nil {
		return nil, 0, from.Err
	}
	rows := make([]Dot, len(dimensions))
	for k, d := range dimensions {
		if i := slices.Index(of, d.id); i >= 0 {
			// A mean of equal numbers can lie a rounding error outside of them.
			mean := min(max(means[i], lowest[i]), highest[i])
			rows[k] = Dot{
				Value: Number{mean, true}, Low: Number{lowest[i], true}, High: Number{highest[i], true},
				Glyph: small(filled(viewColor(d.view))), Label: fmt.Sprintf("%.1f", spreads[i]),
			}
			widest = max(widest, spreads[i])
		}
	}
	dots, err = NewDots(rows)
	return dots, widest, err
}
