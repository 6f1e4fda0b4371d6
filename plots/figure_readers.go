package plots

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
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
	within                      [2]float64
	note                        string
}{
	{"faithfulness", "Faithfulness", "“cannot” if blind, %", "%.1f", percents, "Faithfulness: share of \"cannot answer\" when there is no caption. "},
	{"accuracy", "Accuracy", "on one pool, %", "%.1f", percents, "Accuracy: on one caption per question, the same for every reader. "},
	{"accuracy_sd", "Stability", "sd over repeats, points", "%.2f", counted, "Stability: smaller is steadier. "},
	{"questions_per_second", "Throughput", "questions per second", "%.1f", counted, ""},
}

func drawReaders(ts Tables, _ domainSet, on Page) (*Drawing, error) {
	from := ts.Read("reader_comparison")
	provenance, ids, models := from.provenance(), from.Text("reader"), from.TextOrNone("reader_name")
	protocols, owners := from.Distinct("protocol"), from.Text("protocol")
	values := make([][]Number, len(readerPanels))
	bounds := make([][2][]Number, len(readerPanels))
	for k, p := range readerPanels {
		values[k], bounds[k] = from.Numbers(p.column), from.Interval(p.column)
	}
	if from.Err != nil {
		return nil, from.Err
	}
	names := modelNames(ids, models, nil)
	if len(protocols) > 1 {
		for i := range names {
			names[i] += " (" + strings.TrimPrefix(owners[i], "captionqa/") + ")"
		}
	}
	accuracy := values[1]
	order := ordered(len(names), func(a, b int) int {
		return cmp.Or(-boolOrder(accuracy[a].Valid, accuracy[b].Valid), cmp.Compare(accuracy[b].Value, accuracy[a].Value), strings.Compare(names[a], names[b]))
	})
	var panels []panel
	notes := ""
	for k, p := range readerPanels {
		groups := make([][]Bar, len(order))
		for r, i := range order {
			if v := values[k][i]; v.Valid {
				groups[r] = []Bar{{Segments: []Segment{{v.Value, palette[0]}}, Low: bounds[k][0][i], High: bounds[k][1][i], Label: formatOf(p.format, v)}}
			} else {
				groups[r] = []Bar{{Label: "not given"}}
			}
		}
		bars, err := barPanel(p.title, ink, newAxis(p.unit, p.within), groups)
		if errors.Is(err, ErrNoRows) {
			continue // no reader has this, such as speeds of answers that were ingested
		}
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", p.column, err)
		}
		panels = append(panels, bars)
		notes += p.note
	}
	if len(panels) == 0 {
		return nil, noRows("table %s has no reader with a value", from.Table.Name())
	}
	labels := inkLabels(pick(names, order)...)
	chart := newRowChart(labels, 170, 20, panels...)
	return &Drawing{
		Subtitle:   strings.TrimSpace(notes + intervalNote(bounds...)),
		Source:     "mart reader_comparison; CaptionQA section 3.5.",
		Provenance: provenance,
		Height:     chart.height(on), Body: chart.draw,
	}, nil
}
