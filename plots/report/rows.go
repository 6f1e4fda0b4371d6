package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/plots"
	"github.com/captionlake/captionlake/plots/ggsql"
)

// A Slice is the part of a lake that tables and figures of one kind of rows show: what one reader answered under one protocol, and one
// question bank, as the views shown_readers and shown_banks have it. What compares readers, protocols or banks shows all of them.
type Slice struct {
	Kind     string   `json:"provenance"`
	Protocol string   `json:"protocol,omitempty"`
	Reader   string   `json:"reader,omitempty"`
	Bank     string   `json:"bank,omitempty"`
	Others   []string `json:"not_shown,omitempty"` // other pairs "protocol, reader", and other banks
}

// slicesFile lists the readers with their protocols, and the question banks, that there are of each kind of rows, and says which are shown.
const slicesFile = "shown_first"

// slice is what is shown of one kind of rows. Published rows have one reader, which need not be the one asked for.
func (b *builder) slice(kind string) (Slice, error) {
	s, o := Slice{Kind: kind}, b.options
	t := b.tables["pages/"+slicesFile]
	if t == nil {
		return s, nil
	}
	from := plots.Read(t)
	kinds, protocols, readers, banks := from.Text("provenance"), from.TextOrNone("protocol"), from.TextOrNone("reader"), from.TextOrNone("bank")
	for i, shown := range from.Text("is_shown") {
		switch {
		case kinds[i] != kind:
		case shown != "yes":
			s.Others = append(s.Others, cmp.Or(banks[i], protocols[i]+", "+readers[i]))
		case banks[i] != "":
			s.Bank = banks[i]
		default:
			s.Protocol, s.Reader = protocols[i], readers[i]
		}
	}
	if kind != data.ProvenancePublished && s.Reader != "" && (cmp.Or(o.Protocol, s.Protocol) != s.Protocol || cmp.Or(o.Reader, s.Reader) != s.Reader) {
		return s, fmt.Errorf("no %s answers of protocol %q and reader %q; the lake has %s", kind, o.Protocol, o.Reader,
			strings.Join(slices.Sorted(slices.Values(append(s.Others, s.Protocol+", "+s.Reader))), "; "))
	}
	return s, from.Err
}

// first compares truth values, true before false.
func first(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// rows are the rows of a file that are of the kind, by the value of the file's column each.
func (s Slice) rows(f *ggsql.File, t *plots.Table) (map[string]*plots.Table, error) {
	if t == nil {
		return nil, nil
	}
	if t.Has("provenance") && f.Form != "" {
		kinds := plots.Read(t).TextIf("provenance")
		t = t.Pick(func(i int) bool { return kinds[i] == s.Kind })
	}
	if f.Each == "" || t.Len() == 0 {
		return map[string]*plots.Table{"": t}, nil
	}
	from := plots.Read(t)
	of, out := from.TextIf(f.Each), map[string]*plots.Table{}
	for _, value := range of {
		if out[value] == nil {
			out[value] = t.Pick(func(i int) bool { return of[i] == value })
		}
	}
	return out, from.Err
}

// only is the one value that a column has; empty where there are several, or none.
func only(t *plots.Table, column string) string {
	values := plots.Read(t).TextIf(column)
	if len(values) == 0 || slices.ContainsFunc(values, func(v string) bool { return v != values[0] }) {
		return ""
	}
	return values[0]
}

// modelColumns are the columns that hold ids of models; what a model is called is in the column of the same name with _name behind it.
var modelColumns = []string{"captioner", "other", "baseline", "reader", "judge", "validator_a", "validator_b", "model", "best"}

// choose holds the choices against what the lake has, gives models their chosen names, and finds what is shown of each kind of rows.
func (b *builder) choose() error {
	c := b.options.Choices
	var h held
	chosen := map[string]string{} // names by those of the lake
	for name, t := range b.tables {
		from := plots.Read(t)
		for _, column := range modelColumns {
			ids, names := from.TextIf(column), from.TextIf(column+"_name")
			h.models = append(h.models, ids...)
			for i, id := range ids {
				if c.Names[id] != "" && names[i] != "" {
					chosen[names[i]] = c.Names[id]
				}
			}
		}
		h.captioners = append(h.captioners, from.TextIf("captioner")...)
		h.prompts, h.domains = append(h.prompts, from.TextIf("prompt")...), append(h.domains, from.TextIf("domain")...)
		if b.cards(name) {
			h.images = append(h.images, from.TextIf("image_id")...)
		}
		if from.Err != nil {
			return from.Err
		}
		for _, column := range t.Columns() { // what is shown can have another name
			if strings.HasPrefix(name, "figures/") {
				h.models = append(h.models, plots.Read(t).TextIf(column)...) // none of what is no text
			}
		}
	}
	for _, list := range []*[]string{&h.captioners, &h.models, &h.prompts, &h.domains, &h.images} {
		slices.Sort(*list)
		*list = slices.DeleteFunc(slices.Compact(*list), func(s string) bool { return s == "" })
	}
	for _, e := range b.entries {
		if e.Form != "page" {
			h.items = append(h.items, e.name)
		}
	}
	if err := c.check(h); err != nil {
		return err
	}
	var pairs []string // longer names first
	for _, name := range slices.SortedFunc(maps.Keys(chosen), func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b)) }) {
		pairs = append(pairs, name, chosen[name])
	}
	b.renamed = strings.NewReplacer(pairs...)
	b.report.Choices, b.page.Names = c, c.Names
	for name, t := range b.tables {
		var err error
		if b.tables[name], err = rename(t, c.Names); err != nil {
			return err
		}
	}
	for _, kind := range data.Provenances() {
		if in(b.options.Choices.Provenance, kind) {
			s, err := b.slice(kind)
			if err != nil {
				return err
			}
			b.report.Slices = append(b.report.Slices, s)
		}
	}
	return nil
}

// cards reports whether rows are those of a figure with pictures, whose images can be chosen.
func (b *builder) cards(rows string) bool {
	return slices.ContainsFunc(b.entries, func(e entry) bool { return e.Cards && e.Rows() == rows })
}

// rename gives models the names that were chosen.
func rename(t *plots.Table, names plots.Names) (*plots.Table, error) {
	for _, c := range modelColumns {
		if len(names) == 0 || !t.Has(c) || !t.Has(c+"_name") || t.Len() == 0 {
			continue
		}
		from := plots.Read(t)
		ids := from.TextOrNone(c)
		err := from.Err
		replace := func(column string, by func(id string) any) {
			if err == nil && t.Has(column) {
				t, err = t.Replaced(column, func(i int, before any) any {
					if names[ids[i]] == "" {
						return before
					}
					return by(ids[i])
				})
			}
		}
		replace(c+"_name", func(id string) any { return names[id] })
		if c == "captioner" {
			replace("size", func(string) any { return nil }) // which drawings add to names that do not hold it
		}
		if err != nil {
			return nil, err
		}
	}
	return t, nil
}

// rows are the rows of a file that the selection leaves, its captioners in their order, and what to say about the choice.
func (s Selection) rows(f *ggsql.File, t *plots.Table) (*plots.Table, string, error) {
	before := t
	for _, by := range []struct {
		column string
		chosen []string
		empty  bool // rows without a value stay
	}{{"captioner", s.Captioners, false}, {"other", s.Captioners, true}, {"prompt", s.Prompts, true}, {"domain", s.Domains, true}, {"image_id", s.Images, false}} {
		if !t.Has(by.column) || len(by.chosen) == 0 || t.Len() == 0 || by.column == "image_id" && !f.Cards {
			continue
		}
		from := plots.Read(t)
		values := from.TextOrNone(by.column)
		if from.Err != nil {
			return nil, "", from.Err
		}
		t = t.Pick(func(i int) bool { return by.empty && values[i] == "" || slices.Contains(by.chosen, values[i]) })
	}
	if len(s.Captioners) == 0 || t.Len() == 0 {
		return t, "", nil
	}
	place := func(id string) int {
		if i := slices.Index(s.Captioners, id); i >= 0 {
			return i
		}
		return len(s.Captioners)
	}
	from := plots.Read(t).One(f.One) // before they are sorted, since the first row says which
	if from.Err != nil {
		return nil, "", from.Err
	}
	t = from.Table
	ids, all := from.TextIf("captioner"), plots.Read(before).TextIf("captioner")
	t = t.Sorted(func(a, b int) int { return cmp.Compare(place(ids[a]), place(ids[b])) })
	for _, c := range f.Columns {
		id, named := strings.CutSuffix(c.Across, "_name")
		if of := plots.Read(t).TextIf(id); named && slices.ContainsFunc(of, func(id string) bool { return place(id) < len(s.Captioners) }) {
			var err error
			add := t.With
			if t.Has("across_place") {
				add = func(column string, value func(int) any) (*plots.Table, error) {
					return t.Replaced(column, func(i int, _ any) any { return value(i) })
				}
			}
			if t, err = add("across_place", func(i int) any { return float64(place(of[i])) }); err != nil {
				return nil, "", err
			}
		}
	}
	distinct := func(ids []string) int {
		ids = slices.Clone(ids)
		slices.Sort(ids)
		return len(slices.DeleteFunc(slices.Compact(ids), func(id string) bool { return id == "" }))
	}
	switch shown, of := distinct(ids), distinct(all); {
	case of == 0:
		return t, "Over all captioners, not only the chosen ones.", from.Err
	case shown < of:
		return t, fmt.Sprintf("Chosen: %d of %d captioners; places and means over captioners are over all of them.", shown, of), from.Err
	}
	return t, "", from.Err
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
