package report

import (
	"fmt"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/plots"
)

// paperTable is one table of a paper: a function from the marts it needs to a grid.
type paperTable struct {
	name, title, paper string
	benchmark          string // empty of what is about several
	needs, also        []string
	all                bool // compares readers, protocols or question banks
	build              func(plots.Tables) (*Grid, error)
}

// sheet is the reading of a mart, with what tables of papers need beside its columns.
type sheet struct{ *plots.Reading }

func sheetOf(t *plots.Table, err error) *sheet { return &sheet{&plots.Reading{Table: t, Err: err}} }

func open(ts plots.Tables, mart string) *sheet { return &sheet{ts.Read(mart)} }

// where keeps the rows whose text column has the value.
func (s *sheet) where(column, value string) *sheet { return &sheet{s.Where(column, value)} }

// with adds a column whose values a function of the row number gives.
func (s *sheet) with(column string, value func(row int) any) *sheet {
	if s.Err != nil {
		return s
	}
	return sheetOf(s.Table.With(column, value))
}

// pick keeps the rows that pass a test, be it none.
func (s *sheet) pick(keep func(row int) bool) *sheet {
	if s.Err != nil {
		return s
	}
	return sheetOf(s.Table.Pick(keep), nil)
}

// onePrompt keeps the rows of one caption prompt, and says which: the paper's Simple where there are rows of it.
func (s *sheet) onePrompt() (*sheet, string) {
	prompt := data.CaptionQA().MainPrompt(s.Text("prompt"))
	return s.where("prompt", prompt), prompt
}

// layoutColumn says which column of a mart a column of the printed table shows. Its interval is in the mart's columns of the same name
// with _low and _high behind it; a mart without them has no interval for it.
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
	cells := make([][]Cell, s.Len())
	for _, c := range columns {
		g.Columns = append(g.Columns, c.Column)
		if c.Decimals < 0 {
			for i, v := range s.TextOrNone(c.from) {
				cells[i] = append(cells[i], Cell{Text: v})
			}
			continue
		}
		ends := s.Interval(c.from)
		for i, v := range s.Numbers(c.from) {
			cell := Cell{Value: v, Low: ends[0][i], High: ends[1][i]}
			if !v.Valid {
				cell = Cell{Text: "–"}
			}
			if cell.Low.Valid != cell.High.Valid {
				return nil, fmt.Errorf("table %s: row %d of %s has half an interval", s.Table.Name(), i+1, c.from)
			}
			cells[i] = append(cells[i], cell)
		}
	}
	if s.Err != nil {
		return nil, s.Err
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
