package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/captionlake/captionlake/data"
)

// pivot is a grid with a row for each value of one column and a column for each value of another.
type pivot struct {
	head   layoutColumn // the column of the mart that names the rows
	across string       // the column of the mart that names the columns
	cell   layoutColumn // what the cells show, with decimals, best and interval
}

// grid fills the pivot: rows in the order of their first rows in the mart, columns in the order given by their names. Two rows of the mart
// for one cell are an error.
func (v pivot) grid(s *sheet, columns []string) (*Grid, error) {
	names, places, values := s.TextOrNone(v.head.from), s.TextOrNone(v.across), s.Numbers(v.cell.from)
	ends := s.Interval(v.cell.from)
	if s.Err != nil {
		return nil, s.Err
	}
	g := &Grid{Columns: []Column{v.head.Column}}
	ids := columnIDs(columns)
	for i, c := range columns {
		col := v.cell.Column
		col.ID, col.Head = ids[i], c
		g.Columns = append(g.Columns, col)
	}
	at := map[string]int{}
	var rows [][]Cell
	filled := map[[2]int]bool{}
	for i, n := range names {
		k := slices.Index(columns, places[i])
		if k < 0 {
			continue
		}
		r, ok := at[n]
		if !ok {
			r = len(rows)
			at[n] = r
			row := make([]Cell, len(columns)+1)
			row[0] = Cell{Text: n}
			for c := range columns {
				row[c+1] = Cell{Text: "–"}
			}
			rows = append(rows, row)
		}
		if filled[[2]int{r, k}] {
			return nil, fmt.Errorf("table %s has two rows for %s of %s", s.Table.Name(), places[i], n)
		}
		filled[[2]int{r, k}] = true
		if values[i].Valid {
			rows[r][k+1] = Cell{Value: values[i], Low: ends[0][i], High: ends[1][i]}
		}
	}
	g.Sections = []Section{{Rows: rows}}
	return g, nil
}

// distinct returns the values of a text column by an order of values, equals by their first rows.
func (s *sheet) distinct(column string, compare func(a, b string) int) []string {
	var out []string
	for _, v := range s.TextOrNone(column) {
		if !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	slices.SortStableFunc(out, compare)
	return out
}

// columnIDs makes names fit for the heads of CSV and for file names: in lower case with underscores, each different.
func columnIDs(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		id := cmp.Or(slug(n), "other")
		for k := 2; slices.Contains(out[:i], id); k++ {
			id = fmt.Sprintf("%s_%d", cmp.Or(slug(n), "other"), k)
		}
		out[i] = id
	}
	return out
}

// byDomain orders the rows by domain, sums over domains last, otherwise as they are.
func (s *sheet) byDomain() *sheet {
	names := s.TextOrNone("domain")
	return s.sorted(func(a, b int) int { return domainOrder(names[a], names[b]) })
}

func domainOrder(a, b string) int { return data.CaptionQA().CompareDomains(a, b) }

// overallFirst orders domains with the sum over them first.
func overallFirst(a, b string) int {
	return cmp.Or(first(data.IsDomainSum(a), data.IsDomainSum(b)), domainOrder(a, b))
}

// sorted orders the rows.
func (s *sheet) sorted(compare func(a, b int) int) *sheet {
	if s.Err != nil {
		return s
	}
	return sheetOf(s.Table.Sorted(compare), nil)
}

// join puts the sections of several grids of the same columns under headings, each a group of its own.
func join(heads []string, grids []*Grid) *Grid {
	out := &Grid{}
	for i, g := range grids {
		out.Columns = g.Columns
		for _, s := range g.Sections {
			out.Sections = append(out.Sections, Section{Head: heads[i], Group: heads[i], Rows: s.Rows})
		}
	}
	return out
}
