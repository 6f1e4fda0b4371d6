package report

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/rows"
	"github.com/captionlake/captionlake/data/spelling"
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

	Page   string // the use that a page makes of it: main, first, facet or extra
	Beside string // a page draws the values of this column beside it
}

// A Cell is a text, or a number with an optional interval. A cell with neither is empty.
type Cell struct {
	Text      string
	Value     rows.Number
	Low, High rows.Number // both are valid, or both are missing
	Mark      string      // behind a number
	Of        string      // the captioner that has this name
}

// A Section is a block of rows under a heading.
type Section struct {
	Head  string // empty without a heading
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

	look Selection // how LaTeX and best values look
}

// choose leaves the chosen columns in their order, and sorts and marks rows as chosen.
func (g *Grid) choose(s Selection) error {
	g.look = s
	find := func(name string) (int, error) {
		var known []string
		for i, c := range g.Columns {
			if strings.EqualFold(name, c.Head) || name == c.ID {
				return i, nil
			}
			known = append(known, c.Head)
		}
		return 0, data.WithHint(fmt.Errorf("there is no column %q", name), "%s", spelling.Meant("its columns are: "+strings.Join(known, ", "), known, name))
	}
	if s.Order != "" {
		by, err := find(s.Order)
		if err != nil {
			return err
		}
		sign := map[bool]float64{true: 1, false: -1}[g.Columns[by].Best == Lowest]
		for _, section := range g.Sections {
			slices.SortStableFunc(section.Rows, func(a, b []Cell) int {
				return cmp.Or(first(a[by].Value.Valid, b[by].Value.Valid), cmp.Compare(sign*a[by].Value.Value, sign*b[by].Value.Value), strings.Compare(a[by].Text, b[by].Text))
			})
		}
	}
	var at []int
	for _, name := range s.Columns {
		i, err := find(name)
		if err != nil {
			return err
		}
		at = append(at, i)
	}
	if at != nil {
		g.Columns = picked(g.Columns, at)
		for _, section := range g.Sections {
			for i, r := range section.Rows {
				section.Rows[i] = picked(r, at)
			}
		}
	}
	for i := range g.Columns {
		if c := &g.Columns[i]; s.Decimals != nil && c.Decimals > 0 {
			c.Decimals = *s.Decimals
		}
		if s.Best == "none" {
			g.Columns[i].Best = Plain
		}
	}
	return nil
}

// strong reports whether a cell is the name of a captioner that is highlighted.
func (g *Grid) strong(c Cell) bool { return c.Of != "" && slices.Contains(g.look.Highlight, c.Of) }

func picked[T any](all []T, at []int) (out []T) {
	for _, i := range at {
		out = append(out, all[i])
	}
	return out
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

// signs explains once the meaning of bold type and of the intervals of the table.
func (g *Grid) signs() (notes []string) {
	half, ranges, best, second, place := false, false, false, false, g.places()
	for k, s := range g.Sections {
		for n, r := range s.Rows {
			for i, col := range g.Columns {
				half = half || r[i].Low.Valid && !col.Range
				ranges = ranges || r[i].Low.Valid && col.Range
				best, second = best || place(k, n, i) == 1, second || place(k, n, i) == 2
			}
		}
	}
	if best {
		notes = append(notes, "Bold: the best of its column.")
	}
	if second {
		notes = append(notes, "Underlined: the second best.")
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

// places tells which cells hold the best value of their column in their group, 1. It also tells
// which cells hold the second best value, 2, where second bests are shown. Values are compared as
// they are printed, so that two cells that read alike share a place. A column has no best in a
// group with one number only. It also has no best in a group where all numbers print alike.
func (g *Grid) places() func(section, row, column int) int {
	type key struct {
		group  string
		column int
	}
	values := map[key][]float64{}
	for _, s := range g.Sections {
		for _, r := range s.Rows {
			for i, c := range r {
				if g.Columns[i].Best != Plain && c.Value.Valid {
					values[key{s.Group, i}] = append(values[key{s.Group, i}], c.Value.Value)
				}
			}
		}
	}
	prints := map[key][]string{} // the best first, each once
	for k, all := range values {
		slices.Sort(all)
		if g.Columns[k.column].Best == Highest {
			slices.Reverse(all)
		}
		for _, v := range all {
			prints[k] = append(prints[k], g.Columns[k.column].print(v))
		}
		prints[k] = slices.Compact(prints[k])
	}
	return func(section, row, column int) int {
		s := g.Sections[section]
		c, of := s.Rows[row][column], prints[key{s.Group, column}]
		switch {
		case !c.Value.Valid || len(of) < 2:
			return 0
		case g.Columns[column].print(c.Value.Value) == of[0]:
			return 1
		case g.look.Best == "second" && g.Columns[column].print(c.Value.Value) == of[1]:
			return 2
		}
		return 0
	}
}
