package report

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/captionlake/captionlake/analytics/batches" // with the driver
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/data/rows"
	"github.com/captionlake/captionlake/plots/ggsql"
	models "github.com/captionlake/captionlake/sql"
)

var (
	one  sync.Mutex
	duck = sync.OnceValues(func() (*sql.DB, error) { return sql.Open("duckdb", "") })
)

var placeholder = regexp.MustCompile(`\{\w+\}`)

// named is the file whose rows have a name.
func named(t testing.TB, name string) *ggsql.File {
	t.Helper()
	files := must.Get(ggsql.All())(t)
	return files[slices.IndexFunc(files, func(f *ggsql.File) bool { return f.Rows() == name })]
}

// selected returns the rows that a file's SELECT gives over marts. A column is NULL if the marts do
// not have it. The columns that say which captioner and reader answered which questions get values
// instead.
func selected(t testing.TB, f *ggsql.File, marts map[string]*rows.Rows) *rows.Rows {
	t.Helper()
	one.Lock()
	defer one.Unlock()
	db, err := duck()
	must.Succeed(t, err)
	var given []string
	for _, name := range models.Marts(f.Text) {
		if (name == "boards" || name == "dataset_statistics") && marts[name] == nil {
			continue
		}
		_, err := db.Exec("create or replace table " + name + " as " + values(t, name, marts[name]))
		must.Succeed(t, err)
		given = append(given, name)
	}
	query, err := f.Select(nil)
	must.Succeed(t, err)
	batch, err := ask(t, db, given, query)
	must.Succeed(t, f.Located(err))
	return rows.Of(f.Rows(), batch)
}

// value is what a column has where a relation lacks it.
type value struct{ column, value string }

// usual are the values of missing columns. A relation with rows of a captioner in a domain gets the
// first of them, boards get all, and any relation gets the columns that a query asks for.
var usual = []value{
	{"provenance", "'measured'"}, {"origin", "'answers'"}, {"protocol", literal(captionqa.ProtocolUpstream)}, {"reader",
		"'r'"}, {"prompt", "'Simple'"},
	{"evidence", "'caption'"}, {"captioner_name", "upper(captioner)"}, {"condition_id",
		"concat_ws(' ', provenance, reader, prompt, captioner)"},
	{"benchmark", "'captionqa'"}, {"judge", "reader"}, {"judge_name", "judge"}, {"reader_name", "reader"},
	{"subcategory", "''"}, {"repeat", "0"}, {"board_id", "'b'"}, {"board", "board_id"}, {"board_place", "1"},
	{"is_first", "true"}, {"is_headline", "true"}, {"is_replaced", "false"},
}

// lacking names a column that a query asks for and no relation has.
var lacking = regexp.MustCompile(`[Cc]olumn (?:named )?"?(\w+)"?(?: ?(?:not found|in (?:EXCLUDE|REPLACE) list|does not exist|referenced that)|\n|$)`)

// with gives a relation a missing column, and reports whether the column was missing.
func with(t testing.TB, db *sql.DB, relation, column, value string) bool {
	t.Helper()
	if _, err := db.Exec("select " + column + " from " + relation); err == nil {
		return false
	}
	_, err := db.Exec("create or replace table " + relation + " as select *, " + value + " as " +
		column + " from " + relation)
	if err != nil { // the value needs another missing column
		must.Get(db.Exec("create or replace table " + relation + " as select *, null as " + column + " from " +
			relation))(t)
	}
	return true
}

// ask asks a query, and gives relations the columns that it misses until it misses none: the
// first relation, then the next, and so on.
func ask(t testing.TB, db *sql.DB, relations []string, query string) (arrow.RecordBatch, error) {
	t.Helper()
	conn := must.Get(db.Conn(context.Background()))(t)
	defer func() { must.Succeed(t, conn.Close()) }()
	missed := map[string]int{}
	for {
		must.Succeed(t, shortcuts(db, relations))
		batch, err := batches.One(context.Background(), conn, query)
		if err == nil {
			return batch, nil
		}
		found := lacking.FindStringSubmatch(err.Error())
		if found == nil || missed[found[1]] == len(relations) {
			return nil, err
		}
		column, of := found[1], "null"
		if i := slices.IndexFunc(usual, func(u value) bool { return u.column == column }); i >= 0 {
			of = usual[i].value
		}
		for added := false; !added && missed[column] < len(relations); missed[column]++ {
			added = with(t, db, relations[missed[column]], column, of)
		}
	}
}

// shortcuts makes the views shown_banks, shown_readers and shown_boards. Where a test has no
// boards, each row of a captioner stands on the board that its columns say. Where a test has no
// bank statistics, each bank has the same size.
func shortcuts(db *sql.DB, given []string) error {
	var boards, banks []string
	for _, name := range given {
		if _, err := db.Exec("select condition_id, captioner, domain from " + name); err == nil {
			boards = append(boards,
				fmt.Sprintf(`select concat_ws(' ', protocol, reader, prompt, provenance, domain) as board_id, condition_id, origin, captioner, provenance, protocol, reader as judge, prompt, domain as section
				from %s`, name))
		} else if _, err := db.Exec("select protocol, reader, provenance from " + name); err == nil {
			boards = append(boards, "select protocol, reader as judge, provenance from "+name)
		}
		if _, err := db.Exec("select bank, domain from " + name); err == nil {
			banks = append(banks, fmt.Sprintf("select provenance, bank, domain from %s", name))
		}
	}
	var statements []string
	if !slices.Contains(given, "boards") {
		statements = append(statements, fmt.Sprintf(`create or replace table boards as
			select distinct *, 'captionqa' as benchmark, 0 as repeat, section as board, true as is_first, true as is_headline, false as is_replaced,
				2 as n_captioners
			from (%s)`, strings.Join(append(boards, empty("board_id", "condition_id", "origin", "captioner", "provenance", "protocol", "judge", "prompt", "section")), "\nunion all by name ")))
	}
	if !slices.Contains(given, "dataset_statistics") {
		statements = append(statements,
			fmt.Sprintf("create or replace table dataset_statistics as select distinct provenance, bank, 'Total' as domain, 1 as questions from (%s)",
				strings.Join(append(banks, empty("provenance", "bank", "domain")), " union all by name ")))
	}
	for _, name := range []string{"shown_banks", "shown_readers", "shown_boards"} {
		query := models.Text("shortcuts/" + name + ".sql")
		statements = append(statements, "create or replace view "+name+" as "+query)
	}
	for _, statement := range append(statements, models.ShownMacros) {
		if _, err := db.Exec(statement); err != nil {
			return fmt.Errorf("%w: %s", err, statement)
		}
	}
	return nil
}

// empty returns a SELECT without rows.
func empty(columns ...string) string {
	return "select '' as " + strings.Join(columns, ", '' as ") + " where false"
}

// values returns a SELECT of the rows of a mart. If the test does not have the mart, the SELECT
// gives no rows.
func values(t testing.TB, name string, mart *rows.Rows) string {
	t.Helper()
	if mart == nil {
		mart = laketest.Rows(t, name, []string{"domain", "bank", "provenance"})
	}
	type column struct{ name, value string }
	var columns []column
	switch {
	case strings.Contains(name, "rubric"):
	case name == "dataset_statistics":
		columns = []column{{"bank", "b"}, {"provenance", "measured"}}
	case strings.HasSuffix(name, "questions") || strings.HasPrefix(name, "question"):
		columns = []column{{"bank", "b"}}
	default:
		columns = []column{
			{"provenance", "measured"}, {"protocol", captionqa.ProtocolUpstream}, {"reader", "r"}, {"prompt",
				data.CaptionQA().MainPrompt(nil)}, {"domain", data.CaptionQA().Domains[0].Name},
			{"captioner_name", "C"}, {"captioner", "{captioner_name}"}, {"origin", "{provenance}"},
			{"condition_id", "{protocol} {reader} {prompt} {provenance} {captioner}"},
		}
		if name == "captionqa_ranks" {
			columns = append(columns, column{"board_id", "{protocol} {reader} {prompt} {provenance} {domain}"})
		}
	}
	for _, c := range columns {
		if mart.Has(c.name) {
			continue
		}
		from := map[string][]any{}
		for _, name := range placeholder.FindAllString(c.value, -1) {
			from[name] = mart.Read().Values(strings.Trim(name, "{}"))
		}
		mart = mart.Set(c.name, func(i int, _ any) any {
			return placeholder.ReplaceAllStringFunc(c.value,
				func(name string) string { return fmt.Sprint(from[name][i]) })
		})
	}
	lines := make([]string, mart.Len())
	for k, column := range mart.Columns() {
		for i, v := range mart.Read().Values(column) {
			lines[i] += map[bool]string{true: "(", false: ", "}[k == 0] + literal(v)
		}
	}
	for i := range lines {
		lines[i] += ")"
	}
	none := ""
	if len(lines) == 0 {
		lines, none = []string{"(" + strings.Repeat("'', ", len(mart.Columns())-1) + "'')"}, " where false"
	}
	return fmt.Sprintf(`select * from (values %s) as t ("%s")%s`, strings.Join(lines, ", "),
		strings.Join(mart.Columns(), `", "`), none)
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

// ranked adds the marts of a leaderboard to the marts of a lake that has captionqa_scores.
func ranked(t testing.TB, marts map[string]*rows.Rows) map[string]*rows.Rows {
	t.Helper()
	scores := marts["captionqa_scores"].Read()
	levels := scores.TextIf("level")
	results := scores.Pick(func(i int) bool { return levels[i] == "domain" || levels[i] == "overall" })
	ranks := results.Set("metric", func(int, any) any { return "score" })
	for column, from := range map[string]string{"value": "score", "value_low": "score_low",
		"value_high": "score_high"} {
		numbers := results.NumbersIf(from)
		ranks = ranks.Set(column, func(i int, _ any) any {
			if numbers[i].Valid {
				// no whole number, so that DuckDB takes the column for one of doubles
				return numbers[i].Value * (1 + 1e-12)
			}
			return nil
		})
	}
	differences := laketest.Rows(t, "captionqa_differences",
		[]string{"prompt", "domain", "metric", "captioner", "provenance", "difference_high"},
		[]any{"no prompt", "no domain", "score", "nobody", data.ProvenanceMeasured, -1})
	var boards [][]any
	kinds, protocols, readers, prompts := results.Text("provenance"), results.TextIf("protocol"),
		results.TextIf("reader"), results.Text("prompt")
	for i, domain := range results.Text("domain") {
		captioner := results.Text("captioner")[i]
		asked := []string{protocols[i], readers[i], prompts[i], kinds[i]}
		boards = append(boards,
			[]any{strings.Join(append(asked, domain), " "), strings.Join(append(asked, captioner), " "), kinds[i],
				captioner, kinds[i],
				protocols[i], readers[i], prompts[i], domain, domain, data.BenchmarkCaptionQA, 0, true, true, false, 2})
	}
	must.Succeed(t, results.Err)
	marts["captionqa_ranks"], marts["captionqa_differences"] = ranks, differences
	marts["boards"] = laketest.Rows(t, "boards",
		strings.Fields(`board_id condition_id origin captioner provenance protocol judge prompt section board
		benchmark repeat is_first is_headline is_replaced n_captioners`), boards...)
	return marts
}
