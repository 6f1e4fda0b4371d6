package plots

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/vg/draw"
)

// radarFigure is the radar chart of one domain, or of all domains together for the empty name.
func radarFigure(domain, paper string) Figure {
	f := Figure{
		Name: "radar_all", Title: "Captioners over all categories of the four domains",
		Paper: "CaptionQA, " + paper, Needs: []string{"captionqa_categories"}, Also: []string{"captionqa_subcategories"},
	}
	if domain != "" {
		f.Name = "radar_" + domainSlug(domain)
		f.Title = "Captioners over the categories of the " + domain + " domain"
	}
	f.draw = func(ts Tables) (*Drawing, error) { return drawRadar(ts, domain) }
	return f
}

func drawRadar(ts Tables, domain string) (*Drawing, error) {
	// Answers give a score for each subcategory; the public leaderboard has categories only.
	t, err := ts.Get("captionqa_subcategories")
	if errors.Is(err, ErrNoRows) {
		t, err = ts.Get("captionqa_categories")
	}
	if err != nil {
		return nil, err
	}
	if t, err = t.whereIf("evidence", "caption"); err != nil {
		return nil, err
	}
	if t, err = t.whereIf("prompt", "Simple"); err != nil {
		return nil, err
	}
	if domain != "" {
		if t, err = t.Where("domain", domain); err != nil {
			return nil, err
		}
	}
	provenance, err := t.Provenance()
	if err != nil {
		return nil, err
	}
	axes, values, level, err := radarAxes(t)
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
	r.GroupColor = deepDomainColor
	keys := make([]Key, len(series))
	for i, s := range series {
		keys[i] = Key{Name: s.Name, Look: s.Look, Line: true}
	}
	what, source := "categories", "mart "+t.Name()+"."
	title := "" // that of the figure
	if level == "subcategory" {
		what = "subcategories"
		title = "Captioners over all subcategories of the four domains"
		if domain != "" {
			title = "Captioners over the subcategories of the " + domain + " domain"
		}
	} else if slices.Contains(provenance, "published") {
		source += " The public leaderboard has categories but no subcategories."
	}
	return &Drawing{
		Title: title,
		Subtitle: fmt.Sprintf("CaptionQA score (%%) over %d %s, Simple prompt; the centre is %g, the rim %g. Captioners by their mean over the axes, which the key gives.",
			len(axes), what, low, high),
		Source:     source,
		Provenance: provenance, Keys: keys, Width: fullWidth, Height: radarHeight(len(axes)) + 90 + keysHeight(keys),
		Body: func(c draw.Canvas) { r.Plot(c, nil) },
	}, nil
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
	from := read(t)
	labels := from.textOrNone(level)
	groups := from.text("domain")
	if from.err != nil {
		return nil, nil, "", from.err
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
	rank := func(domain string) int {
		if i := slices.Index(domains, domain); i >= 0 {
			return i
		}
		return len(domains)
	}
	slices.SortStableFunc(axes, func(a, b RadarAxis) int {
		return cmp.Or(cmp.Compare(rank(a.Group), rank(b.Group)), cmp.Compare(a.Group, b.Group), cmp.Compare(a.Label, b.Label))
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
func radarSeries(t *Table, axes []RadarAxis, axisOf []int) (all []RadarSeries, low, high float64, err error) {
	from := read(t)
	ids := from.text("model_id")
	names := from.names()
	scores := from.numbers("score")
	if from.err != nil {
		return nil, 0, 0, from.err
	}
	var series []RadarSeries
	var owners []string
	at := map[string]int{}
	low, high = 100, 100
	for i, n := range names {
		k, ok := at[n]
		if !ok {
			k = len(series)
			at[n] = k
			series, owners = append(series, RadarSeries{Name: n, Values: make([]Number, len(axes))}), append(owners, ids[i])
		}
		if series[k].Values[axisOf[i]].Valid {
			return nil, 0, 0, t.fault("score", i, "a second score of %s for %s", n, axes[axisOf[i]].Label)
		}
		series[k].Values[axisOf[i]] = scores[i]
		if scores[i].Valid {
			low, high = min(low, scores[i].Value), max(high, scores[i].Value)
		}
	}
	for i, l := range Looks(owners) {
		series[i].Look = l
	}
	means := map[string]float64{}
	for i, s := range series {
		sum, n := 0.0, 0
		for _, v := range s.Values {
			if v.Valid {
				sum, n = sum+v.Value, n+1
			}
		}
		if n > 0 {
			means[s.Name] = sum / float64(n)
			series[i].Name = fmt.Sprintf("%s (%.1f)", s.Name, sum/float64(n))
			means[series[i].Name] = sum / float64(n)
		}
	}
	slices.SortStableFunc(series, func(a, b RadarSeries) int {
		return cmp.Or(cmp.Compare(means[b.Name], means[a.Name]), cmp.Compare(a.Name, b.Name))
	})
	return series, max(0, math.Floor((low-1)/10)*10), high, nil
}
