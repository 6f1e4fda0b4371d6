package report

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/rows"
	"github.com/captionlake/captionlake/plots"
	"github.com/captionlake/captionlake/plots/ggsql"
	"github.com/captionlake/captionlake/sql"
)

// domainsFile lists the domains of the lake, with the images and questions of each reader and bank.
const domainsFile = "domains"

// load finds the files that are shown and asks their SELECTs. If no kind of rows is chosen, the one
// file that is shown alone shows the first kind that has rows.
func (b *builder) load(ctx context.Context) (err error) {
	if b.files, err = b.listed(); err != nil {
		return err
	}
	read := sql.Names()
	if b.File != nil {
		read = nil
		for _, f := range b.files {
			read = append(read, sql.Marts(f.Text)...)
		}
	}
	marts, err := b.source.Marts(ctx, read)
	if err != nil {
		return err
	}
	for _, m := range marts {
		b.marts[m.Name] = m
	}
	b.kinds = slices.DeleteFunc(data.Provenances(),
		func(kind string) bool { return !in(b.Choices.Provenance, kind) })
	if chosen := b.Choices.Provenance; len(chosen) > 1 {
		b.kinds, b.together = []string{data.Together}, chosen
	}
	for _, m := range marts {
		if slices.ContainsFunc(b.files,
			func(e entry) bool { return slices.Contains(e.Reads, m.Name) && b.missing(e.File) == "" }) {
			m.Tables = baseTables(m.Name, b.marts)
			b.report.Marts = append(b.report.Marts, m)
		}
	}
	if err := b.askAll(ctx, b.isChosen); err != nil {
		return err
	}
	for _, kind := range b.kinds {
		if b.File != nil && slices.ContainsFunc(b.entries, func(e entry) bool { return e.rows[kind] != nil }) {
			b.kinds = []string{kind}
			break
		}
	}
	return nil
}

// isChosen reports whether a file may give tables or figures that are chosen. If a file has a
// column each, only its rows tell the names of its tables. A chosen name that no file has can be
// the name of such a table. Files of pages are always chosen, because listed has left out the files
// that are not needed.
func (b *builder) isChosen(e entry) bool {
	c := b.Choices
	named := func(name string) bool {
		return slices.ContainsFunc(b.files, func(f entry) bool { return name == f.name || name == f.Path })
	}
	split := e.Each != "" && slices.ContainsFunc(c.Only, func(name string) bool { return !named(name) })
	return e.Form == "page" || split || c.shows(e.name, e.Path)
}

// askers is how many SELECTs are asked at a time. Each further asker would need a DuckDB of its
// own.
const askers = 2

// askAll makes the entries of all files. askAll asks the SELECTs of the files that pass a test;
// other files have no rows.
func (b *builder) askAll(ctx context.Context, asked func(entry) bool) error {
	entries, faults := make([][]entry, len(b.files)), make([]error, len(b.files))
	var workers errgroup.Group
	workers.SetLimit(askers)
	for i, e := range b.files {
		workers.Go(func() error {
			if entries[i] = []entry{e}; asked(e) {
				entries[i], faults[i] = b.read(ctx, e)
			}
			return nil
		})
	}
	// The first error by the order of the files is returned, whichever worker was faster.
	if err := cmp.Or(append(faults, workers.Wait())...); err != nil {
		return err
	}
	b.entries, b.Domains = nil, nil // Build may call askAll a second time.
	for _, ofFile := range entries {
		if ofFile[0].name != domainsFile {
			b.entries = append(b.entries, ofFile...)
			continue
		}
		b.domains = ofFile[0].rows
		for _, t := range b.domains {
			b.Domains = append(b.Domains, t.Read().TextIf("domain")...)
		}
	}
	return nil
}

// listed are the files that are shown, tables and rows of pages before figures. If a caller gives
// File, only that file, the author's files and the domains are listed.
func (b *builder) listed() (out []entry, err error) {
	c, one := b.Choices, b.File
	known := ggsql.All
	if one != nil {
		known = func() ([]*ggsql.File, error) { return ggsql.Named(domainsFile) }
	}
	all, err := known()
	if err != nil {
		return nil, err
	}
	for _, f := range all {
		switch {
		case f.Name == domainsFile: // Figures need all domains, to give each its colour.
		// A question is shown only by its own name. Pages are made around a whole report alone;
		// checkReader needs readersFile.
		case f.Form == "question" && !slices.Contains(c.Only, f.Name),
			f.Form == "page" && f.Name != readersFile && !c.Whole():
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
	// A user's own file (Form is empty) is asked in any case: the error of its SELECT has the place.
	if e.Form != "" && b.missing(e.File) != "" {
		return []entry{e}, nil
	}
	// put adds rows of a kind to the entries. If kind is empty, the column provenance has the kinds.
	put := func(kind string, t *rows.Rows) error {
		values, parts := []string{""}, map[string]*rows.Rows{"": t} // without Each, one part has all rows
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
		e.constant = map[string]bool{}
		for _, kind := range b.kinds {
			t, err := b.own(ctx, e.File, kind, e.constant)
			if err == nil {
				err = put(kind, t)
			}
			if err != nil {
				return nil, err
			}
			if b.File != nil && out != nil { // A file alone is shown with the first kind that has rows.
				break
			}
		}
	} else {
		all, err := b.ask(ctx, e.File, b.together...)
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
	if e.Form == "page" && (e.Benchmark != "" || e.Each == "benchmark") && b.File == nil {
		board, err := b.ask(ctx, e.File, data.Provenances()...)
		if err != nil {
			return nil, err
		}
		_, kinds := board.Group("provenance")
		if err := put(data.Together, kinds[data.Together]); err != nil {
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

// ask gives the rows of a file's SELECT. Options.Values are values for the parameters of the one
// file that is shown alone; other files use the values in their headers.
func (b *builder) ask(ctx context.Context, f *ggsql.File, kinds ...string) (*rows.Rows, error) {
	var values map[string]string
	if f == b.File {
		values = b.Values
	}
	query, err := f.Select(values)
	if err != nil {
		return nil, err
	}
	t, err := b.source.Rows(ctx, f.Rows(), query, kinds...)
	return t, f.Located(err)
}

// own runs a user's own file over the rows of a kind. If the file gives the same rows when the
// marts have no rows, the result does not depend on the kind, and own marks the kind as constant.
func (b *builder) own(ctx context.Context, f *ggsql.File, kind string, constant map[string]bool) (*rows.Rows, error) {
	kinds := []string{kind}
	if kind == data.Together {
		kinds = b.together
	}
	t, err := b.ask(ctx, f, kinds...)
	if err != nil || t.Len() == 0 {
		return t, err
	}
	none, err := b.ask(ctx, f, "none") // a kind that no row has
	constant[kind] = err == nil && none.Equal(t)
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
