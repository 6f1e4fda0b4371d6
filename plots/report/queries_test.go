package report

import (
	"bytes"
	driver "database/sql"
	"encoding/csv"
	"fmt"
	"maps"
	"math"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/captionlake/captionlake/analytics/sqlmodel"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/data/rows"
	"github.com/captionlake/captionlake/plots/ggsql"
)

// TestQueriesFromFixtures asks tables, pages, questions and cards that compute something over the
// rows of testdata/queries/NAME.txtar, and figures for the titles that they give of them: in/RELATION.csv
// (or RELATION.json, which has lists) has the rows that the file reads, want.csv the rows that it
// gives, by the columns that the first line names. ∅ is null, and a line that begins with # has the
// arithmetic of the row below it. Cases differ in a column case of want.csv and of the relations,
// where a row may be of several, or of all if it names none; or each has a folder,
// CASE/in/RELATION.csv and CASE/want.csv. Its relations take the place of the relations of all.
// Columns of a mart have the types of its header, and other columns are refused. A relation has
// [usual] values, or null, where it lacks a column, and boards are made of the rows where they are
// not given: [boardsOf].
func TestQueriesFromFixtures(t *testing.T) {
	fixtures := must.Get(filepath.Glob("testdata/queries/*.txtar"))(t)
	shown := must.Get(ggsql.All())(t)
	db := must.Get(duck())(t)
	for _, fixture := range fixtures {
		name, form, _ := strings.Cut(strings.TrimSuffix(filepath.Base(fixture), ".txtar"), ".")
		f := shown[slices.IndexFunc(shown, func(f *ggsql.File) bool {
			return f.Name == name && (f.Form == "figure") == (form == "title" || f.Cards)
		})]
		archive := must.Get(txtar.ParseFile(fixture))(t)
		for _, file := range archive.Files {
			of, is := strings.CutSuffix(file.Name, "want.csv")
			if !is {
				continue
			}
			given := map[string]txtar.File{}
			for _, folder := range []string{"in/", of + "in/"} {
				for _, file := range archive.Files {
					if relation, in := strings.CutPrefix(file.Name, folder); in {
						given[strings.Split(relation, ".")[0]] = file
					}
				}
			}
			order, wanted := cases(t, file.Data)
			for _, one := range order {
				t.Run(path.Join(name, form, of, one), func(t *testing.T) { compare(t, db, f, given, one, wanted[one]) })
			}
		}
	}
}

// cases are the names of the cases of a want.csv, in their order, and the rows of each below its
// head; of one without a column case, all are rows of a case without a name, and a case without
// rows has no row.
func cases(t *testing.T, text []byte) (order []string, rows map[string][][]string) {
	t.Helper()
	r := csv.NewReader(bytes.NewReader(text))
	r.Comment = '#'
	all := must.Get(r.ReadAll())(t)
	if all[0][0] != "case" {
		return []string{""}, map[string][][]string{"": all}
	}
	rows = map[string][][]string{}
	for _, row := range all[1:] {
		if rows[row[0]] == nil {
			order, rows[row[0]] = append(order, row[0]), [][]string{all[0][1:]}
		}
		if row[1] != "none" {
			rows[row[0]] = append(rows[row[0]], row[1:])
		}
	}
	return order, rows
}

// ofRows is the number of usual columns of rows of a captioner in a domain.
const ofRows = 8

// complete gives a relation the listed columns that it lacks.
func complete(t *testing.T, db *driver.DB, relation string, columns []value) {
	t.Helper()
	for _, u := range columns {
		with(t, db, relation, u.column, u.value)
	}
}

// compare makes the relations of a case, and holds the rows of a file's SELECT, or the titles that a
// figure's rows have, each once, against those wanted.
func compare(t *testing.T, db *driver.DB, f *ggsql.File, given map[string]txtar.File, of string, want [][]string) {
	t.Helper()
	one.Lock()
	defer one.Unlock()
	relations := slices.Sorted(maps.Keys(given))
	for _, relation := range relations {
		file, ending := filepath.Join(t.TempDir(), "rows"), path.Ext(given[relation].Name)
		must.Write(t, file, given[relation].Data)
		reader := map[string]string{".csv": "read_csv(%s, nullstr = '∅', comment = '#', header = true",
			".json": "read_json(%s"}[ending]
		read := func(types string) {
			must.Get(db.Exec("create or replace table " + relation + " as from " + fmt.Sprintf(reader, literal(file)) +
				types + ")"))(t)
		}
		read("")
		if types := typesOf(t, db, relation); types != "" && ending == ".csv" {
			read(", types = {" + types + "}")
		}
		if _, err := db.Exec("delete from " +
			relation + ` where "case" <> '' and not list_contains(string_split("case", ' '), ` +
			literal(of) + ")"); err == nil {
			must.Get(db.Exec("alter table " + relation + ` drop column "case"`))(t)
		}
		if _, err := db.Exec("select captioner, domain from " + relation); err == nil {
			complete(t, db, relation, usual[:ofRows])
		}
	}
	if boards := boardsOf(t, db, relations); boards != "" && given["boards"].Name == "" {
		must.Get(db.Exec("create or replace table boards as " + boards))(t)
		relations = append(relations, "boards")
	}
	if slices.Contains(relations, "boards") {
		complete(t, db, "boards", usual)
	}
	values := map[string]string{}
	for name, usual := range f.Parameters {
		if usual != nil && *usual == "" { // It must be given.
			values[name] = "the " + name
		}
	}
	query := must.Get(f.Select(values))(t)
	query = fmt.Sprintf("select %s from (%s)", strings.Join(want[0], ", "),
		strings.TrimSuffix(strings.TrimSpace(query), ";"))
	if f.Form == "figure" && slices.Contains(want[0], "title") {
		query = "select distinct * from (" + query + ") order by all"
	}
	got, err := ask(t, db, relations, query)
	must.Succeed(t, f.Located(err))
	for n := range int(got.NumRows()) {
		var row []any
		for _, column := range got.Columns() {
			row = append(row, rows.Value(column, n))
		}
		if n+1 >= len(want) || !same(row, want[n+1]) {
			t.Errorf("row %d: got %v, want %v", n+1, row, want[min(n+1, len(want)-1)])
		}
	}
	expect.Equal(t, int(got.NumRows())+1, len(want))
}

// columnsOf are the names of the columns of a relation.
func columnsOf(t *testing.T, db *driver.DB, relation string) (names []string) {
	t.Helper()
	described := must.Get(db.Query("select column_name from (describe " + relation + ")"))(t)
	for described.Next() {
		var name string
		must.Succeed(t, described.Scan(&name))
		names = append(names, name)
	}
	must.Succeed(t, described.Close())
	return names
}

// typesOf are the types that a mart's header gives the columns of a relation. A column that the
// mart does not have is an error.
func typesOf(t *testing.T, db *driver.DB, relation string) string {
	t.Helper()
	var types []string
	for _, mart := range sqlmodel.Named([]string{relation}) {
		for _, name := range columnsOf(t, db, relation) {
			i := slices.IndexFunc(mart.Columns, func(c sqlmodel.Column) bool { return c.Name == name })
			switch {
			case i >= 0:
				types = append(types, fmt.Sprintf("%s: '%s'", name, mart.Columns[i].Type))
			case name != "case" && !strings.HasPrefix(name, "on_"):
				t.Errorf("the mart %s has no column %s", relation, name)
			}
		}
	}
	return strings.Join(types, ", ")
}

// boardsOf is a SELECT of the boards that rows of captioners stand on, each in its domain or
// section: their columns are the columns that both have, and the columns of the rows that are
// called on_ and the column's name. The rows are rid of these.
func boardsOf(t *testing.T, db *driver.DB, relations []string) string {
	t.Helper()
	var selects []string
	for _, relation := range relations {
		columns := map[string]string{}
		for _, name := range columnsOf(t, db, relation) {
			of, on := strings.CutPrefix(name, "on_")
			if on || name == "captioner" || slices.ContainsFunc(usual, func(u value) bool { return u.column == name }) {
				columns[of] = name
			}
			if name == "domain" || name == "section" {
				columns["section"] = name
			}
		}
		if columns["captioner"] == "" || columns["section"] == "" {
			continue
		}
		var all []string
		for of, name := range columns {
			all = append(all, name+" as "+of)
		}
		must.Get(db.Exec("create or replace temp table on_" + relation + " as select distinct " + strings.Join(all,
			", ") + " from " + relation))(t)
		selects = append(selects, "from on_"+relation)
		for _, name := range columns {
			if strings.HasPrefix(name, "on_") {
				must.Get(db.Exec("alter table " + relation + " drop column " + name))(t)
			}
		}
	}
	return strings.Join(selects, " union by name ")
}

// same compares the values of a row with the values of a fixture.
func same(row []any, want []string) bool {
	for i, value := range row {
		number, isNumber := value.(float64)
		expected, err := strconv.ParseFloat(want[i], 64)
		switch {
		case value == nil && want[i] == "∅", fmt.Sprint(value) == want[i]:
		case isNumber && err == nil && math.Abs(number-expected) < 1e-9:
		default:
			return false
		}
	}
	return true
}
