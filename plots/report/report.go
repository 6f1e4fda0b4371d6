package report

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/captionlake/captionlake/data"
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

	// Written are the names of all files in the folder, in the list of a report's files.
	Written []string `json:"written,omitempty"`

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
	source  Source
	options Options
	marts   map[string]Mart
	tables  plots.Tables
	papers  []paperTable
	figures []plots.Figure
	report  Report
	names   map[string]string // of captioners
	renamed *strings.Replacer // chosen names for those that the lake has, in sentences
	page    plots.Page        // what all figures are drawn on
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
	var one sync.Mutex // figures are drawn side by side, but a source need not know of it
	b.page.Pictures = func(id string) (image.Image, error) {
		one.Lock()
		defer one.Unlock()
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
	if o.Choices.Font != "" {
		defer plots.UseTypeface(o.Choices.Font)()
	}
	b.report.Choices, b.page.Names = o.Choices, o.Choices.Names
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
	for _, f := range tableFiles() {
		all = append(all, f.Reads...)
	}
	for _, f := range plots.Figures() {
		all = append(all, f.Needs...)
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
	files := tableFiles()
	for _, f := range plots.Figures() {
		files = append(files[:len(files):len(files)], f.File)
	}
	for _, f := range files {
		if slices.ContainsFunc(f.Reads, func(mart string) bool { return b.tables[mart] == nil }) {
			continue
		}
		if b.tables[f.Rows()], err = b.source.Rows(ctx, f); err != nil {
			return fmt.Errorf("%s: %w", f.Path, err)
		}
	}
	if err := b.loadRuns(ctx); err != nil {
		return err
	}
	banks, err := bankKinds(b.tables)
	if err != nil {
		return err
	}
	for name, t := range b.tables {
		if b.tables[name], err = kindOf(t, banks); err != nil {
			return err
		}
	}
	if b.renamed, err = renamed(b.tables, b.options.Choices.Names); err != nil {
		return err
	}
	for name, t := range b.tables {
		if b.tables[name], err = rename(t, b.options.Choices.Names); err != nil {
			return err
		}
	}
	b.names, err = captionerNames(b.tables)
	return err
}

// list finds the domains and prompts of the lake, and with them the tables and figures to make.
func (b *builder) list() error {
	var found []string
	for _, name := range []string{resultsTable, bankTable, "taxonomy_nodes"} {
		if t := b.tables[name]; t != nil {
			from := plots.Read(t)
			if found = append(found, from.TextIf("domain")...); from.Err != nil {
				return from.Err
			}
		}
	}
	b.figures = plots.Figures(found...)
	var err error
	b.papers, err = paperTables(tableFiles(), b.tables)
	return err
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
				jobs = append(jobs, func() made { return b.table(t, slice, rows[t.All]) })
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
