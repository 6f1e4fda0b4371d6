package spark

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/must"
)

var update = flag.Bool("update", false, "write what the tests expect anew")

// example has everything that a script can have, and names and texts that would break a careless one.
func example() Script {
	text := func(s string) *string { return &s }
	answers := Table{
		Name: "answers", Stem: "unit",
		Columns: []Column{{"reader", "VARCHAR"}, {"score", "DOUBLE"}, {"repeat", "INTEGER"}, {"options", "VARCHAR[]"}, {"asked_at", "TIMESTAMP WITH TIME ZONE"}},
		Files:   []string{"/lake/answers/a-1.parquet", "/a lake {1}/answers/b,2*.parquet"},
	}
	return Script{
		ID: "0123", Title: "An example; it's made up", Output: "s3a://bucket/results",
		Tables:    []Table{answers, {Name: "votes", Stem: "unit", Columns: []Column{{"winner", "VARCHAR"}}}},
		Rows:      []Rows{{"changes", []Column{{"name", "VARCHAR"}, {"place", "BIGINT"}}, [][]*string{{text(`it's; a \ "name"`), text("1")}, {nil, nil}}}, {"none", []Column{{"x", "BOOLEAN"}}, nil}},
		Constants: []Constant{{Name: "seed", Value: "7", Number: true}, {Name: "chosen", Value: "a;b"}, {Name: "in_pool", Among: []string{"it's", "Simple"}}, {Name: "unused", Value: "1", Number: true}},
		Steps: []Step{
			{
				Name: "left_out", What: `rows that "do not" count; or so`, Key: []string{"unit", "reader"},
				Columns: []Column{{"unit", "VARCHAR"}, {"reader", "VARCHAR"}},
				Query:   "-- Why; it's so.\nselect unit, \"reader\" from answers\n\nwhere reader not like 'it''s; %' -- and so on",
				Views:   []View{{"counted_answers", `select x.* from "answers" as x where not exists (select 1 from "left_out" as s where s."unit" = x."unit")`}},
			},
			{Name: "middle", What: "helps", Helps: true, Query: "select reader, total(n) as n from left_out group by reader"},
			{
				Name: "sums", What: "counts and sums", Key: []string{"reader"},
				Columns: []Column{{"reader", "VARCHAR"}, {"n", "BIGINT"}, {"parts", "DECIMAL(38,12)"}},
				Query: "select cast(reader as VARCHAR) as reader, count(*) filter (where in_pool(reader)) as n, cast(sum(score_parts(score)) as DECIMAL(38, 12)) as parts\n" +
					"from counted_answers() inner join middle using (reader) inner join changes() as c on c.name = chosen() where seed() = 7 group by reader",
			},
			{Name: "again", What: "all files again", Columns: []Column{{"n", "BIGINT"}}, Query: "select count(*) as n from answers"},
		},
	}
}

// The script is what it was: read the difference before it is written anew with -update.
func TestScript(t *testing.T) {
	got, err := example().Text()
	must.Succeed(t, err)
	golden := filepath.Join("testdata", "example.sql")
	if *update {
		must.Succeed(t, os.WriteFile(golden, []byte(got), 0o666))
	}
	want, err := os.ReadFile(golden)
	must.Succeed(t, err)
	if got != string(want) {
		t.Errorf("the script is not that of %s:\n%s", golden, got)
	}
	// Tools divide a script at semicolons at the ends of lines; no other one is in it, and no comment has a quotation mark.
	for line := range strings.Lines(got) {
		line = strings.TrimRight(line, "\n")
		if strings.Contains(strings.TrimSuffix(line, ";"), ";") {
			t.Errorf("a semicolon within the line %s", line)
		}
		if strings.HasPrefix(line, "--") && strings.ContainsAny(line, "\"'`;") {
			t.Errorf("the comment %s", line)
		}
	}
}

func TestWhatNoScriptCanSay(t *testing.T) {
	for query, want := range map[string]string{
		"select hash(a) from answers":              "sums: analytics/spark/functions.sql has no function hash",
		"select a from answers where a = 'b":       "sums: a quotation mark of the query is not closed: 'b",
		"select counted_votes(1) from answers":     "has no function counted_votes",
		"select approx_count_distinct (a) from x":  "has no function approx_count_distinct",
		"select case when (a) then 1 end from x":   "",
		"select a from x where a in (1) or (b)":    "",
		"select score_parts(a), md5(b) from c_2()": "has no function c_2",
	} {
		_, err := Script{Steps: []Step{{Name: "sums", Query: query}}}.Text()
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", query, err, want)
		}
	}
}
