package analytics

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data"
)

func sampleLake(t testing.TB) *data.Lake {
	t.Helper()
	lake := newLake(t)
	a, b := answer("m", "Natural", "q1"), answer("m", "Document", "q2")
	a.Probabilities = []float64{0.25, 0.75}
	addRows(t, lake, data.Answers, "a", a, b)
	return lake
}

// TestSandbox tries to leave the lake in every way that we know of.
func TestSandbox(t *testing.T) {
	lake := sampleLake(t)
	outside := filepath.ToSlash(t.TempDir())
	secret := outside + "/secret.csv"
	if err := os.WriteFile(secret, []byte("a\n1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	inside := filepath.ToSlash(lake.Path("x"))
	const refused, disabled = "only one statement that reads is allowed here", "disabled by configuration"
	for _, c := range []struct{ query, want string }{
		{"from '" + secret + "'", disabled},
		{"from read_text('" + secret + "')", disabled},
		{"from read_csv('" + filepath.ToSlash(lake.Dir()) + "/../../" + filepath.Base(outside) + "/secret.csv')", disabled},
		{"from glob('" + outside + "/*')", disabled},
		{"from sniff_csv('" + secret + "')", disabled},
		{"from query('from ''" + secret + "''')", disabled},
		{"select * from parquet_metadata('" + outside + "/x.parquet')", disabled},
		{"copy (select 1) to '" + outside + "/x.csv'", refused},
		{"copy (select 1) to '" + inside + "'", refused},
		{"explain analyze copy (select 1) to '" + inside + "'", refused},
		{"explain (analyze, format json) copy (select 1) to '" + inside + "'", refused},
		{"/* a */ explain copy (select 1) to '" + inside + "'", refused},
		{"explain select 1; copy (select 1) to '" + inside + "'", refused},
		{"select 1; copy (select 1) to '" + inside + "'", refused},
		{"copy (select 1) to '" + inside + "'; select 1", refused},
		{"from query('copy (select 1) to ''" + inside + "''')", "Expected a single SELECT statement"},
		{"attach '" + outside + "/x.db'", refused},
		{"attach '" + inside + ".db'", refused},
		{"install httpfs", refused},
		{"load httpfs", refused},
		{"set threads = 1", refused},
		{"set lock_configuration = false", refused},
		{"set variable x = 1", refused},
		{"pragma threads = 1", refused},
		{"reset memory_limit", refused},
		{"create table x as select 1", refused},
		{"create or replace view answers as select 1", refused},
		{"drop view answers", refused},
		{"insert into answers select * from answers", refused},
		{"delete from answers", refused},
		{"export database '" + inside + "'", refused},
		{"call pragma_version()", refused},
		{"begin", refused},
		{"prepare x as select 1", refused},
		{"", refused},
		{"-- nothing", refused},
		{"select 1 +", "SQL:1:11: syntax error at end of input"},
		{"select 1\nfrom answers wher x", "SQL:2:19: syntax error at or near \"x\""},
		{"select ?", "the query has a parameter"},
		{"from answers where domain = $name", "the query has a parameter"},
	} {
		var out strings.Builder
		_, err := Query(t.Context(), lake, c.query, QueryOptions{Format: "csv"}, &out)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\n got %v %q\nwant %s", c.query, err, out.String(), c.want)
			continue
		}
		var hint *data.HintError
		if c.want == refused && (!errors.Is(err, ErrRefused) || !errors.As(err, &hint)) {
			t.Errorf("%s: the refusal has no next step: %v", c.query, err)
		}
		if c.want == disabled && (!errors.As(err, &hint) || !strings.Contains(hint.Hint, "allow outside access")) {
			t.Errorf("%s: no next step: %v", c.query, err)
		}
	}
	for _, name := range []string{inside, inside + ".db", outside + "/x.csv", outside + "/x.db"} {
		if _, err := os.Stat(name); err == nil {
			t.Errorf("%s was written", name)
		}
	}
	var out strings.Builder
	allowed := QueryOptions{Format: "csv", AllowOutside: true}
	if _, err := Query(t.Context(), lake, "from '"+secret+"'", allowed, &out); err != nil || out.String() != "a\n1\n" {
		t.Errorf("with outside access: %q %v", out.String(), err)
	}
	out.Reset()
	if _, err := Query(t.Context(), lake, "create table t as select count(*) n from answers; copy t to '"+outside+"/x.csv'; select n from t", allowed, &out); err != nil || out.String() != "n\n2\n" {
		t.Errorf("several statements: %q %v", out.String(), err)
	}
	if got := fileBytes(t, outside+"/x.csv"); got != "n\n2\n" {
		t.Errorf("written outside: %q", got)
	}
}

func TestQuestionsThatAreAllowed(t *testing.T) {
	lake := sampleLake(t)
	for query, want := range map[string]string{
		"select count(*) as n from answers;":                                       "n\n2\n",
		"from answers select domain order by all -- a comment":                     "domain\nDocument\nNatural\n",
		"with a as (select 1 as x) select x, x from a":                             "x,x_1\n1,1\n",
		"values (1, null, 'a,b')":                                                  "col0,col1,col2\n1,,\"a,b\"\n",
		"select 1 where false":                                                     "1\n",
		"select name from (show tables) where name = 'answers'":                    "name\nanswers\n",
		"select column_name from (describe answers) limit 1":                       "column_name\nprotocol\n",
		"pivot answers on domain in ('Natural') using count(*) group by captioner": "captioner,Natural\nm,1\n",
	} {
		var out strings.Builder
		report, err := Query(t.Context(), lake, query, QueryOptions{Format: "csv"}, &out)
		if err != nil || out.String() != want {
			t.Errorf("%s\n got %q %v\nwant %q", query, out.String(), err, want)
		}
		if lines := int64(strings.Count(want, "\n") - 1); report.Rows != lines {
			t.Errorf("%s: %d rows reported, want %d", query, report.Rows, lines)
		}
	}
	for _, query := range []string{"show tables", "describe answers", "summarize answers", "explain select 1", "explain analyze select 1", "Explain (format json) select count(*) from answers"} {
		var out strings.Builder
		if _, err := Query(t.Context(), lake, query, QueryOptions{}, &out); err != nil {
			t.Errorf("%s: %v", query, err)
		}
	}
	var out strings.Builder
	_, err := Query(t.Context(), lake, "from captionqa_main", QueryOptions{}, &out)
	var hint *data.HintError
	if !errors.As(err, &hint) || hint.Hint != "the mart is not built yet: run captionlake analyze" {
		t.Errorf("a missing mart: %v", err)
	}
	if _, err := Query(t.Context(), lake, "select 1", QueryOptions{Format: "xls"}, &out); err == nil {
		t.Error("an unknown format was taken")
	}
	if _, err := Query(t.Context(), lake, "explain select 1", QueryOptions{Format: "parquet"}, &out); err == nil {
		t.Error("parquet of an explain was taken")
	}
}

// everyType has a column of every type that the lake uses and of the odd ones; the second row is all null.
const everyType = `select * from (
	select true as b, cast(-5 as tinyint) as i8, cast(300 as smallint) as i16, 7 as i32, 9007199254740993 as i64, cast(200 as utinyint) as u8, cast(18446744073709551615 as ubigint) as u64,
		cast(170141183460469231731687303715884105 as hugeint) as huge, cast(0.5 as float) as f32, 90.285::double as f64, cast('nan' as double) as nan,
		cast(12.50 as decimal(10,2)) as d, '<é "q"' as t, cast('\xAA\x01' as blob) as bytes, date '2026-02-03' as day,
		timestamp '2026-02-03 04:05:06.000007' as ts, timestamptz '2026-02-03 04:05:06.000007+00' as tz, time '01:02:03' as clock, uuid '00000000-0000-0000-0000-000000000001' as id,
		['a', null, 'c'] as texts, [1, 2] as numbers, [0.5::double] as doubles, {'x': 1, 'y': ['z']} as s, interval 3 days as span, cast('e' as enum('e', 'f')) as en, [[1], []] as nested
	union all
	select null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null
) order by b`

func TestFormats(t *testing.T) {
	lake := sampleLake(t)
	wantCSV := "b,i8,i16,i32,i64,u8,u64,huge,f32,f64,nan,d,t,bytes,day,ts,tz,clock,id,texts,numbers,doubles,s,span,en,nested\n" +
		"true,-5,300,7,9007199254740993,200,18446744073709551615,170141183460469231731687303715884105,0.5,90.285,NaN,12.5,\"<é \"\"q\"\"\",aa01,2026-02-03,2026-02-03T04:05:06.000007,2026-02-03T04:05:06.000007Z,01:02:03,00000000-0000-0000-0000-000000000001," +
		"\"[\"\"a\"\",null,\"\"c\"\"]\",\"[1,2]\",[0.5],\"{\"\"x\"\":1,\"\"y\"\":[\"\"z\"\"]}\",3 days,e,\"[[1],[]]\"\n" +
		",,,,,,,,,,,,,,,,,,,,,,,,,\n"
	if got := ask(t, lake, "csv", everyType); got != wantCSV {
		t.Errorf("csv\n got %s\nwant %s", got, wantCSV)
	}
	text := ask(t, lake, "json", everyType)
	var rows []map[string]any
	if err := json.Unmarshal([]byte(text), &rows); err != nil || len(rows) != 2 || len(rows[0]) != 26 {
		t.Fatalf("json: %v\n%s", err, text)
	}
	for _, part := range []string{`[{"b":true,`, `"i64":9007199254740993,`, `"nan":"NaN"`, `"d":12.5,`, `"t":"<é \"q\""`, `"texts":["a",null,"c"]`, `"s":{"x":1,"y":["z"]}`, `"nested":[[1],[]]`, `{"b":null,`} {
		if !strings.Contains(strings.ReplaceAll(text, "\n", ""), part) {
			t.Errorf("json lacks %s:\n%s", part, text)
		}
	}
	if got := ask(t, lake, "json", "select 1 as a where false"); got != "[]\n" {
		t.Errorf("empty json %q", got)
	}
	want := "┌──────────┬─────────┬──────┬────┐\n" +
		"│ name     │       x │    n │ z  │\n" +
		"├──────────┼─────────┼──────┼────┤\n" +
		"│ a↵b�[31m │  90.285 │    1 │ ∅  │\n" +
		"│ c        │ 33.3333 │ 1000 │ hi │\n" +
		"└──────────┴─────────┴──────┴────┘\n"
	if got := ask(t, lake, "table", "select * from (values ('a\n'||'b'||chr(27)||'[31m', 90.285::double, 1, null), ('c', 100/3::double, 1000, 'hi')) v(name, x, n, z)"); got != want {
		t.Errorf("table\n%s\nwant\n%s", got, want)
	}
	var out strings.Builder
	if _, err := Query(t.Context(), lake, "from range(5)", QueryOptions{TableRows: 2}, &out); err != nil || !strings.HasSuffix(out.String(), "2 of 5 rows shown; the other formats write all of them\n") {
		t.Errorf("limited table %v\n%s", err, out.String())
	}
}

// TestParquetOutput reads back what the format parquet wrote, through the lake's own folder.
func TestParquetOutput(t *testing.T) {
	lake := sampleLake(t)
	content := ask(t, lake, "parquet", "select domain, probabilities from answers order by domain")
	if err := os.WriteFile(lake.Path("out.parquet"), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	got := ask(t, lake, "csv", "from '"+lake.Path("out.parquet")+"'")
	if got != "domain,probabilities\nDocument,[]\nNatural,\"[0.25,0.75]\"\n" {
		t.Errorf("read back %q", got)
	}
}

// TestOrderAndMemoryOfLargeResults streams a million sorted rows with little memory for DuckDB.
func TestOrderAndMemoryOfLargeResults(t *testing.T) {
	lake := newLake(t)
	w := &lastLines{}
	report, err := Query(t.Context(), lake, "select range as n, repeat('x', 20) as pad from range(1000000) order by n desc",
		QueryOptions{Format: "csv", Engine: EngineOptions{MemoryLimit: "100MB", Threads: 2}}, w)
	if err != nil || report.Rows != 1_000_000 {
		t.Fatal(report, err)
	}
	if w.unsorted != "" || w.rows != 1_000_000 {
		t.Errorf("%d rows, out of order at %s", w.rows, w.unsorted)
	}
}

// lastLines checks that numbers at the starts of lines fall by one.
type lastLines struct {
	rest     string
	rows     int
	unsorted string
}

func (l *lastLines) Write(p []byte) (int, error) {
	l.rest += string(p)
	for {
		line, rest, found := strings.Cut(l.rest, "\n")
		if !found {
			return len(p), nil
		}
		l.rest = rest
		if l.rows > 0 || line != "n,pad" {
			l.rows++
			if !strings.HasPrefix(line, fmt.Sprint(1_000_000-l.rows)+",") && l.unsorted == "" {
				l.unsorted = line
			}
		}
	}
}
