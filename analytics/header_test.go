package analytics

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/sql"
)

const goodModel = `-- model: m
-- what: "an example: of a header"
-- grain: one row per a
-- key: [a]
-- inputs: [answers]
-- source: none
-- columns:
--   a: [varchar, [p, q r], a name]
--   x: [double, percent, -1.5..100, {was: y}, "a share,
--       in percent"]
--   l: ["varchar[]", not null, names]
--   n: [bigint, count, 1.., how many]
--   o: [varchar, [yes, "no", 3]]
-- intervals:
--   x: share(n, least(n, 3) + 1)

select 1;

-- audit: no_rows: there is nothing wrong
select 1 where false;
`

func TestParseModel(t *testing.T) {
	m, err := ParseModel("m.sql", goodModel)
	must.Succeed(t, err)
	var columns []string
	for _, c := range m.Columns {
		columns = append(columns, strings.TrimSpace(c.Name+" "+c.Type+" "+strings.TrimSpace(c.Unit+" "+c.Was)+": "+c.What+" "+c.made))
	}
	want := `a VARCHAR : a name
x DOUBLE percent y: a share, in percent
x_se DOUBLE percent y_se: standard error of x, clustered by image; null for published rows and for a single image
x_low DOUBLE percent y_low: lower end of the 95 % interval of x, by Korn and Graubard, effective images - 1 degrees of freedom share_low("x", "x_se", n, least(n, 3) + 1)
x_high DOUBLE percent y_high: upper end of that interval share_high("x", "x_se", n, least(n, 3) + 1)
l VARCHAR[] : names
n BIGINT count: how many
o VARCHAR : yes, no or 3`
	if diff := cmp.Diff(want, strings.Join(columns, "\n")); diff != "" {
		t.Error(diff)
	}
	if m.What != "an example: of a header" || m.Select != "select 1" {
		t.Errorf("read %+v", m)
	}
	var conditions []string
	for _, c := range m.Checks {
		conditions = append(conditions, c.broken())
	}
	want = `cast("a" as varchar) not in ('p', 'q r')
not ("x" between -1.5 and 100)
"l" is null
not ("n" >= 1)
cast("o" as varchar) not in ('yes', 'no', '3')
not ("x_se" >= 0)
not ("x_low" between -1.5 and 100)
not ("x_high" between -1.5 and 100)`
	if diff := cmp.Diff(want, strings.Join(conditions, "\n")); diff != "" {
		t.Error(diff)
	}
	wantAudits := []Audit{
		{Name: "no_rows", Reason: "there is nothing wrong", Line: 19, Query: "select 1 where false"},
		{Name: "interval_holds_estimate", Reason: "an interval holds its estimate, and that of a share has a width", Line: 15,
			Query: `select "a", "x", "x_low", "x_high"
from "m"
where "x" not between "x_low" and "x_high" or "x_low" = "x_high"`},
	}
	if diff := cmp.Diff(wantAudits, m.Audits); diff != "" {
		t.Error(diff)
	}
}

// TestParseModelFaults changes one thing of a good model at a time and expects the fault at its place.
func TestParseModelFaults(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"no header", goodModel, "select 1;\n", `m.sql:1:1: no header: the first line must be "-- model: NAME"`},
		{"empty file", goodModel, "", `m.sql:1:1: no header: the first line must be "-- model: NAME"`},
		{"missing field", "-- grain: one row per a\n", "", `m.sql:15:1: the header has no field "grain"`},
		{"unknown field", "-- source: none", "-- sauce: none", `m.sql:6:4: unknown field "sauce": a header has model, what, grain, key, inputs, source, columns, intervals, fold, counts, by, compute`},
		{"twice", "-- source: none", "-- source: none\n-- source: none", `m.sql:7:4: mapping key "source" already defined at [6:1]`},
		{"empty value", "-- source: none", "-- source:", `m.sql:6:4: field "source" is empty`},
		{"bad input", "[answers]", "[answers, Bad]", `m.sql:5:22: "Bad" is not a name: lower-case letters, digits and underscores`},
		{"no list", "[answers]", "answers", `m.sql:5:12: a list of names belongs here: [NAME, NAME]`},
		{"no blank", "-- source", "--source", `m.sql:6:3: a blank belongs after the dashes of a header line`},
		{"not YAML", "-- source: none", "-- source: a: b", `m.sql:6:12: mapping value is not allowed in this context`},
		{"short column", "-- columns:", "-- columns:\n--   z: [double]", `m.sql:8:6: a column is NAME: [TYPE, UNIT, RULES, MEANING]; the unit and the rules may be missing`},
		{"bad type", "[double,", "[number,", `m.sql:9:10: unknown type "number"`},
		{"bad rule", "-1.5..100", "-1.5 to 100", `m.sql:9:27: "-1.5 to 100" is neither a unit nor a rule: a rule is not null, LOW..HIGH, LOW.. or a list of the allowed values`},
		{"bad number", "-1.5..100", "1.5.5..100", `m.sql:9:27: "1.5.5" is not a number`},
		{"empty range", "-1.5..100", "2..1", `m.sql:9:27: the range 2..1 holds nothing`},
		{"old name of a column", "{was: y}", "{was: l}", `m.sql:4:1: x was "l", which is a column`},
		{"old name of nothing", "{was: y}", "{is: y}", `m.sql:9:39: unknown entry "is": a column has was: NAME, merge: max or min, and of: SQL`},
		{"unknown key", "-- key: [a]", "-- key: [k]", `m.sql:4:1: key column "k" is not among the columns`},
		{"own input", "[answers]", "[m]", `m.sql:5:12: a model cannot be its own input`},
		{"file name", "-- model: m", "-- model: n", `m.sql:1:11: model "n" must be in the file n.sql`},
		{"unknown interval", "share(n", "shares(n", `m.sql:15:9: "shares(n, least(n, 3) + 1)" is not an interval: share(N, CLUSTERS), difference(A, B, N, CLUSTERS), t(CLUSTERS), t(ERROR, CLUSTERS), fisher(N), given or given(LOW, HIGH)`},
		{"short interval", "share(n, least(n, 3) + 1)", "share(n)", `m.sql:15:9: "share(n)" is not an interval: share(N, CLUSTERS), difference(A, B, N, CLUSTERS), t(CLUSTERS), t(ERROR, CLUSTERS), fisher(N), given or given(LOW, HIGH)`},
		{"interval of nothing", "--   x: share", "--   z: share", `m.sql:15:4: column "z" of the intervals is not among the columns`},
		{"counts of no fold", "-- source: none", "-- source: none\n-- counts: l", `m.sql:7:4: counts: is for a fold with rows for each unit`},
		{"unknown computation", "-- source: none", "-- source: none\n-- compute: magic", `m.sql:7:13: there is no computation "magic"`},
		{"no semicolon", "select 1;\n", "select 1\n", `m.sql:17:9: the query must end with a semicolon`},
		{"no select", "select 1;\n", "\n", `m.sql:16:1: a query is missing here`},
		{"audit without reason", ": there is nothing wrong", "", `m.sql:19:1: an audit opens with "-- audit: NAME: REASON"`},
		{"not text", "an example", "an \xff example", `m.sql:1:1: the file is not UTF-8 text`},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(goodModel, c.old, c.new, 1)
			if text == goodModel {
				t.Fatal("the case changes nothing")
			}
			_, err := ParseModel("m.sql", text)
			if err == nil {
				t.Fatal("no error")
			}
			if !strings.Contains("\n"+err.Error()+"\n", "\n"+c.want+"\n") {
				t.Errorf("got\n%v\nwant\n%s", err, c.want)
			}
		})
	}
}

const domainModel = `-- model: m
-- what: an example
-- grain: one row per a
-- key: [a]
-- inputs: [answers]
-- source: none
-- columns:
--   a: [varchar, a name]
--   {domain}: [double, percent, 0..105, "score in the domain
--       {Domain}; null when absent"]
-- intervals:
--   {domain}: share({domain}_n, {domain}_images)

select
    a,
    max(case when domain = '{Domain}' then score end) as {domain},
    max(case when domain = '{Domain}' then se end) as {domain}_se,
    b
from cells;

-- audit: bad: this is wrong
select a from n;
`

// TestDomainsAreRepeated has a domain whose name YAML and SQL would take for their own.
func TestDomainsAreRepeated(t *testing.T) {
	domains := []data.Domain{{Name: "Natural", Column: "natural"}, {Name: "Bob's \"big\": [x]\nday", Column: "bob_s"}}
	m, err := ParseModel("m.sql", domainModel, domains...)
	must.Succeed(t, err)
	var columns []string
	for _, c := range m.Columns {
		columns = append(columns, c.Name)
	}
	if got := strings.Join(columns, " "); got != "a natural natural_se natural_low natural_high bob_s bob_s_se bob_s_low bob_s_high" {
		t.Error(got)
	}
	if what := m.Columns[5].What; what != `score in the domain Bob's "big": [x] day; null when absent` {
		t.Error(what)
	}
	want := `select
    a,
    max(case when domain = 'Natural' then score end) as natural,
    max(case when domain = 'Bob''s "big": [x]' || chr(10) || 'day' then score end) as bob_s,
    max(case when domain = 'Natural' then se end) as natural_se,
    max(case when domain = 'Bob''s "big": [x]' || chr(10) || 'day' then se end) as bob_s_se,
    b
from cells`
	if diff := cmp.Diff(want, m.Select); diff != "" {
		t.Error(diff)
	}
	if m.Audits[0].Line != 21 || m.Audits[1].Line != 12 {
		t.Errorf("the lines are those of the file: %+v", m.Audits)
	}
}

func TestLikeCopiesColumns(t *testing.T) {
	parse := func(name, text string) Model {
		t.Helper()
		m, err := ParseModel(name+".sql", text)
		must.Succeed(t, err)
		return m
	}
	part := strings.Replace(goodModel[:strings.Index(goodModel, "-- columns:")], "[answers]", "[m]", 1)
	part = strings.Replace(part, "model: m", "model: part", 1)
	like := func(what string) Model {
		return parse("part", part+"-- columns:\n--   like: "+what+"\n--   z: [bigint, one more]\n\nselect 2;\n")
	}
	for _, c := range []struct{ what, want string }{
		{"m", "a x x_se x_low x_high l n o z"},
		{"{model: m, only: [a, x_low]}", "a x_low z"},
		{"{model: m, except: [x_se, l, o]}", "a x x_low x_high n z"},
	} {
		models, err := Order([]Model{like(c.what), parse("m", goodModel)}, []string{"answers"})
		must.Succeed(t, err)
		var names []string
		for _, column := range models[1].Columns {
			names = append(names, column.Name)
			if column.made != "" {
				t.Errorf("%s comes from the select", column.Name)
			}
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%s: got %s, want %s", c.what, got, c.want)
		}
	}
	for what, want := range map[string]string{
		"nothing":                   `part.sql:8:6: like: "nothing" is not a model among the inputs`,
		"{model: m, only: [a, up]}": `part.sql:8:6: m has no column "up"`,
	} {
		if _, err := Order([]Model{like(what), parse("m", goodModel)}, []string{"answers"}); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func FuzzParseModel(f *testing.F) {
	f.Add(goodModel)
	f.Add("-- model: m\n-- columns:\n--   a: [x, [,]]\n-- audit: x: y\n")
	f.Add("-- model:\n-- key: !!\n--   {domain}: between\n;")
	for _, name := range sql.Models() {
		text, err := sql.Source(name)
		must.Succeed(f, err)
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<16 {
			return
		}
		m, err := ParseModel("m.sql", text)
		if err == nil && (m.Name != "m" || m.Select == "" || len(m.Columns) == 0 && m.like == nil || len(m.Key) == 0) {
			t.Errorf("accepted an incomplete model: %+v", m)
		}
		var located *HeaderError
		if err != nil && (!errors.As(err, &located) || located.Line < 1 || located.Col < 1) {
			t.Errorf("a fault without a place: %v", err)
		}
	})
}

func TestOrder(t *testing.T) {
	model := func(name string, inputs ...string) Model { return Model{Name: name, Inputs: inputs} }
	ordered, err := Order([]Model{model("c", "b", "t"), model("b", "a"), model("a", "t")}, []string{"t"})
	must.Succeed(t, err)
	if got := ordered[0].Name + ordered[1].Name + ordered[2].Name; got != "abc" {
		t.Errorf("order %s", got)
	}
	for _, c := range []struct {
		models []Model
		want   string
	}{
		{[]Model{model("x", "y"), model("y", "z"), model("z", "y")}, "the models read each other in a circle: y -> z -> y"},
		{[]Model{model("x", "nowhere")}, `model x: input "nowhere" is neither a base table nor a model`},
		{[]Model{model("t")}, "model t has the name of a base table"},
		{[]Model{model("x"), model("x")}, "there are two models with the name x"},
	} {
		_, err := Order(c.models, []string{"t"})
		if err == nil || err.Error() != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
		var hint *data.HintError
		if strings.Contains(c.want, "circle") && !errors.As(err, &hint) {
			t.Error("a circle comes with a next step")
		}
	}
}
