package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/data/rows"
	"github.com/captionlake/captionlake/plots/ggsql"
	"github.com/captionlake/captionlake/sql"
)

// shownAs lists the files of some forms.
func shownAs(t *testing.T, forms ...string) []*ggsql.File {
	t.Helper()
	return slices.DeleteFunc(slices.Clone(must.Get(ggsql.All())(t)),
		func(f *ggsql.File) bool { return !slices.Contains(forms, f.Form) })
}

// tableNamed lays one table out, by its name.
func tableNamed(t *testing.T, name string, ts map[string]*rows.Rows) *Grid {
	t.Helper()
	for _, f := range shownAs(t, "table", "page") {
		if f.Name != name &&
			(f.Each == "" || !slices.ContainsFunc(f.Reads, func(mart string) bool { return ts[mart] != nil })) {
			continue
		}
		all := selected(t, f, ts)
		if f.Name != name {
			values, parts := all.Group(f.Each)
			k := slices.Index(columnIDs(values), name)
			if k < 0 {
				continue
			}
			all = parts[values[k]]
		}
		g := must.Get(Layout(f, all))(t)
		g.Notes = append(g.Notes, g.print()...)
		return g
	}
	t.Fatalf("there is no table %s", name)
	return nil
}

// lines are the rows of a grid as Markdown writes them, headings of sections included.
func lines(t *testing.T, g *Grid) string {
	t.Helper()
	g.Kind = "measured"
	var out []string
	for i, l := range strings.Split(must.Get(g.Markdown())(t), "\n") {
		if strings.HasPrefix(l, "|") && i != 5 {
			out = append(out, l)
		}
	}
	return strings.Join(out, "\n")
}

// martsOf are the marts of an archive, and the content of its other files. A mart is JSON: a line
// with the names of its columns, and a line for each row.
func martsOf(t *testing.T, archive *txtar.Archive) map[string]*rows.Rows {
	t.Helper()
	marts := map[string]*rows.Rows{}
	for _, f := range archive.Files {
		if !slices.Contains(sql.Names(), f.Name) {
			continue
		}
		var columns []string
		var all [][]any
		d := json.NewDecoder(bytes.NewReader(f.Data))
		for must.Succeed(t, d.Decode(&columns)); d.More(); {
			var row []any
			must.Succeed(t, d.Decode(&row))
			all = append(all, row)
		}
		marts[f.Name] = laketest.Rows(t, f.Name, columns, all...)
	}
	return marts
}

// TestTables lays out the marts of testdata/tables/NAME.txtar as the table NAME. The file want has
// the rows of the table as Markdown, in the order and the form of the paper, and in some archives
// the notes.
func TestTables(t *testing.T) {
	for _, path := range must.Get(filepath.Glob("testdata/tables/*.txtar"))(t) {
		archive := must.Get(txtar.ParseFile(path))(t)
		g := tableNamed(t, strings.TrimSuffix(filepath.Base(path), ".txtar"), martsOf(t, archive))
		want, got := string(archive.Files[len(archive.Files)-1].Data), lines(t, g)+"\n"
		if want != got && want != got+strings.Join(g.Notes, "\n")+"\n" {
			t.Errorf("%s: got\n%s\n%s\nwant\n%s", path, got, strings.Join(g.Notes, "\n"), want)
		}
	}
}

// TestRowsOfTheSite holds the rows that tests of the site draw against the SELECTs over the marts
// of the same archive.
func TestRowsOfTheSite(t *testing.T) {
	const path = "../site/testdata/lake.txtar"
	archive := must.Get(txtar.ParseFile(path))(t)
	marts := martsOf(t, archive)
	for i, f := range archive.Files {
		if marts[f.Name] != nil {
			continue
		}
		all := selected(t, named(t, f.Name), marts)
		var text bytes.Buffer
		lines := json.NewEncoder(&text)
		must.Succeed(t, lines.Encode(all.Columns()))
		for n := range all.Len() {
			var row []any
			for _, column := range all.Columns() {
				row = append(row, all.Values(column)[n])
			}
			must.Succeed(t, lines.Encode(row))
		}
		if !*update {
			expect.Equal(t, text.String(), string(f.Data), f.Name)
		}
		archive.Files[i].Data = text.Bytes()
	}
	if *update {
		must.Write(t, path, txtar.Format(archive))
	}
}

func TestOneCellHasOneValue(t *testing.T) {
	f, err := ggsql.Parse("mine.sql", "",
		"-- columns: [{name: model}, {name: v, decimals: 0, across: domain}]\nselect 1\n")
	must.Succeed(t, err)
	_, err = Layout(f,
		laketest.Rows(t, "m", []string{"model", "domain", "v"}, []any{"A", "Natural", 1}, []any{"A", "Natural", 2}))
	expect.Equal(t, fmt.Sprint(err), "table m has two values of Natural for A")
}

// A file of one's own needs no columns: numbers have two digits after the point at most.
func TestColumnsOfAnOwnFile(t *testing.T) {
	f := must.Get(ggsql.Parse("mine.sql", "", "select 1\n"))(t)
	g := must.Get(Layout(f,
		laketest.Rows(t, "m", []string{"model_name", "n", "share"}, []any{"A", 12, 0.12345}, []any{nil, 3, nil})))(t)
	g.print()
	if got, want := lines(t, g), "| Model name | N | Share |\n| A | 12 | 0.12 |\n|  | 3 | – |"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
