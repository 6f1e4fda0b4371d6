package plots

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/vg/draw"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
)

// wholeRadar is the radar chart of all domains together.
var wholeRadar = Figure{
	Name: "radar_all", Title: "Captioners over all categories of all domains", Paper: "CaptionQA, Figure 28",
	Needs: []string{"captionqa_categories"}, Also: []string{"captionqa_subcategories"},
	draw: func(ts Tables, domains domainSet, on Page) (*Drawing, error) { return drawRadar(ts, domains, on, "") },
}

// radarFigure is the radar chart of one domain.
func radarFigure(d data.Domain, paper string) Figure {
	f := wholeRadar
	f.Name, f.Title, f.Paper = "radar_"+d.Column, "Captioners over the categories of the "+d.Name+" domain", "CaptionQA, "+paper
	f.draw = func(ts Tables, domains domainSet, on Page) (*Drawing, error) {
		return drawRadar(ts, domains, on, d.Name)
	}
	return f
}

// drawRadar draws a domain, or all domains for the empty name.
func drawRadar(ts Tables, domains domainSet, on Page, domain string) (*Drawing, error) {
	t, axes, values, level, prompt, err := radarRows(ts, "captionqa_subcategories", domain)
	// The public leaderboard has categories only, and more axes than that have no room for their names.
	if errors.Is(err, ErrNoRows) || len(axes) > mostSpokes(on.inner()) {
		t, axes, values, level, prompt, err = radarRows(ts, "captionqa_categories", domain)
	}
	if err != nil {
		return nil, err
	}
	if len(axes) > mostSpokes(on.inner()) {
		return nil, noRows("a page that is %.0f points wide has no room for the names of %d axes; make it wider", on.width(), len(axes))
	}
	provenance, err := t.Provenance()
	if err != nil {
		return nil, err
	}
	series, low, high, err := radarSeries(t, axes, values)
	if err != nil {
		return nil, err
	}
	r, err := NewRadar(axes, series, low, high)
	if err != nil {
		return nil, err
	}
	for v := low + 10; v <= high; v += 10 {
		if math.Mod(v, 20) == 0 {
			r.Rings = append(r.Rings, v)
		}
	}
	r.GroupColor = domains.text
	keys := seriesKeys(series)
	what, source := "categories", "mart "+t.Name()+"."
	title := "" // that of the figure
	if level == "subcategory" {
		what = "subcategories"
		title = "Captioners over all subcategories of all domains"
		if domain != "" {
			title = "Captioners over the subcategories of the " + domain + " domain"
		}
	} else if slices.Contains(provenance, data.ProvenancePublished) {
		source += " The public leaderboard has categories but no subcategories."
	}
	return &Drawing{
		Title: title,
		Subtitle: fmt.Sprintf("CaptionQA score (%%) over %d %s, %s prompt; the centre is %g, the rim %g. Captioners by their mean over the axes, which the key gives.",
			len(axes), what, prompt, low, high),
		Source:     source,
		Provenance: provenance, Keys: keys, Height: radarHeight(len(axes), on),
		Body: func(c draw.Canvas) { r.Plot(c, nil) },
	}, nil
}

// radarRows returns the rows of a mart that the chart of a domain shows, with what radarAxes finds in them and their prompt.
func radarRows(ts Tables, mart, domain string) (t *Table, axes []RadarAxis, axisOf []int, level, prompt string, err error) {
	prompt = captionqa.PromptSimple
	if t, err = ts.Get(mart); err == nil {
		t, err = t.whereIf("evidence", captionqa.EvidenceCaption)
	}
	if err == nil && t.Has("prompt") {
		t, prompt, err = onePrompt(t)
	}
	if err == nil && domain != "" {
		t, err = t.Where("domain", domain)
	}
	if err == nil {
		axes, axisOf, level, err = radarAxes(t)
	}
	return t, axes, axisOf, level, prompt, err
}

// radarAxes returns the axes in the order of domains, then of the table, with the axis number of each row, and the level that axes are:
// subcategory where the table has them, else category.
func radarAxes(t *Table) (axes []RadarAxis, axisOf []int, level string, err error) {
	level = "category"
	if t.Has("subcategory") {
		subs, err := t.OptionalStrings("subcategory")
		if err != nil {
			return nil, nil, "", err
		}
		if slices.ContainsFunc(subs, func(s string) bool { return s != "" }) {
			level = "subcategory"
		}
	}
	from := Read(t)
	labels := from.TextOrNone(level)
	groups := from.Text("domain")
	if from.Err != nil {
		return nil, nil, "", from.Err
	}
	if level == "subcategory" && t.Has("category") {
		if labels, err = distinctLabels(t, labels, groups); err != nil {
			return nil, nil, "", err
		}
	}
	for i := range labels {
		if labels[i] == "" {
			labels[i] = "(no " + level + ")" // questions that the bank files under no category
		}
		if a := (RadarAxis{labels[i], groups[i]}); !slices.Contains(axes, a) {
			axes = append(axes, a)
		}
	}
	slices.SortStableFunc(axes, func(a, b RadarAxis) int {
		return cmp.Or(compareDomains(a.Group, b.Group), cmp.Compare(a.Label, b.Label))
	})
	axisOf = make([]int, len(labels))
	for i := range labels {
		axisOf[i] = slices.Index(axes, RadarAxis{labels[i], groups[i]})
	}
	return axes, axisOf, level, nil
}

// distinctLabels adds its category to a subcategory whose name two categories of a domain share.
func distinctLabels(t *Table, labels, groups []string) ([]string, error) {
	categories, err := t.OptionalStrings("category")
	if err != nil {
		return nil, err
	}
	owner := map[[2]string]string{}
	shared := map[[2]string]bool{}
	for i := range labels {
		k := [2]string{groups[i], labels[i]}
		if c, ok := owner[k]; ok && c != categories[i] {
			shared[k] = true
		}
		owner[k] = categories[i]
	}
	out := slices.Clone(labels)
	for i := range out {
		if shared[[2]string{groups[i], labels[i]}] {
			out[i] += " (" + categories[i] + ")"
		}
	}
	return out, nil
}

// radarSeries returns a series per model, best mean first, and the ends of the axes: the multiple of ten below the lowest score, and 100
// or the highest score where the credit for "cannot answer" lifts one above it.
func radarSeries(t *Table, axes []RadarAxis, axisOf []int) (series []RadarSeries, low, high float64, err error) {
	models, err := byModel(t)
	from := Read(t)
	scores := from.Numbers("score")
	if err := cmp.Or(err, from.Err); err != nil {
		return nil, 0, 0, err
	}
	low, high = 100, 100
	for _, m := range models {
		s := RadarSeries{Name: m.name, Look: m.look, Values: make([]Number, len(axes))}
		for _, i := range m.rows {
			if s.Values[axisOf[i]].Valid {
				return nil, 0, 0, t.fault("score", i, "a second score of %s for %s", m.name, axes[axisOf[i]].Label)
			}
			s.Values[axisOf[i]] = scores[i]
			if scores[i].Valid {
				low, high = min(low, scores[i].Value), max(high, scores[i].Value)
			}
		}
		series = append(series, s)
	}
	byMean(series)
	return series, max(0, math.Floor((low-1)/10)*10), high, nil
}

// byMean orders series by the mean of their values, the best first, and adds the mean to their names.
func byMean(series []RadarSeries) {
	means := map[string]float64{}
	for i, s := range series {
		columns := make([][]Number, len(s.Values))
		valid := false
		for k, v := range s.Values {
			columns[k], valid = []Number{v}, valid || v.Valid
		}
		if valid {
			series[i].Name = fmt.Sprintf("%s (%.1f)", s.Name, mean(columns, 0))
			means[series[i].Name] = mean(columns, 0)
		}
	}
	slices.SortStableFunc(series, func(a, b RadarSeries) int {
		return cmp.Or(cmp.Compare(means[b.Name], means[a.Name]), cmp.Compare(a.Name, b.Name))
	})
}

// seriesKeys are the keys of a radar's lines.
func seriesKeys(series []RadarSeries) []Key {
	keys := make([]Key, len(series))
	for i, s := range series {
		keys[i] = Key{Name: s.Name, Look: s.Look, Line: true}
	}
	return keys
}
