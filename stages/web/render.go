package web

import (
	"bytes"
	"cmp"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"strings"

	"github.com/captionlake/captionlake/data"
)

//go:embed layout.html.tmpl parts.html.tmpl refused.html.tmpl
//go:embed static/page.css static/page.js static/icon.svg
var files embed.FS

// A Site renders the pages of one command: the layout of this package around a template of the
// command's own page.
type Site struct {
	pages map[string]*template.Template // by the name of the page's own template
}

// View is the data of a template.
type View struct {
	Title  string // of the window; the template gives the heading of the page
	Person string // who is at work; empty on pages for everybody
	Data   any

	Notice   string         // names a message about the previous request; empty without one
	Progress Progress       // of all people
	Counts   PersonProgress // of the person at work
	Status   int            // of HTTP; 0 is 200
}

var functions = template.FuncMap{"plain": data.Plain, "static": staticAddress, "next": func(i int) int { return i + 1 },
	"letter": Letter, "seconds": seconds, "quick": func() int { return QuickSeconds }}

// Letter is the letter of the option at a position from 0, as models and people see it; ? if the
// position has no letter.
func Letter(i int) string {
	if i < 0 || i >= 26 {
		return "?"
	}
	return string(rune('A' + i))
}

// seconds shows a time, with one decimal below ten seconds.
func seconds(s *float64) string {
	switch {
	case s == nil:
		return "unknown time"
	case *s < 10:
		return fmt.Sprintf("%.1f s", *s)
	}
	return fmt.Sprintf("%.0f s", *s)
}

// NewSite reads a page's templates, which are the files templates/NAME.html.tmpl. Each defines
// "main" and may define "extra", which goes into the head. All may use the definitions in
// templates/parts.html.tmpl and in this package's parts.html.tmpl.
func NewSite(templates fs.FS, names ...string) (*Site, error) {
	layout, err := template.New("layout.html.tmpl").Funcs(functions).ParseFS(files,
		"layout.html.tmpl", "parts.html.tmpl")
	if err != nil {
		return nil, err
	}
	s := &Site{map[string]*template.Template{}}
	for _, name := range names {
		page, err := layout.Clone()
		if err != nil {
			return nil, err
		}
		if s.pages[name], err = page.ParseFS(templates,
			"templates/parts.html.tmpl", "templates/"+name+".html.tmpl"); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Render answers with a page.
func (s *Site) Render(w http.ResponseWriter, name string, v View) {
	var b bytes.Buffer // If the template fails, no half page may have been sent.
	if err := s.pages[name].ExecuteTemplate(&b, "layout.html.tmpl", v); err != nil {
		Refuse(w, http.StatusInternalServerError, "The page cannot be made", err.Error())
		return
	}
	write(w, cmp.Or(v.Status, http.StatusOK), b.Bytes())
}

var refused = template.Must(template.New("refused.html.tmpl").Funcs(functions).ParseFS(files, "refused.html.tmpl"))

// Refuse answers with a page that says what is wrong and what to do.
func Refuse(w http.ResponseWriter, status int, what, next string) {
	var b bytes.Buffer
	if err := refused.Execute(&b, struct{ What, Next string }{what, next}); err != nil {
		http.Error(w, what, status)
		return
	}
	write(w, status, b.Bytes())
}

func write(w http.ResponseWriter, status int, content []byte) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(content) // A client that has gone loses nothing that was stored.
}

// staticPath is where style, script and icon are served. They contain no data of a lake, so
// Protect serves them without the token.
const staticPath = "/static/"

func staticAddress(name string) string { return staticPath + name }

// static serves the style, the script and the icon of all pages.
func static(w http.ResponseWriter, r *http.Request) {
	http.ServeFileFS(w, r, files, strings.TrimPrefix(r.URL.Path, "/"))
}
