package report

import (
	"fmt"
	"strings"

	"github.com/captionlake/captionlake/plots"
)

// paperTable is one table of a paper: a function from the marts it needs to a grid.
type paperTable struct {
	name, title, paper string
	needs, also        []string
	all                bool // compares readers, protocols or question banks
	build              func(plots.Tables) (*Grid, error)
}

// sheet reads columns of a table and keeps the first error, so that a builder can ask for many columns and look at the error once.
type sheet struct {
	t   *plots.Table
	err error
}

func open(ts plots.Tables, mart string) *sheet {
	t, err := ts.Get(mart)
	return &sheet{t, err}
}

// where keeps the rows whose text column has the value.
func (s *sheet) where(column, value string) *sheet {
	if s.err != nil {
		return s
	}
	t, err := s.t.Where(column, value)
	return &sheet{t, err}
}

// has reports whether the mart has the column.
func (s *sheet) has(column string) bool { return s.err == nil && s.t.Has(column) }

// onePrompt keeps the rows of one caption prompt, and says which: the paper's Simple where there are rows of it.
func (s *sheet) onePrompt() (*sheet, string) {
	prompt := plots.MainPrompt(s.distinct("prompt", strings.Compare))
	return s.where("prompt", prompt), prompt
}

func (s *sheet) rows() int {
	if s.err != nil {
		return 0
	}
	return s.t.Len()
}

// text returns a text column, NULL as the empty string.
func (s *sheet) text(column string) []string { return get(s, column, (*plots.Table).OptionalStrings) }

// number returns a numeric column.
func (s *sheet) number(column string) []plots.Number { return get(s, column, (*plots.Table).Numbers) }

// bounds returns the interval of a numeric column, NULLs where the mart has none.
func (s *sheet) bounds(column string) (low, high []plots.Number) {
	return s.numberIf(column + "_low"), s.numberIf(column + "_high")
}

// numberIf returns a numeric column, NULLs where the mart lacks it.
func (s *sheet) numberIf(column string) []plots.Number {
	if s.err != nil || !s.t.Has(column) {
		return make([]plots.Number, s.rows())
	}
	return s.number(column)
}

func get[T any](s *sheet, column string, read func(*plots.Table, string) ([]T, error)) []T {
	if s.err != nil {
		return nil
	}
	out, err := read(s.t, column)
	s.err = err
	if err != nil {
		return nil
	}
	return out
}

// layoutColumn says which column of a mart a column of the printed table shows. Its interval is in the mart's columns of the same name
// with _low and _high behind it; a mart that lacks them has no interval for it.
type layoutColumn struct {
	Column
	from string // column of the mart
}

// words and figures make columns of names and of numbers.
func words(from, head string) layoutColumn {
	return layoutColumn{Column: Column{ID: from, Head: head, Decimals: -1}, from: from}
}

// prose makes a column of sentences.
func prose(from, head string) layoutColumn {
	c := words(from, head)
	c.Prose = true
	return c
}

func figures(from, head string, decimals int, best Best) layoutColumn {
	return layoutColumn{Column: Column{ID: from, Head: head, Decimals: decimals, Best: best}, from: from}
}

// signed writes a plus before positive values.
func (c layoutColumn) signed() layoutColumn {
	c.Signed = true
	return c
}

// layout fills a grid from rows of a mart, cell by cell, in sections by the heading that a function gives each row; rows and sections
// keep the order of the rows. An interval is shown where the mart has one for the row. A missing number is an empty cell.
func (s *sheet) layout(columns []layoutColumn, section func(row int) (head, group string)) (*Grid, error) {
	g := &Grid{}
	cells := make([][]Cell, s.rows())
	for _, c := range columns {
		g.Columns = append(g.Columns, c.Column)
		if c.Decimals < 0 {
			for i, v := range s.text(c.from) {
				cells[i] = append(cells[i], Cell{Text: v})
			}
			continue
		}
		low, high := s.bounds(c.from)
		for i, v := range s.number(c.from) {
			cell := Cell{Value: v, Low: low[i], High: high[i]}
			if !v.Valid {
				cell = Cell{Text: "–"}
			}
			if cell.Low.Valid != cell.High.Valid {
				return nil, fmt.Errorf("table %s: row %d of %s has half an interval", s.t.Name(), i+1, c.from)
			}
			cells[i] = append(cells[i], cell)
		}
	}
	if s.err != nil {
		return nil, s.err
	}
	at := map[string]int{}
	for i, r := range cells {
		head, group := "", ""
		if section != nil {
			head, group = section(i)
		}
		k, ok := at[head]
		if !ok {
			k = len(g.Sections)
			at[head] = k
			g.Sections = append(g.Sections, Section{Head: head, Group: group})
		}
		g.Sections[k].Rows = append(g.Sections[k].Rows, r)
	}
	return g, nil
}
