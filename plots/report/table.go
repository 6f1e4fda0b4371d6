package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/captionlake/captionlake/data/rows"
	"github.com/captionlake/captionlake/plots/ggsql"
	"github.com/captionlake/captionlake/sql"
)

// Layout lays the rows of a file's SELECT out as its header says. Rows with a text in a column
// section stand under this text. A text in a column note is added to the notes. If the header names
// a column as one, Layout takes only the rows with the value that the first row has there.
func Layout(f *ggsql.File, t *rows.Rows) (*Grid, error) {
	from := t.Read().One(f.One)
	if from.Err != nil {
		return nil, from.Err
	}
	if from.Len() == 0 {
		return nil, fmt.Errorf("%w: the SELECT of %s gives none", rows.ErrNone, f.Name)
	}
	plot, err := f.Plot()
	if err != nil {
		return nil, err
	}
	columns, section, title, subtitle := f.Columns, "section", cmp.Or(f.Shows, f.Name), ""
	switch {
	case plot != nil:
		title, subtitle = cmp.Or(plot.Labels["title"], title), plot.Labels["subtitle"]
		if section = cmp.Or(plot.Facet.Column, section); len(columns) == 0 {
			columns, from = drawn(plot, from)
		}
	case len(columns) == 0:
		for _, name := range from.Columns() {
			columns = append(columns, plain(from, name))
		}
	}
	// inFirstRow returns the text of a column in the first row. If the row has no text there, it
	// returns the text otherwise.
	inFirstRow := func(column, otherwise string) string { return cmp.Or(from.TextIf(column)[0], otherwise) }
	g := &Grid{Name: f.Name, Title: inFirstRow("title", title), Paper: inFirstRow("paper", f.Paper)}
	for _, note := range append([]string{inFirstRow("subtitle", subtitle), f.About}, from.TextIf("note")...) {
		if note != "" && !slices.Contains(g.Notes, note) {
			g.Notes = append(g.Notes, note)
		}
	}
	l := layout{from: from, Grid: g, sections: from.TextIf(section), among: from.TextIf("best_among"),
		cells: make([][]Cell, from.Len())}
	l.keys = slices.Clone(l.sections) // A key begins with the section, and add appends texts to it.
	for _, c := range columns {
		if err := l.add(c); err != nil {
			return nil, err
		}
	}
	if from.Err != nil {
		return nil, from.Err
	}
	if len(g.Columns) == 0 {
		return nil, fmt.Errorf("table %s has no columns", f.Name)
	}
	return g, l.group()
}

// plain is the layout of a column that the header of the file does not describe. Its numbers have
// as many digits after the point as they need, two at most.
func plain(t *rows.Rows, name string) sql.Column {
	c, decimals := sql.Column{Name: name}, 0
	for _, v := range t.Read().Values(name) {
		switch v := v.(type) {
		case nil:
		case float64:
			_, digits, _ := strings.Cut(strconv.FormatFloat(v, 'f', -1, 64), ".")
			decimals = max(decimals, min(len(digits), 2))
			c.Decimals = &decimals
		default:
			return sql.Column{Name: name}
		}
	}
	return c
}

// inWords is the name of a column in words.
func inWords(column string) string {
	words := strings.ReplaceAll(column, "_", " ")
	return strings.ToUpper(words[:1]) + words[1:]
}

// layout is a grid that is filled column by column. A column stands across if its numbers are
// spread over several columns of the grid, one for each value of another column. If a column stands
// across, rows of the SELECT with one key are one row of the grid.
type layout struct {
	from *rows.Rows // of the SELECT; the lists below have a value for each of these rows
	*Grid
	sections []string // headings
	among    []string // names of the groups in which best values are sought; empty for the section alone
	keys     []string // the section and all texts
	across   bool     // a column stands across
	cells    [][]Cell // empty where a row says nothing of a column
}

// add adds a column of the header: one of the grid, or one for each value of the column that it
// stands across. Numbers that are all NULL have no column, unless the header has a word for them.
func (l *layout) add(c sql.Column) error {
	c.Head = cmp.Or(c.Head, inWords(c.Name))
	if captioners := l.from.TextIf("captioner"); c.Decimals == nil {
		for i, text := range l.from.TextOrNone(c.Name) {
			shown := Cell{Text: text}
			if c.Name == "captioner_name" {
				shown.Of = captioners[i]
			}
			l.cells[i] = append(l.cells[i], shown)
			l.keys[i] += "\x00" + text
		}
		l.Columns = append(l.Columns, c)
		return l.from.Err
	}
	values, ends, marks := l.from.Numbers(c.Name), l.from.Interval(c.Name), l.from.TextIf(c.Name+"_mark")
	if l.from.Err != nil || c.Empty == "" && !slices.ContainsFunc(values, func(n rows.Number) bool { return n.Valid }) {
		return l.from.Err
	}
	cell := func(i int) (Cell, error) {
		if ends[0][i].Valid != ends[1][i].Valid {
			return Cell{}, fmt.Errorf("table %s: row %d of %s has half an interval", l.from.Name, i+1, c.Name)
		}
		if !values[i].Valid {
			return Cell{Text: c.Empty}, nil
		}
		if ends[0][i].Value > ends[1][i].Value {
			return Cell{}, fmt.Errorf("table %s: row %d of %s has an interval from %v down to %v", l.from.Name, i+1,
				c.Name, ends[0][i].Value, ends[1][i].Value)
		}
		return Cell{Value: values[i], Low: ends[0][i], High: ends[1][i], Mark: marks[i]}, nil
	}
	heads, headOf := []string{""}, make([]string, l.from.Len()) // one column, which all rows are of
	if c.Across != "" {
		l.across = true
		headOf = l.from.TextOrNone(c.Across)
		heads = l.inPlace(headOf)
	}
	ids := columnIDs(heads)
	for k, head := range heads {
		one := c
		if c.Across != "" {
			one.Name, one.Head = ids[k], head
		}
		l.Columns = append(l.Columns, one)
		for i := range values {
			shown := Cell{}
			if headOf[i] == head {
				var err error
				if shown, err = cell(i); err != nil {
					return err
				}
			}
			l.cells[i] = append(l.cells[i], shown)
		}
	}
	return l.from.Err
}

// inPlace are the values of a column, each once. They are sorted by the number across_place of
// their first row, and equal numbers by name.
func (l *layout) inPlace(values []string) (sorted []string) {
	places, placeOf := l.from.NumbersIf("across_place"), map[string]float64{}
	for i, v := range values {
		if !slices.Contains(sorted, v) {
			sorted = append(sorted, v)
			placeOf[v] = places[i].Value
		}
	}
	slices.SortFunc(sorted, func(a, b string) int {
		return cmp.Or(cmp.Compare(placeOf[a], placeOf[b]), strings.Compare(a, b))
	})
	return sorted
}

// group puts the rows into their sections, both in the order of their first rows. Where a column
// stands across, rows of one key become one.
func (l *layout) group() error {
	rowOf := map[string]int{} // in its section, by key
	for i, cells := range l.cells {
		head := l.sections[i]
		k := slices.IndexFunc(l.Sections, func(s Section) bool { return s.Head == head })
		if k < 0 {
			k = len(l.Sections)
			l.Sections = append(l.Sections, Section{Head: head, Group: cmp.Or(l.among[i], head)})
		}
		section := &l.Sections[k]
		r, isThere := rowOf[l.keys[i]]
		if !isThere || !l.across {
			rowOf[l.keys[i]] = len(section.Rows)
			section.Rows = append(section.Rows, cells)
			continue
		}
		row := section.Rows[r]
		for n, cell := range cells {
			switch {
			case row[n] == Cell{}:
				row[n] = cell
			case cell.Value.Valid && cell != row[n]:
				return fmt.Errorf("table %s has two values of %s for %s", l.from.Name, l.Columns[n].Head, row[0].Text)
			}
		}
	}
	for _, s := range l.Sections {
		for _, r := range s.Rows {
			for n := range r {
				if (r[n] == Cell{}) && l.Columns[n].Decimals != nil {
					r[n].Text = "–"
				}
			}
		}
	}
	return nil
}

// slug makes a name fit for a file name.
func slug(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(s),
		func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }), "_")
}

// columnIDs makes names fit for the heads of CSV and for file names: in lower case with
// underscores, each different.
func columnIDs(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		id := cmp.Or(slug(n), "other") // slug is empty for a name without Latin letters and digits.
		for k := 2; slices.Contains(out[:i], id); k++ {
			id = fmt.Sprintf("%s_%d", cmp.Or(slug(n), "other"), k)
		}
		out[i] = id
	}
	return out
}
