package plots

import (
	"cmp"
	"fmt"
	"slices"

	"gonum.org/v1/plot/vg/draw"

	"github.com/captionlake/captionlake/data"
)

// rubricRadar is the radar chart of F1 over the dimensions of a benchmark of annotated elements.
func rubricRadar(b data.Benchmark, paper string) Figure {
	return Figure{
		Name:  rubricName(b, "radar"),
		Title: "F1 of captioners over the dimensions of " + b.Title,
		Paper: b.Title + ", " + paper,
		Needs: []string{"capability_dimensions", "capability_rubric"},
		All:   true,
		draw:  func(ts Tables, _ domainSet, on Page) (*Drawing, error) { return drawRubricRadar(ts, b.Name, on) },
	}
}

func drawRubricRadar(ts Tables, benchmark string, on Page) (*Drawing, error) {
	t, err := ts.Get("capability_dimensions")
	if err != nil {
		return nil, err
	}
	if t, err = t.Where("benchmark", benchmark); err != nil {
		return nil, err
	}
	t, judge, err := oneJudge(t)
	if err != nil {
		return nil, err
	}
	dimensions, err := rubricDimensions(ts, benchmark)
	if err != nil {
		return nil, err
	}
	provenance, err := t.Provenance()
	if err != nil {
		return nil, err
	}
	ids, names, looks, err := captionerLooks(t)
	if err != nil {
		return nil, err
	}
	from := Read(t)
	rows := from.Text("captioner")
	of := from.Text("dimension")
	values := from.Numbers("f1")
	if from.Err != nil {
		return nil, from.Err
	}
	// Views stand together, in the order of the papers' Table 1.
	slices.SortStableFunc(dimensions, func(a, b rubricDimension) int {
		return cmp.Compare(slices.Index(views, a.view), slices.Index(views, b.view))
	})
	var axes []RadarAxis
	var axisOf []string
	for _, d := range dimensions {
		if slices.Contains(of, d.id) {
			axes, axisOf = append(axes, RadarAxis{d.name, d.view}), append(axisOf, d.id)
		}
	}
	series := make([]RadarSeries, len(ids))
	for k, id := range ids {
		series[k] = RadarSeries{Name: names[id], Look: looks[id], Values: make([]Number, len(axes))}
	}
	for i := range rows {
		a := slices.Index(axisOf, of[i])
		if a < 0 {
			return nil, t.fault("dimension", i, "the dimension %q is not in the rubric", of[i])
		}
		v := &series[slices.Index(ids, rows[i])].Values[a]
		if v.Valid && values[i].Valid {
			return nil, t.fault("f1", i, "a second figure of %s for %s", rows[i], of[i])
		}
		if values[i].Valid {
			*v = values[i]
		}
	}
	byMean(series)
	r, err := NewRadar(axes, series, 0, 100)
	if err != nil {
		return nil, err
	}
	r.Rings, r.GroupColor = []float64{20, 40, 60, 80, 100}, viewColor
	keys := seriesKeys(series)
	return &Drawing{
		Subtitle: fmt.Sprintf("F1 (%%) in %d dimensions, judged by %s; the centre is 0, the rim 100. Captioners by the mean of their F1s, which the key gives. Labels have the colours of the views.",
			len(axes), judge),
		Source:     "marts capability_dimensions and capability_rubric.",
		Provenance: provenance, Keys: keys, Height: radarHeight(len(axes), on),
		Body: func(c draw.Canvas) { r.Plot(c, nil) },
	}, nil
}
