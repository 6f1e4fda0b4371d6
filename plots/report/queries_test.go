package report

import (
	"bytes"
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

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/data/rows"
	"github.com/captionlake/captionlake/plots/ggsql"
)

// TestQueriesFromFixtures asks tables, pages, questions and cards that compute something over the
// rows of testdata/queries/NAME.txtar, and figures for the titles that they give of them:
// in/RELATION.csv (or RELATION.json, which has lists) has the rows that the file reads, want.csv
// the rows that it gives, by the columns that the first line names. ∅ is null, and a line that
// begins with # has the arithmetic of the row below it. Cases differ in a column case of want.csv
// and of the relations, where a row may be of several, or of all if it names none; or each has a
// folder, CASE/in/RELATION.csv and CASE/want.csv. Its relations take the place of the relations of
// all. The relations are made by [ask].
func TestQueriesFromFixtures(t *testing.T) {
	fixtures := must.Get(filepath.Glob("testdata/queries/*.txtar"))(t)
	shown := must.Get(ggsql.All())(t)
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
				t.Run(path.Join(name, form, of, one), func(t *testing.T) { compare(t, f, given, one, wanted[one]) })
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

// compare makes the relations of a case, and holds the rows of a file's SELECT, or the titles that
// a figure's rows have, each once, against those wanted.
func compare(t *testing.T, f *ggsql.File, given map[string]txtar.File, of string, want [][]string) {
	t.Helper()
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
	got := ask(t, f, given, of, query)
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
