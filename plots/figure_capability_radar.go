package plots

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/captionlake/captionlake/data"
)

// rubricProfiles are the radar chart and the heat map of F1 over the dimensions of a benchmark of annotated elements.
func rubricProfiles(b data.Benchmark, paper string) (radar, scores Figure) {
	return profileFigures(Figure{
		Name:  rubricName(b, "radar"),
		Title: "F1 of captioners over the dimensions of " + b.Title,
		Paper: b.Title + ", " + paper,
		Needs: []string{"capability_dimensions", "capability_rubric"},
		All:   true,
	}, rubricName(b, "scores"), func(ts Tables, _ domainSet, on Page, _ int) (profile, error) {
		return readRubricProfile(ts, on, b.Name)
	})
}

func readRubricProfile(ts Tables, on Page, benchmark string) (p profile, err error) {
	from, judge := ts.Read("capability_dimensions").Where("benchmark", benchmark).oneJudge()
	models, provenance, of, values := from.models(), from.provenance(), from.Text("dimension"), from.Numbers("f1")
	dimensions, err := rubricDimensions(ts, benchmark)
	if err := cmp.Or(from.Err, err); err != nil {
		return p, err
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
	series := make([]RadarSeries, len(models))
	for k, m := range models {
		series[k] = RadarSeries{ID: m.id, Name: m.name, Look: m.look, Values: make([]Number, len(axes))}
		for _, i := range m.rows {
			a := slices.Index(axisOf, of[i])
			if a < 0 {
				return p, from.Table.fault("dimension", i, "the dimension %q is not in the rubric", of[i])
			}
			v := &series[k].Values[a]
			if v.Valid && values[i].Valid {
				return p, from.Table.fault("f1", i, "a second figure of %s for %s", m.id, of[i])
			}
			if values[i].Valid {
				*v = values[i]
			}
		}
	}
	return profile{
		what:   fmt.Sprintf("F1 (%%) in %d dimensions, judged by %s; labels have the colours of the views", len(axes), on.Model(judge)),
		source: "marts capability_dimensions and capability_rubric.", provenance: provenance,
		axes: axes, series: series, color: viewColor, fullScale: true,
	}, nil
}
