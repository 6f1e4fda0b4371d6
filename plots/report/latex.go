package report

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/captionlake/captionlake/plots"
)

const (
	pageRows = 44 // in one float; tables of more rows break over pages
	longText = 60 // characters; columns of longer texts are broken into lines

	charactersOfLine = 85.0 // about as many as a line of 5.5 inches has
)

// A texTable is a grid as LaTeX sets it.
type texTable struct {
	*Grid
	Label, Align string
	Float        string // its environment, unless it breaks over pages
	Long         bool   // it breaks over pages
	Siunitx      bool
	behind       []string // the longest text behind a number of each column
}

// LaTeX writes the grid with booktabs rules and intervals in small type, as a float. A grid with
// more rows than a page is a longtable. A paper of two columns has a longtable on pages of its own.
// A float that is wider than its place is made smaller, and a longtable that is too wide stands out
// on both sides. The document needs the packages array, booktabs, graphicx and longtable.
func (g *Grid) LaTeX() (string, error) {
	t := texTable{Grid: g, Label: label(cmp.Or(g.look.Label, "tab:"), g.Name, g.Kind), Float: "table",
		Siunitx: g.look.Siunitx}
	t.align()
	rows := 0
	for _, s := range g.Sections {
		rows += len(s.Rows)
	}
	if strings.Contains(t.Align, "linewidth") { // Rows of long texts have two lines and more.
		rows *= 2
	}
	t.Long = rows > pageRows
	page, _ := plots.PageOf(g.look.Width) // The width is 0 if none was chosen. Choices.check reports errors.
	hasManyColumns := page.Width == 0 && len(g.Columns) > columnsOfColumn
	if hasManyColumns || page.Width > columnWidth {
		t.Float = "table*" // over both columns of a paper
	}
	return fill("table.tex", t)
}

// label is the label of a table or a figure.
func label(begin, name, kind string) string {
	return begin + strings.TrimSuffix(strings.ReplaceAll(name, "_", "-")+"-"+kind, "-")
}

// columnsOfColumn is how many columns a table has at most in a column of a paper. A table with more
// columns is a float over both columns of the paper.
const columnsOfColumn = 4

// align aligns the columns. Columns of long texts share the width that the other columns leave of a
// line.
func (t *texTable) align() {
	// the specifier of each column, the number of columns of long texts, and the share of the line
	// that the other columns leave
	kinds, prose, left := make([]string, len(t.Columns)), 0, 1.0
	t.behind = make([]string, len(t.Columns))
	for i, c := range t.Columns {
		longest, digits := utf8.RuneCountInString(c.Head), 0
		for _, s := range t.Sections {
			for _, r := range s.Rows {
				if !r[i].Value.Valid {
					longest = max(longest, utf8.RuneCountInString(r[i].Text))
				}
				whole, _, _ := strings.Cut(strings.TrimLeft(r[i].Text, "+-"), ".")
				digits = max(digits, utf8.RuneCountInString(strings.ReplaceAll(whole, ",", "")))
				if text := texInterval(r[i]); len(text) > len(t.behind[i]) {
					t.behind[i] = text
				}
			}
		}
		kind := "r"
		switch {
		case c.Prose || longest > longText:
			kind, longest = "p", -1 // The column takes nothing from left here, but a share below.
			prose++
		case c.Decimals == nil:
			kind = "l"
		case t.Siunitx:
			kind = fmt.Sprintf("S[table-format=%d.%d,table-space-text-post={%s},detect-weight,mode=text]", digits,
				*c.Decimals, t.behind[i])
		}
		kinds[i] = kind
		left -= float64(longest+1) / charactersOfLine
	}
	for i, kind := range kinds {
		if kind == "p" {
			kinds[i] = fmt.Sprintf(">{\\raggedright\\arraybackslash}p{%.2f\\linewidth}", max(left, 0.2)/float64(prose))
		}
	}
	t.Align = "@{}" + strings.Join(kinds, "") + "@{}"
}

// Cell writes a cell of a column. A column S of siunitx takes numbers without commas, and text in
// braces. The column does not align underlined numbers, so underlined numbers are in braces with
// the space of an interval.
func (t texTable) Cell(column int, c Cell) string {
	text, bold, behind := latex(c.Text), "\\textbf{%s}", ""
	switch {
	case c.Value.Valid && t.Siunitx:
		text, bold = strings.ReplaceAll(c.Text, ",", ""), "\\bfseries %s"
		if c.Interval == "" {
			behind = t.behind[column]
		}
	case c.Value.Valid:
		text = strings.Replace(c.Text, "-", "$-$", 1)
	case c.Again:
		text = ""
	case t.Siunitx && c.Number:
		text = "{" + text + "}"
	}
	switch {
	case c.Bold && text != "":
		text = fmt.Sprintf(bold, text)
	case c.Second:
		text = "{\\underline{" + text + "}\\phantom{" + behind + "}}"
	}
	// An opening bracket at the start of a row would be an argument of the line break before it.
	if column == 0 && strings.HasPrefix(text, "[") {
		text = "{}" + text
	}
	return text + texInterval(c)
}

// texSigns are the signs of numbers: a hyphen is no minus.
var texSigns = strings.NewReplacer("± ", "$\\pm$", "-", "$-$", "*", "$^*$")

// texInterval writes the mark and the interval behind a number.
func texInterval(c Cell) string {
	if c.Interval == "" {
		return ""
	}
	return "{\\scriptsize~" + texSigns.Replace(c.Interval) + "}"
}

// columnWidth is the greatest width of a column in a paper with two columns, in points. A wider
// figure is a float over both columns. In a paper with one column, such a float is like others.
const columnWidth = 260

// texFigure writes the float of a figure; pdf is the name of its PDF. If a width was chosen, the
// figure has the size of the drawing.
func texFigure(d *plots.Drawing, name, pdf, kind string, s Selection) (string, error) {
	title, caption := d.Caption()
	float := "figure"
	if width, _ := d.Size(); s.Width != "" && width > columnWidth {
		float = "figure*"
	}
	return fill("figure.tex", map[string]any{"Kind": kind, "Float": float, "Width": s.Width, "PDF": pdf, "Title": title,
		"Caption": caption, "Label": label(cmp.Or(s.Label, "fig:"), name, kind)})
}

// latexEscapes are the commands for characters that LaTeX takes for its own. They are also the
// commands for characters of our own words that the input encodings of LaTeX may not have.
var latexEscapes = strings.NewReplacer(
	`\`, `\textbackslash{}`, `{`, `\{`, `}`, `\}`, `$`, `\$`, `&`, `\&`, `#`, `\#`, `%`, `\%`, `_`, `\_`, `^`,
	`\textasciicircum{}`, `~`, `\textasciitilde{}`,
	`<`, `\textless{}`, `>`, `\textgreater{}`, `|`, `\textbar{}`, "`", `\textasciigrave{}`, `“`, "``", `”`, `''`,
	`–`, `--`, `—`, `---`, `…`, `\ldots{}`, `±`, `$\pm$`, `×`, `$\times$`, `≥`, `$\geq$`, `≤`, `$\leq$`, `−`, `$-$`,
	`→`, `$\to$`, `†`, `$^\dagger$`, `ρ`, `$\rho$`, `τ`, `$\tau$`,
)

// straightQuote finds the straight quotes that open: at the beginning, after white space, and after
// an opening bracket or a dash.
var straightQuote = regexp.MustCompile(`(^|[\s(\[{–—-])"`)

// latex escapes text: no command, no cell border and no line break can come out of it. Ligatures of
// hyphens are kept apart, and straight quotes become opening and closing ones.
func latex(s string) string {
	s = oneLine(s)
	s = strings.ReplaceAll(straightQuote.ReplaceAllString(s, "$1“"), `"`, "”")
	// A zero-width space, which oneLine leaves in no text, stands for {} until all else is escaped.
	for strings.Contains(s, "--") {
		s = strings.ReplaceAll(s, "--", "-\u200b-")
	}
	return strings.ReplaceAll(latexEscapes.Replace(s), "\u200b", "{}")
}

// comment makes text fit for a comment of LaTeX.
func comment(s string) string { return strings.ReplaceAll(oneLine(s), "%", "") }

// sentence ends a text with a full stop, unless the text ends with a question mark.
func sentence(s string) string {
	if strings.HasSuffix(s, "?") {
		return s
	}
	return strings.TrimSuffix(s, ".") + "."
}
