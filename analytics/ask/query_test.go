package ask

import (
	"crypto/sha256"
	database "database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

func sampleLake(t testing.TB) *data.Lake {
	t.Helper()
	lake := laketest.New(t)
	a, b := answer("m", "Natural", "q1"), answer("m", "Document", "q2")
	a.Probabilities = []float64{0.25, 0.75}
	laketest.Put(t, lake, data.Answers, "a", a, b)
	return lake
}

// TestAttemptsAreRefused asks for the verdict on each attempt of testdata/sandbox.txt without
// running any.
func TestAttemptsAreRefused(t *testing.T) {
	e := bareDuckDB(t, "")
	defer e.Close()
	for _, a := range attempts(t, strings.NewReplacer(`\n`, "\n", `\r`, "\r")) {
		_, _, err := classify(t.Context(), e, a.query, false)
		if errors.Is(err, ErrRefused) != (a.verdict == "refused") {
			t.Errorf("testdata/sandbox.txt:%d: %s\n got %v\nwant %s", a.line, a.query, err, a.verdict)
		}
	}
}

// An attempt is a line of testdata/sandbox.txt.
type attempt struct {
	line                 int
	verdict, text, query string
}

func attempts(t *testing.T, place *strings.Replacer) (all []attempt) {
	t.Helper()
	verdicts := map[string]int{}
	for i, line := range strings.Split(fileBytes(t, "testdata/sandbox.txt"), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		a := attempt{line: i + 1}
		verdict, query, _ := strings.Cut(line, " | ")
		a.verdict, a.text, _ = strings.Cut(verdict, " ")
		a.query = place.Replace(query)
		verdicts[a.verdict]++
		all = append(all, a)
	}
	if verdicts["refused"] < 60 || verdicts["allowed"] < 20 {
		t.Errorf("attempts were lost: %v", verdicts)
	}
	return all
}

// TestSandbox tries to leave the lake, to change it and to end the process in every way that we
// know of: the attempts and what each comes to are in testdata/sandbox.txt. Then no file of the
// lake or outside has changed.
func TestSandbox(t *testing.T) {
	laketest.Slow(t, "runs two hundred attempts, each with a database of its own")
	lake := sampleLake(t)
	outside := filepath.ToSlash(t.TempDir())
	secret := outside + "/secret.csv"
	must.Write(t, secret, "a\n1\n")
	must.Write(t, lake.Path("names.csv"), "name\nm\n")
	must.Succeed(t, os.CopyFS(lake.Path("other"), databaseWithViews(t)))
	t.Setenv("TMPDIR", t.TempDir())
	before := snapshot(t, lake.Dir(), outside)
	place := strings.NewReplacer("{lake}", strings.TrimSuffix(filepath.ToSlash(lake.Dir()), "/"), "{outside}", outside,
		`\n`, "\n", `\r`, "\r")
	for _, a := range attempts(t, place) {
		var out strings.Builder
		_, err := Query(t.Context(), lake, a.query, Options{Format: "csv"}, &out)
		var hint *data.HintError
		hinted := errors.As(err, &hint)
		switch {
		case a.verdict == "allowed" && err == nil:
		case a.verdict == "refused" && errors.Is(err, ErrRefused) && hinted:
		case a.verdict == "disabled" && err != nil && strings.Contains(err.Error(), "disabled by configuration") &&
			hinted && strings.Contains(hint.Hint, "--allow-outside"):
		case a.verdict == "error" && err != nil && !errors.Is(err, ErrRefused) && strings.Contains(err.Error(), a.text):
		default:
			t.Errorf("testdata/sandbox.txt:%d: %s\n got %v %q (with a next step: %v)\nwant %s %s", a.line, a.query, err,
				out.String(), hinted, a.verdict, a.text)
		}
	}
	expect.Equal(t, snapshot(t, lake.Dir(), outside), before, "files changed")
	expect.Equal(t, fmt.Sprint(must.Get(os.ReadDir(os.Getenv("TMPDIR")))(t)), "[]")
}

func TestOutsideAccess(t *testing.T) {
	lake := sampleLake(t)
	outside := filepath.ToSlash(t.TempDir())
	secret := outside + "/secret.csv"
	must.Write(t, secret, "a\n1\n")
	var out strings.Builder
	_, err := Query(t.Context(), lake, "from '"+secret+"'", Options{Format: "csv"}, &out)
	laketest.Hint(t, err, "--allow-outside", "disabled by configuration")
	allowed := Options{Format: "csv", Engine: engine.Options{Unlocked: true}}
	must.Get(Query(t.Context(), lake, "from '"+secret+"'", allowed, &out))(t)
	expect.Equal(t, out.String(), "a\n1\n")
	out.Reset()
	must.Get(Query(t.Context(), lake,
		"create table t as select count(*) n from answers; copy t to '"+outside+"/x.csv'; select n from t", allowed,
		&out))(t)
	expect.Equal(t, out.String(), "n\n2\n")
	expect.Equal(t, fileBytes(t, outside+"/x.csv"), "n\n2\n")
}

// databaseWithViews is a folder with a DuckDB file whose view writes: what a foreign lake may hold.
func databaseWithViews(t *testing.T) fs.FS {
	t.Helper()
	dir := t.TempDir()
	e := bareDuckDB(t, filepath.Join(dir, "evil.duckdb"))
	must.Succeed(t, errors.Join(e.Exec(t.Context(),
		"create view answers as from enable_profiling(save_location = '"+filepath.ToSlash(dir)+"/profile')"),
		e.Exec(t.Context(), "checkpoint"), e.Close()))
	return os.DirFS(dir)
}

// snapshot is a line for each file of the folders: name, time of change, mode and content.
func snapshot(t *testing.T, folders ...string) string {
	t.Helper()
	var b strings.Builder
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := entry.Info()
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, "%s %s %s", path, info.Mode(), info.ModTime().Format(time.RFC3339Nano))
			if info.Mode().IsRegular() {
				fmt.Fprintf(&b, " %x", sha256.Sum256([]byte(fileBytes(t, path))))
			}
			b.WriteByte('\n')
			return nil
		})
		must.Succeed(t, err)
	}
	return b.String()
}

// Functions that change something, and tables made by functions, are judged one by one. A new
// version of DuckDB that has others fails here until somebody has looked at them: whoever adds a
// name to the file says that it is harmless without files other than the lake's, and whoever adds
// it to beyondReading that it is not.
func TestEveryFunctionOfDuckDBIsJudged(t *testing.T) {
	e := bareDuckDB(t, "")
	defer e.Close()
	_, rows, err := e.Strings(t.Context(), `select distinct function_name from duckdb_functions()
		where function_type in ('table', 'table_macro') or function_type in ('scalar', 'aggregate') and has_side_effects
		order by all`)
	must.Succeed(t, err)
	harmless := strings.Fields(fileBytes(t, "testdata/harmless_functions.txt"))
	for _, row := range rows {
		refused := beyondReading.MatchString(`"function_name":"` + row[0] + `"`)
		if refused == slices.Contains(harmless, row[0]) {
			t.Errorf("the function %s is not judged: does it do more than read the lake?", row[0])
		}
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
		rows, err := Query(t.Context(), lake, query, Options{Format: "csv"}, &out)
		if err != nil || out.String() != want {
			t.Errorf("%s\n got %q %v\nwant %q", query, out.String(), err, want)
		}
		expect.Equal(t, rows, int64(strings.Count(want, "\n")-1), query)
	}
	for _, query := range []string{"show tables", "describe answers", "summarize answers", "explain select 1",
		"explain analyze select 1", "Explain (format json) select count(*) from answers"} {
		asked(t, lake, "", query)
	}
	var out strings.Builder
	_, err := Query(t.Context(), lake, "from captionqa_ranks", Options{}, &out)
	var hint *data.HintError
	if !errors.As(err, &hint) || hint.Hint != "the mart is not built yet: run captionlake analyze" {
		t.Errorf("a missing mart: %v", err)
	}
	expect.Refusal(Query(t.Context(), lake, "select 1", Options{Format: "xls"}, &out))(t)
	expect.Refusal(Query(t.Context(), lake, "explain select 1", Options{Format: "parquet"}, &out))(t)
}

// everyType has a column of every type that the lake uses and of the odd ones; the second row is
// all null.
const everyType = `select * from (
	select true as b, cast(-5 as tinyint) as i8, cast(300 as smallint) as i16, 7 as i32, 9007199254740993 as i64,
	cast(200 as utinyint) as u8, cast(18446744073709551615 as ubigint) as u64,
		cast(170141183460469231731687303715884105 as hugeint) as huge, cast(0.5 as float) as f32, 90.285::double as f64,
		cast('nan' as double) as nan,
		cast(12.50 as decimal(10,2)) as d, '<é "q"' as t, cast('\xAA\x01' as blob) as bytes, date '2026-02-03' as day,
		timestamp '2026-02-03 04:05:06.000007' as ts, timestamptz '2026-02-03 04:05:06.000007+00' as tz,
		time '01:02:03' as clock, uuid '00000000-0000-0000-0000-000000000001' as id,
		['a', null, 'c'] as texts, [1, 2] as numbers, [0.5::double] as doubles, {'x': 1, 'y': ['z']} as s,
		interval 3 days as span, cast('e' as enum('e', 'f')) as en, [[1], []] as nested
	union all
	select null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
	null, null, null, null, null, null, null, null
) order by b`

func TestFormats(t *testing.T) {
	lake := sampleLake(t)
	wantCSV := "b,i8,i16,i32,i64,u8,u64,huge,f32,f64,nan,d,t,bytes,day,ts,tz,clock,id,texts,numbers,doubles," +
		"s,span,en,nested\n" +
		"true,-5,300,7,9007199254740993,200,18446744073709551615,170141183460469231731687303715884105,0.5,90.285," +
		"nan,12.50,\"<é \"\"q\"\"\",\\xAA\\x01,2026-02-03,2026-02-03 04:05:06.000007,2026-02-03 04:05:06.000007+00," +
		"01:02:03,00000000-0000-0000-0000-000000000001,\"[\"\"a\"\",null,\"\"c\"\"]\",\"[1,2]\",[0.5]," +
		"\"{\"\"x\"\":1,\"\"y\"\":[\"\"z\"\"]}\",3 days,e,\"[[1],[]]\"\n" +
		",,,,,,,,,,,,,,,,,,,,,,,,,\n"
	expect.Equal(t, asked(t, lake, "csv", everyType), wantCSV)
	text := asked(t, lake, "json", everyType)
	var rows []map[string]any
	if err := json.Unmarshal([]byte(text), &rows); err != nil || len(rows) != 2 || len(rows[0]) != 26 {
		t.Fatalf("json: %v\n%s", err, text)
	}
	expect.Contains(t, strings.ReplaceAll(text, "\n", ""), `{"b":true,`, `"i64":9007199254740993,`, `"nan":null`,
		`"d":12.5,`, `"t":"<é \"q\""`,
		`"texts":["a",null,"c"]`, `"s":{"x":1,"y":["z"]}`, `"nested":[[1],[]]`, `{"b":null,`)
	expect.Equal(t, asked(t, lake, "json", "select 1 as a where false"), "[\n\t\n]\n")
	expect.Equal(t, asked(t, lake, "json",
		`select [1.5, 'nan', -'inf'::double] as a, {'Infinity': 'inf'::float, 'b': '\",NaN,'} as s`), `[
	{"a":[1.5,null,null],"s":{"Infinity":null,"b":"\\\",NaN,"}}
]
`)
	want := " name            x     n  z  \n" +
		"─────────────────────────────\n" +
		" a↵b�[31m   90.285     1  ∅  \n" +
		" c         33.3333  1000  hi \n"
	expect.Equal(t, asked(t, lake, "table",
		"select * from (values ('a\n'||'b'||chr(27)||'[31m', 90.285::double, 1, null), "+
			"('c', 100/3::double, 1000, 'hi')) v(name, x, n, z)"), want)
	var out strings.Builder
	if _, err := Query(t.Context(), lake, "from range(5)", Options{Rows: 2}, &out); err != nil ||
		!strings.HasSuffix(out.String(),
			"2 rows shown, and there are more: --out FILE, in the shell .output FILE, writes all\n") {
		t.Errorf("limited table %v\n%s", err, out.String())
	}
}

// TestOrderAndMemoryOfLargeResults streams a million sorted rows with little memory for DuckDB.
func TestOrderAndMemoryOfLargeResults(t *testing.T) {
	must.Slow(t)
	lake := laketest.New(t)
	w := &lastLines{}
	rows := must.Get(Query(t.Context(), lake,
		"select range as n, repeat('x', 20) as pad from range(1000000) order by n desc",
		Options{Format: "csv", Engine: engine.Options{MemoryLimit: "100MB", Threads: 2}}, w))(t)
	must.Equal(t, rows, 1_000_000)
	expect.Equal(t, w.rows, 1_000_000)
	expect.Equal(t, w.unsorted, "", "out of order")
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

// bareDuckDB is a database as others open it, in memory when file is empty.
func bareDuckDB(t *testing.T, file string) *engine.Engine {
	t.Helper()
	db := must.Get(database.Open("duckdb", file))(t)
	t.Cleanup(func() { _ = db.Close() })
	return &engine.Engine{Conn: must.Get(db.Conn(t.Context()))(t)}
}
