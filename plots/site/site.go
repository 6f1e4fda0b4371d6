package site

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/plots/report"
	"github.com/captionlake/captionlake/plots/samples"
	"github.com/captionlake/captionlake/sql"
)

//go:embed templates static
var files embed.FS

// assets is the folder of style, scripts and icon: all files of the folder static.
const assets = "assets/"

// indexName is the page that people open first.
const indexName = "index.html"

// A Source holds what a site is made from.
type Source interface {
	report.Source
	samples.Source
}

// Options say what a site has beside its pages.
type Options struct {
	Links      []Link        // more navigation, such as pages that only a server has
	NoPictures bool          // the sample viewer has no pictures
	Note       func() string // the note above every page when it is written; empty without a note
}

// A Document is one HTML file of the site.
type Document struct {
	Path     string        // from the site's folder, with slashes, at most one folder deep
	Title    string        // of the window, and the heading
	Nav      string        // its words in the navigation of every page; empty if it is not in the navigation
	Place    int           // in the navigation, after the overview and the benchmarks
	Template string        // templates/NAME.html.tmpl
	Data     any           // for the template
	Script   bool          // it loads the script and the style of its template's name, after the site's own
	Body     template.HTML // between head and foot, once it is written
}

// A Link is one entry of the navigation.
type Link struct{ Path, Words string }

// A Site is the pages around a report. Its methods may be called side by side.
type Site struct {
	items      []report.Item     // tables, figures and rows of pages, people's own before published ones
	captioners map[string]string // pages of captioners, by name
	marts      []sql.Mart
	note       func() string
	nav        []Link
	// Files are the pages and the files that they load, in order. The pages also link to the
	// report's files, which are not among Files.
	Files     []report.File
	all       map[string]report.File
	templates map[string]*template.Template // by the path from a page to the site's folder
}

// Build makes the site around a report. source is the source that the report was made from. Pages
// are rendered when they are asked for.
func Build(ctx context.Context, source Source, r *report.Report, o Options) (*Site, error) {
	s := &Site{items: slices.Concat(r.Items, r.Pages), captioners: map[string]string{}, marts: r.Marts, note: o.Note,
		all: map[string]report.File{}, templates: map[string]*template.Template{}}
	slices.SortStableFunc(s.items, func(x, y report.Item) int {
		return cmp.Compare(slices.Index(kinds, x.Provenance), slices.Index(kinds, y.Provenance))
	})
	for _, root := range []string{"", "../"} {
		s.templates[root] = template.Must(template.New("").Funcs(s.functions(root)).ParseFS(files,
			"templates/*.html.tmpl"))
	}
	viewer, loaded, err := samples.Load(ctx, source, o.NoPictures)
	if err != nil {
		return nil, err
	}
	pages := []Document{{Path: indexName, Title: "Overview", Nav: "Overview", Template: "overview"}}
	add := func(d Document, hasContent bool) {
		if hasContent {
			pages = append(pages, d)
		}
	}
	for _, b := range data.Benchmarks() {
		hasItems := slices.ContainsFunc(s.items,
			func(i report.Item) bool { return i.Benchmark == b.Name && i.Skipped == "" })
		add(Document{Path: "benchmarks/" + b.Name + ".html", Title: b.Title, Nav: b.Title, Template: "benchmark",
			Data: b}, hasItems)
	}
	add(Document{Path: "samples.html", Title: "Samples", Nav: "Samples", Place: 3, Template: "samples", Data: viewer,
		Script: true}, len(viewer) > 0)
	add(Document{Path: "figures.html", Title: "Figures", Nav: "Figures", Place: 4, Template: "figures"},
		slices.ContainsFunc(s.items, func(i report.Item) bool { return i.Form == "figure" }))
	for _, i := range s.items {
		if p := i.File.Site; p.Page != "" && i.Skipped == "" {
			d := Document{Path: p.Page + ".html", Title: p.Title, Nav: p.Nav, Place: p.Place, Template: p.Page,
				Data: i.Name}
			if s.templates[""].Lookup(d.Template+".html.tmpl") == nil { // The page shows the rows alone.
				d.Template = "page"
			}
			// The page shows the items of all kinds of rows, so it is added once.
			add(d, !slices.ContainsFunc(pages, func(o Document) bool { return o.Path == d.Path }))
		}
	}
	slices.SortStableFunc(pages, func(x, y Document) int { return cmp.Compare(x.Place, y.Place) })
	for _, c := range s.named("captioner_about") {
		path := "models/" + slug(c.Each) + ".html"
		add(Document{Path: path, Title: c.Title, Template: "captioner", Data: c}, true)
		// If two captioners have one name, the name leads to the page of the first captioner.
		s.captioners[c.Title] = cmp.Or(s.captioners[c.Title], path)
	}
	for _, i := range s.items {
		add(Document{Path: tablePath(i), Title: i.Title, Template: "table", Data: i}, i.Form == "table" &&
			i.Skipped == "")
	}
	for _, m := range s.marts {
		add(Document{Path: martPath(m.Name), Title: m.Name, Template: "mart", Data: m}, true)
	}
	for _, d := range pages {
		if d.Nav != "" {
			s.nav = append(s.nav, Link{d.Path, d.Nav})
		}
		s.Files = append(s.Files, report.File{Name: d.Path, Make: func(w io.Writer) error { return s.write(w, d) }})
	}
	s.nav = append(s.nav, o.Links...)
	s.Files = slices.Concat(s.Files, loaded, assetFiles(), screens(s.items))
	for _, f := range slices.Concat(r.Files, s.Files) {
		s.all[f.Name] = f
	}
	return s, nil
}

// assetFiles are style, scripts and icon.
func assetFiles() (out []report.File) {
	static, _ := fs.Glob(files, "static/*")
	for _, name := range static {
		content, _ := files.ReadFile(name) // The program embeds the file, so there is no error.
		out = append(out, report.File{Name: assets + path.Base(name), Content: content})
	}
	return out
}

// where are the items that pass a test.
func (s *Site) where(passes func(report.Item) bool) (out []report.Item) {
	for _, i := range s.items {
		if passes(i) {
			out = append(out, i)
		}
	}
	return out
}

// named are the items of a name that were made.
func (s *Site) named(name string) []report.Item {
	return s.where(func(i report.Item) bool { return i.Name == name && i.Skipped == "" })
}

// write writes a page in the layout of the site.
func (s *Site) write(w io.Writer, d Document) error {
	root := strings.Repeat("../", strings.Count(d.Path, "/"))
	var body bytes.Buffer
	if err := s.templates[root].ExecuteTemplate(&body, d.Template+".html.tmpl", d.Data); err != nil {
		return fmt.Errorf("page %s: %w", d.Path, err)
	}
	d.Body = template.HTML(body.String()) //nolint:gosec // what a template wrote
	return s.templates[root].ExecuteTemplate(w, "layout.html.tmpl", d)
}

// ServeHTTP answers with the files of the site and of its report.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := cmp.Or(strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/"), indexName)
	f, ok := s.all[name]
	if !ok {
		http.NotFound(w, r)
		return
	}
	var b bytes.Buffer // A page is sent as a whole, because half a page would look like a whole page.
	if err := f.Write(&b); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", cmp.Or(mime.TypeByExtension(path.Ext(name)), "text/plain; charset=utf-8"))
	_, _ = w.Write(b.Bytes()) // After an error the browser is gone, so nobody can be told.
}
