package build

import (
	"encoding/csv"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/captionlake/captionlake/analytics/batches"
	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/analytics/sqlmodel"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/data/rows"
	"github.com/captionlake/captionlake/sql"
)

// TestShortcutsFromFixture asks the queries of testdata/shortcuts over its rows and compares what
// they give with arithmetic by hand.
func TestShortcutsFromFixture(t *testing.T) {
	archive := must.Get(txtar.ParseFile(filepath.Join("..", "testdata", "shortcuts", "shortcuts.txtar")))(t)
	e := testEngine(t, engine.Config{})
	loadFixture(t, e, archive)
	must.Succeed(t, e.Exec(t.Context(), `alter table runs rename to executions; create view runs as select *,
		row_number() over (partition by unit order by execution desc) = 1 as current from executions`))
	asked := map[string]bool{"runs": true}
	for _, s := range sqlmodel.Shortcuts() {
		must.Succeed(t, e.Exec(t.Context(), s.Statement()))
		asked[s.Name] = false
	}
	section := map[string]txtar.File{}
	for _, f := range archive.Files {
		section[f.Name] = f
	}
	for name := range asked {
		ask, want := section["ask/"+name+".sql"], readCSV(t, section["want/"+name+".csv"])
		if len(want) < 2 {
			t.Errorf("%s: %d rows are wanted", name, len(want)-1)
			continue
		}
		got := selected(t, e, "select * from ("+string(ask.Data)+") order by all nulls first")
		expect.Equal(t, joinRows(got), joinRows(want[1:]), name)
	}
}

// TestShortcutHeaders holds the headers against what the shortcuts give and read.
func TestShortcutHeaders(t *testing.T) {
	e := testEngine(t, engine.Config{})
	loadFixture(t, e, &txtar.Archive{})
	columnsOf := map[string][]string{}
	for _, m := range sqlmodel.All() {
		var columns []string
		for _, c := range m.Columns {
			columns = append(columns, sql.QuoteName(c.Name)+" "+c.Type)
			columnsOf[m.Name] = append(columnsOf[m.Name], c.Name)
		}
		must.Succeed(t, e.Exec(t.Context(),
			fmt.Sprintf("create table %s (%s)", sql.QuoteName(m.Name), strings.Join(columns, ", "))))
	}
	columnsOf["answers"] = slices.Concat(selected(t, e, "select column_name from (describe answers)")...)
	must.Succeed(t, e.Exec(t.Context(), "alter table runs add column current boolean"))
	for _, s := range sqlmodel.Shortcuts() {
		for _, statement := range append([]string{s.Statement()}, s.Comments()...) {
			must.Succeed(t, e.Exec(t.Context(), statement))
		}
		call := s.Name
		if s.IsMacro() { // Numbers are taken for texts where a parameter is one.
			call += "(" + strings.TrimSuffix(strings.Repeat("'1', ", len(s.Macro)), ", ") + ")"
		}
		for _, query := range []string{"from " + call, s.Example} {
			if !isOneSelect(t, e, query) {
				t.Errorf("%s: %q is not one select", s.Name, query)
			}
			selected(t, e, query)
		}
		given := slices.Concat(selected(t, e, "select column_name from (describe from "+call+")")...)
		if s.Like != "" {
			for _, name := range given {
				if !slices.Contains(columnsOf[s.Like], name) {
					t.Errorf("%s gives %s, which is no column of %s", s.Name, name, s.Like)
				}
			}
			continue
		}
		var listed []string
		for _, c := range s.Columns {
			listed = append(listed, c.Name)
		}
		expect.Equal(t, given, listed, s.Name)
	}
}

// TestSamplesFromFixture compares the samples of the rows of testdata/samples with the samples that
// are written there by hand.
func TestSamplesFromFixture(t *testing.T) {
	archive := must.Get(txtar.ParseFile(filepath.Join("..", "testdata", "samples", "samples.txtar")))(t)
	e := testEngine(t, engine.Config{})
	loadFixture(t, e, archive)
	for _, table := range []string{"answers", "judgments", "element_answers", "votes"} {
		must.Succeed(t, e.Exec(t.Context(), "create macro counted_"+table+"() as table from "+table))
	}
	wanted := 0
	for _, f := range archive.Files {
		kind, is := strings.CutPrefix(f.Name, "want/")
		if !is {
			continue
		}
		wanted++
		must.Succeed(t, e.Exec(t.Context(),
			sql.Filled(sql.Text("queries/"+kind+".sql")+sql.Text("queries/said.sql"), "{kind}", kind)))
		var got strings.Builder
		for _, part := range []string{"conditions", "items", "details", "captions"} {
			must.Succeed(t, samplesOf(t, e, kind, part, 0, 100, func(batch arrow.RecordBatch) error {
				for i := range int(batch.NumRows()) {
					cells := make([]string, batch.NumCols())
					for k, column := range batch.Columns() {
						if cells[k] = fixtureText(rows.Native(column, i)); batch.ColumnName(k) == "marks" {
							cells[k] = inOrder(cells[k])
						}
					}
					fmt.Fprintf(&got, "%s: ", part)
					w := csv.NewWriter(&got)
					must.Succeed(t, w.Write(cells))
					w.Flush()
				}
				return nil
			}))
		}
		expect.Equal(t, got.String(), string(f.Data), kind)
		details := int64(0)
		must.Succeed(t, samplesOf(t, e, kind, "details", 1, 2,
			func(batch arrow.RecordBatch) error { details += batch.NumRows(); return nil }))
		expect.Equal(t, details, 1, kind, "details of one sample")
	}
	expect.Equal(t, wanted, 3, "wanted kinds")
}

// inOrder puts marks into the order of their conditions.
func inOrder(marks string) string {
	var all []string
	for ; len(marks) >= 5; marks = marks[5:] {
		all = append(all, marks[:5])
	}
	slices.Sort(all)
	return strings.Join(all, "")
}

func fixtureText(v any) string {
	switch v := v.(type) {
	case nil:
		return engine.Null
	case []any:
		var parts []string
		for _, x := range v {
			parts = append(parts, fixtureText(x))
		}
		return "[" + strings.Join(parts, ",") + "]"
	}
	return fmt.Sprint(v)
}

// samplesOf reads a part of samples that are made.
func samplesOf(t *testing.T, e *engine.Engine, kind, part string, from, to int,
	hand func(arrow.RecordBatch) error) error {
	query := strings.NewReplacer("{kind}", kind, "{from}", fmt.Sprint(from), "{to}",
		fmt.Sprint(to)).Replace(sql.Text("queries/samples_" + part + ".sql"))
	return batches.Each(t.Context(), e.Conn, 0, query, nil, hand)
}
