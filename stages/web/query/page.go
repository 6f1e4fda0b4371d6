package query

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/dictionary"
	"github.com/captionlake/captionlake/stages/web"
)

// Limits of a page. A download has all rows.
const (
	pageRows     = 1_000
	pageBytes    = 8 << 20
	longestCell  = 2_000 // characters
	longestQuery = 32 << 10
	atOnce       = 2 // queries that run at a time; the others wait
)

// A Table is a table or view that a query may name, for the list beside it. The page offers the
// example, which may be empty, as a query to start from.
type Table struct {
	Name, Kind, What, Example string
	Columns                   []dictionary.Column
}

// Options configure the page.
type Options struct {
	// Ask writes the first rows of a query as json, csv, parquet or arrow; with rows 0, all of
	// them.
	Ask    func(ctx context.Context, query, format string, rows int64, out io.Writer) error
	Tables func() ([]Table, error) // the lake's present tables, with different names
	// message about the present lake, such as results that are older than the tables; may be empty
	Note  func() string
	Limit time.Duration // longest time of one query
}

// A Page answers queries.
type Page struct {
	o    Options
	site *web.Site
	runs chan struct{} // has a token for each query that runs
}

//go:embed templates/*.html.tmpl
var templates embed.FS

// New makes the page.
func New(o Options) (*Page, error) {
	site, err := web.NewSite(templates, "query", "table")
	return &Page{o, site, make(chan struct{}, atOnce)}, err
}

// view is the data of the template.
type view struct {
	Query  string
	Limit  time.Duration
	Tables []Table
	Asked  []Table // tables with an example
	Note   string
	Fault  string
	Hint   string
	Result *result
}

// downloads are the formats of downloads and their media types.
var downloads = map[string]string{"csv": "text/csv; charset=utf-8", "json": "application/json",
	"parquet": "application/vnd.apache.parquet",
	"arrow":   "application/vnd.apache.arrow.file"}

// Handler answers the requests of the page at the path "/". It belongs behind web.Protect, which
// accepts only forms of this server.
func (p *Page) Handler() http.Handler {
	return web.Mux(map[string]http.HandlerFunc{
		"GET /{$}": func(w http.ResponseWriter, r *http.Request) {
			p.show(w, http.StatusOK, view{Query: r.URL.Query().Get("query")})
		},
		"POST /{$}": p.ask, "GET /table": p.describe,
	})
}

// ask runs the query of a form. A download runs the same query again, with all rows.
func (p *Page) ask(w http.ResponseWriter, r *http.Request) {
	v := view{Query: r.PostForm.Get("query")}
	if len(v.Query) > longestQuery {
		p.show(w, http.StatusRequestEntityTooLarge, view{Fault: "The query is longer than 32 KiB."})
		return
	}
	// The time limits of web.Protect are for pages that are ready; a query has its own.
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Time{}) // The form has been read. A server of a test may have no deadlines.
	_ = control.SetWriteDeadline(time.Now().Add(p.o.Limit + 5*time.Minute))
	format := r.PostForm.Get("do")
	var err error
	if kind, download := downloads[format]; download {
		h := w.Header()
		h.Set("Content-Type", kind)
		h.Set("Content-Disposition", "attachment; filename=captionlake."+format)
		h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
		file := &attachment{Writer: w}
		err = p.run(r.Context(), v.Query, format, 0, file)
		switch {
		case err == nil:
			return
		case file.begun:
			panic(http.ErrAbortHandler) // Half a file would look like a whole one.
		}
		h.Del("Content-Disposition")
	} else {
		var rows atMost
		if err = p.run(r.Context(), v.Query, "json", pageRows+1, &rows); err == nil {
			v.Result, err = readResult(&rows.Buffer)
		}
	}
	if r.Context().Err() != nil { // Nobody waits any more.
		return
	}
	var hint *data.HintError
	if errors.As(err, &hint) {
		v.Hint = hint.Hint
	}
	if err != nil {
		v.Fault = err.Error()
	}
	// The page was made as asked; a browser would log another status as an error of its own.
	p.show(w, http.StatusOK, v)
}

// run runs a query when few others run, until the limit or until the browser leaves.
func (p *Page) run(ctx context.Context, query, format string, rows int64, out io.Writer) error {
	select {
	case p.runs <- struct{}{}:
		defer func() { <-p.runs }()
	case <-ctx.Done():
		return ctx.Err()
	}
	within, cancel := context.WithTimeout(ctx, p.o.Limit)
	defer cancel()
	err := p.o.Ask(within, query, format, rows, out)
	switch {
	case err != nil && within.Err() != nil:
		err = data.Errorf("ask for less, or ask at a terminal, where there is no limit: captionlake sql",
			"the query was stopped, because it took more than %v", p.o.Limit)
	case errors.Is(err, errTooLarge):
		err = data.WithHint(errTooLarge, "choose fewer columns or rows, or download them")
	}
	return err
}

var errTooLarge = fmt.Errorf("the rows take more than %d MB", pageBytes>>20)

// atMost keeps as many bytes as a page can show.
type atMost struct{ bytes.Buffer }

func (a *atMost) Write(b []byte) (int, error) {
	if a.Len()+len(b) > pageBytes {
		return 0, errTooLarge
	}
	return a.Buffer.Write(b)
}

// An attachment is a reply that a browser saves.
type attachment struct {
	io.Writer
	begun bool
}

func (a *attachment) Write(b []byte) (int, error) {
	a.begun = true
	return a.Writer.Write(b)
}

// describe shows the columns of one table: all tables together would be too long for most readers.
func (p *Page) describe(w http.ResponseWriter, r *http.Request) {
	tables, err := p.o.Tables()
	if err != nil {
		web.Refuse(w, http.StatusInternalServerError, "The lake cannot be read", err.Error())
		return
	}
	name := r.URL.Query().Get("name")
	i := slices.IndexFunc(tables, func(t Table) bool { return t.Name == name })
	if i < 0 {
		web.Refuse(w, http.StatusNotFound,
			"The lake has no such table", "Go back to the query, which lists its tables.")
		return
	}
	p.site.Render(w, "table", web.View{Title: name + " – captionlake", Data: tables[i]})
}

func (p *Page) show(w http.ResponseWriter, status int, v view) {
	tables, err := p.o.Tables()
	if err != nil {
		web.Refuse(w, http.StatusInternalServerError, "The lake cannot be read", err.Error())
		return
	}
	v.Tables, v.Limit, v.Note = tables, p.o.Limit, p.o.Note()
	v.Asked = slices.DeleteFunc(slices.Clone(tables), func(t Table) bool { return t.Example == "" })
	w.Header().Set("Content-Security-Policy", web.ContentPolicy+"; connect-src 'self'") // for the descriptions
	p.site.Render(w, "query", web.View{Title: "SQL – captionlake", Data: v, Status: status})
}

// A result is the table of a page.
type result struct {
	Columns []string
	Numeric []bool // every value that is not null is a number
	Rows    [][]cell
	More    bool
}

// A cell is a value as text.
type cell struct {
	Text string
	Null bool
	Cut  bool
}

// readResult reads an array of objects, with members in the order of the columns: as many rows as a
// page shows.
func readResult(r io.Reader) (*result, error) {
	d, out := jsontext.NewDecoder(r, jsontext.AllowDuplicateNames(true)), &result{}
	var cells []cell
	for !out.More {
		token, err := d.ReadToken()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		switch token.Kind() {
		case '{':
			cells, out.More = nil, len(out.Rows) == pageRows
		case '"': // the name of a column
			if len(out.Rows) == 0 {
				out.Columns, out.Numeric = append(out.Columns, token.String()), append(out.Numeric, true)
			}
			value, err := d.ReadValue()
			if err != nil {
				return nil, err
			}
			if kind := value.Kind(); kind != 'n' && kind != '0' {
				out.Numeric[len(cells)] = false
			}
			cells = append(cells, cellOf(value))
		case '}':
			out.Rows = append(out.Rows, cells)
		}
	}
	return out, nil
}

func cellOf(value jsontext.Value) cell {
	text := value.String()
	switch value.Kind() {
	case 'n':
		return cell{Null: true}
	case '"':
		unquoted, _ := jsontext.AppendUnquote(nil, value) // It was read as JSON.
		text = string(unquoted)
	}
	if utf8.RuneCountInString(text) <= longestCell {
		return cell{Text: text}
	}
	return cell{Text: string([]rune(text)[:longestCell]), Cut: true}
}
