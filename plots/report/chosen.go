package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/plots"
)

// How choices are applied to the rows of marts, and to the tables and figures that come of them.

// modelColumns are the columns of marts that hold models; what a model is called is in the column of the same name with _name behind it.
var modelColumns = []string{"captioner", "other", "baseline", "reader", "judge", "validator_a", "validator_b", "model", "best"}

// exampleMarts are those whose images can be chosen.
var exampleMarts = []string{"caption_examples", "extreme_questions", "figures/example_captions", "figures/example_questions"}

// holding collects what the marts have to choose from.
func (b *builder) holding() (held, error) {
	var h held
	for _, name := range slices.Sorted(maps.Keys(b.tables)) {
		t := b.tables[name]
		if t.Len() == 0 {
			continue
		}
		for _, c := range slices.Concat(modelColumns, []string{"prompt", "domain", "image_id"}) {
			if !t.Has(c) {
				continue
			}
			values, err := t.OptionalStrings(c)
			if err != nil {
				return h, err
			}
			switch c {
			case "captioner":
				h.captioners, h.models = append(h.captioners, values...), append(h.models, values...)
			case "prompt":
				h.prompts = append(h.prompts, values...)
			case "domain":
				h.domains = append(h.domains, values...)
			case "image_id":
				if slices.Contains(exampleMarts, name) {
					h.images = append(h.images, values...)
				}
			default:
				h.models = append(h.models, values...)
			}
		}
	}
	h.domains = append(h.domains, data.DomainOverall) // whose scores are in columns of their own
	for _, list := range []*[]string{&h.captioners, &h.models, &h.prompts, &h.domains, &h.images} {
		slices.Sort(*list)
		*list = slices.DeleteFunc(slices.Compact(*list), func(s string) bool { return s == "" })
	}
	for _, t := range b.papers {
		h.items = append(h.items, t.name)
	}
	for _, f := range b.figures {
		h.items = append(h.items, f.Name)
	}
	return h, nil
}

// rename gives models the names that were chosen.
func rename(t *plots.Table, names plots.Names) (*plots.Table, error) {
	if len(names) == 0 {
		return t, nil
	}
	for _, c := range modelColumns {
		if !t.Has(c) || !t.Has(c+"_name") || t.Len() == 0 {
			continue
		}
		ids, err := t.OptionalStrings(c)
		if err != nil {
			return nil, err
		}
		if t, err = t.Replaced(c+"_name", func(i int, before any) any {
			if name := names[ids[i]]; name != "" {
				return name
			}
			return before
		}); err != nil {
			return nil, err
		}
		if c == "captioner" && t.Has("size") { // which drawings add to names that do not hold it
			if t, err = t.Replaced("size", func(i int, before any) any {
				if names[ids[i]] != "" {
					return nil
				}
				return before
			}); err != nil {
				return nil, err
			}
		}
	}
	return t, nil
}

// rows returns the rows that the selection leaves; tables without a row are left out.
func (s Selection) rows(ts plots.Tables) (plots.Tables, error) {
	if len(s.Captioners)+len(s.Prompts)+len(s.Domains)+len(s.Images) == 0 {
		return ts, nil
	}
	out := plots.Tables{}
	for name, t := range ts {
		from := plots.Read(t)
		for _, by := range []struct {
			column string
			chosen []string
			empty  bool // rows without a value stay
		}{{"captioner", s.Captioners, false}, {"other", s.Captioners, true}, {"prompt", s.Prompts, true}, {"domain", s.Domains, true}} {
			if values := from.TextIf(by.column); from.Has(by.column) && len(by.chosen) > 0 {
				from = plots.Read(from.Table.Pick(func(i int) bool { return by.empty && values[i] == "" || slices.Contains(by.chosen, values[i]) }))
			}
		}
		if slices.Contains(exampleMarts, name) && len(s.Images) > 0 {
			if images := from.TextIf("image_id"); from.Err == nil {
				from = plots.Read(from.Table.Pick(func(i int) bool { return slices.Contains(s.Images, images[i]) }))
			}
		}
		if from.Err != nil {
			return nil, from.Err
		}
		t, err := s.withoutColumns(from.Table)
		if err != nil {
			return nil, err
		}
		if t.Len() > 0 {
			out[name] = t
		}
	}
	return out, nil
}

// withoutColumns empties the columns that hold the scores of domains that were not chosen.
func (s Selection) withoutColumns(t *plots.Table) (*plots.Table, error) {
	if len(s.Domains) == 0 || t.Has("domain") {
		return t, nil
	}
	columns := map[string]string{data.DomainOverall: "overall"}
	for _, d := range data.CaptionQA().Domains {
		columns[d.Name] = d.ScoreColumn()
	}
	for domain, column := range columns {
		for _, c := range []string{column, column + "_low", column + "_high"} {
			if !t.Has(c) || slices.Contains(s.Domains, domain) {
				continue
			}
			var err error
			if t, err = t.Replaced(c, func(int, any) any { return nil }); err != nil {
				return nil, err
			}
		}
	}
	return t, nil
}

// note says what the choice of captioners means for a table or figure of some marts; empty without such a choice.
func (s Selection) note(marts []string, before plots.Tables) (string, error) {
	if len(s.Captioners) == 0 {
		return "", nil
	}
	all := map[string]bool{}
	for _, name := range marts {
		if t := before[name]; t != nil {
			from := plots.Read(t)
			for _, id := range from.TextIf("captioner") {
				all[id] = true
			}
			if from.Err != nil {
				return "", from.Err
			}
		}
	}
	delete(all, "")
	shown := 0
	for id := range all {
		if slices.Contains(s.Captioners, id) {
			shown++
		}
	}
	switch {
	case len(all) == 0:
		return "Over all captioners, not only the chosen ones.", nil
	case shown == len(all):
		return "", nil
	}
	return fmt.Sprintf("Chosen: %d of %d captioners; places and means over captioners are over all of them.", shown, len(all)), nil
}

// captionerNames returns the names of captioners by model_id, as tables print them.
func captionerNames(ts plots.Tables) (map[string]string, error) {
	names := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(ts)) {
		from := plots.Read(ts[name])
		ids, shown := from.TextIf("captioner"), from.TextIf("captioner_name")
		if from.Err != nil {
			return nil, from.Err
		}
		for i, id := range ids {
			if shown[i] != "" {
				names[id] = shown[i]
			}
		}
	}
	return names, nil
}

// arrange puts the rows of captioners, whom cells name or give the id of, into an order of their ids within each section, and the columns of
// captioners likewise. Other rows come after them, other columns stay where they are.
func (g *Grid) arrange(order []string, names map[string]string) {
	if len(order) == 0 {
		return
	}
	places := map[string]int{}
	for k, id := range order {
		places[id] = k
	}
	for k, id := range order {
		if name := names[id]; name != "" {
			places[name] = k
		}
	}
	var at []int // the columns of captioners
	for i, c := range g.Columns {
		if _, ok := places[c.Head]; ok {
			at = append(at, i)
		}
	}
	from := slices.SortedStableFunc(slices.Values(at), func(a, b int) int {
		return cmp.Compare(places[g.Columns[a].Head], places[g.Columns[b].Head])
	})
	g.Columns = moved(g.Columns, at, from)
	place := func(row []Cell) int {
		for i, c := range row {
			if k, ok := places[c.Text]; ok && g.Columns[i].Decimals < 0 {
				return k
			}
		}
		return len(order)
	}
	for _, s := range g.Sections {
		for i := range s.Rows {
			s.Rows[i] = moved(s.Rows[i], at, from)
		}
		slices.SortStableFunc(s.Rows, func(a, b []Cell) int { return cmp.Compare(place(a), place(b)) })
	}
}

// moved returns the elements of a row with those at some places taken from others.
func moved[T any](row []T, at, from []int) []T {
	out := slices.Clone(row)
	for i := range at {
		out[at[i]] = row[from[i]]
	}
	return out
}

// reword gives models the chosen names where a column has their ids, and in headings and notes.
func (g *Grid) reword(names plots.Names, in *strings.Replacer) {
	for i := range g.Notes {
		g.Notes[i] = in.Replace(g.Notes[i])
	}
	for i := range g.Sections {
		g.Sections[i].Head = in.Replace(g.Sections[i].Head)
		for _, r := range g.Sections[i].Rows {
			for k := range r {
				if slices.Contains(modelColumns, g.Columns[k].ID) {
					r[k].Text = names.Model(r[k].Text)
				}
			}
		}
	}
}

// renamed puts chosen names in the place of those that the lake has for models, longer ones first.
func renamed(ts plots.Tables, names plots.Names) (*strings.Replacer, error) {
	chosen := map[string]string{}
	for _, t := range ts {
		from := plots.Read(t)
		for _, c := range modelColumns {
			shown := from.TextIf(c + "_name")
			for i, id := range from.TextIf(c) {
				if names[id] != "" && shown[i] != "" {
					chosen[shown[i]] = names[id]
				}
			}
		}
		if from.Err != nil {
			return nil, from.Err
		}
	}
	var pairs []string
	for _, name := range slices.SortedFunc(maps.Keys(chosen), func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b)) }) {
		pairs = append(pairs, name, chosen[name])
	}
	return strings.NewReplacer(pairs...), nil
}
