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

	"github.com/dustin/go-humanize"
	"golang.org/x/sync/errgroup"
	"gonum.org/v1/plot/vg"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/rows"
	"github.com/captionlake/captionlake/plots"
	"github.com/captionlake/captionlake/plots/ggsql"
	"github.com/captionlake/captionlake/sql"
)

// Options say what a report shows.
type Options struct {
	// answers of this protocol; when empty, of the published one, else of the one with most results
	Protocol string
	Reader   string  // answers of this reader; when empty, of the reader with most results
	Choices  Choices // the tables and figures to show, and how to show them
	// File is shown alone, with the first kind of rows that it has; nil for the whole report.
	File     *ggsql.File
	Values   map[string]string                  // of the parameters of File
	Progress func(name string, done, total int) // called after each item, one call at a time; nil for none
}

// A File is one file of the report, named with slashes from the report's folder. Make, if it is not
// nil, writes the content when the content is asked for. Large or many contents are then never held
// at once.
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

// An Item is one table or figure of one kind of rows, or the reason why it was not made. An Item
// can also be rows that a page of the site shows.
type Item struct {
	Name       string   `json:"name"`
	Form       string   `json:"form"` // table, figure or page
	Title      string   `json:"title"`
	Benchmark  string   `json:"benchmark,omitempty"` // empty for an item about several benchmarks
	Paper      string   `json:"paper"`
	Provenance string   `json:"provenance"`
	Reader     string   `json:"reader,omitempty"` // empty where readers are compared, or where no reader is involved
	Protocol   string   `json:"protocol,omitempty"`
	Bank       string   `json:"bank,omitempty"`
	Files      []string `json:"files,omitempty"`
	Marts      []string `json:"marts,omitempty"` // that the SELECT reads
	Rows       int      `json:"rows"`
	Skipped    string   `json:"skipped,omitempty"` // why there are no files

	Each string      `json:"-"` // of a page about one thing, such as a captioner: its id
	File *ggsql.File `json:"-"` // which it was made from
	Grid *Grid       `json:"-"` // the table that the item is; nil for a figure, and for a skipped item

	// Draw draws the figure without words around it, on a page of a width; nil for a table, and for
	// a skipped item. Caption is the text below the title: subtitle and source.
	Draw    func(width vg.Length) (*plots.Drawing, error) `json:"-"`
	Caption string                                        `json:"-"`
}

// A Report is everything that was made.
type Report struct {
	Choices Choices    `json:"choices,omitzero"`
	Marts   []sql.Mart `json:"marts"`
	Items   []Item     `json:"items"` // tables and figures
	Pages   []Item     `json:"-"`     // rows that pages of the site show

	// Written are the names of all files in the report's folder. Only the manifest has this list.
	Written []string `json:"written,omitempty"`

	// Files are the files of the tables and figures, and the document of all tables.
	Files []File `json:"-"`
}

// Made counts the tables and figures that were made, and the skipped tables and figures.
func (r *Report) Made() (made, skipped int) {
	for _, i := range r.Items {
		if i.Skipped == "" {
			made++
		}
	}
	return made, len(r.Items) - made
}

// Kinds lists the kinds of rows that anything was made from.
func (r *Report) Kinds() (out []string) {
	for _, i := range r.Items {
		if i.Skipped == "" && !slices.Contains(out, i.Provenance) {
			out = append(out, i.Provenance)
		}
	}
	return out
}

// An entry becomes an item of each kind of rows. It is a file. If the file has a column each, an
// entry is the rows of the file that have one value in this column. The Form of a user's own file
// is empty.
type entry struct {
	*ggsql.File
	name  string
	of    string                // value of the column each
	drawn bool                  // as a figure; as a table otherwise
	rows  map[string]*rows.Rows // by kind
	// of a user's own file: the kinds for which its SELECT gives the same rows in every lake
	constant map[string]bool
}

// builder gathers a report.
type builder struct {
	source Source
	Options
	plots.Page // Names, Pictures and Domains of all figures; figure takes the rest from a Selection
	marts      map[string]sql.Mart
	kinds      []string // that are shown
	together   []string // kinds of the lake that are one kind here; nil if all kinds stand apart
	files      []entry  // without rows
	entries    []entry
	report     Report
	domains    map[string]*rows.Rows // of domainsFile, by kind
	renamed    *strings.Replacer     // writes chosen names for the names that the lake has, in sentences
}

// Build makes the chosen tables and figures of every kind of rows. If nothing is chosen, Build
// makes all tables and figures, and the rows of pages. An item without rows is skipped, and the
// reason is kept. Rows that cannot be shown are faults, and all faults are reported at once.
func Build(ctx context.Context, source Source, o Options) (*Report, error) {
	if o.File != nil {
		o.Choices.Only = []string{o.File.Name}
	}
	b := &builder{source: source, Options: o, marts: map[string]sql.Mart{}}
	images := sync.OnceValues(func() ([]data.Image, error) { return source.Images(ctx) })
	b.Pictures = func(id string) (image.Image, error) { return picture(source, images, id) }
	if err := b.load(ctx); err != nil {
		return nil, err
	}
	err := b.choose()
	if err != nil && len(o.Choices.Only) > 0 { // files that are not chosen may have the missing names
		if err = b.askAll(ctx, func(entry) bool { return true }); err == nil {
			err = b.choose()
		}
	}
	if err != nil {
		return nil, err
	}
	if o.Choices.Font != "" {
		defer plots.UseTypeface(o.Choices.Font)()
	}
	if err := b.make(ctx); err != nil {
		return nil, err
	}
	if err := b.report.checkMade(); err != nil || o.File != nil { // One file alone needs no document.
		return &b.report, err
	}
	document, err := b.report.document()
	b.report.Files = append(b.report.Files, File{Name: documentName, Content: []byte(document)})
	return &b.report, err
}

// make makes the items of all kinds of rows, several at a time, and keeps them in their order.
func (b *builder) make(ctx context.Context) error {
	type made struct {
		entry
		kind  string
		item  Item
		files []File
		err   error // why the item cannot be shown
	}
	var done []made
	// Boards of pages can have rows of the kind data.Together although all chosen kinds stand apart.
	for _, kind := range slices.Compact(append(slices.Clone(b.kinds), data.Together)) {
		for _, e := range b.entries {
			_, hasRows := e.rows[kind]
			saysWhyNot := e.Form != "page" && slices.Contains(b.kinds, kind)
			if b.Choices.shows(e.name, e.File.Name, e.Path) && (hasRows || saysWhyNot) {
				done = append(done, made{entry: e, kind: kind})
			}
		}
	}
	var progress sync.Mutex
	finished := 0
	workers, ctx := errgroup.WithContext(ctx)
	workers.SetLimit(runtime.GOMAXPROCS(0))
	for i := range done {
		workers.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			m := &done[i]
			m.item, m.files, m.err = b.item(ctx, m.entry, m.kind)
			if b.Progress != nil {
				progress.Lock()
				defer progress.Unlock()
				finished++
				b.Progress(m.name, finished, len(done))
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
			faults = append(faults,
				fmt.Errorf("%s %s, %s rows: %w", cmp.Or(m.item.Form, "file"), m.item.Name, m.item.Provenance, m.err))
		}
		for _, f := range m.files {
			m.item.Files = append(m.item.Files, f.Name)
		}
		if m.item.Form == "page" && b.File == nil {
			b.report.Pages = append(b.report.Pages, m.item)
			continue
		}
		b.report.Items = append(b.report.Items, m.item)
		b.report.Files = append(b.report.Files, m.files...)
	}
	return errors.Join(faults...)
}

// item makes the item of an entry's rows of a kind, and its files. An item without rows says why it
// is skipped.
func (b *builder) item(ctx context.Context, e entry, kind string) (item Item, files []File, err error) {
	t := e.rows[kind]
	item = Item{
		Name: e.name, Form: cmp.Or(e.Form, map[bool]string{true: "figure", false: "table"}[e.drawn]), Title: e.Shows,
		Benchmark: e.Benchmark, Paper: e.Paper, Provenance: kind, Marts: e.Reads, Each: e.of, File: e.File,
	}
	switch mart := b.missing(e.File); {
	case mart != "":
		item.Skipped = fmt.Sprintf("mart %s is not built", mart)
	case kind == data.Together && len(kindsOf(t)) == 0:
		item.Skipped = "its SELECT gives no rows of a board, on which published and measured ones can stand together"
	case t == nil:
		item.Skipped = fmt.Sprintf("its SELECT gives no %s rows", kind)
	}
	if item.Skipped != "" {
		return item, nil, nil
	}
	// A user's own file (Form is empty) needs no column provenance, because read asked it over the
	// rows of one kind. Its rows have no kind if they are the same for every lake.
	isOfNoKind := !t.Has("provenance") && e.Form != ""
	if isOfNoKind || e.constant[kind] {
		item.Provenance = ""
	}
	kindNote := ""
	if kind == data.Together {
		t, item.Provenance, kindNote = withKinds(t)
	}
	item.Reader, item.Protocol, item.Bank = only(t, "reader"), only(t, "protocol"), only(t, "bank")
	chosen := b.Choices.of(e.name)
	t, note := chosen.rows(e.File, t)
	if t.Err != nil {
		return item, nil, t.Err
	}
	if t.Len() == 0 {
		item.Skipped = fmt.Sprintf("the choices leave no %s rows", kind)
		return item, nil, nil
	}
	item.Rows = t.Len()
	notes := slices.DeleteFunc([]string{kindNote, b.about(item, t), note}, func(n string) bool { return n == "" })
	if !e.drawn {
		var legend []string
		if t, legend, err = b.against(ctx, t, chosen.Against, item); err != nil {
			return item, nil, err
		}
		notes = append(notes, legend...)
		files, err = b.table(e, &item, t, chosen, notes)
	} else {
		files, err = b.figure(e, &item, t, chosen, notes)
	}
	if errors.Is(err, rows.ErrNone) {
		item.Skipped, err = err.Error(), nil
	}
	return item, files, err
}

// about is the note that says which reader, protocol and bank the rows of an item are of, and how
// many images and questions.
func (b *builder) about(item Item, t *rows.Rows) string {
	var parts []string
	name := cmp.Or(b.Names[item.Reader], only(t, "reader_name"), item.Reader)
	if registry, err := data.Registry(); err == nil && name == item.Reader {
		if m, known := registry.Resolve(item.Reader); known {
			name = m.Name
		}
	}
	if item.Protocol != data.CaptionQA().Protocols[0] { // The paper's protocol is not named.
		name += ", protocol: " + item.Protocol
	}
	if item.Reader != "" && item.Protocol != "" {
		parts = append(parts, "Reader: "+name+".")
	}
	if item.Bank != "" {
		parts = append(parts, "Question bank: "+item.Bank+".")
	}
	if images, questions := b.sizes(item, t); questions > 0 {
		parts = append(parts,
			fmt.Sprintf("%s images, %s questions.", humanize.Comma(images), humanize.Comma(questions)))
	}
	return strings.Join(parts, " ")
}

// sizes are the numbers of images and questions of a reader's answers, or of a bank, in the domains
// of the rows.
func (b *builder) sizes(item Item, t *rows.Rows) (images, questions int64) {
	if b.domains[item.Provenance] == nil {
		return 0, 0
	}
	shown := distinct(t.Read().TextIf("domain"))
	showsAll := len(shown) == 0 || slices.ContainsFunc(shown, data.IsDomainSum)
	from := b.domains[item.Provenance].Read()
	protocols, readers, banks := from.TextIf("protocol"), from.TextIf("reader"), from.TextIf("bank")
	nImages, nQuestions := from.NumbersIf("n_images"), from.NumbersIf("n_questions")
	for k, domain := range from.TextIf("domain") {
		ofReader := item.Reader != "" && readers[k] == item.Reader && protocols[k] == item.Protocol
		ofBank := item.Bank != "" && banks[k] == item.Bank
		if (showsAll || slices.Contains(shown, domain)) && (ofReader || ofBank) {
			images, questions = images+int64(nImages[k].Value), questions+int64(nQuestions[k].Value)
		}
	}
	return images, questions
}

// table lays rows out and returns the table's files, one for each chosen format. Rows of a page
// have no files.
func (b *builder) table(e entry, item *Item, t *rows.Rows, s Selection, notes []string) (files []File, err error) {
	g, err := Layout(e.File, t)
	if err == nil && e.Form != "page" {
		err = g.choose(s)
	}
	if err != nil {
		return nil, err
	}
	g.Name, g.Kind = e.name, item.Provenance
	g.reword(b.Names, b.renamed)
	signs := g.print()
	if item.Provenance == data.Together {
		g.Notes = append(g.Notes, data.Dagger+" measured here; the others as published.")
	}
	item.Title, item.Paper, item.Grid = g.Title, g.Paper, g
	if e.Form == "page" {
		return nil, nil
	}
	g.Notes = slices.Concat(g.Notes, signs, notes)
	write := map[string]func() (string, error){"md": g.Markdown, "tex": g.LaTeX, "csv": g.CSV}
	for _, format := range []string{"md", "tex", "csv"} {
		if !in(b.Choices.Formats, format) {
			continue
		}
		content, err := write[format]()
		if err != nil {
			return nil, err
		}
		files = append(files, File{Name: fmt.Sprintf("tables/%s_%s.%s", e.name, item.Provenance, format),
			Content: []byte(content)})
	}
	return files, nil
}

// screenHeight is the greatest height of a figure on a screen, which people scroll.
const screenHeight = 60 * vg.Inch

// figure draws the figure of rows, and returns its files, one for each chosen format.
func (b *builder) figure(e entry, item *Item, t *rows.Rows, s Selection, notes []string) ([]File, error) {
	if item.Provenance == "" {
		return nil, data.Errorf("select from tables or marts of the lake",
			"its rows are not of the lake: they are the same whatever it has, so that nothing says whether they were measured")
	}
	page, err := s.page()
	if err != nil {
		return nil, err
	}
	page.Names, page.Pictures, page.Domains, page.Note = b.Names, b.Pictures, b.Domains,
		strings.Join(notes, " ")
	page.Kinds = strings.Split(item.Provenance, "+") // data.Together joins two kinds by a plus sign.
	d, err := plots.Draw(e.File, t, page)
	if err != nil {
		return nil, err
	}
	if !page.Bare { // A page is bare if the author chose the title "false".
		d.Title = cmp.Or(s.Title, d.Title)
	}
	d.Subtitle = cmp.Or(s.Caption, d.Subtitle)
	if s.Source != nil && !*s.Source {
		d.Source = ""
	}
	item.Title, _ = d.Caption()
	item.Caption = d.Subtitle
	if d.Source != "" {
		item.Caption = strings.TrimPrefix(strings.TrimSuffix(d.Subtitle, ".")+". Source: "+d.Source, ". ")
	}
	item.Draw = func(width vg.Length) (*plots.Drawing, error) {
		bare := page
		bare.Width, bare.Height, bare.Bare = width, screenHeight, true
		return plots.Draw(e.File, t, bare)
	}
	stem := "figures/" + e.name + "_" + item.Provenance
	var files []File
	for _, format := range plots.Formats {
		if in(b.Choices.Formats, format) {
			content, err := d.Encode(format)
			if err != nil {
				return nil, err
			}
			files = append(files, File{Name: stem + "." + format, Content: content})
		}
	}
	if in(b.Choices.Formats, "tex") && in(b.Choices.Formats, "pdf") { // The LaTeX file includes the PDF.
		content, err := texFigure(d, e.name, stem+".pdf", item.Provenance, s)
		if err != nil {
			return nil, err
		}
		files = append(files, File{Name: stem + ".tex", Content: []byte(content)})
	}
	return files, nil
}

// checkMade returns an error if no table or figure was made. It also returns an error if a table or
// figure that is chosen by its name was not made.
func (r *Report) checkMade() error {
	var faults []error
	for _, name := range r.Choices.Only {
		var reasons []string
		for _, i := range r.Items {
			if i.Name == name || i.File.Name == name {
				reasons = append(reasons, i.Skipped)
			}
		}
		if reasons != nil && !slices.Contains(reasons, "") {
			faults = append(faults, rows.None("%s has nothing to show (%s)", name,
				strings.Join(slices.Compact(reasons), "; ")))
		}
	}
	switch n, _ := r.Made(); {
	case len(faults) > 0:
		return data.WithHint(errors.Join(faults...),
			"leave choices out, or ingest or ask what it is about and run analyze; captionlake status tells what the lake has")
	case n > 0:
		return nil
	case !r.Choices.Whole():
		return rows.None("the choices leave nothing to show")
	}
	return errors.New("the lake's marts hold no rows for any table or figure; " +
		"ingest or simulate answers, then run analyze")
}
