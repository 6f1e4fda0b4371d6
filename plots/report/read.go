package report

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/rows"
	"github.com/captionlake/captionlake/plots"
	"github.com/captionlake/captionlake/plots/ggsql"
	"github.com/captionlake/captionlake/sql"
)

// domainsFile lists the domains of the lake, with the images and questions of each reader and bank.
const domainsFile = "domains"

// load reads the rows of all files that the lake has marts for, or of the one file that is shown.
// If no kind of rows is chosen, the one file shows the first kind that has rows.
func (b *builder) load(ctx context.Context) error {
	marts, err := b.source.Marts(ctx)
	if err != nil {
		return err
	}
	for _, m := range marts {
		b.marts[m.Name] = m
	}
	b.kinds = slices.DeleteFunc(data.Provenances(),
		func(kind string) bool { return !in(b.options.Choices.Provenance, kind) })
	if b.options.Choices.together() != nil {
		b.kinds = []string{data.Together}
	}
	files, err := b.files()
	if err != nil {
		return err
	}
	read := map[string]bool{}
	for _, e := range files {
		entries, err := b.read(ctx, e)
		if err != nil {
			return err
		}
		for _, mart := range e.Reads {
			read[mart] = read[mart] || b.missing(e.File) == ""
		}
		if e.name != domainsFile {
			b.entries = append(b.entries, entries...)
			continue
		}
		b.domains = entries[0].rows
		for _, t := range b.domains {
			b.page.Domains = append(b.page.Domains, t.Read().TextIf("domain")...)
		}
	}
	for _, kind := range b.kinds {
		if b.options.File != nil && slices.ContainsFunc(b.entries, func(e entry) bool { return e.rows[kind] != nil }) {
			b.kinds = []string{kind}
			break
		}
	}
	for _, m := range marts {
		if read[m.Name] {
			m.Tables = baseTables(m.Name, b.marts)
			b.report.Marts = append(b.report.Marts, m)
		}
	}
	slices.SortFunc(b.report.Marts, func(x, y sql.Mart) int { return strings.Compare(x.Name, y.Name) })
	return nil
}

// files lists the files that are shown, tables and rows of pages before figures.
func (b *builder) files() (out []entry, err error) {
	c, one := b.options.Choices, b.options.File
	all, err := ggsql.All()
	if err != nil {
		return nil, err
	}
	for _, f := range all {
		switch {
		case f.Name == domainsFile: // figures have their colours
		case one != nil, f.Form == "question" && !slices.Contains(c.Only, f.Name), f.Form == "page" &&
			f.Name != slicesFile && !c.Whole():
			continue
		}
		out = append(out, entry{File: f, name: f.Name, drawn: f.Form == "figure"})
	}
	for _, name := range c.own() {
		content, err := data.ReadInput(*name, sql.MaxBytes)
		if err != nil {
			return nil, err
		}
		f, err := ggsql.Parse(*name, "", string(content))
		if err != nil {
			return nil, err
		}
		if _, err := f.Plot(); err != nil {
			return nil, err
		}
		out = append(out, entry{File: f, name: f.Name, drawn: f.Clauses() != ""})
	}
	if one != nil {
		drawn := slices.ContainsFunc(plots.Formats,
			func(format string) bool { return slices.Contains(c.Formats, format) })
		out = append(out, entry{File: one, name: one.Name, drawn: drawn})
	}
	slices.SortStableFunc(out, func(x, y entry) int { return first(y.drawn, x.drawn) })
	return out, nil
}

// read asks a file's SELECT, once for the rows of all kinds. Rows without a column provenance are
// of the first kind. A user's own file does not decide the kind of its rows: its SELECT is asked
// over the rows of one kind after the other. The board of a page has published and measured rows
// together, if it has both.
func (b *builder) read(ctx context.Context, e entry) (out []entry, err error) {
	if e.Form != "" && b.missing(e.File) != "" {
		return []entry{e}, nil
	}
	together := b.options.Choices.together()
	put := func(kind string, t *rows.Rows) error {
		values, parts := []string{""}, map[string]*rows.Rows{"": t}
		if t == nil || t.Len() == 0 {
			return nil
		}
		if e.Each != "" {
			values, parts = t.Group(e.Each)
		}
		for _, of := range values {
			k := slices.IndexFunc(out, func(o entry) bool { return o.of == of })
			if k < 0 {
				k = len(out)
				one := e
				one.of, one.rows = of, map[string]*rows.Rows{}
				out = append(out, one)
			}
			if part := parts[of]; kind != "" {
				out[k].rows[kind] = part
			} else {
				_, kinds := part.Group("provenance")
				maps.Copy(out[k].rows, kinds)
			}
		}
		return t.Err
	}
	if e.Form == "" {
		for _, kind := range b.kinds {
			t, err := b.own(ctx, e.File, kind)
			if err == nil {
				err = put(kind, t)
			}
			if err != nil {
				return nil, err
			}
			if b.options.File != nil && out != nil {
				break
			}
		}
	} else {
		all, err := b.ask(ctx, e.File, together...)
		if err != nil {
			return nil, err
		}
		kind := ""
		if !all.Has("provenance") {
			kind = b.kinds[0]
		}
		if err := put(kind, all.Read()); err != nil {
			return nil, err
		}
	}
	if e.Form == "page" && (e.Benchmark != "" || e.Each == "benchmark") && b.options.File == nil {
		board, err := b.ask(ctx, e.File, data.Provenances()...)
		if err != nil {
			return nil, err
		}
		if board.Len() > 0 {
			_, kinds := board.Group("provenance")
			err = put(data.Together, kinds[data.Together])
		}
		if err != nil {
			return nil, err
		}
		for _, o := range out {
			if len(kindsOf(o.rows[data.Together])) > 1 {
				delete(o.rows, data.ProvenancePublished)
				delete(o.rows, data.ProvenanceMeasured)
			} else {
				delete(o.rows, data.Together)
			}
		}
	}
	if out == nil {
		return []entry{e}, nil
	}
	if e.Each != "" && e.Form != "page" {
		var values []string
		for _, o := range out {
			values = append(values, o.of)
		}
		for k, name := range columnIDs(values) {
			out[k].name = name
		}
	}
	return out, nil
}

// ask gives the rows of a file's SELECT. The one file that is shown has values of its parameters.
func (b *builder) ask(ctx context.Context, f *ggsql.File, kinds ...string) (*rows.Rows, error) {
	var values map[string]string
	if f == b.options.File {
		values = b.options.Values
	}
	query, err := f.Select(values)
	if err != nil {
		return nil, err
	}
	t, err := b.source.Rows(ctx, f.Rows(), query, kinds...)
	return t, f.Located(err)
}

// own are the rows of a user's own file over the rows of a kind.
func (b *builder) own(ctx context.Context, f *ggsql.File, kind string) (*rows.Rows, error) {
	kinds := []string{kind}
	if kind == data.Together {
		kinds = b.options.Choices.together()
	}
	t, err := b.ask(ctx, f, kinds...)
	if err != nil || t.Len() == 0 {
		return t, err
	}
	none, err := b.ask(ctx, f, "none")
	b.constant[kind+f.Path] = err == nil && none.Equal(t)
	return t, err
}

// missing returns a mart that a file reads, itself or through shortcuts, and that the lake does not
// have.
func (b *builder) missing(f *ggsql.File) string {
	for _, mart := range sql.Marts(f.Text) {
		if b.marts[mart].Name == "" {
			return mart
		}
	}
	return ""
}
