package site

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/plots/report"
)

// A Board is a table of a page, which a script lets people sort and filter.
type Board struct {
	Name     string // of the file that it can be saved as
	Label    string // what it shows, for those who cannot see it
	Columns  []BoardColumn
	Sections []BoardSection
	Fixed    []Setting // what all rows have in common
	Plain    bool      // without controls
}

// A BoardColumn is a column of a board.
type BoardColumn struct {
	ID, Head, Comment string
	Number, Facet     bool   // of numbers; to be filtered by
	Initial           string // the value that is chosen first, of a column to filter by
	Mixed             bool   // each kind of rows has a value of its own that is chosen first
	Extra             bool   // shown when asked for
	Main              bool   // by which rows are in order
	Ascending         bool   // the smallest is best
}

// A BoardSection is a block of rows under a heading, which may be empty.
type BoardSection struct {
	Head string
	Rows [][]BoardCell
}

// A BoardCell is a printed cell, with a page about what it names.
type BoardCell struct {
	report.PrintedCell
	Link string
	Kind string // of a cell that says what the row is made of
	Long bool
	Best string // of a number: the best of the others, to be drawn beside it

	Other bool // of a column to filter by: not the value that is chosen first
}

// printed makes a board of a printed table. Cells that name a captioner link to its page.
func (b *Builder) printed(name, label string, p report.Printed) *Board {
	out := &Board{Name: name, Label: label}
	for _, c := range p.Columns {
		out.Columns = append(out.Columns, BoardColumn{ID: c.ID, Head: c.Head, Number: c.Number})
	}
	for _, s := range p.Sections {
		section := BoardSection{Head: s.Head}
		for _, r := range s.Rows {
			cells := make([]BoardCell, len(r))
			for i, c := range r {
				cells[i] = BoardCell{PrintedCell: c, Long: len(c.Text) > 60}
				if !c.Number && strings.HasSuffix(p.Columns[i].ID, "_name") {
					cells[i].Link = b.modelPath(c.Text)
				}
			}
			section.Rows = append(section.Rows, cells)
		}
		out.Sections = append(out.Sections, section)
	}
	return out
}

// decimalsOf is how many digits after the point a column of numbers is shown with.
func (r *rows) decimalsOf(column string) int {
	most, whole := 0.0, true
	for _, row := range r.cells {
		if n := r.number(row, column); n.Valid {
			most = max(most, math.Abs(n.Value))
			whole = whole && n.Value == math.Trunc(n.Value)
		}
	}
	switch unit := r.about[column].Unit; {
	case unit == "count" || unit == "rank" || whole && unit != "percent":
		return 0
	case unit == "percent":
		return 2
	case most >= 300:
		return 0
	case most >= 20:
		return 1
	case most >= 1:
		return 2
	}
	return 3
}

// leaderboard makes the board of a mart: who, then what tells the rows of one captioner apart, then the numbers, those by which they are
// in order first. keep are columns that stay although all rows agree in them.
func (b *Builder) leaderboard(bench data.Benchmark, r *rows, label, value string) *Board {
	out := &Board{Name: r.mart, Label: label}
	type source struct {
		column string
		BoardColumn
	}
	var who, settings, extra, numbers []source
	firsts := map[string]map[string]string{}
	if bench.Name != "" { // rows of several benchmarks have no first choice
		firsts = b.firsts(r, bench)
	}
	for _, c := range r.columns {
		s := source{c, BoardColumn{ID: c, Head: headingOf(bench, c), Comment: r.about[c].Comment}}
		isKey := slices.Contains(r.key, c)
		switch {
		case c == nameColumn:
			s.Head = "Captioner"
			who = append(who, s)
		case c == captionerColumn || c == "origin" || c == "condition_id" || r.isEnd(c) || r.empty(c):
		case isKey && r.has(strings.TrimSuffix(c, "_id")+"_name"): // the name is shown
		case r.isNumber(c) && !isKey:
			s.Number = true
			unit := r.about[c].Unit
			s.Main, s.Ascending = c == value, unit == "rank"
			s.Extra = unit == "count" || strings.HasPrefix(c, "n_") || c != value && r.has(value) && r.same(c, value)
			numbers = append(numbers, s)
		case isKey || c == "model_type" || c == "size" || strings.HasSuffix(c, "_name"):
			found := r.distinct(c)
			if len(found) == 1 && c != kindColumn {
				if found[0] != "" {
					out.Fixed = append(out.Fixed, Setting{s.Head, found[0]})
				}
				continue
			}
			s.Facet = c != "size"
			s.Extra = c == "size" || c == "model_type"
			var values []string
			for _, kind := range kinds() {
				if value, ok := firsts[kind][r.id(c)]; ok {
					values = append(values, r.named(c, value))
				}
			}
			if len(values) > 0 {
				s.Initial, s.Mixed = values[0], len(slices.Compact(values)) > 1
			}
			settings = append(settings, s)
		default:
			s.Extra = true
			extra = append(extra, s)
		}
	}
	slices.SortStableFunc(numbers, func(x, y source) int { return cmp.Compare(rankOf(x.BoardColumn), rankOf(y.BoardColumn)) })
	slices.SortStableFunc(settings, func(x, y source) int { return cmp.Compare(settingOrder(x.ID), settingOrder(y.ID)) })
	columns := slices.Concat(who, settings, numbers, extra)
	g := &report.Grid{Sections: []report.Section{{}}}
	for _, c := range columns {
		out.Columns = append(out.Columns, c.BoardColumn)
		decimals := -1
		if c.Number {
			decimals = r.decimalsOf(c.column)
		}
		g.Columns = append(g.Columns, report.Column{ID: c.ID, Head: c.Head, Decimals: decimals, Range: true})
	}
	sorted := slices.Clone(r.cells)
	ascending := slices.ContainsFunc(numbers, func(s source) bool { return s.Main && s.Ascending })
	isFirst := func(row []any, column string) bool {
		want, ok := firsts[r.text(row, kindColumn)][r.id(column)]
		return !ok || want == r.text(row, r.id(column))
	}
	rank := r.rank()
	slices.SortStableFunc(sorted, func(x, y []any) int {
		order := cmp.Compare(slices.Index(kinds(), r.text(x, kindColumn)), slices.Index(kinds(), r.text(y, kindColumn)))
		for _, s := range settings {
			if order == 0 && s.Initial != "" {
				order = cmp.Or(cmp.Compare(first(isFirst(x, s.column)), first(isFirst(y, s.column))), strings.Compare(r.text(x, s.column), r.text(y, s.column)))
			}
		}
		if order != 0 {
			return order
		}
		a, b := r.number(x, value), r.number(y, value)
		if a.Valid != b.Valid {
			return cmp.Compare(first(a.Valid), first(b.Valid))
		}
		order = cmp.Compare(b.Value, a.Value)
		if ascending {
			order = -order
		}
		return cmp.Or(order, cmp.Compare(r.number(x, rank).Value, r.number(y, rank).Value)) // of some only the order is known
	})
	for _, row := range sorted {
		cells := make([]report.Cell, len(columns))
		for i, c := range columns {
			if !c.Number {
				cells[i].Text = data.Plain(r.text(row, c.column))
				continue
			}
			cell := report.Cell{Value: r.number(row, c.column)}
			if !cell.Value.Valid {
				cell.Text = "–"
			} else if low, high := r.number(row, c.column+"_low"), r.number(row, c.column+"_high"); low.Valid && high.Valid {
				cell.Low, cell.High = low, high
			}
			cells[i] = cell
		}
		g.Sections[0].Rows = append(g.Sections[0].Rows, cells)
	}
	table := b.printed(out.Name, label, g.Print())
	out.Sections = table.Sections
	for i, row := range sorted {
		for k, c := range columns {
			cell := &out.Sections[0].Rows[i][k]
			cell.Other = c.Mixed && !isFirst(row, c.column)
			switch {
			case c.ID == kindColumn:
				cell.Kind = cell.Text
			case c.ID == nameColumn:
				cell.Link = b.modelPath(r.text(row, captionerColumn))
			}
		}
	}
	return out
}

// id is the column that a column of names stands for, and the column itself where it stands for none.
func (r *rows) id(column string) string {
	if id := strings.TrimSuffix(column, "_name"); r.has(id) {
		return id
	}
	return column
}

// named is what a column of names has for an id.
func (r *rows) named(column, id string) string {
	for _, row := range r.cells {
		if r.text(row, r.id(column)) == id {
			return data.Plain(r.text(row, column))
		}
	}
	return id
}

// rank is the column of places; empty without one.
func (r *rows) rank() string {
	for _, c := range r.columns {
		if r.about[c].Unit == "rank" {
			return c
		}
	}
	return ""
}

// rankOf orders columns of numbers: the place, the value that decides it, the others, counts.
func rankOf(c BoardColumn) int {
	switch {
	case c.Ascending:
		return 0
	case c.Main:
		return 1
	case c.Extra:
		return 3
	}
	return 2
}

// settingOrder has what rows are made of first.
func settingOrder(column string) int {
	switch column {
	case kindColumn:
		return 0
	case "model_type", "size":
		return 2
	}
	return 1
}

func first(yes bool) int {
	if yes {
		return 0
	}
	return 1
}

// empty reports whether a column has no value in any row.
func (r *rows) empty(column string) bool {
	i := r.at[column]
	return !slices.ContainsFunc(r.cells, func(row []any) bool { return row[i] != nil && row[i] != "" })
}

// same reports whether two columns agree in every row.
func (r *rows) same(column, other string) bool {
	i, k := r.at[column], r.at[other]
	return !slices.ContainsFunc(r.cells, func(row []any) bool { return row[i] != row[k] })
}

// headingOf words the name of a column; those of domains bear the domain's name.
func headingOf(bench data.Benchmark, column string) string {
	for _, d := range bench.Domains {
		if d.ScoreColumn() == column {
			return d.Name
		}
	}
	return heading(column)
}
