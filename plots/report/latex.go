package report

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/plots"
)

const (
	pageRows = 44 // in one float; tables of more rows break over pages
	longText = 60 // characters; columns of longer texts are broken into lines
)

// LaTeX writes the grid with booktabs rules and intervals in small type, as a float. A grid with
// more rows than a page is a longtable. A paper of two columns has a longtable on pages of its own.
// A float that is wider than its place is made smaller, and a longtable that is too wide stands out
// on both sides. The document needs the packages array, booktabs, graphicx and longtable.
func (g *Grid) LaTeX(kind string) string {
	var b strings.Builder
	if kind != "" {
		fmt.Fprintf(&b, "%% %s\n%% rows: %s\n", strings.ReplaceAll(oneLine(g.Paper), "%", ""), kind)
	}
	needs := "array,booktabs,graphicx,longtable"
	if g.look.Siunitx {
		needs += ",siunitx"
	}
	fmt.Fprintf(&b, "%% needs \\usepackage{%s}\n", needs)
	caption := latex(g.Title)
	if !strings.HasSuffix(caption, "?") {
		caption += "."
	}
	if kind == data.ProvenanceSimulated {
		caption += " \\textbf{" + latex(Stamp(kind)) + ".}"
	}
	for _, n := range g.Notes {
		caption += " " + latex(strings.TrimSuffix(n, ".")+".")
	}
	caption = fmt.Sprintf("\\caption{%s}\n\\label{%s%s}", caption, cmp.Or(g.look.Label, "tab:"),
		strings.TrimSuffix(strings.ReplaceAll(g.Name, "_", "-")+"-"+kind, "-"))
	heads := make([]string, len(g.Columns))
	for i, c := range g.Columns {
		if heads[i] = latex(c.Head); g.look.Siunitx && c.Decimals >= 0 {
			heads[i] = "{" + heads[i] + "}"
		}
	}
	head := "\\toprule\n" + strings.Join(heads, " & ") + " \\\\\n\\midrule\n"
	align, rows := g.texAlign(), g.rows()
	if strings.Contains(align, "linewidth") { // Rows of long texts have two lines and more.
		rows *= 2
	}
	if rows > pageRows {
		fmt.Fprintf(&b, "\\makeatletter\\let\\ifoftwo\\if@twocolumn\\makeatother\\ifoftwo\\onecolumn\\fi %% no longtable in two columns\n{\\footnotesize\\setlength{\\tabcolsep}{3pt}\\LTleft=0pt plus 1fill minus 1fill\\LTright=\\LTleft\n\\begin{longtable}{%s}\n%s\\\\\n%s\\endfirsthead\n%s\\endhead\n\\bottomrule\n\\endfoot\n%s\\end{longtable}}\n\\ifoftwo\\twocolumn\\fi\n", align, caption, head, head, g.texBody())
	} else {
		float := "table"
		if page, err := plots.PageOf(g.look.Width); len(g.Columns) > columnsOfColumn && page.Width == 0 || err == nil &&
			page.Width > columnWidth {
			float = "table*"
		}
		fmt.Fprintf(&b, "\\begin{%s}[tp]\n\\centering\n%s\n\\footnotesize\\setlength{\\tabcolsep}{3pt}\n\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%%\n\\begin{tabular}{%s}\n%s%s\\bottomrule\n\\end{tabular}}\n\\end{%s}\n", float, caption, align, head, g.texBody(), float)
	}
	return b.String()
}

// columnsOfColumn is how many columns a table has at most in a column of a paper. A table with more
// columns is a float over both columns of the paper.
const columnsOfColumn = 4

// texAlign aligns the columns. Columns of long texts share the width that the other columns leave
// of a line of 5.5 inches. Such a line has some 85 characters.
func (g *Grid) texAlign() string {
	kinds, prose, left := make([]string, len(g.Columns)), 0, 1.0
	for i, c := range g.Columns {
		longest := utf8.RuneCountInString(c.Head)
		for _, s := range g.Sections {
			for _, r := range s.Rows {
				if !r[i].Value.Valid {
					longest = max(longest, utf8.RuneCountInString(r[i].Text))
				}
			}
		}
		kind := "r"
		switch {
		case c.Prose || longest > longText:
			kind, longest = "p", -1
			prose++
		case c.Decimals < 0:
			kind = "l"
		case g.look.Siunitx:
			digits, behind := g.texRoom(i)
			kind = fmt.Sprintf("S[table-format=%d.%d,table-space-text-post={%s},detect-weight,mode=text]", digits,
				c.Decimals, behind)
		}
		kinds[i] = kind
		left -= float64(longest+1) / 85
	}
	for i, kind := range kinds {
		if kind == "p" {
			kinds[i] = fmt.Sprintf(">{\\raggedright\\arraybackslash}p{%.2f\\linewidth}", max(left, 0.2)/float64(prose))
		}
	}
	return "@{}" + strings.Join(kinds, "") + "@{}"
}

// texBody writes the rows, with the headings of their sections.
func (g *Grid) texBody() string {
	var b strings.Builder
	for i, section := range g.Sections {
		if i > 0 {
			b.WriteString("\\midrule\n")
		}
		if section.Head != "" {
			fmt.Fprintf(&b, "\\multicolumn{%d}{@{}l@{}}{\\textit{%s}} \\\\\n", len(g.Columns), latex(section.Head))
		}
		for k, row := range section.Rows {
			cells := make([]string, len(row))
			for n, c := range row {
				text := latex(c.Text)
				switch {
				case c.Value.Valid:
					text = g.texNumber(n, c)
				case g.again(i, k, n):
					text = ""
				case g.look.Siunitx && c.Number:
					text = "{" + text + "}"
				case c.Bold:
					text = "\\textbf{" + text + "}"
				}
				cells[n] = text
			}
			// An opening bracket at the start of a row would be read as an argument of the line break before it.
			if strings.HasPrefix(cells[0], "[") {
				cells[0] = "{}" + cells[0]
			}
			b.WriteString(strings.Join(cells, " & ") + " \\\\\n")
		}
	}
	return b.String()
}

// texNumber writes a number of a column. A column S takes no commas, and does not align underlined
// numbers.
func (g *Grid) texNumber(column int, c Cell) string {
	text, bold, behind := strings.Replace(c.Text, "-", "$-$", 1), "\\textbf{%s}", ""
	if g.look.Siunitx {
		text, bold = strings.ReplaceAll(c.Text, ",", ""), "\\bfseries %s"
		if _, behind = g.texRoom(column); c.Interval != "" {
			behind = ""
		}
	}
	switch {
	case c.Bold:
		text = fmt.Sprintf(bold, text)
	case c.Second:
		text = "{\\underline{" + text + "}\\phantom{" + behind + "}}"
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

// texRoom is the room that a column of numbers needs: digits before the point, and the longest text behind a number.
func (g *Grid) texRoom(column int) (digits int, behind string) {
	for _, s := range g.Sections {
		for _, r := range s.Rows {
			whole, _, _ := strings.Cut(strings.NewReplacer("-", "", "+", "", ",", "").Replace(r[column].Text), ".")
			digits = max(digits, utf8.RuneCountInString(whole))
			if text := texInterval(r[column]); len(text) > len(behind) {
				behind = text
			}
		}
	}
	return digits, behind
}

// columnWidth is the greatest width of a column in a paper with two columns, in points. A wider
// figure is a float over both columns. In a paper with one column, it is a float like others.
const columnWidth = 260

// texFigure writes the float of a figure; pdf is the name of its PDF. If a width was chosen, the
// figure has the size of the drawing.
func texFigure(d *plots.Drawing, name, pdf, kind string, s Selection) string {
	title, text := d.Caption()
	options, float := "[width=\\linewidth,height=0.8\\textheight,keepaspectratio]", "figure"
	if s.Width != "" {
		options = ""
		if width, _ := d.Size(); width > columnWidth {
			float = "figure*"
		}
	}
	return fmt.Sprintf("%% rows: %s\n%% needs \\usepackage{graphicx}\n\\begin{%s}[tp]\n\\centering\n\\includegraphics%s{%s}\n\\caption{%s. %s}\n\\label{%s%s-%s}\n\\end{%s}\n",
		kind, float, options, pdf, latex(title), latex(text), cmp.Or(s.Label, "fig:"), strings.ReplaceAll(name, "_",
			"-"), kind, float)
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
	for strings.Contains(s, "--") {
		s = strings.ReplaceAll(s, "--", "-\u200b-")
	}
	return strings.ReplaceAll(latexEscapes.Replace(s), "\u200b", "{}")
}
