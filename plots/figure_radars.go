package plots

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
)

// domainProfiles are the radar chart and the heat map of a domain, or of all domains together for one without a name.
func domainProfiles(d data.Domain, paper string) (radar, scores Figure) {
	title := "Captioners over all categories of all domains"
	if d.Name != "" {
		title = "Captioners over the categories of the " + d.Name + " domain"
	}
	column := cmp.Or(d.Column, "all")
	return profileFigures(Figure{
		Name: "radar_" + column, Title: title, Paper: "CaptionQA, " + paper, Needs: []string{"captionqa_categories"}, Also: []string{"captionqa_subcategories"},
	}, "scores_"+column, func(ts Tables, domains domainSet, _ Page, most int) (profile, error) {
		return readProfile(ts, domains, d.Name, most)
	})
}

// readProfile reads the scores of a domain, or of all domains for the empty name, by subcategory; by category where there are no
// subcategories or more than most.
func readProfile(ts Tables, domains domainSet, domain string, most int) (p profile, err error) {
	t, axes, axisOf, level, prompt, err := radarRows(ts, "captionqa_subcategories", domain)
	if errors.Is(err, ErrNoRows) || len(axes) > most { // the public leaderboard has categories only
		t, axes, axisOf, level, prompt, err = radarRows(ts, "captionqa_categories", domain)
	}
	if err != nil {
		return p, err
	}
	p = profile{axes: axes, color: domains.text, source: "mart " + t.Name() + "."}
	if p.provenance, err = t.Provenance(); err != nil {
		return p, err
	}
	if p.series, err = radarSeries(t, axes, axisOf); err != nil {
		return p, err
	}
	plural := "categories"
	if level == "subcategory" {
		plural = "subcategories"
		p.title = "Captioners over all subcategories of all domains"
		if domain != "" {
			p.title = "Captioners over the subcategories of the " + domain + " domain"
		}
	} else if slices.Contains(p.provenance, data.ProvenancePublished) {
		p.source += " The public leaderboard has categories but no subcategories."
	}
	p.what = fmt.Sprintf("CaptionQA score (%%) over %d %s, %s prompt", len(axes), plural, prompt)
	return p, nil
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

// radarSeries returns a series per model.
func radarSeries(t *Table, axes []RadarAxis, axisOf []int) (series []RadarSeries, err error) {
	models, err := byModel(t)
	from := Read(t)
	scores := from.Numbers("score")
	if err := cmp.Or(err, from.Err); err != nil {
		return nil, err
	}
	for _, m := range models {
		s := RadarSeries{ID: m.id, Name: m.name, Look: m.look, Values: make([]Number, len(axes))}
		for _, i := range m.rows {
			if s.Values[axisOf[i]].Valid {
				return nil, t.fault("score", i, "a second score of %s for %s", m.name, axes[axisOf[i]].Label)
			}
			s.Values[axisOf[i]] = scores[i]
		}
		series = append(series, s)
	}
	return series, nil
}
