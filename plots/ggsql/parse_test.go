package ggsql

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/sql"
)

var located = regexp.MustCompile(`^mine\.sql:\d+:\d+: `)

// plotOf reads a file as show does.
func plotOf(content string) error {
	file, err := Parse("mine.sql", "", content)
	if err == nil {
		_, err = file.Plot()
	}
	return err
}

// refused is what the grammar of ggsql does not have, and what figures write instead. Texts are
// left out before.
var refused = []struct{ form, instead string }{
	{`(?i)\bwindow \w+ as \(`, "over (partition by a)"},
	{`(?i)\bover [^(]`, "over (partition by a)"},
	{`(?i)\bover \( (order by|partition by [\w ,]+ order by) [^)]*([<>=(]|\. )`,
		"a column of an earlier SELECT to order by"},
	{`(?i)\bfilter \( where`, "max_over(if(a, x, null), part), or max(if(a, x, null))"},
	{`\[`, "list_value('a', 'b'), or list_extract(x, 1)"},
	{`\{`, "columns instead of a struct"},
	{`\$ ?\w`, "getvariable('domain')"},
	{`(?i)\blambda\b|- >`, "a macro of sql/macros/shown.sql"},
	{`/ /`, "floor(a / 2)"},
	{`(?i)\breplace \( [^)]* as `, "columns after * exclude (x)"},
}

// A condition holds as in SQL: of null none does, and a quoted number is a number beside a number.
func TestConditions(t *testing.T) {
	for _, c := range []struct {
		condition string
		v         any
		want      string
	}{
		{"a >= 2", 2.0, "true"}, {"a >= 2", 1.9, "false"}, {"a >= 2", nil, "false"}, {"a != 3", 3.0, "false"},
		{"a <> 'x'", "y", "true"}, {"a <> 'x'", "x", "false"}, {"a <> 'x'", nil, "false"},
		{"a > '50'", 49.0, "false"}, {"a > '50'", 100.0, "true"}, {"a > 50", "9", "false"}, {"a > '50'", "9", "true"},
		{"a > 'x'", 3.0, "FILTER compares 3 with x, and only one of them is a number"},
	} {
		f := must.Get(Parse("mine.sql", "", "select 1\nVISUALISE a AS x, b AS y\nDRAW point FILTER "+c.condition))(t)
		holds, err := must.Get(f.Plot())(t).Layers[0].Filter[0].Holds(c.v)
		got := fmt.Sprint(holds)
		if err != nil {
			got = err.Error()
		}
		expect.Equal(t, got, c.want, c.condition, c.v)
	}
}

// A figure runs in ggsql as it is, over the lake's DuckDB file: what its grammar does not have is a
// macro or a column of an earlier SELECT.
func TestFiguresKeepToGgsql(t *testing.T) {
	for _, f := range must.Get(All())(t) {
		if f.Form != "figure" || f.Cards {
			continue
		}
		for _, fault := range faultsInGgsql(f) {
			t.Error(fault)
		}
		if strings.Contains(f.Clauses(), "PLACE rule") {
			t.Errorf("%s: ggsql refuses PLACE rule; write DRAW rule MAPPING 0 AS x", f.Path)
		}
	}
	for _, query := range []string{
		"select max(n) over w from t window w as (partition by a)", "select count(*) filter (where n > 1) from t",
		"select ['a'] as x", "select {a: 1} as x",
		"select case when max(n) over (partition by a) > 1 then 1 end from t",
		"select round(max(n) over (partition by a)) from t", "select $domain as d",
		"select x // 2 as n from t", "select list_transform(x, lambda y: y) from t",
		"select rank() over (order by a <> 'x') from t",
	} {
		f := must.Get(Parse("mine.sql", "figure", "-- parameters: {domain: null}\n"+query+"\nVISUALISE n AS x"))(t)
		if len(faultsInGgsql(f)) == 0 {
			t.Errorf("ggsql refuses %s", query)
		}
	}
}

// faultsInGgsql are places of a SELECT that ggsql does not read.
func faultsInGgsql(f *File) (faults []string) {
	var words []string
	open := []string{""} // what is not closed: case, a function, or brackets around other things
	for i, t := range f.tokens {
		switch {
		case t.kind == text:
			words = append(words, "''")
			continue
		case t.is("case"):
			open = append(open, "CASE")
		case t.is("end"):
			open = open[:len(open)-1]
		case t.raw == "(" && i > 0 && f.tokens[i-1].kind == word &&
			strings.ContainsAny(f.Text[t.at-1:t.at], "abcdefghijklmnopqrstuvwxyz_"):
			open = append(open, f.tokens[i-1].raw+"()")
		case t.raw == "(":
			open = append(open, "")
		case t.raw == ")":
			open = open[:len(open)-1]
		case t.is("over") && open[len(open)-1] != "":
			faults = append(faults,
				f.Fault(t.at, "ggsql has no window function in %s; write max_over(x, part)", open[len(open)-1]).Error())
		}
		words = append(words, t.raw)
	}
	for _, r := range refused {
		if found := regexp.MustCompile(r.form).FindString(strings.Join(words, " ")); found != "" {
			faults = append(faults, fmt.Sprintf("%s: ggsql does not read %q; write %s", f.Path, found, r.instead))
		}
	}
	return faults
}

// A name belongs to one file, or to a figure and another one.
func TestNamesOfFiles(t *testing.T) {
	seen := map[string]string{}
	files, err := All()
	for _, f := range files {
		key := fmt.Sprint(f.Name, f.Form == "figure")
		expect.Equal(t, seen[key], "", f.Path)
		seen[key] = f.Path
	}
	if err != nil || len(seen) < 100 {
		t.Error(len(seen), err)
	}
}

// A file of a user's own is read to its end or to a fault with its place, whatever is in it.
func FuzzFile(f *testing.F) {
	for _, file := range sql.Files("figures") {
		f.Add(file.Text)
		_, clauses, _ := strings.Cut(file.Text, "VISUALISE")
		f.Add("select 1 as x\nVISUALISE" + clauses)
	}
	f.Fuzz(func(t *testing.T, content string) {
		if len(content) > 4000 {
			return
		}
		if err := plotOf(content); err != nil && !located.MatchString(err.Error()) {
			t.Errorf("%q has no place, for %q", err, content)
		}
	})
}

// A clause that is not supported, is said twice or has another form is a fault with its place,
// which says what is supported.
func TestFaults(t *testing.T) {
	for _, c := range []struct{ clauses, fault string }{
		{"DRAW point SETTING size => " + strings.Repeat("[", 100_000), "3:29: a list within a list is not supported"},
		{"SCALE x", "3:8: SCALE x says nothing that is supported"},
		{"SCALE x FROM 3", "3:14: FROM has two numbers, of which one may be null, or categories"},
		{"SCALE x FROM [1]", "3:14: FROM has two numbers"},
		{"SCALE x FROM [1, 2, 3]", "3:14: FROM has two numbers"},
		{"SCALE x FROM [null, null]", "3:14: FROM has two numbers"},
		{"SCALE x FROM [90, 10]", "3:14: FROM goes from 90 to 10"},
		{"SCALE x FROM [0, 1] FROM [0, 1]", "3:21: FROM is there twice"},
		{"SCALE x FROM [0, 1]\nSCALE x FROM [0, 2]", "4:1: SCALE x is there twice"},
		{"SCALE x TO ['#000000']", "3:9: SCALE x says nothing that is supported"},
		{"SCALE label FROM ['a']", "3:7: there is no aesthetic to scale \"label\""},
		{"SCALE fill TO ['red']", "3:15: TO has a list of colours"},
		{"SCALE fill TO virdis", "3:15: there is no palette \"virdis\" here"},
		{"DRAW errorbar", "3:6: a layer errorbar is called range, as in ggsql"},
		{"DRAW smooth", "3:1: smooth draws the line of least squares alone"},
		{"DRAW smooth SETTING method => 'lm'", "3:31: method takes one of 'ols'"},
		{"DRAW histogram SETTING bins => 1", "3:32: bins takes a whole number from 2"},
		{"DRAW point FILTER a IN ('b')", "3:21: FILTER compares columns with numbers and texts"},
		{"DRAW point FILTER a > null", "3:21: FILTER compares columns with numbers and texts"},
		{"SCALE x RENAMING a => 'b'", "3:18: \"a\" where a category or * belongs"},
		{"SCALE x RENAMING 'a' => 3", "3:25: a name takes a text"},
		{"SCALE x SETTING reverse => 1", "3:28: reverse takes true or false"},
		{"LABEL title => 3", "3:16: LABEL title takes a text"},
		{"LABEL title => score", "3:16: LABEL title takes a text"},
		{"LABEL title => 'a', title => 'b'", "3:21: LABEL title is there twice"},
		{"LABEL fill => 'a'", "3:7: there is no label \"fill\""},
		{"FACET 'a'", "3:7: a column belongs here"},
		{"FACET a\nFACET b", "4:1: FACET is there twice"},
		{"FACET a SETTING ncol => 'a'", "3:25: ncol takes a whole number from 1"},
		{"FACET a SETTING ncol => 0", "3:25: ncol takes a whole number from 1"},
		{"FACET a SETTING free => 'z'", "3:25: free takes 'x', 'y' or ['x', 'y']"},
		{"PROJECT x TO polar", "3:9: \"x\" where y belongs"},
		{"PROJECT TO cartesian SETTING ratio => 'a'", "3:39: ratio takes 1, for square panels"},
		{"DRAW point SETTING colr => '#000000'", "3:20: there is no setting \"colr\""},
		{"DRAW point SETTING hinge => true", "3:29: hinge takes null"},
		{"DRAW point SETTING fill => 'blue'", "3:28: fill takes a colour, such as '#b34700'"},
		{"DRAW point SETTING opacity => 2", "3:31: opacity takes a number from 0 to 1"},
		{"DRAW point SETTING size => 2, size => 3", "3:31: size is there twice"},
		{"DRAW point SETTING linetype => 'wavy'", "3:32: linetype takes one of 'solid', 'dashed', 'dotted'"},
		{"DRAW point SETTING offset => [1]", "3:30: offset takes two numbers"},
		{"DRAW point MAPPING a AS fill, b AS fill", "3:31: a mapping to fill is there twice"},
		{"DRAW point MAPPING [1] AS fill", "3:20: a mapping takes a column, a text, a number or null"},
		{"DRAW point MAPPING 'red'", "3:20: 'red' is mapped to nothing"},
		{"DRAW point MAPPING a AS linewidth", "3:25: there is no aesthetic \"linewidth\""},
		{"DRAW line PARTITION BY 3", "3:24: a column belongs here"},
		{"DRAW text", "3:1: text needs x y label"},
		{"DRAW range MAPPING a AS xmin", "3:1: range needs y xmin xmax, or x ymin ymax"},
		{"PLACE rule", "3:1: rule needs x, or y"},
		{"DRAW spatial", "3:6: there is no layer \"spatial\""},
		{"DRAW point; DRAW point", "3:13: there is more after the semicolon"},
	} {
		err := plotOf("select 1 as x\nVISUALISE x AS x, 2 AS y DRAW point\n" + c.clauses)
		if err == nil || !strings.HasPrefix(err.Error(), "mine.sql:"+c.fault) {
			t.Errorf("%.60s: got %v, want mine.sql:%s", c.clauses, err, c.fault)
		}
	}
}

// A header and a SELECT have faults with their places, too, and the next step where there is one.
func TestFaultsBeforeTheClauses(t *testing.T) {
	for _, c := range []struct{ content, fault, hint string }{
		{"-- parameters: {captoner: gpt-5}\nselect $captoner", "1:27: there is no flag for a parameter \"captoner\"",
			"did you mean captioner?"},
		{"select 1 + $prompt", "1:12: the header has no parameter prompt",
			"add to it: -- parameters: {prompt: its value}"},
		{"-- columns: [{name: n, decimals: 0, best: large}]\nselect 1 as n",
			"1:43: the best value is highest or lowest, not \"large\"", ""},
		{"-- shows: x\n-- sauce: y\nselect 1", "2:4: unknown field \"sauce\"", ""},
		{"-- shows: x\n-- detect: [y]\nselect 1", " the header has words of another kind of file",
			"it may have shows, asks, about"},
		{"-- columns: {n: [a]}\nselect 1 as n", " a column needs the name", ""},
		{"-- a comment\n-- shows: x\nselect $x", "3:8: the header has no parameter x", ""},
		{"select 'no end", "1:8: this text has no closing quote", ""},
		{"-- shows: nothing\n", "2:1: there is no SELECT",
			"write one: select captioner_name, overall from leaderboard"},
	} {
		_, err := Parse("mine.sql", "", c.content)
		hint := &data.HintError{}
		errors.As(err, &hint)
		if err == nil || !strings.HasPrefix(err.Error(), "mine.sql:"+c.fault) || !strings.HasPrefix(hint.Hint, c.hint) {
			t.Errorf("%q: got %v with the hint %q, want mine.sql:%s with %q", c.content, err, hint.Hint,
				c.fault, c.hint)
		}
	}
}

// A file reads the marts of its SELECT, and needs those behind what is shown, too.
func TestMartsOfAFile(t *testing.T) {
	f, err := Parse("mine.sql", "",
		"-- shows: from boards\nselect * from captionqa_gap, answers semi join shown_readers using (reader)\nVISUALISE")
	must.Succeed(t, err)
	expect.Equal(t, fmt.Sprint(f.Reads, sql.Marts(f.Text)), "[captionqa_gap] [boards captionqa_gap]")
}
