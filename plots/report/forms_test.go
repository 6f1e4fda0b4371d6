package report

import (
	"encoding/csv"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/plots"
)

var update = flag.Bool("update", false, "rewrite the expected files")

func num(v float64) plots.Number { return plots.Number{Value: v, Valid: true} }

// smallGrid has what the forms differ in: text from outside, ties, a column where less is better, intervals of both kinds and gaps.
func smallGrid() *Grid {
	value := func(v float64) Cell { return Cell{Value: num(v)} }
	return &Grid{
		Name: "table_99_small", Title: "Score & rate (%) of a|b", Paper: "A paper, Table 99", Notes: []string{"Cannot: 100 % of $5 – see #1."},
		Columns: []Column{{ID: "model", Head: "Captioner", Decimals: -1}, {ID: "score", Head: "Score", Decimals: 1, Best: Highest}, {ID: "cannot", Head: "Cannot_rate", Decimals: 0, Best: Lowest},
			{ID: "gain", Head: "Gain", Decimals: 2, Signed: true}},
		Sections: []Section{
			{Head: "Open models", Group: "g", Rows: [][]Cell{
				{{Text: "[x] \\input{secret}|<b>*bold*</b>"}, {Value: num(80.04), Low: num(78.04), High: num(82.04)}, value(5), value(-1.5)},
				{{Text: "line\nbreak \u202eturned\x00 100%_~^"}, {Value: num(79.96), Low: num(70), High: num(81)}, value(12345), value(0.004)},
			}},
			{Head: "Proprietary \"models\"", Group: "g", Rows: [][]Cell{
				{{Text: "plain--name, 模型"}, value(61.25), {Text: "–"}, value(2)},
			}},
		},
	}
}

func TestFormsOfASmallTable(t *testing.T) {
	g := smallGrid()
	if err := g.check(); err != nil {
		t.Fatal(err)
	}
	machine, err := g.CSV("simulated")
	if err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string]string{"small.md": g.Markdown("simulated"), "small.tex": g.LaTeX("simulated"), "small.csv": machine} {
		path := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s is\n%s\nwant\n%s", name, got, want)
		}
	}
}

// Values are best as they are printed: 80.04 and 79.96 both read 80.0.
func TestBold(t *testing.T) {
	value := func(v float64) []Cell { return []Cell{{Value: num(v)}} }
	grid := func(best Best, decimals int, sections ...Section) *Grid {
		return &Grid{Name: "t", Columns: []Column{{ID: "c", Decimals: decimals, Best: best}}, Sections: sections}
	}
	for _, c := range []struct {
		name string
		grid *Grid
		want string // a letter for each row: b is bold
	}{
		{"ties as printed", grid(Highest, 1, Section{Rows: [][]Cell{value(80.04), value(79.96), value(79.94)}}), "bb-"},
		{"lower is better", grid(Lowest, 1, Section{Rows: [][]Cell{value(3), value(-2), value(5)}}), "-b-"},
		{"negative values, higher is better", grid(Highest, 1, Section{Rows: [][]Cell{value(-3), value(-2)}}), "-b"},
		{"no best", grid(Plain, 1, Section{Rows: [][]Cell{value(3), value(2)}}), "--"},
		{"a single value", grid(Highest, 1, Section{Rows: [][]Cell{value(3), {{Text: "–"}}}}), "--"},
		{"all alike", grid(Highest, 0, Section{Rows: [][]Cell{value(3.1), value(2.9)}}), "--"},
		{"groups apart", grid(Highest, 0, Section{Group: "a", Rows: [][]Cell{value(1), value(2)}}, Section{Group: "b", Rows: [][]Cell{value(9), value(8)}}), "-bb-"},
		{"sections of one group", grid(Highest, 0, Section{Group: "a", Rows: [][]Cell{value(1), value(2)}}, Section{Group: "a", Rows: [][]Cell{value(9), value(8)}}), "--b-"},
	} {
		bold := c.grid.bold()
		got := ""
		for s, section := range c.grid.Sections {
			for r := range section.Rows {
				got += map[bool]string{true: "b", false: "-"}[bold(s, r, 0)]
			}
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestNumbersInPrint(t *testing.T) {
	for _, c := range []struct {
		col  Column
		v    float64
		want string
	}{
		{Column{Decimals: 2}, -0.001, "0.00"}, {Column{Decimals: 2, Signed: true}, 0.001, "0.00"}, {Column{Decimals: 1, Signed: true}, 3.25, "+3.3"}, {Column{Decimals: 2}, 90.285, "90.29"}, {Column{Decimals: 2}, -90.285, "-90.29"}, {Column{Decimals: 2}, 90.2849, "90.28"},
		{Column{}, 999, "999"}, {Column{}, 7422, "7,422"}, {Column{}, -1234567, "-1,234,567"}, {Column{Decimals: 1}, 1234.5, "1234.5"}, {Column{Signed: true}, 5886, "+5,886"},
	} {
		if got := c.col.print(c.v); got != c.want {
			t.Errorf("%v with %+v prints %q, want %q", c.v, c.col, got, c.want)
		}
	}
}

func TestGridsThatAreRefused(t *testing.T) {
	text, score := Column{ID: "m", Decimals: -1}, Column{ID: "s"}
	for _, c := range []struct {
		grid Grid
		want string
	}{
		{Grid{Name: "t", Columns: []Column{text}}, "table t has no rows"},
		{Grid{Name: "t", Columns: []Column{text, score}, Sections: []Section{{Rows: [][]Cell{{{}}}}}}, "row 1 has 1 cells for 2 columns"},
		{Grid{Name: "t", Columns: []Column{score}, Sections: []Section{{Rows: [][]Cell{{{Value: num(1), Low: num(0)}}}}}}, "column s: half an interval"},
		{Grid{Name: "t", Columns: []Column{score}, Sections: []Section{{Rows: [][]Cell{{{Low: num(0), High: num(1)}}}}}}, "an interval without a value"},
		{Grid{Name: "t", Columns: []Column{score}, Sections: []Section{{Rows: [][]Cell{{{Value: num(1), Low: num(2), High: num(1)}}}}}}, "runs from 2 down to 1"},
		{Grid{Name: "t", Columns: []Column{text}, Sections: []Section{{Rows: [][]Cell{{{Value: num(1)}}}}}}, "a number in a column of text"},
	} {
		if err := c.grid.check(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}

// A long table breaks over pages; every environment that is opened is closed, and every row ends.
func TestLongTable(t *testing.T) {
	g := &Grid{Name: "t", Title: "Long", Columns: []Column{{ID: "m", Head: "Model", Decimals: -1}, {ID: "s", Head: "Score"}}}
	g.Sections = []Section{{}}
	for i := range longTable {
		g.Sections[0].Rows = append(g.Sections[0].Rows, []Cell{{Text: "model"}, {Value: num(float64(i))}})
	}
	tex := g.LaTeX("published")
	for _, want := range []string{"\\begin{longtable}{lr}", "\\endfirsthead", "\\endhead", "\\bottomrule\n\\endfoot", "\\end{longtable}}", "\\label{tab:t-published}"} {
		if strings.Count(tex, want) != 1 {
			t.Errorf("%q stands %d times in\n%s", want, strings.Count(tex, want), tex)
		}
	}
	if n := strings.Count(tex, " \\\\\n"); n != longTable+2 { // the rows, and the head for the first page and the others
		t.Errorf("%d rows end, want %d", n, longTable+2)
	}
	if strings.Count(tex, "{") != strings.Count(tex, "}") {
		t.Error("braces do not balance")
	}
}

// No text from outside may end a cell, a row, a line or begin a command in any form.
func FuzzForms(f *testing.F) {
	for _, s := range []string{"plain", "a|b", "\\input{x}", "100 % & $5 #1 _x^2~", "**b** `c` [l](u) <i>", "a\nb\r\nc\u2028d", "\u202e\x00\xff", "---", "\\|", "[", "–×≥"} {
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
		known := strings.NewReplacer(`\textbackslash{}`, "", `\textasciicircum{}`, "", `\textasciitilde{}`, "", `\textless{}`, "", `\textgreater{}`, "", `\textbar{}`, "",
			`\textasciigrave{}`, "", `\ldots{}`, "", `$\pm$`, "", `$\times$`, "", `$\geq$`, "", `$\leq$`, "", `$-$`, "", `$\to$`, "", `$\rho$`, "", `$\tau$`, "",
			`\{`, "", `\}`, "", `\$`, "", `\&`, "", `\#`, "", `\%`, "", `\_`, "", `-{}`, "")
		if rest := known.Replace(tex); strings.ContainsAny(rest, "\\{}$&#%_^~\r\n") {
			t.Errorf("LaTeX of %q keeps %q", s, rest)
		}
		g := &Grid{Name: "t", Columns: []Column{{ID: "m", Decimals: -1}, {ID: "n", Decimals: -1}}, Sections: []Section{{Rows: [][]Cell{{{Text: s}, {Text: "next"}}}}}}
		out, err := g.CSV("measured")
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
		if err != nil || len(rows) != 2 || rows[1][1] != "next" || rows[1][0] != strings.ReplaceAll(s, "\r\n", "\n") {
			t.Errorf("CSV of %q reads back as %q (%v)", s, rows, err)
		}
	})
}
