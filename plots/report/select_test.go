package report

import (
	"bytes"
	"context"
	driver "database/sql"
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/captionlake/captionlake/analytics/batches" // with the driver
	"github.com/captionlake/captionlake/analytics/sqlmodel"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/data/rows"
	"github.com/captionlake/captionlake/plots/ggsql"
	"github.com/captionlake/captionlake/sql"
)

var (
	oneQuery sync.Mutex // The tables of duck are of one query at a time.
	duck     = sync.OnceValues(func() (*driver.DB, error) { return driver.Open("duckdb", "") })
)

// named is the file whose rows have a name.
func named(t testing.TB, name string) *ggsql.File {
	t.Helper()
	files := must.Get(ggsql.All())(t)
	return files[slices.IndexFunc(files, func(f *ggsql.File) bool { return f.Rows() == name })]
}

// selected returns the rows that a file's SELECT gives over marts that a test made.
func selected(t testing.TB, f *ggsql.File, marts map[string]*rows.Rows) *rows.Rows {
	t.Helper()
	given := map[string]txtar.File{}
	for name, mart := range marts {
		var text bytes.Buffer
		lines, columns := json.NewEncoder(&text), map[string][]any{}
		for _, column := range mart.Columns() {
			columns[column] = mart.Read().Values(column)
		}
		for i := range mart.Len() {
			row := map[string]any{}
			for column, values := range columns {
				row[column] = values[i]
			}
			must.Succeed(t, lines.Encode(row))
			given[name] = txtar.File{Name: name + ".json", Data: text.Bytes()}
		}
	}
	return rows.Of(f.Rows(), ask(t, f, given, "", must.Get(f.Select(nil))(t)))
}

// usual are the values of columns that the rows of a test do not have, or null where the rows do
// not have the columns that a value is made of. A value may be made of the ones before it.
var usual = [][2]string{
	{"provenance", "'measured'"}, {"origin", "'answers'"}, {"protocol", "'captionqa/upstream'"}, {"reader", "'r'"},
	{"prompt", "'Simple'"}, {"evidence", "'caption'"}, {"captioner", "captioner_name"},
	{"captioner_name", "upper(captioner)"}, {"condition_id", "concat_ws(' ', provenance, reader, prompt, captioner)"},
	{"benchmark", "'captionqa'"}, {"judge", "reader"}, {"judge_name", "judge"}, {"reader_name", "reader"},
	{"subcategory", "''"}, {"repeat", "0"}, {"section", "domain"}, {"bank", "'b'"},
	{"board_id", "concat_ws(' ', protocol, reader, prompt, provenance, section)"}, {"board", "board_id"},
	{"board_place", "1"}, {"is_first", "true"}, {"is_headline", "true"}, {"is_replaced", "false"},
}

// ask asks a query of a file over relations. given has their rows as CSV or JSON. If the rows have
// a column case, only the rows of a case and the rows of all cases count. A mart has the columns of
// its header, and no rows if none are given; its rows may have no other columns. If no boards are
// given, they are made of the rows of captioners and readers: a column that is called on_ and the
// name of a column of boards has the value. Ranks are made of scores.
func ask(t testing.TB, f *ggsql.File, given map[string]txtar.File, of, query string) arrow.RecordBatch {
	t.Helper()
	oneQuery.Lock()
	defer oneQuery.Unlock()
	db := must.Get(duck())(t)
	exec := func(statement string) {
		t.Helper()
		if _, err := db.Exec(statement); err != nil {
			t.Fatalf("%v: %s", err, statement)
		}
	}
	relations := slices.Sorted(maps.Keys(given))
	names := map[string][]string{}
	always := []string{"boards", "dataset_statistics"} // The shortcuts read these marts.
	for _, mart := range sqlmodel.Named(slices.Concat(relations, sql.Marts(f.Text), always)) {
		var columns []string
		for _, c := range mart.Columns {
			columns = append(columns, c.Name+" "+c.Type)
			names[mart.Name] = append(names[mart.Name], c.Name)
		}
		exec("create or replace table " + mart.Name + " (" + strings.Join(columns, ", ") + ")")
	}
	for _, relation := range relations {
		file := filepath.Join(t.TempDir(), "rows")
		must.Write(t, file, given[relation].Data)
		header := names[relation]
		reader := "read_json(" + sql.Quote(file) + ")"
		if strings.HasSuffix(given[relation].Name, ".csv") {
			reader = "read_csv(" + sql.Quote(file) + ", nullstr = '∅', comment = '#', header = true, all_varchar = " +
				map[bool]string{true: "true", false: "false"}[header != nil] + ")"
		}
		exec("create or replace table given as from " + reader)
		if _, err := db.Exec(`delete from given where "case" <> '' and not list_contains(string_split("case", ' '), ` +
			sql.Quote(of) + ")"); err == nil {
			exec(`alter table given drop column "case"`)
		}
		var described string
		must.Succeed(t, db.QueryRow("select string_agg(column_name, ' ') from (describe given)").Scan(&described))
		columns := strings.Fields(described)
		if header == nil {
			exec("create or replace table " + relation + " as from given")
			continue
		}
		for _, column := range columns {
			if !slices.Contains(header, strings.TrimPrefix(column, "on_")) && !strings.HasPrefix(column, "on_") {
				t.Errorf("the mart %s has no column %s", relation, column)
			}
		}
		for _, u := range usual {
			if column, value := u[0], u[1]; !slices.Contains(columns, column) {
				fill := "create or replace table given as select *, %s as " + column + " from given"
				if _, err := db.Exec(strings.Replace(fill, "%s", value, 1)); err != nil {
					exec(strings.Replace(fill, "%s", "null", 1))
				}
				columns = append(columns, column)
			}
		}
		// insert inserts the columns that given and a mart have, and columns that are made instead.
		insert := func(mart, distinct, end string, instead map[string]string) {
			var all []string
			for _, column := range names[mart] {
				switch {
				case instead[column] != "":
					all = append(all, instead[column]+" as "+column)
				case slices.Contains(columns, column):
					all = append(all, column)
				}
			}
			exec("insert into " + mart + " by name select " + distinct + strings.Join(all, ", ") + " from given " + end)
		}
		insert(relation, "", "", nil)
		if given["boards"].Name == "" && (slices.Contains(header, "captioner") || slices.Contains(header, "reader")) {
			on := map[string]string{}
			for _, column := range columns {
				if of, is := strings.CutPrefix(column, "on_"); is {
					on[of] = column
				}
			}
			insert("boards", "distinct ", "order by all", on)
		}
		if relation == "captionqa_scores" && given["captionqa_ranks"].Name == "" && names["captionqa_ranks"] != nil {
			insert("captionqa_ranks", "", "where level in ('domain', 'overall')", map[string]string{"metric": "'score'",
				"value": "score", "value_low": "score_low", "value_high": "score_high"})
		}
	}
	for _, name := range []string{"shown_banks", "shown_readers", "shown_boards"} {
		exec("create or replace view " + name + " as " + sql.Text("shortcuts/"+name+".sql"))
	}
	exec(sql.ShownMacros)
	conn := must.Get(db.Conn(context.Background()))(t)
	defer func() { must.Succeed(t, conn.Close()) }()
	batch, err := batches.One(context.Background(), conn, query)
	must.Succeed(t, f.Located(err))
	return batch
}
