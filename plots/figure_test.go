package plots

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/must"
)

// smallTables are marts made by hand: three captioners, all with simulated rows, with the columns that the models of the same names give.
func smallTables(t testing.TB) Tables {
	t.Helper()
	main := table(t, "captionqa_main", []string{"prompt", "captioner_name", "captioner", "size", "model_type", "provenance", "reader", "natural_score", "document_score", "ecommerce_score", "embodied_ai_score", "overall", "rank"})
	results := table(t, "captionqa_results", []string{"evidence", "captioner", "captioner_name", "prompt", "domain", "score", "accuracy", "cannot_rate_offered", "provenance"})
	categories := table(t, "captionqa_categories", []string{"evidence", "domain", "category", "prompt", "captioner_name", "captioner", "score", "provenance"})
	add := func(tb *Table, values ...any) {
		t.Helper()
		must.Succeed(t, tb.Append(values...))
	}
	for i, m := range []struct{ id, name, size, kind string }{{"gpt-5", "GPT-5", "", "proprietary"}, {"qwen3-vl-8b", "Qwen3-VL 8B", "8B", "open"}, {"unheard-of-3b", "Unheard-of", "3B", nilType}} {
		s := 50 + 10*float64(i)
		add(main, "Simple", m.name, m.id, m.size, m.kind, "simulated", "reader", s, s+1, s+2, nil, nil, nil)
		for _, d := range domains {
			for k, p := range prompts {
				add(results, "caption", m.id, m.name, p, d, s+float64(k), s, 10.0, "simulated")
			}
			add(results, "image", m.id, m.name, "", d, 99.0, 99.0, 0.0, "simulated")
			for k := range 3 {
				add(categories, "caption", d, fmt.Sprintf("%s %d", d, k), "Simple", m.name, m.id, s+float64(k), "simulated")
				add(categories, "image", d, fmt.Sprintf("%s %d", d, k), "", m.name, m.id, 99.0, "simulated")
			}
		}
	}
	return Tables{"captionqa_main": main, "captionqa_results": results, "captionqa_categories": categories}
}

// nilType is the type of a model that the registry does not know.
const nilType = ""

// byHand are the figures that functions draw. What files say of the others is drawn in the tests of charts, and from a lake in those of show.
func byHand(found ...string) []Figure {
	return slices.DeleteFunc(Figures(found...), func(f Figure) bool { return f.File != nil })
}

func drawable(t *testing.T, ts Tables) map[string]*Drawing {
	t.Helper()
	out := map[string]*Drawing{}
	for _, f := range byHand() {
		if slices.ContainsFunc(f.Needs, func(n string) bool { return ts[n] == nil }) {
			continue
		}
		d, err := f.Draw(ts, Page{})
		must.Succeed(t, err)
		if err := checkPages(f, ts, d); err != nil {
			t.Errorf("figure %s: %v", f.Name, err)
		}
		out[f.Name] = d
	}
	return out
}

func TestFiguresAreDeclared(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range byHand() {
		if !regexp.MustCompile(`^[a-z0-9_]+$`).MatchString(f.Name) || seen[f.Name] {
			t.Errorf("figure name %q is not a file name of its own", f.Name)
		}
		seen[f.Name] = true
		if f.Title == "" || f.Paper == "" || len(f.Needs) == 0 || f.draw == nil {
			t.Errorf("figure %s lacks a title, its paper, its marts or its function", f.Name)
		}
	}
}

// Every figure says so when its marts are absent or empty.
func TestFiguresRefuseMissingAndEmpty(t *testing.T) {
	for _, f := range byHand() {
		_, err := f.Draw(Tables{}, Page{})
		refused(t, err, "figure "+f.Name+": table "+f.Needs[0]+" is missing; run analyze to build it")
		_, err = f.Draw(Tables{f.Needs[0]: table(t, f.Needs[0], []string{"x"})}, Page{})
		refused(t, err, "figure "+f.Name+": table "+f.Needs[0]+" has no rows")
		if !errors.Is(err, ErrNoRows) {
			t.Errorf("figure %s: %v is no ErrNoRows", f.Name, err)
		}
		odd := Tables{}
		for _, n := range f.Needs {
			odd[n] = table(t, n, []string{"x"}, []any{1})
		}
		_, err = f.Draw(odd, Page{})
		refused(t, err, "figure "+f.Name+": table "+f.Needs[0]+" has no column")
		if errors.Is(err, ErrNoRows) {
			t.Errorf("figure %s: a mart of the wrong shape passes for one without rows", f.Name)
		}
	}
}

// A NaN anywhere among the numbers of a mart stops each figure that would draw it, with figure, column and row named.
func TestFiguresRefuseNaN(t *testing.T) {
	for _, c := range []struct{ figure, mart, column string }{
		{"leaderboard", "captionqa_main", "natural_score"}, {"prompts", "captionqa_results", "score"}, {"radar_all", "captionqa_categories", "score"},
	} {
		ts := smallTables(t)
		k, err := ts[c.mart].index(c.column)
		must.Succeed(t, err)
		ts[c.mart].rows[0][k] = math.NaN()
		for _, f := range byHand() {
			if f.Name == c.figure {
				_, err := f.Draw(ts, Page{})
				refused(t, err, fmt.Sprintf("figure %s: table %s, column %s, row 1: NaN cannot be drawn", c.figure, c.mart, c.column))
			}
		}
	}
}

// README says of every figure how it differs from the paper's.
func TestReadmeComparesEveryFigureWithThePapers(t *testing.T) {
	text, err := os.ReadFile("README.md")
	must.Succeed(t, err)
	_, table, _ := strings.Cut(string(text), "## Beside the papers' figures")
	for _, f := range Figures() {
		family, _, _ := strings.Cut(f.Name, "_")
		if !strings.Contains(table, "`"+f.Name+"`") && !strings.Contains(table, "`"+family+"_<domain>`") && !strings.Contains(table, "`"+family+"_*`") {
			t.Errorf("README.md does not say how figure %s differs from the paper's", f.Name)
		}
	}
	for _, m := range regexp.MustCompile("`([a-z_]+)`").FindAllStringSubmatch(table, -1) {
		if !slices.ContainsFunc(Figures(), func(f Figure) bool { return f.Name == m[1] }) {
			t.Errorf("README.md names figure %s, which is not drawn", m[1])
		}
	}
}

func TestFiguresOfSmallTables(t *testing.T) {
	drawings := drawable(t, smallTables(t))
	if len(drawings) != 12 {
		t.Errorf("%d figures were drawn, want 12", len(drawings))
	}
	for name, d := range drawings {
		if err := d.Check(); err != nil {
			t.Errorf("figure %s: %v", name, err)
		}
		labels, err := d.Labels()
		must.Succeed(t, err)
		has := func(s string) bool {
			return slices.ContainsFunc(labels, func(l Label) bool { return strings.Contains(l.Text, s) })
		}
		if !has("SIMULATED") {
			t.Errorf("figure %s does not say that its rows are simulated", name)
		}
		if has("published figures") {
			t.Errorf("figure %s claims published rows", name)
		}
		if !has("Unheard-of") || has("99") {
			t.Errorf("figure %s lacks a captioner or draws QA-on-image rows", name)
		}
	}
}

// The order of rows in a mart must not show in a leaderboard: models come by overall score, best first, those without one last.
func TestLeaderboardOrder(t *testing.T) {
	tb := table(t, "captionqa_main", []string{"prompt", "captioner_name", "captioner", "model_type", "provenance", "natural_score", "document_score", "ecommerce_score", "embodied_ai_score", "overall"},
		[]any{"Simple", "Low", "low", "open", "measured", 1, 1, 1, 1, 40}, []any{"Simple", "None", "none", "open", "measured", 90, nil, 90, 90, nil},
		[]any{"Simple", "High", "high", "open", "measured", 1, 1, 1, 1, 80}, []any{"Long", "Other", "other", "open", "measured", 1, 1, 1, 1, 99})
	d, err := leaderboard.Draw(Tables{"captionqa_main": tb}, Page{})
	must.Succeed(t, err)
	labels, err := d.Labels()
	must.Succeed(t, err)
	var order []string
	for _, l := range labels {
		if slices.Contains([]string{"Low", "None", "High", "Other"}, l.Text) {
			order = append(order, l.Text)
			if _, height := d.Size(); l.Text == "None" && l.Corners[0].Y > height/2 {
				t.Error("the model without an overall score is not at the bottom")
			}
		}
	}
	if !slices.Equal(order, []string{"High", "Low", "None"}) {
		t.Errorf("order %v", order)
	}
	tb.rows = append(tb.rows, tb.rows[0])
	tb.numbers = append(tb.numbers, 5)
	_, err = leaderboard.Draw(Tables{"captionqa_main": tb}, Page{})
	refused(t, err, "row 5: a second row for Low")
}

// Two rows of a model in one drawing must be told apart by what differs between them, and by no more.
func TestRowNames(t *testing.T) {
	columns := []string{"captioner", "captioner_name", "provenance", "reader", "protocol"}
	for _, c := range []struct {
		name string
		rows [][]any
		want []string
	}{
		{"one kind", [][]any{{"a", "A", "measured", "r", "p"}, {"b", "B", "measured", "s", "q"}}, []string{"A", "B"}},
		{"two provenances", [][]any{{"a", "A", "published", "r", "p"}, {"a", "A", "measured", "s", "q"}, {"b", "B", "measured", "s", "q"}},
			[]string{"A (published)", "A (measured)", "B (measured)"}},
		{"two readers of one model", [][]any{{"a", "A", "measured", "r", "p"}, {"a", "A", "measured", "s", "p"}, {"b", "B", "measured", "s", "p"}},
			[]string{"A (r)", "A (s)", "B"}},
		{"two protocols", [][]any{{"a", "A", "measured", "r", "p"}, {"a", "A", "measured", "r", "q"}}, []string{"A (p)", "A (q)"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := rowNames(table(t, "m", columns, c.rows...))
			if err != nil || !slices.Equal(got, c.want) {
				t.Errorf("got %q, %v, want %q", got, err, c.want)
			}
		})
	}
}

// Where a bank names subcategories they are the axes of the radar, 69 of them in the paper; their labels run along the spokes.
func TestRadarOverSubcategories(t *testing.T) {
	tb := table(t, "captionqa_categories", []string{"domain", "category", "subcategory", "captioner_name", "captioner", "score", "provenance"})
	for i, n := range []int{22, 15, 16, 16} {
		for k := range n {
			for m := range 3 {
				must.Succeed(t, tb.Append(domains[i], "c", fmt.Sprintf("subcategory %d with a name that is rather long", k), fmt.Sprint("m", m), fmt.Sprint("m", m), 40+float64(k+m), "measured"))
			}
		}
	}
	for name, d := range drawable(t, Tables{"captionqa_categories": tb}) {
		if err := d.Check(); err != nil {
			t.Errorf("figure %s: %v", name, err)
		}
		if !strings.Contains(d.Subtitle, "subcategories") {
			t.Errorf("figure %s does not say that its axes are subcategories: %s", name, d.Subtitle)
		}
	}
}

// Twice as many captioners as the paper has, published and simulated rows side by side, must still fit.
func TestPublishedBesideSimulated(t *testing.T) {
	ts := publishedTables(t)
	for _, tb := range ts {
		k, err := tb.index("provenance")
		must.Succeed(t, err)
		for _, r := range slices.Clone(tb.rows) {
			c := slices.Clone(r)
			c[k] = "simulated"
			tb.rows, tb.numbers = append(tb.rows, c), append(tb.numbers, len(tb.rows)+1)
		}
	}
	for name, d := range drawable(t, ts) {
		if err := d.Check(); err != nil {
			t.Errorf("figure %s: %v", name, err)
		}
		must.Succeed(t, d.keep("mixed_"+name))
		if !slices.Equal(d.Provenance, []string{"published", "simulated"}) {
			t.Errorf("figure %s: provenance %v", name, d.Provenance)
		}
	}
}

// Names of models are not to be trusted: control characters, markup, scripts without glyphs, and lengths beyond any page.
func TestHostileNames(t *testing.T) {
	tb := table(t, "captionqa_categories", []string{"domain", "category", "captioner_name", "captioner", "score", "provenance"})
	for i, n := range []string{"<script>alert(1)</script><text ", "a\x00\x1b[31m\r\nb", strings.Repeat("very long ", 100), "模型-7B", "", "]]>&amp;\"'"} {
		for k := range 4 {
			must.Succeed(t, tb.Append("Natural", n+fmt.Sprint(k), n, fmt.Sprint("id-", i), 50.0, "measured"))
		}
	}
	for name, d := range drawable(t, Tables{"captionqa_categories": tb}.natural(t)) {
		if err := d.Check(); err != nil {
			t.Errorf("figure %s: %v", name, err)
		}
		for _, format := range Formats {
			b, err := d.Encode(format)
			must.Succeed(t, err)
			if format == "svg" {
				wellFormed(t, b)
				if bytes.Contains(b, []byte("<script")) {
					t.Error("a name became an element of the SVG")
				}
			}
		}
	}
}

// natural completes a table of the Natural domain with one row for each other domain, which the figures of those need.
func (ts Tables) natural(t *testing.T) Tables {
	t.Helper()
	for _, d := range domains[1:] {
		for k := range 3 {
			must.Succeed(t, ts["captionqa_categories"].Append(d, fmt.Sprint(d, k), "M", "m", 60.0, "measured"))
		}
	}
	return ts
}
