package analytics

import (
	"errors"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/sql"
)

const goodModel = `-- model: m
-- what: an example
-- grain: one row per a
-- key: a
-- inputs: answers
-- source: none
-- columns:
--   a  varchar    -        a name
--   x  double     percent  a share
--   l  varchar[]  -        names
-- checks:
--   x between 0 and 100
--   a in p, q r
--   l not null
--   x >= -1.5

select 1;

-- audit: no_rows: there is nothing wrong
select 1 where false;
`

func TestParseModel(t *testing.T) {
	m, err := ParseModel("m.sql", goodModel)
	if err != nil {
		t.Fatal(err)
	}
	if m.Name != "m" || m.Select != "select 1" || len(m.Columns) != 3 || m.Columns[2].Type != "VARCHAR[]" || m.Columns[1].Unit != "percent" {
		t.Errorf("read %+v", m)
	}
	if len(m.Audits) != 1 || m.Audits[0].Name != "no_rows" || m.Audits[0].Query != "select 1 where false" || m.Audits[0].Line != 19 {
		t.Errorf("audits %+v", m.Audits)
	}
	var conditions []string
	for _, c := range m.Checks {
		conditions = append(conditions, c.broken())
	}
	want := `not ("x" between 0 and 100)|cast("a" as varchar) not in ('p', 'q r')|"l" is null|not ("x" >= -1.5)`
	if got := strings.Join(conditions, "|"); got != want {
		t.Errorf("conditions\n got %s\nwant %s", got, want)
	}
}

// TestParseModelFaults changes one thing of a good model at a time and expects the fault at its place.
func TestParseModelFaults(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"no header", goodModel, "select 1;\n", `m.sql:1:1: no header: the first line must be "-- model: NAME"`},
		{"empty file", goodModel, "", `m.sql:1:1: no header: the first line must be "-- model: NAME"`},
		{"missing field", "-- grain: one row per a\n", "", `m.sql:15:1: the header has no field "grain"`},
		{"unknown field", "-- source: none", "-- sauce: none", `m.sql:6:4: unknown field "sauce": a header has model, what, grain, key, inputs, source, columns, checks`},
		{"twice", "-- source: none", "-- source: none\n-- source: none", `m.sql:7:4: field "source" is a duplicate`},
		{"order", "-- key: a\n-- inputs: answers", "-- inputs: answers\n-- key: a", `m.sql:5:4: field "key" must stand before "inputs"`},
		{"empty value", "-- what: an example", "-- what:", `m.sql:2:10: field "what" is empty`},
		{"bad input", "-- inputs: answers", "-- inputs: answers, Bad", `m.sql:5:20: "Bad" is no name: lower-case letters, digits and underscores`},
		{"free text", "-- source: none", "-- source: none\n-- and so on", `m.sql:7:1: a header line is "-- field: text" or, under columns and checks, "--   text"`},
		{"short column", "--   x  double     percent  a share", "--   x  double", `m.sql:9:6: a column is NAME TYPE UNIT MEANING; the unit is - when there is none`},
		{"bad type", "--   x  double", "--   x  number", `m.sql:9:9: unknown type "number"`},
		{"column twice", "--   x  double", "--   a  double", `m.sql:9:6: column "a" is a duplicate`},
		{"bad number", "between 0 and 100", "between 0 and much", `m.sql:12:16: "much" is no number`},
		{"not a number", "between 0 and 100", "between NaN and 1", `m.sql:12:16: "NaN" is no number`},
		{"empty range", "between 0 and 100", "between 2 and 1", `m.sql:12:16: the range 2 and 1 holds nothing`},
		{"bad check", "--   l not null", "--   l is fine", `m.sql:14:6: a check is "COLUMN not null", "COLUMN between LOW and HIGH", "COLUMN >= LOW" or "COLUMN in A, B, C"`},
		{"unknown checked", "--   l not null", "--   z not null", `m.sql:14:6: checked column "z" is not among the columns`},
		{"unknown key", "-- key: a", "-- key: k", `m.sql:4:1: key column "k" is not among the columns`},
		{"own input", "-- inputs: answers", "-- inputs: m", `m.sql:5:1: a model cannot be its own input`},
		{"file name", "-- model: m", "-- model: n", `m.sql:1:1: model "n" must be in the file n.sql`},
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

func FuzzParseModel(f *testing.F) {
	f.Add(goodModel)
	f.Add("-- model: m\n-- checks:\n--   a in ,\n-- audit: x: y\n")
	f.Add("-- key:\n--   a between\n;")
	for _, name := range sql.Models() {
		text, err := sql.Source(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<16 {
			return
		}
		m, err := ParseModel("m.sql", text)
		if err == nil && (m.Name != "m" || m.Select == "" || len(m.Columns) == 0 || len(m.Key) == 0) {
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
	if err != nil {
		t.Fatal(err)
	}
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
