package site

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/plots/report"
)

var provenancePage = Page{Name: "provenance", Build: buildProvenance}

// martsFolder is where the pages of marts are, and rowsFolder where their rows are.
const (
	martsFolder = "marts/"
	rowsFolder  = "data/"
)

func rowsPath(mart string) string { return rowsFolder + mart + ".js" }

// carries reports whether the site has the rows of a mart.
func (b *Builder) carries(mart string) bool {
	m, ok := b.mart(mart)
	most := int64(mostOther)
	if b.isShown(mart) {
		most = mostShown
	}
	return ok && m.Rows > 0 && m.Rows <= most
}

// isShown reports whether a table, a figure or a page shows a mart.
func (b *Builder) isShown(mart string) bool {
	for _, bench := range data.Benchmarks() {
		if bench.Headline == mart || slices.Contains(bench.Facts, mart) || slices.ContainsFunc(bench.Profiles, func(p data.Profile) bool { return p.Mart == mart }) {
			return true
		}
	}
	return slices.ContainsFunc(b.Report.Items, func(i report.Item) bool {
		return slices.ContainsFunc(i.Rows, func(u report.Use) bool { return u.Mart == mart })
	})
}

func martPath(mart string) string { return martsFolder + mart + ".html" }

// How many rows of a mart the site carries, so that a browser can hold them and a folder of results stays small: more of marts that a table
// or a figure shows. Marts with more are read from the lake.
const (
	mostShown = 20_000
	mostOther = 2_000
)

// martPage is what the page of a mart shows.
type martPage struct {
	report.Mart
	Model  Model
	Inputs []Link // other marts have pages, base tables have none
	Items  []shownItem
	Runs   []report.RunGroup
	Rows   string // script of the rows; empty when there are none, or too many
	Many   bool
}

// provenance is what the page of all marts and runs shows.
type provenance struct {
	Marts []martPage
	Runs  []report.RunGroup
}

func buildProvenance(ctx context.Context, b *Builder) error {
	all := map[string]report.Mart{}
	for _, m := range b.marts {
		all[m.Name] = m
	}
	items := map[string][]shownItem{}
	for _, i := range b.Report.Items {
		for _, u := range i.Rows {
			items[u.Mart] = append(items[u.Mart], b.item(i))
		}
	}
	p := provenance{Runs: report.GroupRuns(b.runs)}
	for _, m := range b.marts {
		m.Tables = report.BaseTables(m.Name, all)
		page := martPage{Mart: m, Items: items[m.Name]}
		page.Model, _ = b.Source.Model(m.Name)
		for _, input := range strings.Fields(m.Inputs) {
			name, _, _ := strings.Cut(input, "=")
			l := Link{Words: name}
			if _, ok := all[name]; ok {
				l.Path = martPath(name)
			}
			page.Inputs = append(page.Inputs, l)
		}
		page.Runs = report.GroupRuns(runsBehind(b.runs, m.Tables))
		if page.Many = m.Rows > 0; b.carries(m.Name) {
			page.Many, page.Rows = false, rowsPath(m.Name)
			b.File(report.File{Name: page.Rows, Make: func(w io.Writer) error { return b.writeRows(ctx, w, page.Rows, m.Name) }})
		}
		p.Marts = append(p.Marts, page)
		b.Add(Document{Path: martPath(m.Name), Title: m.Name, Template: "mart", Data: page})
	}
	b.Add(Document{Path: "provenance.html", Title: "Where each number comes from", Nav: "Provenance", Template: "provenance", Data: p})
	return nil
}

// runsBehind are the runs that wrote any of the tables.
func runsBehind(runs []report.Run, tables []string) []report.Run {
	var out []report.Run
	for _, r := range runs {
		if slices.ContainsFunc(r.Tables, func(t string) bool { return slices.Contains(tables, t) }) {
			out = append(out, r)
		}
	}
	return out
}

// A rowsColumn is a column of rows that come as a script.
type rowsColumn struct {
	ID       string `json:"id"`
	Head     string `json:"head"`
	Comment  string `json:"comment"`
	Number   bool   `json:"number"`
	Facet    bool   `json:"facet"`
	Extra    bool   `json:"extra"`
	Decimals int    `json:"decimals"`
	Values   any    `json:"values"`
	Low      any    `json:"low,omitempty"`
	High     any    `json:"high,omitempty"`
}

// texts are a column of text: each text once, with the page about it where there is one, and the place of each row's.
type texts struct {
	Texts []string `json:"texts"`
	Links []string `json:"links,omitempty"`
	At    []int    `json:"at"`
}

// writeRows writes the rows of a mart as a script that hands them to the page.
func (b *Builder) writeRows(ctx context.Context, w io.Writer, name, mart string) error {
	r, err := b.rows(ctx, mart)
	if err != nil {
		return err
	}
	var out struct {
		Rows    int          `json:"rows"`
		Columns []rowsColumn `json:"columns"`
	}
	if r != nil {
		out.Rows = len(r.cells)
		columns := slices.Clone(r.columns)
		slices.SortStableFunc(columns, func(x, y string) int { // whose row it is comes first, numbers of rows last
			return cmp.Or(cmp.Compare(first(x == nameColumn), first(y == nameColumn)), cmp.Compare(first(!strings.HasSuffix(x, "_id")), first(!strings.HasSuffix(y, "_id"))))
		})
		for _, c := range columns {
			if low, ok := strings.CutSuffix(c, "_low"); ok && r.has(low) {
				continue
			}
			if high, ok := strings.CutSuffix(c, "_high"); ok && r.has(high) {
				continue
			}
			column := rowsColumn{ID: c, Head: heading(c), Comment: data.Plain(r.about[c].Comment), Number: r.isNumber(c), Extra: r.isEnd(c) || r.empty(c) && !slices.Contains(r.key, c)}
			if column.Number {
				column.Decimals, column.Values = r.decimalsOf(c), r.numbers(c)
				if r.has(c+"_low") && r.has(c+"_high") {
					column.Low, column.High = r.numbers(c+"_low"), r.numbers(c+"_high")
				}
			} else {
				column.Facet, column.Values = slices.Contains(r.key, c) || c == kindColumn || c == "model_type", b.texts(r, c)
			}
			out.Columns = append(out.Columns, column)
		}
	}
	path, err := json.Marshal(name)
	if err != nil {
		return err
	}
	content, err := json.Marshal(out) // which escapes what HTML could take for markup
	if err != nil {
		return err
	}
	for _, part := range [][]byte{[]byte("captionlake.data("), path, []byte(", "), content, []byte(");\n")} {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}

// numbers are a column with as many digits as anybody could ask for on a page, null where there is none.
func (r *rows) numbers(column string) []json.RawMessage {
	out := make([]json.RawMessage, len(r.cells))
	for i, row := range r.cells {
		n := r.number(row, column)
		if !n.Valid || math.IsInf(n.Value, 0) || math.IsNaN(n.Value) {
			out[i] = json.RawMessage("null")
			continue
		}
		out[i] = json.RawMessage(strconv.FormatFloat(n.Value, 'g', 8, 64))
	}
	return out
}

func (b *Builder) texts(r *rows, column string) texts {
	at := map[string]int{}
	var out texts
	for _, row := range r.cells {
		v := data.Plain(r.text(row, column))
		k, ok := at[v]
		if !ok {
			k = len(out.Texts)
			at[v] = k
			out.Texts = append(out.Texts, v)
			if column == nameColumn {
				out.Links = append(out.Links, b.modelPath(r.text(row, captionerColumn)))
			}
		}
		out.At = append(out.At, k)
	}
	return out
}
