package analytics

import (
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

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/sql"
)

// TestModelList holds the list of models against the files of the room and reads every header.
func TestModelList(t *testing.T) {
	files, err := sql.Files()
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for _, name := range sql.Models() {
		listed = append(listed, sql.File(name))
	}
	slices.Sort(listed)
	if !slices.Equal(files, listed) {
		t.Errorf("the files are %v, the list says %v", files, listed)
	}
	models, err := Models()
	if err != nil {
		t.Fatal(err)
	}
	e := testEngine(t, engineConfig{})
	for _, m := range models {
		if strings.ToLower(stripLiterals(m.Select)) != stripLiterals(m.Select) {
			t.Errorf("%s: SQL is written in lower case", m.Name)
		}
		for _, query := range append([]Audit{{Query: m.Select}}, m.Audits...) {
			one, err := e.isOneSelect(t.Context(), query.Query, false)
			if err != nil || !one {
				t.Errorf("%s %s: not one select: %v", m.Name, query.Name, err)
			}
			if strings.Contains(query.Query, "read_parquet") || strings.Contains(query.Query, ".parquet") {
				t.Errorf("%s %s: a model names no files", m.Name, query.Name)
			}
		}
		for i, line := range strings.Split(m.Text, "\n") {
			if n := len([]rune(line)); n > 140 {
				t.Errorf("%s:%d: %d characters; a line has 140 at most", sql.File(m.Name), i+1, n)
			}
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

func testEngine(t testing.TB, c engineConfig) *engine {
	t.Helper()
	c.spill = filepath.Join(t.TempDir(), "spill")
	e, err := openEngine(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

// TestModelsFromFixtures builds the models over the rows of each testdata/*.txtar and compares the marts with the rows
// that the file expects. Its head has the arithmetic.
func TestModelsFromFixtures(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no fixtures", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(path.Base(filepath.ToSlash(file)), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			e := testEngine(t, engineConfig{})
			loadFixture(t, e, archive)
			models := buildFixture(t, e)
			for _, f := range archive.Files {
				if name, ok := strings.CutPrefix(f.Name, "want/"); ok {
					compareMart(t, e, models[strings.TrimSuffix(name, ".csv")], readCSV(t, f))
				}
			}
		})
	}
}

// buildFixture makes and verifies the table of every model.
func buildFixture(t *testing.T, e *engine) map[string]Model {
	t.Helper()
	models, err := Models()
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]Model{}
	for _, m := range models {
		buildModel(t, e, m)
		byName[m.Name] = m
	}
	return byName
}

// buildModel makes and verifies the table of a model, and the macro of the rows that count where it has one.
func buildModel(t *testing.T, e *engine, m Model) {
	t.Helper()
	if err := e.compute(t.Context(), m); err != nil {
		t.Fatalf("%s: %v", m.Name, err)
	}
	if macro := m.mergedMacro(true); macro != "" {
		if err := e.exec(t.Context(), macro); err != nil {
			t.Fatalf("%s: %v", m.Name, err)
		}
	}
	if macro := countedMacro(m); macro != nil {
		if err := e.exec(t.Context(), macro(false)); err != nil {
			t.Fatalf("%s: %v", m.Name, err)
		}
	}
	if err := e.verify(t.Context(), m); err != nil {
		t.Fatalf("%s: %v", m.Name, err)
	}
}

func readCSV(t *testing.T, f txtar.File) [][]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(string(f.Data))).ReadAll()
	if err != nil {
		t.Fatalf("%s: %v", f.Name, err)
	}
	return rows
}

// loadFixture makes every base table, with zero values where the fixture names no column.
func loadFixture(t *testing.T, e *engine, archive *txtar.Archive) {
	t.Helper()
	must := func(query string) {
		t.Helper()
		if err := e.exec(t.Context(), query); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
	}
	must(macros)
	docs, err := data.Dictionary()
	if err != nil {
		t.Fatal(err)
	}
	zero := map[string]string{"VARCHAR": "''", "INTEGER": "0", "BIGINT": "0", "FLOAT": "0", "DOUBLE": "0", "BOOLEAN": "false", "TIMESTAMP WITH TIME ZONE": "'2026-01-01 00:00:00+00'"}
	types := map[string]string{}
	for _, doc := range docs {
		var columns []string
		for _, c := range doc.Columns {
			types[doc.Name+"."+c.Name] = c.Type
			value, ok := zero[c.Type]
			if !ok {
				value = "[]"
			}
			if c.Nullable {
				value = "null"
			}
			columns = append(columns, fmt.Sprintf("%s %s default %s", quoteName(c.Name), c.Type, value))
		}
		if !slices.ContainsFunc(doc.Columns, func(c data.ColumnDoc) bool { return c.Name == unitColumn }) {
			types[doc.Name+"."+unitColumn] = "VARCHAR"
			columns = append(columns, "unit varchar default 'ingest-fixture'")
		}
		must(fmt.Sprintf("create table %s (%s)", quoteName(doc.Name), strings.Join(columns, ", ")))
	}
	for _, f := range archive.Files {
		name, ok := strings.CutPrefix(f.Name, "in/")
		if !ok {
			continue
		}
		table := strings.TrimSuffix(name, ".csv")
		rows := readCSV(t, f)
		for _, row := range rows[1:] {
			var values []string
			for i, v := range row {
				values = append(values, fmt.Sprintf("cast(%s as %s)", quote(v), types[table+"."+rows[0][i]]))
			}
			must(fmt.Sprintf("insert into %s (%s) values (%s)", quoteName(table), quoteNames(rows[0]), strings.Join(values, ", ")))
		}
	}
}

// compareMart compares the columns that the expectation names, in the order of the mart's key. Numbers may differ in
// the last digits.
func compareMart(t *testing.T, e *engine, m Model, want [][]string) {
	t.Helper()
	_, got, err := e.strings(t.Context(), fmt.Sprintf("select %s from %s order by %s", quoteNames(want[0]), m.Name, quoteNames(m.Key)), 0)
	if err != nil {
		t.Fatalf("%s: %v", m.Name, err)
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

func joinRows(rows [][]string) string {
	var b strings.Builder
	for _, r := range rows {
		b.WriteString(strings.Join(r, ",") + "\n")
	}
	return b.String()
}

func near(a, b string) bool {
	x, errA := strconv.ParseFloat(a, 64)
	y, errB := strconv.ParseFloat(b, 64)
	return errA == nil && errB == nil && math.Abs(x-y) <= 1e-10*max(1, math.Abs(y))
}
