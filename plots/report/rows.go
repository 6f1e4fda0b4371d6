package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/rows"
	"github.com/captionlake/captionlake/plots"
	"github.com/captionlake/captionlake/plots/ggsql"
)

// readersFile lists the readers with their protocols, and the question banks, that there are of
// each kind of rows.
const readersFile = "shown_first"

// checkReader returns an error if a kind of rows has no answers of the reader and the protocol that
// were asked for. Published rows have one reader, which need not be the reader that was asked for.
func (b *builder) checkReader(kind string) error {
	at := slices.IndexFunc(b.entries, func(e entry) bool { return e.name == readersFile })
	if at < 0 || b.entries[at].rows[kind] == nil || kind == data.ProvenancePublished {
		return nil
	}
	from := b.entries[at].rows[kind].Read()
	protocols, readers := from.TextOrNone("protocol"), from.TextOrNone("reader")
	var pairs []string
	for i, protocol := range protocols {
		isAskedFor := cmp.Or(b.Protocol, protocol) == protocol && cmp.Or(b.Reader, readers[i]) == readers[i]
		switch {
		case protocol == "": // of a question bank
		case isAskedFor:
			return from.Err
		default:
			pairs = append(pairs, protocol+", "+readers[i])
		}
	}
	if pairs != nil { // Without any answers of the kind, items say themselves why they are skipped.
		return fmt.Errorf("no %s answers of protocol %q and reader %q; the lake has %s", kind, b.Protocol, b.Reader,
			strings.Join(slices.Sorted(slices.Values(pairs)), "; "))
	}
	return from.Err
}

// kindOf is the kind of a row that stands beside rows of another kind. A dagger behind the name of
// its captioner says that the row is measured.
func kindOf(name string) string {
	if strings.HasSuffix(name, data.Dagger) {
		return data.ProvenanceMeasured
	}
	return data.ProvenancePublished
}

// kindsOf are the kinds of rows that stand together.
func kindsOf(t *rows.Rows) (kinds []string) {
	if t == nil {
		return nil
	}
	for _, name := range t.Read().TextIf("captioner_name") {
		if kind := kindOf(name); name != "" && !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// withKinds gives rows that stand together the kind of each row in the column provenance. withKinds
// also returns the kind of all rows. If all rows are of one kind, their names lose the daggers, and
// a note says that the lake has no rows of the other kind.
func withKinds(t *rows.Rows) (out *rows.Rows, kind, note string) {
	kinds := kindsOf(t)
	if len(kinds) > 1 {
		names := t.Read().TextIf("captioner_name")
		return t.Set("provenance", func(i int, _ any) any { return kindOf(names[i]) }), data.Together, ""
	}
	t = t.Set("captioner_name", func(_ int, name any) any {
		if name == nil {
			return nil
		}
		return strings.TrimSuffix(fmt.Sprint(name), data.Dagger)
	})
	other := data.ProvenanceMeasured
	if kinds[0] == other {
		other = data.ProvenancePublished
	}
	return t, kinds[0], "The lake has no " + other + " rows of this board."
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

// distinct returns the values that are not empty, sorted, each once.
func distinct(values []string) []string {
	values = slices.Compact(slices.Sorted(slices.Values(values)))
	return slices.DeleteFunc(values, func(v string) bool { return v == "" })
}

// only returns the one value that a column has. The result is empty if the column has several
// values or no value.
func only(t *rows.Rows, column string) string {
	values := t.Read().TextIf(column)
	if len(values) == 0 || slices.ContainsFunc(values, func(v string) bool { return v != values[0] }) {
		return ""
	}
	return values[0]
}

// modelColumns are the columns that hold ids of models. The column of the same name with _name
// behind it has the names of the models.
var modelColumns = []string{"captioner", "other", "baseline", "reader", "judge", "validator_a", "validator_b", "model",
	"best", "authors", "own"}

// choose checks the choices against the contents of the lake, gives models their chosen names, and
// finds the rows of each kind to show.
func (b *builder) choose() error {
	c := b.Choices
	h := held{part: b.File != nil && c.place != nil, of: map[string][]string{"domain": b.Domains}}
	chosen := map[string]string{} // chosen names by the names of the lake
	for _, e := range b.entries {
		for _, t := range e.rows {
			from := t.Read()
			for _, column := range modelColumns {
				ids, names := from.TextIf(column), from.TextIf(column+"_name")
				h.of[""] = append(h.of[""], ids...)
				for i, id := range ids {
					if name := strings.TrimSuffix(names[i], data.Dagger); c.Names[id] != "" && name != "" {
						chosen[name] = c.Names[id]
					}
				}
			}
			for _, column := range []string{"captioner", "prompt", "domain", "image_id"} {
				if column != "image_id" || e.Cards {
					h.of[column] = append(h.of[column], from.TextIf(column)...)
				}
			}
			if from.Err != nil {
				return from.Err
			}
			for _, column := range t.Columns() {
				if e.Form == "figure" { // A figure can have models in columns of other names.
					h.of[""] = append(h.of[""], t.Read().TextIf(column)...) // nothing, if the column is not text
				}
			}
		}
	}
	for column, values := range h.of {
		h.of[column] = distinct(values)
	}
	for _, e := range b.entries { // Rows of pages cannot be chosen; a user's own file also has its path as a name.
		if e.Form != "page" || b.File != nil {
			h.items = append(h.items, e.name, e.File.Name)
			if e.Form == "" {
				h.items = append(h.items, e.Path)
			}
		}
	}
	h.items = distinct(h.items)
	if err := c.check(h); err != nil {
		return err
	}
	var pairs []string // longer names first, because a name can be the beginning of a longer one
	for _, name := range slices.SortedFunc(maps.Keys(chosen),
		func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b)) }) {
		pairs = append(pairs, name, chosen[name])
	}
	b.renamed = strings.NewReplacer(pairs...)
	b.report.Choices, b.Names = c, c.Names
	for _, e := range b.entries {
		for kind, t := range e.rows {
			if t = rename(t.Read(), c.Names); e.Form == "figure" && t.Has("title") {
				titles := t.TextIf("title")
				t = t.Set("title", func(i int, _ any) any { return b.renamed.Replace(titles[i]) })
			}
			if e.rows[kind] = t; t.Err != nil {
				return t.Err
			}
		}
	}
	for _, kind := range b.kinds {
		if err := b.checkReader(kind); err != nil {
			return err
		}
	}
	return nil
}

// rename gives models the names that were chosen.
func rename(t *rows.Rows, names plots.Names) *rows.Rows {
	for _, c := range modelColumns {
		if len(names) == 0 || !t.Has(c) || !t.Has(c+"_name") {
			continue
		}
		ids := t.TextOrNone(c)
		t = t.Set(c+"_name", func(i int, before any) any {
			switch name := names[ids[i]]; {
			case name == "":
				return before
			case strings.HasSuffix(fmt.Sprint(before), data.Dagger):
				return name + data.Dagger
			default:
				return name
			}
		})
	}
	return t
}

// rows returns the rows of a file that the selection leaves, with the captioners in the order of
// the selection, and a note about the choice. The note is empty if there is nothing to say.
func (s Selection) rows(f *ggsql.File, t *rows.Rows) (*rows.Rows, string) {
	all := t.Read().TextIf("captioner")
	t = t.Read()
	for _, by := range []struct {
		column string
		chosen []string
		empty  bool // rows without a value stay
	}{{"captioner", s.Captioners, false}, {"other", s.Captioners, true}, {"prompt", s.Prompts, true}, {"domain",
		s.Domains, true}, {"image_id", s.Images, false}} {
		isNoExample := by.column == "image_id" && !f.Cards
		if !t.Has(by.column) || len(by.chosen) == 0 || isNoExample {
			continue
		}
		values := t.TextIf(by.column)
		if t.Err != nil {
			return t, ""
		}
		t = t.Pick(func(i int) bool { return by.empty && values[i] == "" || slices.Contains(by.chosen, values[i]) })
	}
	if len(s.Captioners) == 0 {
		return t, ""
	}
	// Captioners that are not chosen come last.
	place := func(id string) int { return slices.Index(append(slices.Clip(s.Captioners), id), id) }
	// One keeps the rows that have the value of the first row, so it must see the order of the SELECT.
	t = t.One(f.One)
	ids := t.TextIf("captioner")
	if t.Err != nil {
		return t, ""
	}
	t = t.Sort(func(a, b int) int { return cmp.Compare(place(ids[a]), place(ids[b])) })
	// If columns of the table stand for captioners, the columns get the chosen order, too. If columns
	// stand for other models, such as judges, no id is among the chosen captioners, and the columns
	// keep their order.
	for _, c := range f.Columns {
		id, named := strings.CutSuffix(c.Across, "_name")
		if across := t.Read().TextIf(id); named &&
			slices.ContainsFunc(across, func(id string) bool { return place(id) < len(s.Captioners) }) {
			t = t.Set("across_place", func(i int, _ any) any { return float64(place(across[i])) })
		}
	}
	switch shown, total := len(distinct(ids)), len(distinct(all)); {
	case total == 0:
		return t, "Over all captioners, not only the chosen ones."
	case shown < total:
		return t, fmt.Sprintf("Chosen: %d of %d captioners; places and means over captioners are over all of them.",
			shown, total)
	}
	return t, ""
}

// reword gives models the chosen names. In columns with ids of models, names has the chosen names.
// In headings and notes, renamed replaces the names of the lake by the chosen names.
func (g *Grid) reword(names plots.Names, renamed *strings.Replacer) {
	for i := range g.Notes {
		g.Notes[i] = renamed.Replace(g.Notes[i])
	}
	for i := range g.Sections {
		g.Sections[i].Head = renamed.Replace(g.Sections[i].Head)
		for _, r := range g.Sections[i].Rows {
			for k := range r {
				if slices.Contains(modelColumns, g.Columns[k].Name) {
					r[k].Text = names.Model(r[k].Text)
				}
			}
		}
	}
}
