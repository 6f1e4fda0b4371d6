package report

import (
	"embed"
	"encoding/csv"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/rows"
	"github.com/captionlake/captionlake/data/text"
)

//go:embed templates
var templateFiles embed.FS

// templates are the forms of tables, figures and the document of all of them. Text is escaped by
// the function of the form that a template names.
var templates = template.Must(template.New("").Delims("<<", ">>").Funcs(template.FuncMap{
	"markdown": markdown, "latex": latex, "comment": comment, "sentence": sentence, "stamp": Stamp,
}).ParseFS(templateFiles, "templates/*"))

// fill fills a template in.
func fill(name string, values any) (string, error) {
	var b strings.Builder
	err := templates.ExecuteTemplate(&b, name+".tmpl", values)
	return b.String(), err
}

// Markdown writes the grid as a table of GitHub's Markdown, with its title and notes. The kind of
// the rows is said in the heading.
func (g *Grid) Markdown() (string, error) { return fill("table.md", g) }

// markdownEscapes hide the characters that Markdown, or the HTML within it, could take for markup.
// Round brackets and plus signs stay as they are, because they are markup only beside characters
// that are escaped.
var markdownEscapes = strings.NewReplacer("<", "&lt;", ">", "&gt;", "&", "&amp;", `\`, `\\`, "`", "\\`", "*",
	`\*`, "_", `\_`,
	"{", `\{`, "}", `\}`, "[", `\[`, "]", `\]`, "#", `\#`, "!", `\!`, "|", `\|`, "~", `\~`, "$", `\$`)

// markdown escapes text for one line of Markdown: no markup, no cell border and no line break can
// come out of it.
func markdown(s string) string { return markdownEscapes.Replace(oneLine(s)) }

// CSV writes the grid for machines as RFC 4180 asks: a header, then one line for each row. Numbers
// have all their digits, and the ends of intervals have columns. If the grid has headings, the
// first column is section. If the rows have a kind, the last column is provenance. Text stands as
// it is, quoted where needed: a program that runs formulas found in CSV must be told not to.
func (g *Grid) CSV() (string, error) {
	hasHeads := slices.ContainsFunc(g.Sections, func(s Section) bool { return s.Head != "" })
	hasInterval := make([]bool, len(g.Columns)) // in any row
	for _, s := range g.Sections {
		for _, r := range s.Rows {
			for i, c := range r {
				hasInterval[i] = hasInterval[i] || c.Low.Valid
			}
		}
	}
	var head []string
	if hasHeads {
		head = append(head, "section")
	}
	for i, c := range g.Columns {
		head = append(head, c.Name)
		if hasInterval[i] {
			head = append(head, c.Name+"_low", c.Name+"_high")
		}
	}
	if g.Kind != "" {
		head = append(head, "provenance")
	}
	lines := [][]string{head}
	for _, s := range g.Sections {
		for _, r := range s.Rows {
			var line []string
			if hasHeads {
				line = append(line, s.Head)
			}
			for i, c := range r {
				line = append(line, full(c.Value, c.Text))
				if hasInterval[i] {
					line = append(line, full(c.Low, ""), full(c.High, ""))
				}
			}
			kind := g.Kind
			if kind == data.Together { // A dagger behind a name says that the row is measured.
				kind = data.ProvenancePublished
				for i, text := range line {
					if name, measured := strings.CutSuffix(text, data.Dagger); measured {
						line[i], kind = name, data.ProvenanceMeasured
					}
				}
			}
			if kind != "" {
				line = append(line, kind)
			}
			lines = append(lines, line)
		}
	}
	var b strings.Builder
	err := csv.NewWriter(&b).WriteAll(lines)
	return b.String(), err
}

// full writes a number with all its digits, twelve at most, or else the given text. Further digits
// come from sums of fractions, as in 4.360000000000001.
func full(n rows.Number, otherwise string) string {
	if !n.Valid {
		return otherwise
	}
	v, _ := strconv.ParseFloat(strconv.FormatFloat(n.Value, 'g', 12, 64), 64)
	return strconv.FormatFloat(v+0, 'f', -1, 64) // The sum with 0 makes a negative zero 0.
}

// oneLine makes text one line of valid UTF-8: control and format characters, which could hide or
// turn what follows, become blanks.
func oneLine(s string) string {
	return text.OneLine(formatCharacter.ReplaceAllString(s, " "), math.MaxInt)
}

var formatCharacter = regexp.MustCompile(`\p{Cf}`)

// Stamp returns the kind of rows in words for people.
func Stamp(kind string) string {
	switch kind {
	case data.ProvenancePublished:
		return "published figures"
	case data.Together:
		return "published figures; " + data.Dagger + " measured"
	case data.ProvenanceSimulated:
		return "SIMULATED, NOT MEASURED"
	}
	return kind
}
