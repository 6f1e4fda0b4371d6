package build

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/analytics/sqlmodel"
	"github.com/captionlake/captionlake/analytics/statistics"
	"github.com/captionlake/captionlake/data/dictionary"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/sql"
)

// TestModelsAreSound reads every model.
func TestModelsAreSound(t *testing.T) {
	models := sqlmodel.All()
	e := testEngine(t, engine.Config{})
	seen := map[string]bool{}
	for _, m := range models {
		if m.Fold != "" && strings.HasPrefix(m.File, "models/marts/") {
			t.Errorf("%s: a fold lies in models/folds", m.File)
		}
		if seen[m.Name] || slices.Contains(sqlmodel.TableNames(), m.Name) {
			t.Errorf("%s: another model or a table has this name", m.File)
		}
		for _, input := range m.Inputs { // Models are in building order, so that a circle would be found here, too.
			if !seen[input] && !slices.Contains(sqlmodel.TableNames(), input) {
				t.Errorf("%s reads %s, which is no table and no model before it", m.File, input)
			}
		}
		seen[m.Name] = true
		for _, key := range m.Key {
			if !slices.ContainsFunc(m.Columns, func(c sqlmodel.Column) bool { return c.Name == key }) {
				t.Errorf("%s: column %s of the key is not among the columns", m.File, key)
			}
		}
		if _, ok := statistics.Computations[m.Compute]; !ok && m.Compute != "" {
			t.Errorf("%s: there is no computation %s", m.File, m.Compute)
		}
		if m.What == "" || m.Source == "" || len(m.Key) == 0 ||
			strings.Count(m.Text, ";\n") < 1+strings.Count(m.Text, "\n-- audit:") {
			t.Errorf("%s: what, source or key is missing, or a query that ends with a semicolon", m.File)
		}
		for _, c := range m.Columns {
			if c.Comment == "" || strings.Trim(c.Unit, "abcdefghijklmnopqrstuvwxyz_") != "" ||
				!slices.Contains([]string{"", "max", "min"}, c.Merge) {
				t.Errorf("%s: column %s is not NAME: [TYPE, UNIT, RULES, MEANING]: %+v", m.File, c.Name, c)
			}
		}
		if slices.ContainsFunc(m.Audits, func(a sqlmodel.Audit) bool { return a.Reason == "" }) {
			t.Errorf("%s: an audit is not NAME: REASON", m.File)
		}
		expect.Equal(t, strings.ToLower(stripLiterals(m.Select)), stripLiterals(m.Select), m.Name)
		for _, query := range append([]sqlmodel.Audit{{Query: m.Select}}, m.Audits...) {
			if !isOneSelect(t, e, query.Query) {
				t.Errorf("%s %s: not one select", m.Name, query.Name)
			}
			if strings.Contains(query.Query, "read_parquet") || strings.Contains(query.Query, ".parquet") {
				t.Errorf("%s %s: a model names no files", m.Name, query.Name)
			}
		}
		if !slices.ContainsFunc(m.Columns,
			func(c sqlmodel.Column) bool { return c.Name == "provenance" || c.Name == "origin" || c.Name == "basis" }) &&
			!strings.Contains(m.Source, "No provenance: ") {
			t.Errorf("%s: its rows have neither provenance nor origin; have one, or say why not after No provenance: in "+
				"source", m.Name)
		}
	}
}

// stripLiterals removes quoted texts and comments from SQL.
func stripLiterals(query string) string {
	var b strings.Builder
	for line := range strings.Lines(query) {
		if strings.HasPrefix(strings.TrimSpace(line), "--") {
			continue
		}
		for i, part := range strings.Split(line, "'") {
			if i%2 == 0 {
				b.WriteString(part)
			}
		}
	}
	return b.String()
}

// TestModelsFromFixtures builds each model over the rows of its testdata/NAME.txtar and compares
// the mart with the rows that the file expects. Rows of tables and of other marts are in
// in/TABLE.csv; marts that NAME reads and that are not given are built. want/NAME.csv has all rows
// of the mart, some/NAME.csv a few of a mart that has too many to read. Values are the values of
// the columns that the first line names; a line that begins with # has the arithmetic of the row
// below it. A file with several lakes has a folder for each: LAKE/in/TABLE.csv and so on.
func TestModelsFromFixtures(t *testing.T) {
	files, err := filepath.Glob("../testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no fixtures", err)
	}
	// One engine serves all lakes, because opening one and making its tables takes longer than most
	// models: each lake is undone after its use.
	e := testEngine(t, engine.Config{})
	createTables(t, e)
	for _, file := range files {
		name := strings.TrimSuffix(path.Base(filepath.ToSlash(file)), ".txtar")
		t.Run(name, func(t *testing.T) {
			archive := must.Get(txtar.ParseFile(file))(t)
			for _, lake := range fixtureLakes(archive) {
				undone(t, e, func() {
					fillTables(t, e, lake)
					m := buildFixture(t, e, lake, name)[name]
					for _, f := range lake.Files {
						switch path.Dir(f.Name) {
						case "want":
							compareMart(t, e, m, readCSV(t, f), false)
						case "some":
							compareMart(t, e, m, readCSV(t, f), true)
						}
					}
				})
			}
		})
	}
}

// undone does something and has the database forget what changed.
func undone(t *testing.T, e *engine.Engine, do func()) {
	t.Helper()
	must.Succeed(t, e.Exec(t.Context(), "begin"))
	defer func() { must.Succeed(t, e.Exec(context.Background(), "rollback")) }()
	do()
}

// fixtureLakes are the lakes of a fixture: one archive for each folder before in and want.
func fixtureLakes(archive *txtar.Archive) []*txtar.Archive {
	var lakes []*txtar.Archive
	var names []string
	for _, f := range archive.Files {
		folder, file := path.Split(f.Name)
		lake, kind := path.Split(path.Clean(folder))
		i := slices.Index(names, lake)
		if i < 0 {
			i = len(names)
			names, lakes = append(names, lake), append(lakes, &txtar.Archive{Comment: archive.Comment})
		}
		lakes[i].Files = append(lakes[i].Files, txtar.File{Name: kind + "/" + file, Data: f.Data})
	}
	return lakes
}

// TestEveryModelHasAFixture looks for testdata/NAME.txtar: inputs and, of each lake, rows of the
// mart NAME and of no other.
func TestEveryModelHasAFixture(t *testing.T) {
	for _, name := range sql.Names() {
		archive, err := txtar.ParseFile("../testdata/" + name + ".txtar")
		if err != nil {
			t.Errorf("%s has no fixture: %v", name, err)
			continue
		}
		for _, lake := range fixtureLakes(archive) {
			rows := 0
			for _, f := range lake.Files {
				switch kind := path.Dir(f.Name); {
				case kind == "in":
				case (kind == "want" || kind == "some") && path.Base(f.Name) == name+".csv":
					rows += len(readCSV(t, f)) - 1
				default:
					t.Errorf("../testdata/%s.txtar: %s is neither in/TABLE.csv nor want/%[1]s.csv nor some/%[1]s.csv",
						name, f.Name)
				}
			}
			if rows == 0 {
				t.Errorf("../testdata/%s.txtar: a lake without rows of the mart", name)
			}
		}
	}
}

// buildFixture makes and verifies the tables of the named marts, of all when none is named, and of
// the marts that they read.
func buildFixture(t *testing.T, e *engine.Engine, archive *txtar.Archive, names ...string) map[string]sqlmodel.Model {
	t.Helper()
	models := sqlmodel.All()
	byName := map[string]sqlmodel.Model{}
	for _, m := range models {
		byName[m.Name] = m
	}
	given, wanted := map[string]bool{}, map[string]bool{}
	for _, f := range archive.Files {
		if table, ok := strings.CutPrefix(f.Name, "in/"); ok {
			given[strings.TrimSuffix(table, ".csv")] = true
		}
	}
	var want func(name string)
	want = func(name string) {
		if m, ok := byName[name]; ok && !wanted[name] && !given[name] {
			wanted[name] = true
			for _, input := range m.Inputs {
				want(input)
			}
		}
	}
	if len(names) == 0 {
		names = sql.Names()
	}
	for _, name := range names {
		want(name)
	}
	for _, m := range models {
		switch {
		case given[m.Name]:
			useModel(t, e, m)
		case wanted[m.Name]:
			if slices.Contains(names, m.Name) {
				columnsAgree(t, e, m)
			}
			buildModel(t, e, m)
		}
	}
	return byName
}

// columnsAgree holds the columns of a model's select against the columns that its header and the
// intervals name: an analyze does not.
func columnsAgree(t *testing.T, e *engine.Engine, m sqlmodel.Model) {
	t.Helper()
	if m.Compute != "" {
		return
	}
	given := selected(t, e, "select column_name from (describe "+m.Select+")")
	read := map[string]bool{}
	columns := slices.Concat(given...)
	for _, c := range m.Columns {
		for _, word := range sqlmodel.Words(c.Made) {
			read[word] = true
		}
		if c.Made == "" {
			i := slices.Index(columns, c.Name)
			if i < 0 {
				t.Fatalf("%s: column %s of the header is not in the select", m.Name, c.Name)
			}
			columns = slices.Delete(columns, i, i+1)
		}
	}
	for _, name := range columns {
		if !read[name] {
			t.Errorf("%s: column %s of the select is not in the header, or there twice", m.Name, name)
		}
	}
}

// buildModel makes and verifies the table of a model, and the macro of the rows that count where it
// has one.
func buildModel(t *testing.T, e *engine.Engine, m sqlmodel.Model) {
	t.Helper()
	must.Succeed(t, compute(t.Context(), e, m))
	useModel(t, e, m)
	must.Succeed(t, verifyAudits(t.Context(), e, m))
}

// useModel makes the macros that other models use of a model.
func useModel(t *testing.T, e *engine.Engine, m sqlmodel.Model) {
	t.Helper()
	if m.Merges() {
		must.Succeed(t, e.Exec(t.Context(), m.MergedMacro(false)))
	}
	if m.IsStale() {
		must.Succeed(t, e.Exec(t.Context(), m.CountedMacro(false)))
	}
}

func readCSV(t *testing.T, f txtar.File) [][]string {
	t.Helper()
	reader := csv.NewReader(bytes.NewReader(f.Data))
	reader.Comment = '#'
	return must.Get(reader.ReadAll())(t)
}

// loadFixture makes every base table and its rows.
func loadFixture(t *testing.T, e *engine.Engine, archive *txtar.Archive) {
	t.Helper()
	createTables(t, e)
	fillTables(t, e, archive)
}

// createTables makes the macros and every base table, empty, with zero values where a row names no
// column.
func createTables(t *testing.T, e *engine.Engine) {
	t.Helper()
	docs := must.Get(dictionary.Tables())(t)
	zero := map[string]string{"VARCHAR": "''", "INTEGER": "0", "BIGINT": "0", "FLOAT": "0", "DOUBLE": "0",
		"BOOLEAN": "false", "TIMESTAMP WITH TIME ZONE": "'2026-01-01 00:00:00+00'"}
	create := strings.TrimSpace(engine.Macros)
	for _, doc := range docs {
		var columns []string
		for _, c := range doc.Columns {
			value, ok := zero[c.Type]
			if !ok {
				value = "[]"
			}
			if c.Nullable {
				value = "null"
			}
			columns = append(columns, fmt.Sprintf("%s %s default %s", sql.QuoteName(c.Name), c.Type, value))
		}
		if !slices.ContainsFunc(doc.Columns, func(c dictionary.Column) bool { return c.Name == sqlmodel.UnitColumn }) {
			columns = append(columns, "unit varchar default 'ingest-fixture'")
		}
		create = fmt.Sprintf("%s;\ncreate table %s (%s)", strings.TrimSuffix(create, ";"), sql.QuoteName(doc.Name),
			strings.Join(columns, ", "))
	}
	must.Succeed(t, e.Exec(t.Context(), create))
}

// fillTables makes the rows of a fixture, and the tables of its marts.
func fillTables(t *testing.T, e *engine.Engine, archive *txtar.Archive) {
	t.Helper()
	do := func(query string) {
		t.Helper()
		must.Succeed(t, e.Exec(t.Context(), query))
	}
	models := sqlmodel.All()
	docs := must.Get(dictionary.Tables())(t)
	types := map[string]string{}
	for _, doc := range docs {
		types[doc.Name+"."+sqlmodel.UnitColumn] = "VARCHAR"
		for _, c := range doc.Columns {
			types[doc.Name+"."+c.Name] = c.Type
		}
	}
	for _, f := range archive.Files {
		name, ok := strings.CutPrefix(f.Name, "in/")
		if !ok {
			continue
		}
		table := strings.TrimSuffix(name, ".csv")
		rows := readCSV(t, f)
		if i := slices.IndexFunc(models, func(m sqlmodel.Model) bool { return m.Name == table }); i >= 0 {
			var columns []string
			for _, c := range models[i].Columns {
				types[table+"."+c.Name] = c.Type
				columns = append(columns, sql.QuoteName(c.Name)+" "+c.Type)
			}
			do(fmt.Sprintf("create table %s (%s)", sql.QuoteName(table), strings.Join(columns, ", ")))
		}
		var all []string
		for _, row := range rows[1:] {
			var values []string
			for i, v := range row {
				if v == engine.Null {
					values = append(values, "null")
				} else {
					values = append(values, fmt.Sprintf("cast(%s as %s)", sql.Quote(v), types[table+"."+rows[0][i]]))
				}
			}
			all = append(all, "("+strings.Join(values, ", ")+")")
		}
		if len(all) > 0 {
			do(fmt.Sprintf("insert into %s (%s) values %s", sql.QuoteName(table), sql.QuoteNames(rows[0]),
				strings.Join(all, ", ")))
		}
	}
}

// keyOf is what tells a row of an expectation from another: its values in the columns of the mart's
// key that it names.
func keyOf(m sqlmodel.Model, columns, row []string) string {
	var key []string
	for i, c := range columns {
		if slices.Contains(m.Key, c) {
			key = append(key, row[i])
		}
	}
	return strings.Join(key, "\x00")
}

// compareMart compares the columns that the expectation names, in the order of the mart's key; with
// some, only the rows of the mart whose keys are expected. Numbers may differ in the last digits.
func compareMart(t *testing.T, e *engine.Engine, m sqlmodel.Model, want [][]string, some bool) {
	t.Helper()
	got := selected(t, e,
		fmt.Sprintf("select %s from %s order by %s", sql.QuoteNames(want[0]), m.Name, sql.QuoteNames(m.Key)))
	if some {
		places := map[string]int{}
		for i, row := range want[1:] {
			places[keyOf(m, want[0], row)] = i + 1
		}
		place := func(row []string) int { return places[keyOf(m, want[0], row)] }
		got = slices.DeleteFunc(got, func(row []string) bool { return place(row) == 0 })
		slices.SortStableFunc(got, func(a, b []string) int { return place(a) - place(b) })
	}
	if len(got) != len(want)-1 {
		t.Errorf("%s: %d rows, want %d:\n%s", m.Name, len(got), len(want)-1, joinRows(got))
		return
	}
	for i, row := range got {
		for j, v := range row {
			if w := want[i+1][j]; v != w && !near(v, w) {
				t.Errorf("%s row %d %s: got %s, want %s\n%s", m.Name, i+1, want[0][j], v, w, strings.Join(row, ","))
			}
		}
	}
}

func near(a, b string) bool {
	x, errA := strconv.ParseFloat(a, 64)
	y, errB := strconv.ParseFloat(b, 64)
	return errA == nil && errB == nil && math.Abs(x-y) <= 1e-10*max(1, math.Abs(y))
}

// isOneSelect reports whether DuckDB takes a text for one select.
func isOneSelect(t *testing.T, e *engine.Engine, query string) bool {
	t.Helper()
	_, rows, err := e.Strings(t.Context(),
		"select json_array_length(json_serialize_sql("+sql.Quote(query)+"), '$.statements')")
	return err == nil && rows[0][0] == "1"
}
