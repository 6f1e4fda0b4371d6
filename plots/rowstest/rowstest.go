// Package rowstest runs the SELECTs of tables and figures over marts that a test makes. Tests alone may use it: it links DuckDB, which plots must
// not know of.
package rowstest

import (
	"database/sql"
	"fmt"
	"math"
	"regexp"
	"strings"
	"sync"
	"testing"

	_ "github.com/duckdb/duckdb-go/v2" // the driver

	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/plots"
	"github.com/captionlake/captionlake/plots/ggsql"
)

var (
	one  sync.Mutex
	duck = sync.OnceValues(func() (*sql.DB, error) { return sql.Open("duckdb", "") })
)

// unknown names a column that a SELECT reads and the marts of the test do not have.
var unknown = regexp.MustCompile(`[Cc]olumn (?:named )?"(\w+)" ?(?:not found|in EXCLUDE list not found|does not exist|$)|[Cc]olumn named "(\w+)"`)

// Select are the rows that a file's SELECT gives of marts. Columns that they do not have are NULL, but for those that say what was asked of whom.
func Select(t testing.TB, f *ggsql.File, marts plots.Tables) *plots.Table {
	t.Helper()
	one.Lock()
	defer one.Unlock()
	db, err := duck()
	must.Succeed(t, err)
	for _, name := range f.Reads {
		_, err := db.Exec("create or replace table " + name + " as " + values(t, name, marts[name]))
		must.Succeed(t, err)
	}
	query, err := f.Select(nil)
	must.Succeed(t, err)
	rows, err := db.Query(query)
	for range 50 {
		var found []string
		if err != nil {
			found = unknown.FindStringSubmatch(err.Error())
		}
		if found == nil {
			break
		}
		for _, name := range f.Reads {
			_, err := db.Exec(fmt.Sprintf("alter table %s add column if not exists %s integer", name, found[1]+found[2]))
			must.Succeed(t, err)
		}
		rows, err = db.Query(query)
	}
	must.Succeed(t, f.Located(err))
	defer func() { must.Succeed(t, rows.Close()) }()
	columns, err := rows.Columns()
	must.Succeed(t, err)
	out, err := plots.NewTable(f.Rows(), columns...)
	must.Succeed(t, err)
	for rows.Next() {
		row, to := make([]any, len(columns)), make([]any, len(columns))
		for i := range row {
			to[i] = &row[i]
		}
		must.Succeed(t, rows.Scan(to...))
		must.Succeed(t, out.Append(row...))
	}
	must.Succeed(t, rows.Err())
	return out
}

// values is a SELECT of the rows of a mart; of one that the test does not have, of none.
func values(t testing.TB, name string, mart *plots.Table) string {
	t.Helper()
	if mart == nil {
		var err error
		mart, err = plots.NewTable(name, "domain", "bank", "provenance")
		must.Succeed(t, err)
	}
	ofBanks := strings.HasSuffix(name, "questions") || strings.HasPrefix(name, "question") // marts whose banks say their provenance
	defaults := map[string]string{"provenance": "measured", "protocol": captionqa.ProtocolUpstream, "reader": "r"}
	if ofBanks {
		defaults = map[string]string{"bank": "b"}
	}
	for column, value := range defaults {
		if !mart.Has(column) {
			var err error
			mart, err = mart.With(column, func(int) any { return value })
			must.Succeed(t, err)
		}
	}
	var rows []string
	for i := range mart.Len() {
		var cells []string
		for _, v := range mart.Row(i) {
			cells = append(cells, literal(v))
		}
		rows = append(rows, "("+strings.Join(cells, ", ")+")")
	}
	none := ""
	if len(rows) == 0 {
		rows, none = []string{"(" + strings.Repeat("'', ", len(mart.Columns())-1) + "'')"}, " where false"
	}
	return fmt.Sprintf(`select * from (values %s) as t ("%s")%s`, strings.Join(rows, ", "), strings.Join(mart.Columns(), `", "`), none)
}

func literal(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		return "'" + strings.ReplaceAll(v, "'", "''") + "'"
	case []string:
		var all []string
		for _, s := range v {
			all = append(all, literal(s))
		}
		return "[" + strings.Join(all, ", ") + "]"
	case float64:
		if v == math.Trunc(v) {
			return fmt.Sprintf("%.0f", v)
		}
		return fmt.Sprintf("cast(%v as double)", v)
	}
	return fmt.Sprint(v)
}

// Ranked adds the marts of a leaderboard to those of a lake that has captionqa_scores.
func Ranked(t testing.TB, marts plots.Tables) plots.Tables {
	t.Helper()
	scores := marts["captionqa_scores"]
	levels := plots.Read(scores).TextIf("level")
	results := plots.Read(scores.Pick(func(i int) bool { return levels[i] == "domain" || levels[i] == "overall" }))
	ranks, err := results.Table.With("metric", func(int) any { return "score" })
	must.Succeed(t, err)
	for column, from := range map[string]string{"value": "score", "value_low": "score_low", "value_high": "score_high"} {
		numbers := results.NumbersIf(from)
		ranks, err = ranks.With(column, func(i int) any {
			if numbers[i].Valid {
				return numbers[i].Value * (1 + 1e-12) // no whole number, so that DuckDB takes the column for one of doubles
			}
			return nil
		})
		must.Succeed(t, err)
	}
	differences, err := plots.NewTable("captionqa_differences", "prompt", "domain", "metric", "captioner", "provenance", "difference_high")
	must.Succeed(t, err)
	must.Succeed(t, results.Err)
	must.Succeed(t, differences.Append("none", "none", "score", "none", "measured", -1))
	marts["captionqa_ranks"], marts["captionqa_differences"] = ranks, differences
	return marts
}
