package report

import (
	"fmt"
	"strconv"
	"strings"
)

// Printed is a grid as people read it, for forms that have an escaping of their own.
type Printed struct {
	Columns  []PrintedColumn
	Sections []PrintedSection
	Notes    []string
}

// A PrintedColumn is the head of a column.
type PrintedColumn struct {
	ID, Head string
	Number   bool
	Page     string // the use that a page makes of it
}

// A PrintedSection is a block of rows under a heading. The heading may be empty.
type PrintedSection struct {
	Head string
	Rows [][]PrintedCell
}

// A PrintedCell is a text, or a number as text with its interval. Value, Low and High are the
// numbers with more digits. A missing number is an empty text.
type PrintedCell struct {
	Text, Interval   string
	Value, Low, High string
	Beside           string // the number to be drawn beside it
	Number           bool
	Bold, Second     bool // the best, the second best
}

// Print gives the cells of the grid as they are printed.
func (g *Grid) Print() Printed {
	g.settle()
	p := Printed{Notes: g.Notes}
	for _, c := range g.Columns {
		p.Columns = append(p.Columns, PrintedColumn{c.ID, c.Head, c.Decimals >= 0, c.Page})
	}
	place := g.places()
	for si, s := range g.Sections {
		out := PrintedSection{Head: s.Head}
		for ri, r := range s.Rows {
			cells := make([]PrintedCell, len(r))
			for ci, c := range r {
				cell := PrintedCell{Text: c.Text, Number: g.Columns[ci].Decimals >= 0, Bold: g.strong(c) || place(si, ri, ci) == 1, Second: place(si, ri, ci) == 2}
				if c.Value.Valid {
					cell.Text, cell.Value = g.Columns[ci].print(c.Value.Value), digits(c.Value.Value)
					if c.Low.Valid {
						cell.Low, cell.High = digits(c.Low.Value), digits(c.High.Value)
					}
					for k, other := range g.Columns {
						if other.ID == g.Columns[ci].Beside && r[k].Value.Valid {
							cell.Beside = digits(r[k].Value.Value)
						}
					}
					half, low, high := g.Columns[ci].interval(c)
					if half != "" {
						cell.Interval = "± " + half
					} else if low != "" {
						cell.Interval = fmt.Sprintf("[%s, %s]", low, high)
					}
					cell.Interval = strings.TrimSpace(c.Mark + " " + cell.Interval)
				}
				cells[ci] = cell
			}
			out.Rows = append(out.Rows, cells)
		}
		p.Sections = append(p.Sections, out)
	}
	return p
}

// digits are as many digits of a number as anybody could ask for on a page.
func digits(v float64) string { return strconv.FormatFloat(v, 'g', 8, 64) }
