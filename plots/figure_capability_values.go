package plots

import (
	"cmp"
	"fmt"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/captionlake/captionlake/data"
)

// annotationValues shows what a benchmark annotates.
func annotationValues(b data.Benchmark) Figure {
	return Figure{
		Name:  rubricName(b, "annotations"),
		Title: "What " + b.Title + " annotates: the most frequent values of each dimension",
		Paper: b.Title + ", Figure 6",
		Needs: []string{"capability_values", "capability_rubric"},
		All:   true,
		draw:  func(ts Tables, _ domainSet, on Page) (*Drawing, error) { return drawAnnotationValues(ts, b.Name, on) },
	}
}

// valuesShown is how many values of a dimension are drawn: all nine styles, and the most frequent of open sets.
const valuesShown = 9

func drawAnnotationValues(ts Tables, benchmark string, on Page) (*Drawing, error) {
	from := ts.Read("capability_values").Where("benchmark", benchmark)
	provenance, found := from.provenance(), from.Distinct("dimension")
	dimensions, err := rubricDimensions(ts, benchmark)
	if err := cmp.Or(from.Err, err); err != nil {
		return nil, err
	}
	type dimension struct {
		note  string
		chart rowChart
	}
	var panels []dimension
	for _, d := range dimensions {
		if !slices.Contains(found, d.id) {
			continue
		}
		part := from.Where("dimension", d.id)
		values, counts, ranks := part.Text("value"), part.Floats("n_elements"), part.Floats("rank")
		if part.Err != nil {
			return nil, part.Err
		}
		order := ordered(len(values), func(a, b int) int { return cmp.Compare(ranks[a], ranks[b]) })
		total := 0.0
		for _, n := range counts {
			total += n
		}
		bars := make([]Bar, valuesShown) // panels of one height have bars of one width
		labels := make([]rowLabel, valuesShown)
		for k, i := range order[:min(len(order), valuesShown)] {
			bars[k] = Bar{Segments: []Segment{{counts[i], viewColor(d.view)}}, Label: fmt.Sprintf("%.0f", counts[i])}
			labels[k] = rowLabel{values[i], ink}
		}
		p, err := barPanel(d.name, viewColor(d.view), newAxis("", counted), bars)
		if err != nil {
			return nil, fmt.Errorf("dimension %s: %w", d.id, err)
		}
		note := fmt.Sprintf("%.0f elements, %s", total, plural(len(values), "value", "values"))
		panels = append(panels, dimension{note, newRowChart(labels, 82, 0, p)})
	}
	if len(panels) == 0 {
		return nil, noRows("table %s has no dimension of the rubric", from.Table.Name())
	}
	columns := on.across(110, 14, 3)
	rows := (len(panels) + columns - 1) / columns
	return &Drawing{
		Subtitle:   "Elements annotated with a value. Below each panel: the elements of the dimension and how many different values they have. Closed sets are shown whole; of open ones the most frequent values. Colours are those of the views.",
		Source:     "marts capability_values and capability_rubric; CAPability section 3.1.",
		Provenance: provenance,
		Height:     vg.Length(rows) * 136,
		Body: func(c draw.Canvas) {
			for i, part := range cells(c, columns, rows, 14) {
				if i >= len(panels) {
					break
				}
				sty := textStyle(smallSize, softInk, false)
				write(part, sty, []string{fit(sty, panels[i].note, part.Max.X-part.Min.X)}, vg.Point{X: part.Min.X, Y: part.Min.Y + leading(sty)}, 0)
				panels[i].chart.draw(area(part, part.Min.X, part.Min.Y+leading(sty), part.Max.X, part.Max.Y))
			}
		},
	}, nil
}
