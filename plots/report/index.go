package report

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"slices"
	"strings"
)

//go:embed index.html.tmpl
var indexText string

var indexPage = template.Must(template.New("index").Parse(indexText))

// page is what the index shows.
type page struct {
	Kinds    []pageKind
	Marts    []Mart
	Runs     []runGroup
	Document string
}

type pageKind struct {
	Slice           Slice
	Stamp           string
	Figures, Tables []pageItem
	Skipped         []Item
}

type pageItem struct {
	Item
	ID       string
	Picture  string // the file to show
	Links    []pageLink
	Head     []pageCell
	Sections []pageSection
	Notes    []string
	Runs     []string // stages of the runs behind the rows, each with the number of runs
	Long     bool     // shown folded
}

type pageLink struct{ Form, File string }

type pageSection struct {
	Head string
	Rows [][]pageCell
}

type pageCell struct {
	Text, Interval string
	Number, Bold   bool
}

// page writes the index: one HTML file that refers to the report's own files and to nothing else.
func (r *Report) page() ([]byte, error) {
	p := page{Marts: r.Marts, Runs: groupRuns(r.Runs), Document: documentName}
	for _, s := range r.Slices {
		k := pageKind{Slice: s, Stamp: stamp(s.Kind)}
		for _, i := range r.Items {
			switch {
			case i.Provenance != s.Kind:
			case i.Skipped != "":
				k.Skipped = append(k.Skipped, i)
			case i.Form == "figure":
				k.Figures = append(k.Figures, r.pageItem(i))
			default:
				k.Tables = append(k.Tables, r.pageItem(i))
			}
		}
		p.Kinds = append(p.Kinds, k)
	}
	var b bytes.Buffer
	err := indexPage.Execute(&b, p)
	return b.Bytes(), err
}

func (r *Report) pageItem(i Item) pageItem {
	p := pageItem{Item: i, ID: i.Name + "_" + i.Provenance, Runs: r.stages(i)}
	for _, f := range i.Files {
		p.Links = append(p.Links, pageLink{strings.ToUpper(f[strings.LastIndexByte(f, '.')+1:]), f})
		if strings.HasSuffix(f, ".svg") {
			p.Picture = f
		}
	}
	g := i.grid
	if g == nil {
		return p
	}
	p.Notes, p.Long = g.Notes, g.rows() > 12
	for _, c := range g.Columns {
		p.Head = append(p.Head, pageCell{Text: c.Head, Number: c.Decimals >= 0})
	}
	bold := g.bold()
	for si, s := range g.Sections {
		out := pageSection{Head: s.Head}
		for ri, r := range s.Rows {
			var cells []pageCell
			for ci, c := range r {
				cell := pageCell{Text: c.Text, Number: g.Columns[ci].Decimals >= 0, Bold: bold(si, ri, ci)}
				if c.Value.Valid {
					cell.Text = g.Columns[ci].print(c.Value.Value)
					half, low, high := g.Columns[ci].interval(c)
					if half != "" {
						cell.Interval = "± " + half
					} else if low != "" {
						cell.Interval = fmt.Sprintf("[%s, %s]", low, high)
					}
				}
				cells = append(cells, cell)
			}
			out.Rows = append(out.Rows, cells)
		}
		p.Sections = append(p.Sections, out)
	}
	return p
}

// Made counts the tables and figures that were made, and those that were skipped.
func (r *Report) Made() (made, skipped int) {
	for _, i := range r.Items {
		if i.Skipped == "" {
			made++
		} else {
			skipped++
		}
	}
	return made, skipped
}

// Kinds lists the kinds of rows that anything was made from.
func (r *Report) Kinds() []string {
	var out []string
	for _, i := range r.Items {
		if i.Skipped == "" && !slices.Contains(out, i.Provenance) {
			out = append(out, i.Provenance)
		}
	}
	return out
}
