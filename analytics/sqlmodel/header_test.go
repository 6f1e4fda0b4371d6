package sqlmodel

import (
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

const goodModel = `-- what: "an example: of a header"
-- key: [a]
-- source: none
-- columns:
--   a: [varchar, [p, q r], a name]
--   n_correct, n_cannot:
--   x: [double, percent, -1.5..100, "a share,
--       in percent"]
--   l: ["varchar[]", not null, names]
--   n: [bigint, count, 1.., how many]
--   o: [varchar, [yes, "no", 3]]
-- intervals:
--   x: share(n, least(n, 3) + 1)

select 1 from answers;

-- audit: no_rows: there is nothing wrong
select 1 where false;
`

func TestParseModel(t *testing.T) {
	m := must.Get(Parse("m.sql", goodModel))(t)
	var columns []string
	for _, c := range m.Columns {
		columns = append(columns, strings.TrimSpace(c.Name+" "+c.Type+" "+c.Unit+": "+c.Comment+" "+c.Made))
	}
	want := `a VARCHAR : a name
n_correct BIGINT count: answers that chose the key
n_cannot BIGINT count: answers that chose the cannot option
x DOUBLE percent: a share, in percent
x_se DOUBLE percent: standard error of x, clustered by image; null for published rows and for a single image
x_low DOUBLE percent: lower end of the 95% interval of x, by Korn and Graubard, effective ` +
		`images - 1 degrees of freedom, over domains Satterthwaite's share_low("x", "x_se", n, least(n, 3) + 1)
x_high DOUBLE percent: upper end of that interval share_high("x", "x_se", n, least(n, 3) + 1)
l VARCHAR[] : names
n BIGINT count: how many
o VARCHAR : yes, no or 3`
	expect.Equal(t, strings.Join(columns, "\n"), want)
	if m.What != "an example: of a header" || m.Select != "select 1 from answers" ||
		!slices.Equal(m.Inputs, []string{"answers"}) {
		t.Errorf("read %+v", m)
	}
	var conditions []string
	for _, c := range m.Checks {
		conditions = append(conditions, c.broken)
	}
	want = `not list_contains(['p', 'q r'], cast("a" as varchar))
not ("x" between -1.5 and 100)
"l" is null
not ("n" >= 1)
not list_contains(['yes', 'no', '3'], cast("o" as varchar))
not ("x_se" >= 0)
not ("x_low" between -1.5 and 100)
not ("x_high" between -1.5 and 100)`
	expect.Equal(t, strings.Join(conditions, "\n"), want)
	wantAudits := []Audit{
		{Name: "no_rows", Reason: "there is nothing wrong", Query: "select 1 where false"},
		{Name: "interval_holds_estimate", Reason: "an interval holds its estimate, and that of a share has a width",
			Query: `select "a", "x", "x_low", "x_high"
from "m"
where "x" not between "x_low" and "x_high" or "x_low" = "x_high"`},
	}
	expect.Equal(t, m.Audits, wantAudits)
}

// TestParseModelFaults changes one thing of a good model at a time and expects the fault.
func TestParseModelFaults(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"-- source: none", "-- sauce: none", `m.sql:3:4: unknown field "sauce"`},
		{"-- columns:", "-- columns:\n--   z, unit:",
			"column z is not NAME: [TYPE, UNIT, RULES, MEANING], and sql/models/columns.yaml does not have it"},
		{"share(n", "shares(n", `x: "shares(n, least(n, 3) + 1)" is not an interval: share(N, CLUSTERS), `},
	} {
		text := strings.Replace(goodModel, c.old, c.new, 1)
		if _, err := Parse("m.sql", text); text == goodModel || err == nil ||
			!strings.HasPrefix(err.Error(), "m.sql:") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %q: got %v, want %s", c.new, c.old, err, c.want)
		}
	}
}

func TestOrder(t *testing.T) {
	model := func(name string, inputs ...string) Model { return Model{Name: name, Inputs: inputs} }
	ordered := Order([]Model{model("c", "b", "t"), model("b", "a"), model("a", "t")})
	expect.Equal(t, ordered[0].Name+ordered[1].Name+ordered[2].Name, "abc")
}

// TestGroupsByKey tells selects whose rows cannot share a key from selects where that is not sure.
func TestGroupsByKey(t *testing.T) {
	for text, want := range map[string]bool{
		"select a, b, count(*) as n\nfrom t\nwhere c\ngroup by a, b":                          true,
		"select\n    a, b,\n    sum(x) as x from t() group by a, b":                           true,
		"select a, b, count(*) as n from t":                                                   false,
		"select a, b, count(*) as n from t group by a, b, c":                                  false,
		"select a, upper(b) as b, count(*) from t group by a, b":                              false,
		"select b, a, count(*) from t group by a, b":                                          false,
		"select a, b, 1 as n from t union all select a, b, count(*) from u group by a, b":     false,
		"select a, b, n from (select a, b, count(*) as n from t group by a, b) group by a, b": false,
	} {
		expect.Equal(t, (Model{Key: []string{"a", "b"}, Select: text}).groupsByKey(), want, text)
	}
}
