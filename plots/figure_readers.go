package plots

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
)

var readersFigure = Figure{
	Name:  "readers",
	Title: "Readers side by side",
	Paper: "CaptionQA, Figure 2",
	Needs: []string{"reader_comparison"},
	All:   true,
	draw:  drawReaders,
}

// readerPanels are what readers are compared by, each with the sentence that explains it. Their values lie between 0 and most.
var readerPanels = []struct {
	column, title, unit, format string
	most                        float64
	note                        string
}{
	{"faithfulness", "Faithfulness", "“cannot” if blind, %", "%.1f", 100, "Faithfulness: share of \"cannot answer\" when there is no caption. "},
	{"accuracy", "Accuracy", "on one pool, %", "%.1f", 100, "Accuracy: on one caption per question, the same for every reader. "},
	{"accuracy_sd", "Stability", "sd over repeats, points", "%.2f", 50, "Stability: smaller is steadier. "},
	{"questions_per_second", "Throughput", "questions per second", "%.1f", math.Inf(1), ""},
}

func drawReaders(ts Tables, _ domainSet, on Page) (*Drawing, error) {
	t, err := ts.Get("reader_comparison")
	if err != nil {
		return nil, err
	}
	from := Read(t)
	provenance := from.provenance()
	ids := from.Text("reader")
	models := from.TextOrNone("reader_name")
	protocols := from.Distinct("protocol")
	owners := from.Text("protocol")
	if from.Err != nil {
		return nil, from.Err
	}
	names := modelNames(ids, models, nil)
	if len(protocols) > 1 {
		for i := range names {
			names[i] += " (" + strings.TrimPrefix(owners[i], "captionqa/") + ")"
		}
	}
	values := make([][]Number, len(readerPanels))
	bounds := make([][2][]Number, len(readerPanels))
	for k, p := range readerPanels {
		values[k], bounds[k] = from.Numbers(p.column), from.Interval(p.column)
	}
	if from.Err != nil {
		return nil, from.Err
	}
	order := make([]int, len(names))
	for i := range order {
		order[i] = i
	}
	accuracy := values[1]
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(-boolOrder(accuracy[a].Valid, accuracy[b].Valid), cmp.Compare(accuracy[b].Value, accuracy[a].Value), strings.Compare(names[a], names[b]))
	})
	var panels []*plot.Plot
	notes := ""
	for k, p := range readerPanels {
		rows := make([]Dot, len(order))
		low, high := math.Inf(1), math.Inf(-1)
		for r, i := range order {
			rows[r] = Dot{Value: values[k][i], Low: bounds[k][0][i], High: bounds[k][1][i], Glyph: filled(LookOf(ids[i]).Color)}
			if !values[k][i].Valid {
				continue
			}
			rows[r].Label = fmt.Sprintf(p.format, values[k][i].Value)
			for _, v := range []Number{values[k][i], bounds[k][0][i], bounds[k][1][i]} {
				if v.Valid {
					low, high = min(low, v.Value), max(high, v.Value)
				}
			}
		}
		if low > high {
			continue // no reader has this, such as speeds of answers that were ingested
		}
		dots, err := NewDots(rows)
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", p.column, err)
		}
		plt := newPlot()
		panelTitle(plt, p.title, ink)
		unitLabel(plt, p.unit)
		span := max(high-low, math.Abs(high)*0.02, 0.01)
		plt.X.Min, plt.X.Max = low-span*0.6, high+span*0.25
		plt.X.Tick.Marker = possible{steps(niceStep(plt.X.Max-plt.X.Min, 4)), p.most}
		plt.Add(dots)
		plt.Y.Min, plt.Y.Max = -0.5, float64(len(rows))-0.5
		plt.HideY()
		panels = append(panels, plt)
		notes += p.note
	}
	if len(panels) == 0 {
		return nil, noRows("table %s has no reader with a value", t.Name())
	}
	labels := make([]rowLabel, len(order))
	for r, i := range order {
		labels[r] = rowLabel{names[i], ink}
	}
	chart := newRowChart(labels, 170, 20, panels...)
	return &Drawing{
		Subtitle:   strings.TrimSpace(notes + intervalNote(bounds...)),
		Source:     "mart reader_comparison; CaptionQA section 3.5.",
		Provenance: provenance,
		Height:     chart.height(on), Body: chart.draw,
	}, nil
}

// possible has no ticks where there can be no values: below 0 and above most. The axis itself is wider, for labels.
type possible struct {
	steps
	most float64
}

// Ticks implements [plot.Ticker].
func (p possible) Ticks(low, high float64) []plot.Tick {
	return p.steps.Ticks(max(low, 0), min(high, p.most))
}
