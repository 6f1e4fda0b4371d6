package rowstest

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/plots/ggsql"
	"github.com/captionlake/captionlake/sql"
)

// TestQueriesFromFixtures asks tables, pages, questions and cards that compute something over the rows of testdata/NAME.txtar:
// in/RELATION.csv (or RELATION.json, which has lists) has those of what the file reads, want.csv those that it gives, by the columns that the
// first line names. ∅ is null, and a line that begins with # has the arithmetic of the row below it.
func TestQueriesFromFixtures(t *testing.T) {
	fixtures := must.Get(filepath.Glob("testdata/*.txtar"))(t)
	shown := must.Get(ggsql.All(sql.Shown()))(t)
	db := must.Get(duck())(t)
	for _, fixture := range fixtures {
		name := strings.TrimSuffix(filepath.Base(fixture), ".txtar")
		t.Run(name, func(t *testing.T) {
			one.Lock()
			defer one.Unlock()
			archive := must.Get(txtar.ParseFile(fixture))(t)
			var want [][]string
			for _, file := range archive.Files {
				if file.Name == "want.csv" {
					r := csv.NewReader(strings.NewReader(string(file.Data)))
					r.Comment = '#'
					want = must.Get(r.ReadAll())(t)
					continue
				}
				rows := filepath.Join(t.TempDir(), "rows.csv")
				must.Succeed(t, os.WriteFile(rows, file.Data, 0o666))
				relation, form, _ := strings.Cut(path.Base(file.Name), ".")
				read := map[string]string{"csv": "read_csv(%s, nullstr = '∅', comment = '#', header = true)", "json": "read_json(%s)"}[form]
				must.Get(db.Exec("create or replace table " + relation + " as from " + fmt.Sprintf(read, literal(rows))))(t)
			}
			f := shown[slices.IndexFunc(shown, func(f *ggsql.File) bool { return f.Name == name && (f.Form != "figure" || f.Cards) })]
			query := must.Get(f.Select(nil))(t)
			rows, err := db.Query(fmt.Sprintf("select %s from (%s)", strings.Join(want[0], ", "), strings.TrimSuffix(strings.TrimSpace(query), ";")))
			must.Succeed(t, f.Located(err))
			defer func() { must.Succeed(t, rows.Close()) }()
			n := 1
			for ; rows.Next(); n++ {
				row, to := make([]any, len(want[0])), make([]any, len(want[0]))
				for i := range row {
					to[i] = &row[i]
				}
				must.Succeed(t, rows.Scan(to...))
				if n >= len(want) || !same(row, want[n]) {
					t.Errorf("row %d: got %v, want %v", n, row, want[min(n, len(want)-1)])
				}
			}
			must.Succeed(t, rows.Err())
			if n != len(want) {
				t.Errorf("%d rows, want %d", n-1, len(want)-1)
			}
		})
	}
}

// same compares the values of a row with those of a fixture.
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
