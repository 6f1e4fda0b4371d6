package report

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/plots"
)

// Options say what a report shows.
type Options struct {
	Protocol string                             // answers of this protocol; the published one where there are any when empty
	Reader   string                             // answers of this reader; chosen likewise when empty
	Choices  Choices                            // what is shown, and how
	Progress func(name string, done, total int) // called after each table and figure, one call at a time; nil for none
}

// A File is one file of the report, named with slashes from the report's folder. Make, where it is set, writes the content when it is
// asked for, so that what is large or many is never held at once.
type File struct {
	Name    string
	Content []byte
	Make    func(io.Writer) error
}

// Write writes the content.
func (f File) Write(w io.Writer) error {
	if f.Make != nil {
		return f.Make(w)
	}
	_, err := w.Write(f.Content)
	return err
}

// An Item is one table or figure of one kind of rows, or the reason why there is none.
type Item struct {
	Name       string   `json:"name"`
	Form       string   `json:"form"` // table or figure
	Title      string   `json:"title"`
	Benchmark  string   `json:"benchmark,omitempty"` // empty of what is about several
	Paper      string   `json:"paper"`
	Provenance string   `json:"provenance"`
	Reader     string   `json:"reader,omitempty"` // empty where readers are compared or none is involved
	Protocol   string   `json:"protocol,omitempty"`
	Bank       string   `json:"bank,omitempty"`
	Files      []string `json:"files,omitempty"`
	Rows       []Use    `json:"rows,omitempty"`
	Skipped    string   `json:"skipped,omitempty"` // why there are no files

	grid *Grid
}

// Grid is the table that the item is; nil of a figure, and of what was skipped.
func (i Item) Grid() *Grid { return i.grid }

// A Use says how many rows of a mart an item was made from.
type Use struct {
	Mart        string `json:"mart"`
	Rows        int    `json:"rows"` // rows of the item's provenance, reader and protocol; the item may show some of them only
	Fingerprint string `json:"fingerprint"`
}

// A Report is everything that was made.
type Report struct {
	Slices  []Slice `json:"slices"`
	Choices Choices `json:"choices,omitzero"`
	Marts   []Mart  `json:"marts"`
	Runs    []Run   `json:"runs"` // that wrote the base tables of the marts
	Items   []Item  `json:"items"`

	// Pages are the files of the site around the report, which Write was given.
	Pages []string `json:"pages,omitempty"`

	// Document is the name of the LaTeX document, in the list of a report's files.
	Document string `json:"document,omitempty"`

	files []File
}

// Files returns the files of the tables and figures, and the document of all tables.
func (r *Report) Files() []File { return r.files }

// Made counts the tables and figures that were made, and those that were skipped.
func (r *Report) Made() (made, skipped int) {
	for _, i := range r.Items {
		if i.Skipped == "" {
			made++
		} else {
			skipped++
		}
	}
	return made, skipped
}

// Kinds lists the kinds of rows that anything was made from.
func (r *Report) Kinds() []string {
	var out []string
	for _, i := range r.Items {
		if i.Skipped == "" && !slices.Contains(out, i.Provenance) {
			out = append(out, i.Provenance)
		}
	}
	return out
}

// mainTable is the mart that tells which readers and protocols there are, resultsTable that which domains and prompts.
const (
	mainTable    = "captionqa_main"
	resultsTable = "captionqa_results"
)

// builder gathers a report.
type builder struct {
	source   Source
	options  Options
	marts    map[string]Mart
	tables   plots.Tables
	papers   []paperTable
	figures  []plots.Figure
	report   Report
	pictures plots.Pictures
	names    map[string]string // of captioners
	words    rewording
}

// made is a table or a figure with its files, or why there is none.
type made struct {
	item  Item
	files []File
	err   error // what cannot be shown
}

// Build makes every table and figure of every kind of rows. What has no rows is skipped and the reason kept; rows that cannot be shown
// are faults, and all of them are reported at once.
func Build(ctx context.Context, source Source, o Options) (*Report, error) {
	b := &builder{source: source, options: o, marts: map[string]Mart{}, tables: plots.Tables{}}
	var pictures sync.Mutex // figures are drawn side by side, but a source need not know of it
	b.pictures = func(id string) (image.Image, error) {
		pictures.Lock()
		defer pictures.Unlock()
		return source.Picture(ctx, id)
	}
	if err := b.load(ctx); err != nil {
		return nil, err
	}
	if err := b.list(); err != nil {
		return nil, err
	}
	held, err := b.holding()
	if err != nil {
		return nil, err
	}
	if err := o.Choices.check(held); err != nil {
		return nil, err
	}
	typeface, err := o.Choices.typeface()
	if err != nil {
		return nil, err
	}
	if typeface != nil {
		defer typeface.Use()()
	}
	b.report.Choices, b.words = o.Choices, o.Choices.Names.rewording()
	for _, kind := range data.Provenances() {
		if !in(o.Choices.Provenance, kind) {
			continue
		}
		slice, err := chooseSlice(kind, b.tables.Only(kind), o)
		if err != nil {
			return nil, err
		}
		b.report.Slices = append(b.report.Slices, slice)
	}
	if err := b.make(ctx); err != nil {
		return nil, err
	}
	if err := b.report.nothing(); err != nil {
		return nil, err
	}
	b.report.files = append(b.report.files, File{Name: documentName, Content: b.report.document()})
	return &b.report, nil
}

// needed lists the marts of all tables and figures.
func needed() []string {
	all := []string{mainTable, resultsTable, bankTable}
	for _, t := range paperTables(nil, nil) {
		all = append(append(all, t.needs...), t.also...)
	}
	for _, f := range plots.Figures() {
		all = append(append(all, f.Needs...), f.Also...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func (b *builder) load(ctx context.Context) error {
	marts, err := b.source.Marts(ctx)
	if err != nil {
		return err
	}
	for _, m := range marts {
		b.marts[m.Name] = m
	}
	for _, name := range needed() {
		m, ok := b.marts[name]
		if !ok {
			continue
		}
		if b.tables[name], err = b.source.Table(ctx, name); err != nil {
			return fmt.Errorf("mart %s: %w", name, err)
		}
		m.Tables = BaseTables(name, b.marts)
		b.report.Marts = append(b.report.Marts, m)
	}
	if err := b.loadRuns(ctx); err != nil {
		return err
	}
	banks, err := bankKinds(b.tables)
	if err != nil {
		return err
	}
	for name, t := range b.tables {
		if t, err = kindOf(t, banks); err == nil {
			b.tables[name], err = b.options.Choices.Names.rename(t)
		}
		if err != nil {
			return err
		}
	}
	b.names, err = captionerNames(b.tables)
	return err
}

// list finds the domains and prompts of the lake, and with them the tables and figures to make.
func (b *builder) list() error {
	var found []string
	for _, name := range []string{resultsTable, bankTable} {
		if t := b.tables[name]; t != nil {
			domains, err := optional(t, "domain")
			if err != nil {
				return err
			}
			found = append(found, domains...)
		}
	}
	var conditions []condition
	if t := b.tables[resultsTable]; t != nil {
		domains, err := optional(t, "domain")
		prompts, err2 := optional(t, "prompt")
		evidence, err3 := optional(t, "evidence")
		if err := errors.Join(err, err2, err3); err != nil {
			return err
		}
		for i := range domains {
			c := condition{domains[i], prompts[i]}
			if evidence[i] == captionqa.EvidenceCaption && !slices.Contains(conditions, c) {
				conditions = append(conditions, c)
			}
		}
	}
	b.papers, b.figures = paperTables(found, conditions), plots.Figures(found...)
	return nil
}

// loadRuns keeps the runs that wrote base tables of the report's marts.
func (b *builder) loadRuns(ctx context.Context) error {
	runs, err := b.source.Runs(ctx)
	if err != nil {
		return err
	}
	for _, r := range runs {
		if slices.ContainsFunc(b.report.Marts, func(m Mart) bool {
			return slices.ContainsFunc(m.Tables, func(t string) bool { return slices.Contains(r.Tables, t) })
		}) {
			b.report.Runs = append(b.report.Runs, r)
		}
	}
	slices.SortFunc(b.report.Runs, func(x, y Run) int { return cmp.Or(x.Started.Compare(y.Started), strings.Compare(x.ID, y.ID)) })
	return nil
}

// promptPart is where a title names the caption prompt of the rows.
const promptPart = "{prompt}"

// make makes the tables and figures of all kinds of rows, several at a time, and keeps them in their order.
func (b *builder) make(ctx context.Context) error {
	var jobs []func() made
	for _, slice := range b.report.Slices {
		all := b.tables.Only(slice.Kind)
		one, err := slice.tables(all)
		if err != nil {
			return err
		}
		rows := map[bool]plots.Tables{true: all, false: one}
		for _, t := range b.papers {
			if b.options.Choices.shows(t.name) {
				jobs = append(jobs, func() made { return b.table(t, slice, rows[t.all]) })
			}
		}
		for _, f := range b.figures {
			if b.options.Choices.shows(f.Name) {
				jobs = append(jobs, func() made { return b.figure(f, slice, rows[f.All]) })
			}
		}
	}
	done := make([]made, len(jobs))
	var progress sync.Mutex
	finished := 0
	workers, ctx := errgroup.WithContext(ctx)
	workers.SetLimit(runtime.GOMAXPROCS(0))
	for i, job := range jobs {
		workers.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			done[i] = job()
			if b.options.Progress != nil {
				progress.Lock()
				defer progress.Unlock()
				finished++
				b.options.Progress(done[i].item.Name, finished, len(jobs))
			}
			return nil
		})
	}
	if err := workers.Wait(); err != nil {
		return err
	}
	var faults []error
	for _, m := range done {
		if m.err != nil {
			faults = append(faults, fmt.Errorf("%s %s, %s rows: %w", m.item.Form, m.item.Name, m.item.Provenance, m.err))
		}
		for _, f := range m.files {
			m.item.Files = append(m.item.Files, f.Name)
		}
		b.report.Items = append(b.report.Items, m.item)
		b.report.files = append(b.report.files, m.files...)
	}
	return errors.Join(faults...)
}

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
func (i Item) shown() string {
	var parts []string
	if i.Reader != "" {
		parts = append(parts, "Reader "+i.Reader+", protocol "+i.Protocol+".")
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
		return errors.New("the choices leave nothing to show of what the lake has")
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
		if t := rows[name]; t != nil {
			item.Rows = append(item.Rows, Use{name, t.Len(), b.marts[name].Fingerprint})
		}
	}
	return made{item: item, files: files}
}

// reason words why something was not made.
func (b *builder) reason(marts []string, kind string, before, rows plots.Tables, err error) string {
	for _, name := range marts {
		switch {
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
	marts := slices.Concat(t.needs, t.also)
	s, rows, note, err := b.chosen(t.name, marts, all)
	item := b.item(t.name, "table", strings.ReplaceAll(t.title, promptPart, captionqa.PromptSimple), t.paper, slice, t.all, rows, t.needs)
	item.Benchmark = t.benchmark
	var files []File
	if err == nil {
		files, err = b.forms(t, s, &item, rows, note)
	}
	return b.finished(item, marts, all, rows, files, err)
}

// forms builds the table in its forms.
func (b *builder) forms(t paperTable, s Selection, item *Item, rows plots.Tables, note string) ([]File, error) {
	for _, n := range t.needs {
		if _, err := rows.Get(n); err != nil {
			return nil, err
		}
	}
	g, err := t.build(rows)
	if err != nil {
		return nil, err
	}
	if g.prompt != "" {
		item.Title = strings.ReplaceAll(t.title, promptPart, g.prompt)
	}
	g.Name, g.Title, g.Paper = t.name, item.Title, t.paper
	if err := g.check(); err != nil {
		return nil, err
	}
	g.settle()
	for _, n := range []string{g.intervalNote(), item.shown(), note} {
		if n != "" {
			g.note(n)
		}
	}
	var order []string
	for _, id := range s.order(b.names) {
		order = append(order, b.names[id])
	}
	g.arrange(order)
	g.reword(b.words)
	item.Title = g.Title
	item.grid = g
	stem := "tables/" + t.name + "_" + item.Provenance
	var files []File
	add := func(format string, content string) {
		if in(b.options.Choices.Formats, format) {
			files = append(files, File{Name: stem + "." + format, Content: []byte(content)})
		}
	}
	add("md", g.Markdown(item.Provenance))
	add("tex", g.LaTeX(item.Provenance, b.options.Choices.Longtable))
	csv, err := g.CSV(item.Provenance)
	add("csv", csv)
	return files, err
}

func (b *builder) figure(f plots.Figure, slice Slice, all plots.Tables) made {
	marts := slices.Concat(f.Needs, f.Also)
	s, rows, note, err := b.chosen(f.Name, marts, all)
	item := b.item(f.Name, "figure", b.words.sentence(f.Title), f.Paper, slice, f.All, rows, f.Needs)
	item.Benchmark = f.Benchmark
	var files []File
	if err == nil {
		files, err = b.drawn(f, s, item, rows, note)
	}
	return b.finished(item, marts, all, rows, files, err)
}

// drawn draws the figure in its formats.
func (b *builder) drawn(f plots.Figure, s Selection, item Item, rows plots.Tables, note string) ([]File, error) {
	width, err := s.width()
	if err != nil {
		return nil, err
	}
	d, err := f.Draw(rows, plots.Page{
		Width: width, Bare: s.Title != nil && !*s.Title, Pictures: b.pictures,
		Order: s.order(b.names), Domains: b.options.Choices.Names.Domains, Prompts: b.options.Choices.Names.Prompts,
	})
	if err != nil {
		return nil, err
	}
	d.Title, d.Subtitle = b.words.sentence(d.Title), b.words.sentence(d.Subtitle)
	for i := range d.Keys {
		d.Keys[i].Name = b.words.sentence(b.words.word(d.Keys[i].Name))
	}
	for _, n := range []string{item.shown(), note} {
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
