package report

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/captionlake/captionlake/data/rows"
)

// Best says which values of a column are set in bold.
type Best int

// The directions of a column.
const (
	Plain   Best = iota // no value is best
	Highest             // the greatest is best
	Lowest              // the smallest is best
)

// A Column is a column of a table for a paper.
type Column struct {
	ID       string // name in CSV, lower case with underscores
	Head     string // head in print
	Decimals int    // digits after the point; -1 for a column of text
	Best     Best
	Signed   bool // a plus before positive values
	Range    bool // intervals are written as ranges, low to high; settle sets it where a half width would not do
	Prose    bool // sentences, which LaTeX breaks into lines
	Once     bool // in print, a text that the row above has, too, is left out; CSV has all

	Page   string // what a page does with it: main, first, facet or extra
	Beside string // the column whose values a page draws beside it
}

// A Cell is a text, or a number with an optional interval. A cell with neither is empty.
type Cell struct {
	Text      string
	Value     rows.Number
	Low, High rows.Number // both valid or none
}

// A Section is a block of rows under a heading.
type Section struct {
	Head  string // empty for none
	Group string // best values are sought among all sections of one group
	Rows  [][]Cell
}

// A Grid is a table for a paper.
type Grid struct {
	Name     string // file name stem
	Title    string
	Paper    string // table of the paper
	Notes    []string
	Columns  []Column
	Sections []Section
}

// again reports whether print leaves the text of a cell out, as the row above has the same.
func (g *Grid) again(section, row, column int) bool {
	rows := g.Sections[section].Rows
	return g.Columns[column].Once && row > 0 && rows[row][column].Text == rows[row-1][column].Text
}

// rows counts the rows of all sections.
func (g *Grid) rows() int {
	n := 0
	for _, s := range g.Sections {
		n += len(s.Rows)
	}
	return n
}

// check refuses grids that no form could show as they are meant.
func (g *Grid) check() error {
	if len(g.Columns) == 0 || g.rows() == 0 {
		return fmt.Errorf("table %s has no rows", g.Name)
	}
	for _, s := range g.Sections {
		for i, r := range s.Rows {
			if len(r) != len(g.Columns) {
				return fmt.Errorf("table %s, section %q, row %d has %d cells for %d columns", g.Name, s.Head, i+1, len(r), len(g.Columns))
			}
			for k, c := range r {
				if err := c.check(g.Columns[k]); err != nil {
					return fmt.Errorf("table %s, section %q, row %d, column %s: %w", g.Name, s.Head, i+1, g.Columns[k].ID, err)
				}
			}
		}
	}
	return nil
}

func (c Cell) check(col Column) error {
	switch {
	case c.Low.Valid != c.High.Valid:
		return errors.New("half an interval")
	case c.Low.Valid && !c.Value.Valid:
		return errors.New("an interval without a value")
	case c.Low.Valid && c.Low.Value > c.High.Value:
		return fmt.Errorf("the interval runs from %v down to %v", c.Low.Value, c.High.Value)
	case c.Value.Valid && col.Decimals < 0:
		return errors.New("a number in a column of text")
	}
	return nil
}

// print is a number as it is printed in its column.
func (col Column) print(v float64) string {
	s := round(v, max(col.Decimals, 0))
	if strings.Trim(s, "-0.") == "" {
		s = strings.TrimPrefix(s, "-") // no negative zero
	} else if col.Signed && v > 0 {
		s = "+" + s
	}
	if col.Decimals == 0 {
		s = Thousands(s)
	}
	return s
}

// round writes a number with a number of digits after the point, halves away from zero as papers round: 90.285 is 90.29, although the
// nearest float64 lies below it. Nine digits are looked at.
func round(v float64, decimals int) string {
	const looked = 9
	r, ok := new(big.Rat).SetString(strconv.FormatFloat(v, 'f', looked, 64))
	if !ok || decimals >= looked {
		return strconv.FormatFloat(v, 'f', decimals, 64)
	}
	return r.FloatString(decimals) // which rounds halves away from zero
}

// Thousands sets digits in groups of three where there are four or more.
func Thousands(s string) string {
	digits := strings.TrimLeft(s, "+-")
	if len(digits) < 4 {
		return s
	}
	var b strings.Builder
	b.WriteString(s[:len(s)-len(digits)])
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String()
}

// settle decides how the intervals of each column are written, one way for the whole column: as a half width where in print all of them are
// symmetric but for rounding, else as ranges.
func (g *Grid) settle() {
	for i := range g.Columns {
		col := &g.Columns[i]
		unit := math.Pow10(-max(col.Decimals, 0))
		for _, s := range g.Sections {
			for _, r := range s.Rows {
				if c := r[i]; c.Low.Valid && math.Abs((c.Value.Value-c.Low.Value)-(c.High.Value-c.Value.Value)) > unit {
					col.Range = true
				}
			}
		}
	}
}

// interval is the interval of a cell as printed: a half width, the greater one where rounding makes two of it, or the ends of a range; empty
// without an interval.
func (col Column) interval(c Cell) (half string, low, high string) {
	switch {
	case !c.Low.Valid:
		return "", "", ""
	case col.Range:
		signed := Column{Decimals: col.Decimals, Signed: col.Signed}
		return "", signed.print(c.Low.Value), signed.print(c.High.Value)
	}
	return Column{Decimals: col.Decimals}.print(max(c.Value.Value-c.Low.Value, c.High.Value-c.Value.Value)), "", ""
}

// signs say once what bold type and the intervals of the table mean.
func (g *Grid) signs() (notes []string) {
	half, ranges, best, bold := false, false, false, g.bold()
	for k, s := range g.Sections {
		for n, r := range s.Rows {
			for i, col := range g.Columns {
				half = half || r[i].Low.Valid && !col.Range
				ranges = ranges || r[i].Low.Valid && col.Range
				best = best || bold(k, n, i)
			}
		}
	}
	if best {
		notes = append(notes, "Bold: the best of its column.")
	}
	switch {
	case half && ranges:
		return append(notes, "After ±: half of a 95% interval; in brackets, where an interval is not symmetric: its ends.")
	case half:
		return append(notes, "After ±: half of a 95% interval.")
	case ranges:
		return append(notes, "In brackets: the ends of a 95% interval.")
	}
	return notes
}

// bold reports which cells hold the best value of their column in their group. Values are compared as they are printed, so that two
// cells that read alike are both bold. A column whose group has one number only, or whose numbers all print alike, has no best.
func (g *Grid) bold() func(section, row, column int) bool {
	type key struct {
		group  string
		column int
	}
	best := map[key]float64{}
	prints := map[key]map[string]int{}
	each := func(f func(k key, col Column, v float64)) {
		for _, s := range g.Sections {
			for _, r := range s.Rows {
				for i, c := range r {
					if g.Columns[i].Best != Plain && c.Value.Valid {
						f(key{s.Group, i}, g.Columns[i], c.Value.Value)
					}
				}
			}
		}
	}
	each(func(k key, col Column, v float64) {
		if prints[k] == nil {
			prints[k], best[k] = map[string]int{}, v
		}
		prints[k][col.print(v)]++
		if (col.Best == Highest) == (v > best[k]) {
			best[k] = v
		}
	})
	return func(section, row, column int) bool {
		s, col := g.Sections[section], g.Columns[column]
		c, k := s.Rows[row][column], key{s.Group, column}
		return col.Best != Plain && c.Value.Valid && len(prints[k]) > 1 && col.print(c.Value.Value) == col.print(best[k])
	}
}
