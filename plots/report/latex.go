package report

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/plots"
)

// Measures of a page of two columns in points, the smallest of common ones: those of the ACL's style.
const (
	columnWidth = 219.0
	textWidth   = 455.0
	textHeight  = 560.0 // of a page of tables, with its caption
)

// texSize is a size of type in documents of ten points.
type texSize struct {
	command       string
	points, lines float64 // of type, and from line to line
}

var texSizes = []texSize{{"\\footnotesize", 8, 9.7}, {"\\scriptsize", 7, 8.2}}

// Gaps between columns, and the widest column of text that is not broken into lines.
const (
	texGap   = 6.0
	mostText = 150.0
)

// texTable is a grid laid out for LaTeX.
type texTable struct {
	g       *Grid
	size    texSize
	room    float64      // width of the float
	cells   [][][]string // of sections and rows
	natural []float64    // widths of the columns that are not broken, in points
	broken  []bool       // columns that are broken into lines
}

// LaTeX writes the grid with booktabs rules, intervals in small type, as floats for documents of one or two columns: of a column's width where
// it fits, else of the page's. What is wider comes as several tables with the first columns repeated, what is longer than a page as several
// floats; nothing is scaled. With long set, a table of more than a page is a longtable, which documents of two columns cannot have. The document
// needs the packages array and booktabs, and for such tables longtable.
func (g *Grid) LaTeX(kind string, long bool) string {
	t := texTable{g: g}
	t.measure()
	groups := t.choose()
	var b strings.Builder
	fmt.Fprintf(&b, "%% %s\n%% rows: %s\n%% needs \\usepackage{array,booktabs}\n", strings.ReplaceAll(oneLine(g.Paper), "%", ""), kind)
	caption := latex(g.Title) + "."
	if kind == data.ProvenanceSimulated {
		caption += " \\textbf{" + latex(stamp(kind)) + ".}"
	}
	for _, n := range g.Notes {
		caption += " " + latex(n)
	}
	caption = fmt.Sprintf("\\caption{%s}\n\\label{tab:%s-%s}\n", caption, strings.ReplaceAll(g.Name, "_", "-"), kind)
	captionLines := math.Ceil(float64(len(caption))*4.6/t.room) + 1
	pages := t.pages(groups, textHeight-captionLines*12)
	if long && len(pages) > 1 && len(groups) == 1 {
		t.longtable(&b, caption, groups[0])
		return b.String()
	}
	float := "table"
	if t.room > columnWidth {
		float = "table*"
	}
	for i, page := range pages {
		fmt.Fprintf(&b, "\\begin{%s}[tp]\n\\centering\n", float)
		if i > 0 {
			fmt.Fprintf(&b, "\\addtocounter{table}{-1}\n\\caption{%s (continued).}\n", latex(g.Title))
		} else {
			b.WriteString(caption)
		}
		fmt.Fprintf(&b, "%s\\setlength{\\tabcolsep}{%gpt}\n", t.size.command, texGap/2)
		for k, columns := range groups {
			if k > 0 {
				b.WriteString("\\par\\medskip\n")
			}
			fmt.Fprintf(&b, "\\begin{tabular}{%s}\n\\toprule\n%s\\midrule\n%s\\bottomrule\n\\end{tabular}\n", t.align(columns), t.head(columns), t.body(columns, page))
		}
		fmt.Fprintf(&b, "\\end{%s}\n", float)
	}
	return b.String()
}

// longtable writes the grid as one table that breaks over pages.
func (t *texTable) longtable(b *strings.Builder, caption string, columns []int) {
	head := t.head(columns)
	var all [][2]int
	for s, section := range t.g.Sections {
		for r := range section.Rows {
			all = append(all, [2]int{s, r})
		}
	}
	fmt.Fprintf(b, "%% and \\usepackage{longtable}\n{%s\\setlength{\\tabcolsep}{%gpt}\n\\begin{longtable}{%s}\n%s\\\\\n\\toprule\n%s\\midrule\n\\endfirsthead\n\\toprule\n%s\\midrule\n\\endhead\n\\bottomrule\n\\endfoot\n%s\\end{longtable}}\n",
		t.size.command, texGap/2, t.align(columns), strings.TrimSuffix(caption, "\n"), head, head, t.body(columns, all))
}

// texWidth is about the width of a text in Computer Modern, whose letters are a tenth wider than those of Times.
func texWidth(s string, points float64) float64 { return plots.SerifWidth(s, points) * 1.1 }

// measure writes the cells and measures the columns, in type of one point.
func (t *texTable) measure() {
	g, bold := t.g, t.g.bold()
	t.natural, t.broken = make([]float64, len(g.Columns)), make([]bool, len(g.Columns))
	for n, c := range g.Columns {
		t.natural[n] = texWidth(oneLine(c.Head), 1)
	}
	for i, s := range g.Sections {
		var rows [][]string
		for k, r := range s.Rows {
			cells := make([]string, len(r))
			for n, c := range r {
				cells[n] = latex(c.Text)
				width := texWidth(oneLine(c.Text), 1)
				if c.Value.Valid {
					cells[n] = latexNumber(g.Columns[n], c, bold(i, k, n))
					width = texWidth(g.Columns[n].print(c.Value.Value), 1.1) // bold letters are wider
					half, low, high := g.Columns[n].interval(c)
					if half != "" {
						width += texWidth(" ± "+half, 1)
					} else if low != "" {
						width += texWidth(" ["+low+", "+high+"]", 1)
					}
				}
				t.natural[n] = max(t.natural[n], width)
			}
			rows = append(rows, cells)
		}
		t.cells = append(t.cells, rows)
	}
	for n, c := range g.Columns {
		t.broken[n] = c.Prose || c.Decimals < 0 && t.natural[n]*texSizes[0].points > mostText
	}
}

// least is the width that a column needs.
func (t *texTable) least(column int, size texSize) float64 {
	if t.broken[column] {
		return min(t.natural[column]*size.points, mostText)
	}
	return t.natural[column] * size.points
}

func (t *texTable) total(columns []int, size texSize) float64 {
	sum := texGap * float64(len(columns)-1)
	for _, c := range columns {
		sum += t.least(c, size)
	}
	return sum
}

// choose chooses the width of the float and the size of the type, and returns the columns of the tables in it.
func (t *texTable) choose() (groups [][]int) {
	all := make([]int, len(t.g.Columns))
	for i := range all {
		all[i] = i
	}
	for _, t.room = range []float64{columnWidth, textWidth} {
		if t.room == columnWidth && slices.Contains(t.broken, true) {
			continue // sentences want the page's width
		}
		for _, t.size = range texSizes {
			if t.total(all, t.size) <= t.room {
				return [][]int{all}
			}
		}
	}
	// The columns that name the rows are those of text at the beginning, or else the first one.
	stub := 1
	for stub < len(all) && t.g.Columns[stub].Decimals < 0 && t.g.Columns[0].Decimals < 0 && t.total(all[:stub+1], t.size) < t.room/2 {
		stub++
	}
	group := slices.Clone(all[:stub])
	for _, c := range all[stub:] {
		if len(group) > stub && t.total(append(slices.Clone(group), c), t.size) > t.room {
			groups, group = append(groups, group), slices.Clone(all[:stub])
		}
		group = append(group, c)
	}
	return append(groups, group)
}

// widths are the widths of broken columns, which share the room that the others leave.
func (t *texTable) widths(columns []int) map[int]float64 {
	room, want := t.room-texGap*float64(len(columns)-1), 0.0
	for _, c := range columns {
		if t.broken[c] {
			want += t.natural[c] * t.size.points
		} else {
			room -= t.least(c, t.size)
		}
	}
	out := map[int]float64{}
	for _, c := range columns {
		if t.broken[c] {
			natural := t.natural[c] * t.size.points
			out[c] = math.Floor(min(natural, max(room*natural/want, 30)))
		}
	}
	return out
}

func (t *texTable) align(columns []int) string {
	widths := t.widths(columns)
	align := "@{}"
	for _, c := range columns {
		switch {
		case t.broken[c]:
			align += fmt.Sprintf(">{\\raggedright\\arraybackslash}p{%gpt}", widths[c])
		case t.g.Columns[c].Decimals < 0:
			align += "l"
		default:
			align += "r"
		}
	}
	return align + "@{}"
}

func (t *texTable) head(columns []int) string {
	heads := make([]string, len(columns))
	for i, c := range columns {
		heads[i] = latex(t.g.Columns[c].Head)
	}
	return strings.Join(heads, " & ") + " \\\\\n"
}

// body writes some rows, each named by its section and its place in it, with the headings of their sections.
func (t *texTable) body(columns []int, rows [][2]int) string {
	var b strings.Builder
	width := 0.0
	widths := t.widths(columns)
	for _, c := range columns {
		if t.broken[c] {
			width += widths[c] + texGap
		} else {
			width += t.least(c, t.size) + texGap
		}
	}
	for i, at := range rows {
		first := i == 0 || rows[i-1][0] != at[0]
		if first && i > 0 {
			b.WriteString("\\midrule\n")
		}
		if head := t.g.Sections[at[0]].Head; first && head != "" {
			form := "l"
			if texWidth(head, t.size.points) > width-texGap {
				form = fmt.Sprintf(">{\\raggedright\\arraybackslash}p{%.0fpt}", width-texGap)
			}
			fmt.Fprintf(&b, "\\multicolumn{%d}{@{}%s@{}}{\\textit{%s}} \\\\\n", len(columns), form, latex(head))
		}
		cells := make([]string, len(columns))
		for k, c := range columns {
			cells[k] = t.cells[at[0]][at[1]][c]
			if i > 0 && t.g.again(at[0], at[1], c) { // a new page says it again
				cells[k] = ""
			}
			if t.broken[c] {
				cells[k] = breakable(cells[k])
			}
		}
		// An opening bracket at the start of a row would be read as an argument of the line break before it.
		if strings.HasPrefix(cells[0], "[") {
			cells[0] = "{}" + cells[0]
		}
		b.WriteString(strings.Join(cells, " & ") + " \\\\\n")
	}
	return b.String()
}

// pages cuts the rows into floats of a height.
func (t *texTable) pages(groups [][]int, height float64) (pages [][][2]int) {
	height = max(height, textHeight/3)/float64(len(groups)) - 3*t.size.lines // rules and heads
	var page [][2]int
	used := 0.0
	for s, section := range t.g.Sections {
		for r, row := range section.Rows {
			lines := 1.0
			for _, columns := range groups {
				for c, width := range t.widths(columns) {
					lines = max(lines, math.Ceil(texWidth(oneLine(row[c].Text), t.size.points)/width*1.15))
				}
			}
			need := lines * t.size.lines
			if r == 0 || len(page) == 0 {
				need += 2 * t.size.lines
			}
			if len(page) > 0 && used+need > height {
				pages, page, used = append(pages, page), nil, 0
				need = (lines + 2) * t.size.lines
			}
			page, used = append(page, [2]int{s, r}), used+need
		}
	}
	return append(pages, page)
}

// longWord finds words that no line may have room for. They are broken after each character that LaTeX allows a break after.
var longWord = regexp.MustCompile(`[A-Za-z0-9.,:;=+/@-]{18,}`)

// breakable lets long words break every eight letters. What it is given is escaped already; commands are left as they are.
func breakable(s string) string {
	return longWord.ReplaceAllStringFunc(s, func(w string) string {
		return strings.Join(slices.Collect(func(yield func(string) bool) {
			for part := range slices.Chunk([]byte(w), 8) {
				if !yield(string(part)) {
					return
				}
			}
		}), "\\allowbreak{}")
	})
}

// texFigure writes the float of a figure whose PDF has the name and measures in points, natural where its width was chosen.
func texFigure(d *plots.Drawing, name, pdf, kind string, natural bool) string {
	title, text := d.Caption()
	float, options := "figure*", "[width=\\linewidth,height=0.8\\textheight,keepaspectratio]"
	if width, height := d.Size(); natural {
		if float = "figure"; width > columnWidth*1.15 {
			float = "figure*"
		}
		if options = ""; height > textHeight {
			options = "[height=0.85\\textheight]"
		}
	}
	return fmt.Sprintf("%% rows: %s\n%% needs \\usepackage{graphicx}\n\\begin{%s}[tp]\n\\centering\n\\includegraphics%s{%s}\n\\caption{%s. %s}\n\\label{fig:%s-%s}\n\\end{%s}\n",
		kind, float, options, pdf, latex(title), latex(text), strings.ReplaceAll(name, "_", "-"), kind, float)
}

func latexNumber(col Column, c Cell, bold bool) string {
	sign := func(s string) string { // a hyphen is no minus
		if digits, negative := strings.CutPrefix(s, "-"); negative {
			return "$-$" + digits
		}
		return s
	}
	text := sign(col.print(c.Value.Value))
	if bold {
		text = "\\textbf{" + text + "}"
	}
	half, low, high := col.interval(c)
	switch {
	case half != "":
		text += " {\\scriptsize$\\pm$" + half + "}"
	case low != "":
		text += " {\\scriptsize[" + sign(low) + ", " + sign(high) + "]}"
	}
	return text
}

// latexEscapes are the commands for characters that LaTeX takes for its own, and for those of our own words that its input encodings may not have.
var latexEscapes = strings.NewReplacer(
	`\`, `\textbackslash{}`, `{`, `\{`, `}`, `\}`, `$`, `\$`, `&`, `\&`, `#`, `\#`, `%`, `\%`, `_`, `\_`, `^`, `\textasciicircum{}`, `~`, `\textasciitilde{}`,
	`<`, `\textless{}`, `>`, `\textgreater{}`, `|`, `\textbar{}`, "`", `\textasciigrave{}`, `“`, "``", `”`, `''`,
	`–`, `--`, `—`, `---`, `…`, `\ldots{}`, `±`, `$\pm$`, `×`, `$\times$`, `≥`, `$\geq$`, `≤`, `$\leq$`, `−`, `$-$`, `→`, `$\to$`, `ρ`, `$\rho$`, `τ`, `$\tau$`,
)

// straightQuote finds the straight quotes that open: at the beginning, after white space and after what opens itself.
var straightQuote = regexp.MustCompile(`(^|[\s(\[{–—-])"`)

// latex escapes text: no command, no cell border and no line break can come out of it. Ligatures of hyphens are kept apart, and straight
// quotes become opening and closing ones.
func latex(s string) string {
	s = oneLine(s)
	s = strings.ReplaceAll(straightQuote.ReplaceAllString(s, "$1“"), `"`, "”")
	for strings.Contains(s, "--") {
		s = strings.ReplaceAll(s, "--", "-\u200b-")
	}
	return strings.ReplaceAll(latexEscapes.Replace(s), "\u200b", "{}")
}
