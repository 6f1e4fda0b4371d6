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

// Limits of the page. A download has all rows.
const (
	pageRows     = 1_000
	pageBytes    = 8 << 20
	longestCell  = 2_000    // characters
	longestQuery = 32 << 10 // bytes
	atOnce       = 2        // queries that run at a time; the others wait
)

// A Table is a table or view that a query may name, as the page lists it.
type Table struct {
	Name, Kind, What string
	Example          string // a query to start from; may be empty
	Columns          []dictionary.Column
}

// Options configure the page.
type Options struct {
	// Ask writes the first rows of a query's result as json, csv, parquet or arrow; with rows 0,
	// all rows.
	Ask    func(ctx context.Context, query, format string, rows int64, out io.Writer) error
	Tables func() ([]Table, error) // the lake's present tables and views, each with its own name
	// Note is a message about the present lake, such as results that are older than the tables; may
	// be empty.
	Note  func() string
	Limit time.Duration // longest time of one query
}

// A Page answers queries.
type Page struct {
	o    Options
	site *web.Site
	runs chan struct{} // contains a value for each query that runs
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

// Handler answers the requests of the page at the path "/". web.Protect must guard the handler:
// Protect reads the forms, and accepts only forms of this server.
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
	// The time limits of web.Protect are for pages that are ready; a query has its own limit, and five
	// minutes more to wait for other queries and to send the rows.
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Time{}) // The form has been read. Errors do not matter, as in Protect.
	_ = control.SetWriteDeadline(time.Now().Add(p.o.Limit + 5*time.Minute))
	format := r.PostForm.Get("do")
	var err error
	if kind, download := downloads[format]; download {
		h := w.Header()
		h.Set("Content-Type", kind)
		h.Set("Content-Disposition", "attachment; filename=captionlake."+format)
		h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
		file := &startedWriter{Writer: w}
		err = p.run(r.Context(), v.Query, format, 0, file) // 0: all rows
		switch {
		case err == nil:
			return
		case file.started:
			panic(http.ErrAbortHandler) // Otherwise the browser would take half a file for a whole one.
		}
		h.Del("Content-Disposition") // The page with the fault sets the other headers anew.
	} else {
		var rows limitedBuffer
		// One row more than the page shows tells whether there are more.
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
	// The status is OK even with a fault of the query: a browser would log another status as an
	// error.
	p.show(w, http.StatusOK, v)
}

// run waits until fewer than atOnce other queries run. Then it runs a query until it is done, its
// time is up or the browser leaves.
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
	case err != nil && within.Err() != nil: // If the browser has left, nobody reads the message.
		err = data.Errorf("ask for less, or ask at a terminal, where there is no limit: captionlake sql",
			"the query was stopped, because it took more than %v", p.o.Limit)
	case errors.Is(err, errTooLarge):
		err = data.WithHint(errTooLarge, "choose fewer columns or rows, or download them")
	}
	return err
}

var errTooLarge = fmt.Errorf("the rows take more than %d MB", pageBytes>>20)

// A limitedBuffer refuses more bytes than a page can show.
type limitedBuffer struct{ bytes.Buffer }

func (l *limitedBuffer) Write(b []byte) (int, error) {
	if l.Len()+len(b) > pageBytes {
		return 0, errTooLarge
	}
	return l.Buffer.Write(b)
}

// A startedWriter knows whether anything was written.
type startedWriter struct {
	io.Writer
	started bool
}

func (s *startedWriter) Write(b []byte) (int, error) {
	s.started = true
	return s.Writer.Write(b)
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

// show completes the data of the page and answers with it.
func (p *Page) show(w http.ResponseWriter, status int, v view) {
	tables, err := p.o.Tables()
	if err != nil {
		web.Refuse(w, http.StatusInternalServerError, "The lake cannot be read", err.Error())
		return
	}
	v.Tables, v.Limit, v.Note = tables, p.o.Limit, p.o.Note()
	v.Asked = slices.DeleteFunc(slices.Clone(tables), func(t Table) bool { return t.Example == "" })
	// The page's script fetches the descriptions of tables.
	w.Header().Set("Content-Security-Policy", web.ContentPolicy+"; connect-src 'self'")
	p.site.Render(w, "query", web.View{Title: "SQL – captionlake", Data: v, Status: status})
}

// A result is the table of a page.
type result struct {
	Columns []string
	Numeric []bool // every value that is not null is a number
	Rows    [][]cell
	More    bool // the query has more rows than the page shows
}

// A cell is a value as text.
type cell struct {
	Text string
	Null bool
	Cut  bool // the value has more text
}

// readResult reads the rows that a page shows from a JSON array of objects. The members of each
// object are in the order of the columns; two columns may have the same name.
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
			if kind := value.Kind(); kind != 'n' && kind != '0' { // neither null nor a number
				out.Numeric[len(cells)] = false
			}
			cells = append(cells, cellOf(value))
		case '}':
			out.Rows = append(out.Rows, cells)
		}
	}
	return out, nil
}

// cellOf is the cell of a JSON value. A text is shown without quotes, other values as JSON.
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
