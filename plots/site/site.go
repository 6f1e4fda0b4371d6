package site

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/plots"
	"github.com/captionlake/captionlake/plots/report"
)

//go:embed templates static
var files embed.FS

// assets is the folder of style, scripts and icon, which are all files of the folder static.
const assets = "assets/"

// Options say what a site has beside its pages.
type Options struct {
	Progress func(what string, done, total int) // called after the pages of each kind; nil for none
	Links    []Link                             // more navigation, such as pages that only a server has
	Note     func() string                      // what is to be said above every page when it is asked for; nil for nothing, as in files
}

// A Site is the pages around a report. Its methods may be called side by side.
type Site struct {
	documents map[string]Document
	note      func() string
	nav       []Link
	files     []report.File // in order, pages and what they load
	all       map[string]report.File
}

// A Builder gathers a site. Pages are built one after the other; files may be made side by side.
type Builder struct {
	Source Source
	Report *report.Report

	site   *Site
	marts  []report.Mart // by name
	faults []error

	tables map[string]*plots.Table

	runs       []report.Run
	captioners []captioner
	models     map[string]string // pages of captioners, by id and by name
}

// Build makes the site around a report, of the same source. Pages are rendered when they are asked for.
func Build(ctx context.Context, source Source, r *report.Report, o Options) (*Site, error) {
	b := &Builder{Source: source, Report: r, site: &Site{documents: map[string]Document{}, note: o.Note, all: map[string]report.File{}}, tables: map[string]*plots.Table{}}
	var err error
	if b.marts, err = source.Marts(ctx); err != nil {
		return nil, err
	}
	b.marts = slices.DeleteFunc(b.marts, func(m report.Mart) bool { _, known := source.Model(m.Name); return !known })
	slices.SortFunc(b.marts, func(x, y report.Mart) int { return strings.Compare(x.Name, y.Name) })
	if b.runs, err = source.Runs(ctx); err != nil {
		return nil, err
	}
	if err := b.findModels(ctx); err != nil {
		return nil, err
	}
	all := pages()
	for i, p := range all {
		if err := p.Build(ctx, b); err != nil {
			return nil, fmt.Errorf("page %s: %w", p.Name, err)
		}
		if o.Progress != nil {
			o.Progress("pages of "+p.Name, i+1, len(all))
		}
	}
	b.site.nav = append(b.site.nav, o.Links...)
	static, err := fs.ReadDir(files, "static")
	if err != nil {
		return nil, err
	}
	for _, e := range static {
		content, err := files.ReadFile("static/" + e.Name())
		if err != nil {
			return nil, err
		}
		b.File(report.File{Name: assets + e.Name(), Content: content})
	}
	for _, f := range r.Files() {
		b.site.all[f.Name] = f
	}
	return b.site, errors.Join(b.faults...)
}

// Add adds a document. Two of one path are a fault that Build returns.
func (b *Builder) Add(d Document) {
	b.site.documents[d.Path] = d
	if d.Nav != "" {
		b.site.nav = append(b.site.nav, Link{d.Path, d.Nav})
	}
	s := b.site
	b.File(report.File{Name: d.Path, Make: func(w io.Writer) error { return s.Frame(w, d) }})
}

// File adds a file that documents load or link to. Two of one name are a fault that Build returns.
func (b *Builder) File(f report.File) {
	if _, ok := b.site.all[f.Name]; ok {
		b.faults = append(b.faults, fmt.Errorf("the site has two files %s", f.Name))
	}
	b.site.all[f.Name] = f
	b.site.files = append(b.site.files, f)
}

// Table reads a mart, once; nil, without an error, where the lake has no such mart or it has no rows.
func (b *Builder) Table(ctx context.Context, mart string) (*plots.Table, error) {
	if t, ok := b.tables[mart]; ok {
		return t, nil
	}
	if _, ok := b.mart(mart); !ok {
		return nil, nil
	}
	t, err := b.Source.Table(ctx, mart)
	if err != nil {
		return nil, fmt.Errorf("mart %s: %w", mart, err)
	}
	if t.Len() == 0 {
		t = nil
	}
	b.tables[mart] = t
	return t, nil
}

func (b *Builder) mart(name string) (report.Mart, bool) {
	i, ok := slices.BinarySearchFunc(b.marts, name, func(m report.Mart, name string) int { return strings.Compare(m.Name, name) })
	if !ok {
		return report.Mart{}, false
	}
	return b.marts[i], true
}

// Files returns the files of the site without those of its report, which it links to.
func (s *Site) Files() []report.File { return s.files }

// view is what the layout gets.
type view struct {
	Document
	Links []Link
	Note  string
}

// Frame writes a document in the layout of the site.
func (s *Site) Frame(w io.Writer, d Document) error {
	t, err := templateOf(d)
	if err != nil {
		return err
	}
	v := view{Document: d, Links: s.nav}
	if s.note != nil {
		v.Note = s.note()
	}
	return t.ExecuteTemplate(w, "layout.html.tmpl", v)
}

// templateKey tells a document's template: links differ by the depth of its folder.
type templateKey struct {
	name string
	deep bool
}

var templates = sync.OnceValues(func() (map[templateKey]*template.Template, error) {
	names, err := fs.Glob(files, "templates/*.html.tmpl")
	if err != nil {
		return nil, err
	}
	out := map[templateKey]*template.Template{}
	for _, deep := range []bool{false, true} {
		layout, err := template.New("layout.html.tmpl").Funcs(functions(deep)).ParseFS(files, "templates/layout.html.tmpl", "templates/parts.html.tmpl")
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			key := templateKey{strings.TrimSuffix(path.Base(name), ".html.tmpl"), deep}
			page, err := layout.Clone()
			if err != nil {
				return nil, err
			}
			if out[key], err = page.ParseFS(files, name); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
})

// bodyTemplate is that of documents whose body is made elsewhere.
const bodyTemplate = "body"

func templateOf(d Document) (*template.Template, error) {
	all, err := templates()
	if err != nil {
		return nil, err
	}
	name := d.Template
	if name == "" {
		name = bodyTemplate
	}
	t, ok := all[templateKey{name, path.Dir(d.Path) != "."}]
	if !ok {
		return nil, fmt.Errorf("page %s: there is no template %s", d.Path, name)
	}
	return t, nil
}

func functions(deep bool) template.FuncMap {
	root := ""
	if deep {
		root = "../"
	}
	return template.FuncMap{
		"to":      func(path string) string { return root + path },
		"plain":   data.Plain,
		"version": func() string { return data.Version },
		"kinds":   kinds,
		"stamp":   stamp,
		"count":   count,
		"bytes":   size,
		"short":   func(digest string) string { return digest[:min(len(digest), 12)] },
		"day":     func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") },
	}
}

// ServeHTTP answers with the files of the site and of its report.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
	if name == "" {
		name = indexName
	}
	f, ok := s.all[name]
	if !ok {
		http.NotFound(w, r)
		return
	}
	var b bytes.Buffer // half a page would look like a whole one
	if err := f.Write(&b); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	kind := mime.TypeByExtension(path.Ext(name))
	if kind == "" {
		kind = "text/plain; charset=utf-8"
	}
	w.Header().Set("Content-Type", kind)
	_, _ = w.Write(b.Bytes()) // whoever has gone away misses nothing
}

// indexName is the page that a reader opens first.
const indexName = "index.html"

// count sets the digits of an integer in groups of three.
func count(n any) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// size words a number of bytes.
func size(n int64) string {
	units := []string{"bytes", "kB", "MB", "GB", "TB"}
	v := float64(n)
	for len(units) > 1 && v >= 1000 {
		v, units = v/1000, units[1:]
	}
	if units[0] == "bytes" || v >= 100 {
		return fmt.Sprintf("%.0f %s", v, units[0])
	}
	return fmt.Sprintf("%.1f %s", v, units[0])
}

// kinds are the provenances in the order in which people look at them: their own results first.
func kinds() []string {
	return []string{data.ProvenanceMeasured, data.ProvenancePublished, data.ProvenanceSimulated}
}

// stamp words the provenance of rows.
func stamp(kind string) string {
	switch kind {
	case data.ProvenancePublished:
		return "published figures"
	case data.ProvenanceSimulated:
		return "simulated, not measured"
	}
	return kind
}
