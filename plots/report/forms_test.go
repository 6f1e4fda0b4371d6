package report

import (
	"encoding/csv"
	"flag"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/data/rows"
	"github.com/captionlake/captionlake/plots/ggsql"
	"github.com/captionlake/captionlake/sql"
)

var update = flag.Bool("update", false, "rewrite the expected files")

func num(v float64) rows.Number { return rows.Number{Value: v, Valid: true} }

// smallGrid has what the forms differ in: text from outside, ties, a column where less is better,
// intervals of both kinds and gaps.
func smallGrid() *Grid {
	value := func(v float64) Cell { return Cell{Value: num(v)} }
	return &Grid{
		Name: "table_99_small", Kind: "simulated", Title: "Score & rate (%) of a|b", Paper: "A paper, Table 99",
		Notes: []string{"Cannot: 100 % of $5 – see #1."},
		Columns: []sql.Column{{Name: "model", Head: "Captioner"},
			{Name: "score", Head: "Score", Best: "highest", Decimals: new(1)},
			{Name: "cannot", Head: "Cannot_rate", Best: "lowest", Decimals: new(0)},
			{Name: "gain", Head: "Gain", Signed: true, Decimals: new(2)}},
		Sections: []Section{
			{Head: "Open models", Group: "g", Rows: [][]Cell{
				{{Text: "[x] \\input{secret}|<b>*bold*</b>"}, {Value: num(80.04), Low: num(78.04), High: num(82.04)},
					value(5), value(-1.5)},
				{{Text: "line\nbreak \u202eturned\x00 100%_~^"}, {Value: num(79.96), Low: num(70), High: num(81)},
					value(12345), value(0.004)},
			}},
			{Head: "Proprietary \"models\"", Group: "g", Rows: [][]Cell{
				{{Text: "plain--name, 模型"}, value(61.25), {Text: "–"}, value(2)},
			}},
		},
	}
}

func TestFormsOfASmallTable(t *testing.T) {
	g := smallGrid()
	g.Notes = append(g.Notes, g.print()...)
	for name, write := range map[string]func() (string, error){"small.md": g.Markdown, "small.tex": g.LaTeX,
		"small.csv": g.CSV} {
		got := must.Get(write())(t)
		path := filepath.Join("testdata", name)
		if *update {
			must.Write(t, path, got)
		}
		want := must.Read(t, path)
		expect.Equal(t, got, string(want), name)
	}
}

// Values are best as they are printed: 80.04 and 79.96 both read 80.0.
func TestBold(t *testing.T) {
	value := func(v float64) []Cell { return []Cell{{Value: num(v)}} }
	grid := func(best string, decimals int, sections ...Section) *Grid {
		return &Grid{Name: "t", Columns: []sql.Column{{Name: "c", Best: best, Decimals: new(decimals)}}, Sections: sections}
	}
	with := func(s Selection, g *Grid) *Grid {
		must.Succeed(t, g.choose(s))
		return g
	}
	for _, c := range []struct {
		name string
		grid *Grid
		want string // a letter for each row: b is bold, u underlined
	}{
		{"ties as printed",
			grid("highest", 1, Section{Rows: [][]Cell{value(80.04), value(79.96), value(79.94)}}), "bb-"},
		{"lower is better", grid("lowest", 1, Section{Rows: [][]Cell{value(3), value(-2), value(5)}}), "-b-"},
		{"negative values, higher is better", grid("highest", 1, Section{Rows: [][]Cell{value(-3), value(-2)}}), "-b"},
		{"no best", grid("", 1, Section{Rows: [][]Cell{value(3), value(2)}}), "--"},
		{"a single value", grid("highest", 1, Section{Rows: [][]Cell{value(3), {{Text: "–"}}}}), "--"},
		{"all alike", grid("highest", 0, Section{Rows: [][]Cell{value(3.1), value(2.9)}}), "--"},
		{"groups apart",
			grid("highest", 0, Section{Group: "a", Rows: [][]Cell{value(1), value(2)}},
				Section{Group: "b", Rows: [][]Cell{value(9), value(8)}}), "-bb-"},
		{"sections of one group",
			grid("highest", 0, Section{Group: "a", Rows: [][]Cell{value(1), value(2)}},
				Section{Group: "a", Rows: [][]Cell{value(9), value(8)}}), "--b-"},
		{"ties at the second place",
			with(Selection{Best: "second"},
				grid("highest", 1, Section{Rows: [][]Cell{value(7), value(9), value(8.04), value(7.96)}})), "-buu"},
		{"nothing marked",
			with(Selection{Best: "none"}, grid("highest", 1, Section{Rows: [][]Cell{value(7), value(9)}})), "--"},
	} {
		c.grid.print()
		got := ""
		for _, section := range c.grid.Sections {
			for _, r := range section.Rows {
				got += map[[2]bool]string{{}: "-", {true}: "b", {false, true}: "u"}[[2]bool{r[0].Bold, r[0].Second}]
			}
		}
		expect.Equal(t, got, c.want, c.name)
	}
}

func TestNumbersInPrint(t *testing.T) {
	for _, c := range []struct {
		col  sql.Column
		v    float64
		want string
	}{
		{sql.Column{Decimals: new(2)}, -0.001, "0.00"}, {sql.Column{Signed: true, Decimals: new(2)}, 0.001, "0.00"},
		{sql.Column{Signed: true, Decimals: new(1)}, 3.25, "+3.3"}, {sql.Column{Decimals: new(2)}, 90.285, "90.29"},
		{sql.Column{Decimals: new(2)}, -90.285, "-90.29"}, {sql.Column{Decimals: new(2)}, 90.2849, "90.28"},
		{sql.Column{Decimals: new(0)}, 999, "999"}, {sql.Column{Decimals: new(0)}, 7422, "7,422"},
		{sql.Column{Decimals: new(0)}, -1234567, "-1,234,567"}, {sql.Column{Decimals: new(1)}, 1234.5, "1234.5"},
		{sql.Column{Signed: true, Decimals: new(0)}, 5886, "+5,886"},
	} {
		expect.Equal(t, inPrint(c.col, c.v), c.want, c.v, c.col)
	}
}

// longGrid has more rows than a page, and so many columns of numbers.
func longGrid(rows, columns int) *Grid {
	g := &Grid{Name: "t", Title: "Long", Kind: "published", Columns: []sql.Column{{Name: "m", Head: "Model"}}}
	for range columns {
		g.Columns = append(g.Columns, sql.Column{Name: "s", Head: "Mean score", Decimals: new(0)})
	}
	g.Sections = []Section{{Head: "All"}}
	for i := range rows {
		row := []Cell{{Text: "model"}}
		for range columns {
			row = append(row, Cell{Value: num(float64(i))})
		}
		g.Sections[0].Rows = append(g.Sections[0].Rows, row)
	}
	g.print()
	return g
}

// A table that is longer than a page breaks over pages. Every environment that is opened is closed,
// and every row ends.
func TestLaTeXLayout(t *testing.T) {
	for rows, want := range map[int]map[string]int{
		5: {"\\begin{table}": 1, "\\end{table}": 1, "\\begin{tabular}{@{}lrr@{}}": 1, "\\caption": 1,
			"\\begin{longtable}": 0},
		120: {"\\begin{longtable}{@{}lrr@{}}": 1, "\\end{longtable}}": 1, "\\endfirsthead": 1, "\\endhead": 1,
			"\\bottomrule\n\\endfoot": 1, "\\label{tab:t-published}": 1, "\\begin{table": 0},
	} {
		tex := must.Get(longGrid(rows, 2).LaTeX())(t)
		for part, want := range want {
			expect.Equal(t, strings.Count(tex, part), want, rows, part)
		}
		if strings.Count(tex, "{") != strings.Count(tex, "}") || strings.Count(tex, "\nmodel & ") != rows {
			t.Errorf("%d rows: %s", rows, tex)
		}
	}
}

// All intervals of a column are written in one way, and the table says which.
func TestOneNotationForIntervals(t *testing.T) {
	cell := func(v, low, high float64) []Cell { return []Cell{{Value: num(v), Low: num(low), High: num(high)}} }
	for _, c := range []struct {
		rows [][]Cell
		want []string
		note string
	}{
		// 1.04 and 0.96 are one half but for rounding: the greater one is written.
		{[][]Cell{cell(50, 48.96, 50.96), cell(60, 59, 61), {{Value: num(1)}}}, []string{"± 1.0", "± 1.0", ""},
			"After ±: half of a 95% interval."},
		{[][]Cell{cell(50, 48, 50.5), cell(60, 59, 61)}, []string{"[48.0, 50.5]", "[59.0, 61.0]"},
			"In brackets: the ends of a 95% interval."},
		{[][]Cell{{{Value: num(1)}}}, []string{""}, ""},
	} {
		g := &Grid{Name: "t", Columns: []sql.Column{{Name: "s", Decimals: new(1)}}, Sections: []Section{{Rows: c.rows}}}
		var got []string
		notes := g.print()
		for _, r := range g.Sections[0].Rows {
			got = append(got, r[0].Interval)
		}
		if !slices.Equal(got, c.want) || strings.Join(notes, " ") != c.note {
			t.Errorf("got %q and %q, want %q and %q", got, notes, c.want, c.note)
		}
	}
}

// No text from outside may end a cell, a row, a line or begin a command in any form.
func FuzzForms(f *testing.F) {
	for _, s := range []string{"plain", "a|b", "\\input{x}", "100 % & $5 #1 _x^2~", "**b** `c` [l](u) <i>",
		"a\nb\r\nc\u2028d", "\u202e\x00\xff", "---", "\\|", "[", "–×≥"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 10_000 {
			t.Skip("longer than texts that say something new")
		}
		md := markdown(s)
		if strings.ContainsAny(md, "\r\n<>") {
			t.Errorf("Markdown of %q has a break or a tag: %q", s, md)
		}
		for i := range len(md) {
			if strings.IndexByte("|*_`[]~$#", md[i]) < 0 {
				continue
			}
			slashes := 0
			for k := i - 1; k >= 0 && md[k] == '\\'; k-- {
				slashes++
			}
			if slashes%2 == 0 {
				t.Errorf("Markdown of %q has markup at %d: %q", s, i, md)
			}
		}
		tex := latex(s)
		known := strings.NewReplacer(`\textbackslash{}`, "", `\textasciicircum{}`, "", `\textasciitilde{}`, "",
			`\textless{}`, "", `\textgreater{}`, "", `\textbar{}`, "",
			`\textasciigrave{}`, "", `\ldots{}`, "", `$\pm$`, "", `$\times$`, "", `$\geq$`, "", `$\leq$`, "", `$-$`, "",
			`$\to$`, "", `$\rho$`, "", `$\tau$`, "",
			`\{`, "", `\}`, "", `\$`, "", `\&`, "", `\#`, "", `\%`, "", `\_`, "", `-{}`, "")
		if rest := known.Replace(tex); strings.ContainsAny(rest, "\\{}$&#%_^~\r\n") {
			t.Errorf("LaTeX of %q keeps %q", s, rest)
		}
		g := &Grid{Name: "t", Kind: "measured", Columns: []sql.Column{{Name: "m"}, {Name: "n"}},
			Sections: []Section{{Rows: [][]Cell{{{Text: s}, {Text: "next"}}}}}}
		out := must.Get(g.CSV())(t)
		rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
		if err != nil || len(rows) != 2 || rows[1][1] != "next" || rows[1][0] != strings.ReplaceAll(s, "\r\n", "\n") {
			t.Errorf("CSV of %q reads back as %q (%v)", s, rows, err)
		}
	})
}

// Ends of an interval that cannot be are faults that name the row.
func TestIntervalsThatAreRefused(t *testing.T) {
	f := must.Get(ggsql.Parse("mine.sql", "", "-- columns: [{name: s, decimals: 1}]\nselect * from t"))(t)
	for want, low := range map[string]any{"row 2 of s has half an interval": nil,
		"row 2 of s has an interval from 3 down to 2": 3} {
		_, err := Layout(f,
			laketest.Rows(t, "mine", []string{"s", "s_low", "s_high"}, []any{1, 0, 2}, []any{2, low, 2}))
		expect.Failure(t, err, want)
	}
}
