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
	from, axes, axisOf, level, prompt := radarRows(ts, "captionqa_subcategories", domain)
	if errors.Is(from.Err, ErrNoRows) || len(axes) > most { // the public leaderboard has categories only
		from, axes, axisOf, level, prompt = radarRows(ts, "captionqa_categories", domain)
	}
	p = profile{axes: axes, color: domains.text, provenance: from.provenance()}
	if p.series, err = radarSeries(from, axes, axisOf); err != nil {
		return p, err
	}
	p.source = "mart " + from.Table.Name() + "."
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
func radarRows(ts Tables, mart, domain string) (from *Reading, axes []RadarAxis, axisOf []int, level, prompt string) {
	from, prompt = ts.Read(mart).whereIf("evidence", captionqa.EvidenceCaption), captionqa.PromptSimple
	if from.Has("prompt") {
		from, prompt = from.onePrompt()
	}
	if domain != "" {
		from = from.Where("domain", domain)
	}
	axes, axisOf, level = radarAxes(from)
	return from, axes, axisOf, level, prompt
}

// radarAxes returns the axes in the order of domains, then of the table, with the axis number of each row, and the level that axes are:
// subcategory where the table has them, else category.
func radarAxes(from *Reading) (axes []RadarAxis, axisOf []int, level string) {
	level = "category"
	if from.Has("subcategory") && slices.ContainsFunc(from.TextOrNone("subcategory"), func(s string) bool { return s != "" }) {
		level = "subcategory"
	}
	labels, groups := from.TextOrNone(level), from.Text("domain")
	var categories []string
	if level == "subcategory" && from.Has("category") {
		categories = from.TextOrNone("category")
	}
	if from.Err != nil {
		return nil, nil, ""
	}
	if categories != nil {
		labels = distinctLabels(labels, groups, categories)
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
	return axes, axisOf, level
}

// distinctLabels adds its category to a subcategory whose name two categories of a domain share.
func distinctLabels(labels, groups, categories []string) []string {
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
	return out
}

// radarSeries returns a series per model.
func radarSeries(from *Reading, axes []RadarAxis, axisOf []int) (series []RadarSeries, err error) {
	models, scores := from.models(), from.Numbers("score")
	if from.Err != nil {
		return nil, from.Err
	}
	for _, m := range models {
		s := RadarSeries{ID: m.id, Name: m.name, Look: m.look, Values: make([]Number, len(axes))}
		for _, i := range m.rows {
			if s.Values[axisOf[i]].Valid {
				return nil, from.Table.fault("score", i, "a second score of %s for %s", m.name, axes[axisOf[i]].Label)
			}
			s.Values[axisOf[i]] = scores[i]
		}
		series = append(series, s)
	}
	return series, nil
}
