package report

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/plots"
)

// item starts an item. Reader, protocol and bank are named where one of several is shown.
func (b *builder) item(name, form, title, paper string, s Slice, all bool, rows plots.Tables, needs []string) Item {
	i := Item{Name: name, Form: form, Title: title, Paper: paper, Provenance: s.Kind}
	for _, n := range needs {
		if t := rows[n]; t != nil && !all {
			if t.Has("reader") {
				i.Reader, i.Protocol = s.Reader, s.Protocol
			}
			if t.Has("bank") {
				i.Bank = s.Bank
			}
		}
	}
	return i
}

// shown words which of several readers, protocols and banks an item shows.
func (i Item) shown(names plots.Names) string {
	var parts []string
	if i.Reader != "" {
		parts = append(parts, "Reader "+names.Model(i.Reader)+", protocol "+i.Protocol+".")
	}
	if i.Bank != "" {
		parts = append(parts, "Question bank "+i.Bank+".")
	}
	return strings.Join(parts, " ")
}

// nothing returns an error if no table or figure was made, or none of one that was asked for by its name.
func (r *Report) nothing() error {
	made, reasons := map[string]bool{}, map[string][]string{}
	for _, i := range r.Items {
		made[i.Name] = made[i.Name] || len(i.Files) > 0
		if i.Skipped != "" {
			reasons[i.Name] = append(reasons[i.Name], i.Provenance+": "+i.Skipped)
		}
	}
	var faults []error
	for _, name := range r.Choices.Only {
		if of, asked := reasons[name]; asked && !made[name] {
			faults = append(faults, fmt.Errorf("%s: there is nothing to show (%s)", name, strings.Join(of, "; ")))
		}
	}
	if len(faults) > 0 || slices.Contains(slices.Collect(maps.Values(made)), true) {
		return errors.Join(faults...)
	}
	if !r.Choices.Whole() {
		return errors.New("the choices leave nothing to show")
	}
	return errors.New("the lake's marts hold no rows for any table or figure; ingest or simulate answers, then run analyze")
}

// finished is an item with its files and the rows that it was made from, or with the reason why it was not made.
func (b *builder) finished(item Item, marts []string, before, rows plots.Tables, files []File, err error) made {
	if errors.Is(err, plots.ErrNoRows) {
		item.Skipped = b.reason(marts, item.Provenance, before, rows, err)
		return made{item: item}
	}
	if err != nil {
		return made{item: item, err: err}
	}
	for _, name := range marts {
		if t := rows[name]; t != nil && b.marts[name].Name != "" {
			item.Rows = append(item.Rows, Use{name, t.Len(), b.marts[name].Fingerprint})
		}
	}
	return made{item: item, files: files}
}

// reason words why something was not made.
func (b *builder) reason(marts []string, kind string, before, rows plots.Tables, err error) string {
	for _, name := range marts {
		switch {
		case strings.Contains(name, "/"): // the rows of a SELECT, whose marts have been looked at
			return fmt.Sprintf("its SELECT gives no %s rows", kind)
		case b.tables[name] == nil:
			return fmt.Sprintf("mart %s is not built", name)
		case before[name] == nil:
			return fmt.Sprintf("mart %s has no %s rows", name, kind)
		case rows[name] == nil:
			return fmt.Sprintf("the choices leave no %s rows of mart %s", kind, name)
		}
	}
	return err.Error()
}

// chosen returns what is chosen for a table or figure: the selection, the rows that it leaves, and what to say about it.
func (b *builder) chosen(name string, marts []string, all plots.Tables) (s Selection, rows plots.Tables, note string, err error) {
	s, before := b.options.Choices.of(name), plots.Tables{}
	for _, m := range marts {
		if t := all[m]; t != nil {
			before[m] = t
		}
	}
	if rows, err = s.rows(before); err == nil {
		note, err = s.note(marts, before)
	}
	return s, rows, note, err
}

func (b *builder) table(t paperTable, slice Slice, all plots.Tables) made {
	marts := append(slices.Clone(t.Reads), t.Rows())
	s, rows, note, err := b.chosen(t.name, marts, all)
	item := b.item(t.name, "table", t.title(), t.Paper, slice, t.All, rows, marts)
	item.Benchmark = t.benchmark
	var files []File
	if err == nil {
		files, err = b.forms(t, s, &item, rows, note)
	}
	return b.finished(item, marts, all, rows, files, err)
}

// forms lays the table out and writes its forms.
func (b *builder) forms(t paperTable, s Selection, item *Item, rows plots.Tables, note string) ([]File, error) {
	from := rows.Read(t.Rows())
	if t.of != "" {
		from = from.Where(t.Each, t.of)
	}
	if from.Err != nil {
		return nil, from.Err
	}
	g, err := Layout(t.File, from.Table)
	if err != nil {
		return nil, err
	}
	g.Name = t.name
	if err := g.check(); err != nil {
		return nil, err
	}
	g.settle()
	g.reword(b.page.Names, b.renamed)
	for _, n := range []string{g.intervalNote(), item.shown(b.page.Names), note} {
		if n != "" {
			g.Notes = append(g.Notes, n)
		}
	}
	g.arrange(s.Captioners, b.names)
	item.Title, item.Paper, item.grid = g.Title, g.Paper, g
	stem := "tables/" + t.name + "_" + item.Provenance
	var files []File
	add := func(format string, content string) {
		if in(b.options.Choices.Formats, format) {
			files = append(files, File{Name: stem + "." + format, Content: []byte(content)})
		}
	}
	add("md", g.Markdown(item.Provenance))
	add("tex", g.LaTeX(item.Provenance))
	csv, err := g.CSV(item.Provenance)
	add("csv", csv)
	return files, err
}

func (b *builder) figure(f plots.Figure, slice Slice, all plots.Tables) made {
	marts := append(slices.Clone(f.Needs), f.File.Rows())
	s, rows, note, err := b.chosen(f.Name, marts, all)
	item := b.item(f.Name, "figure", f.Title, f.Paper, slice, f.All, rows, f.Needs)
	item.Benchmark = f.Benchmark
	var files []File
	if err == nil {
		files, err = b.drawn(f, s, item, rows, note)
	}
	return b.finished(item, marts, all, rows, files, err)
}

// drawn draws the figure in its formats.
func (b *builder) drawn(f plots.Figure, s Selection, item Item, rows plots.Tables, note string) ([]File, error) {
	width, err := s.PageWidth()
	if err != nil {
		return nil, err
	}
	page := b.page
	page.Width, page.Bare, page.Order = width, s.Title != nil && !*s.Title, s.Captioners
	d, err := f.Draw(rows, page)
	if err != nil {
		return nil, err
	}
	for _, n := range []string{item.shown(b.page.Names), note} {
		if n != "" {
			d.Source = strings.TrimSuffix(d.Source, ".") + ". " + n
		}
	}
	stem := "figures/" + f.Name + "_" + item.Provenance
	var files []File
	for _, format := range plots.Formats {
		if in(b.options.Choices.Formats, format) {
			content, err := d.Encode(format)
			if err != nil {
				return nil, err
			}
			files = append(files, File{Name: stem + "." + format, Content: content})
		}
	}
	if in(b.options.Choices.Formats, "tex") && in(b.options.Choices.Formats, "pdf") {
		files = append(files, File{Name: stem + ".tex", Content: []byte(texFigure(d, f.Name, stem+".pdf", item.Provenance, width > 0))})
	}
	return files, nil
}
