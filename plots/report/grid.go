package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/rows"
	"github.com/captionlake/captionlake/data/spelling"
	"github.com/captionlake/captionlake/sql"
)

// A Cell is a text, or a number with an optional interval. A cell without a text and without a
// number is empty.
type Cell struct {
	Text      string // a number has its text once the grid is printed
	Value     rows.Number
	Low, High rows.Number // both are valid, or both are missing
	Mark      string      // behind a number
	Of        string      // id of the captioner, if the text is the name of one

	// Once the grid is printed:
	Interval     string      // with the mark
	Bold, Second bool        // the best, the second best
	Again        bool        // if the header has once: the row above has this text, which Markdown and LaTeX leave out
	Number       bool        // in a column of numbers
	Beside       rows.Number // the number in the column that the header names as beside
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
	Kind     string // of the rows; empty for rows of no kind
	Notes    []string
	Columns  []sql.Column // their names, in lower case with underscores, are the heads of CSV
	Sections []Section

	look Selection // the author's choices for LaTeX, best values and names in bold
}

// choose makes the author's choices: it sorts the rows of each section, leaves only the chosen
// columns, in the chosen order, and sets their digits and whether their best is marked.
func (g *Grid) choose(s Selection) error {
	g.look = s
	find := func(name string) (int, error) {
		var known []string
		for i, c := range g.Columns {
			if strings.EqualFold(name, c.Head) || name == c.Name {
				return i, nil
			}
			known = append(known, c.Head)
		}
		return 0, data.Errorf(spelling.Meant("its columns are: "+strings.Join(known, ", "), known, name),
			"there is no column %q", name)
	}
	if s.Order != "" {
		by, err := find(s.Order)
		if err != nil {
			return err
		}
		// The best is first: the greatest number, unless the header says that the lowest is the best.
		// Rows without a number come last.
		sign := map[bool]float64{true: 1, false: -1}[g.Columns[by].Best == "lowest"]
		for _, section := range g.Sections {
			slices.SortStableFunc(section.Rows, func(a, b []Cell) int {
				return cmp.Or(first(a[by].Value.Valid, b[by].Value.Valid),
					cmp.Compare(sign*a[by].Value.Value, sign*b[by].Value.Value), strings.Compare(a[by].Text,
						b[by].Text))
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
		c := &g.Columns[i]
		// Columns of counts have no digits after the point, and get none.
		if s.Decimals != nil && c.Decimals != nil && *c.Decimals > 0 {
			c.Decimals = s.Decimals
		}
		if s.Best == "none" {
			c.Best = ""
		}
	}
	return nil
}

// picked are the values at some places, in the order of the places.
func picked[T any](all []T, at []int) (out []T) {
	for _, i := range at {
		out = append(out, all[i])
	}
	return out
}

// inPrint is a number as it is printed in its column. Halves are rounded away from zero, as papers
// round: 90.285 is 90.29, although the nearest float64 lies below it.
func inPrint(col sql.Column, v float64) string {
	// The sum lifts a float64 that is just below a half, and changes no other digit.
	v += math.Copysign(5e-10, v)
	s := strconv.FormatFloat(v, 'f', *col.Decimals, 64)
	if *col.Decimals == 0 {
		s = humanize.Comma(int64(math.Round(v)))
	}
	switch {
	case strings.Trim(s, "-0.") == "":
		return strings.TrimPrefix(s, "-") // no negative zero
	case col.Signed && v > 0:
		return "+" + s
	}
	return s
}

// print writes the numbers, and marks best values and highlighted captioners. print returns notes
// that say what bold type and the intervals mean. The intervals of a column are all written in one
// way: by their ends if any interval is not symmetric in print, else by half of the width. If the
// two halves of an interval differ by rounding, the greater half is written.
func (g *Grid) print() (notes []string) {
	half, ranges, bold, second := false, false, false, false
	for i := range g.Columns {
		col := &g.Columns[i]
		for _, s := range g.Sections {
			for _, r := range s.Rows {
				// Only cells of columns of numbers, which have Decimals, have an interval.
				c := r[i]
				below, above := c.Value.Value-c.Low.Value, c.High.Value-c.Value.Value
				if c.Low.Valid && math.Abs(below-above) > math.Pow10(-*col.Decimals) {
					col.Ends = true
				}
			}
		}
		best := g.best(i)
		beside := slices.IndexFunc(g.Columns, func(other sql.Column) bool { return other.Name == col.Beside })
		end := *col
		end.Signed = col.Signed && col.Ends // The half of a width, after ±, has no plus sign.
		for _, s := range g.Sections {
			for k, r := range s.Rows {
				c := &r[i]
				c.Again = col.Once && k > 0 && c.Text == s.Rows[k-1][i].Text
				c.Number, c.Bold = col.Decimals != nil, c.Of != "" && slices.Contains(g.look.Highlight, c.Of)
				if !c.Value.Valid { // The note on bold type is about numbers, not about highlighted names.
					continue
				}
				c.Text = inPrint(*col, c.Value.Value)
				if prints := best[s.Group]; len(prints) > 1 {
					c.Bold, c.Second = c.Text == prints[0], g.look.Best == "second" && c.Text == prints[1]
				}
				bold, second = bold || c.Bold, second || c.Second
				if beside >= 0 {
					c.Beside = r[beside].Value
				}
				switch {
				case col.Ends && c.Low.Valid:
					ranges = true
					c.Interval = fmt.Sprintf("[%s, %s]", inPrint(end, c.Low.Value), inPrint(end, c.High.Value))
				case c.Low.Valid:
					half = true
					c.Interval = "± " + inPrint(end, max(c.Value.Value-c.Low.Value, c.High.Value-c.Value.Value))
				}
				c.Interval = strings.TrimSpace(c.Mark + " " + c.Interval)
			}
		}
	}
	if bold {
		notes = append(notes, "Bold: the best of its column.")
	}
	if second {
		notes = append(notes, "Underlined: the second best.")
	}
	switch {
	case half && ranges:
		notes = append(notes,
			"After ±: half of a 95% interval; in brackets, where an interval is not symmetric: its ends.")
	case half:
		notes = append(notes, "After ±: half of a 95% interval.")
	case ranges:
		notes = append(notes, "In brackets: the ends of a 95% interval.")
	}
	return notes
}

// best returns the values of a column in each group as they are printed, the best first, so that
// two cells that read alike share a place. In a group in which all cells read alike, print marks no
// best.
func (g *Grid) best(column int) map[string][]string {
	col, values, prints := g.Columns[column], map[string][]float64{}, map[string][]string{}
	for _, s := range g.Sections {
		for _, r := range s.Rows {
			if c := r[column]; col.Best != "" && c.Value.Valid {
				values[s.Group] = append(values[s.Group], c.Value.Value)
			}
		}
	}
	for group, all := range values {
		slices.Sort(all)
		if col.Best == "highest" {
			slices.Reverse(all)
		}
		for _, v := range all {
			prints[group] = append(prints[group], inPrint(col, v))
		}
		prints[group] = slices.Compact(prints[group])
	}
	return prints
}
