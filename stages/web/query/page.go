package query

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/web"
)

// What a page shows and a download holds at most.
const (
	pageRows      = 1_000
	pageBytes     = 8 << 20
	downloadRows  = 5_000_000
	downloadBytes = 512 << 20
	longestCell   = 2_000 // characters
	longestQuery  = 32 << 10
)

// A Table is what a query may name, for the list beside it.
type Table struct {
	Name, Kind, What, Example string
	Columns                   []Column
}

// A Column is a column of it.
type Column struct{ Name, Type, What string }

// An Example is a query to start from.
type Example struct{ Asks, Query string }

// Options say what the page asks, and how.
type Options struct {
	Ask    func(ctx context.Context, r Request) (rows *os.File, reply Reply, err error)
	Tables func() ([]Table, error) // what the lake has now, each of another name
	Note   func() string           // what is to be known of the lake now, such as results that are older than the tables; may be empty
	Limit  time.Duration           // of one query, to be said on the page

	Examples []Example // questions that are often asked; the page shows their queries and runs none
}

// A Page answers queries.
type Page struct {
	o    Options
	site *web.Site
}

//go:embed templates/*.html.tmpl
var templates embed.FS

// New makes the page.
func New(o Options) (*Page, error) {
	site, err := web.NewSite(templates, "templates", "query", "table")
	return &Page{o, site}, err
}

// view is what the template has.
type view struct {
	Query   string
	Limit   time.Duration
	Tables  []Table
	Asked   []Example
	Note    string
	Fault   string
	Hint    string
	Result  *result
	Chart   *chart
	Choices []string // of the chart: columns
	Label   string
	Value   string
}

// downloads are the formats of downloads, and what they are called.
var downloads = map[string]string{"csv": "text/csv; charset=utf-8", "json": "application/json", "parquet": "application/vnd.apache.parquet"}

// Handler answers the requests of the page at the path "/". It belongs behind web.Protect, which lets only forms of this server through.
func (p *Page) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		p.show(w, r, http.StatusOK, view{Query: r.URL.Query().Get("query")})
	})
	mux.HandleFunc("POST /{$}", p.ask)
	mux.HandleFunc("GET /table", p.describe)
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		web.Refuse(w, http.StatusNotFound, "There is no such page", "Open the address that the command printed.")
	})
	return mux
}

// ask runs the query of a form. A download is the same query again, in full.
func (p *Page) ask(w http.ResponseWriter, r *http.Request) {
	form := r.PostForm
	v := view{Query: form.Get("query"), Label: form.Get("label"), Value: form.Get("value")}
	if len(v.Query) > longestQuery {
		v.Query, v.Fault = "", "The query is longer than 32 KiB."
		p.show(w, r, http.StatusRequestEntityTooLarge, v)
		return
	}
	format, request := form.Get("do"), Request{Query: v.Query, Format: "json", Rows: pageRows, Bytes: pageBytes}
	mediaType, download := downloads[format]
	if download {
		request.Format, request.Rows, request.Bytes = format, downloadRows, downloadBytes
	}
	// The limits of the server are those of pages that are ready: a query has its own.
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Time{}) // The form has been read. A server of a test may have no deadlines.
	_ = control.SetWriteDeadline(time.Now().Add(p.o.Limit + 5*time.Minute))
	rows, reply, err := p.o.Ask(r.Context(), request)
	if r.Context().Err() != nil { // Nobody waits any more.
		return
	}
	if err != nil {
		status := http.StatusOK // The page was made as asked; a browser would log another status as an error of its own.
		if errors.Is(err, ErrBusy) {
			status = http.StatusServiceUnavailable
		}
		var hint *data.HintError
		if errors.As(err, &hint) {
			v.Hint = hint.Hint
		}
		v.Fault = err.Error()
		p.show(w, r, status, v)
		return
	}
	defer rows.Close() // read only
	if download {
		send(w, rows, form.Get("ticket"), mediaType, format, reply)
		return
	}
	if v.Result, err = readResult(rows); err != nil {
		web.Refuse(w, http.StatusInternalServerError, "The rows cannot be shown", err.Error())
		return
	}
	v.Result.More = reply.More
	v.draw()
	p.show(w, r, http.StatusOK, v)
}

// describe shows what is known of a table: all of them together are longer than what most people come for.
func (p *Page) describe(w http.ResponseWriter, r *http.Request) {
	tables, err := p.o.Tables()
	if err != nil {
		web.Refuse(w, http.StatusInternalServerError, "The lake cannot be read", err.Error())
		return
	}
	name := r.URL.Query().Get("name")
	i := slices.IndexFunc(tables, func(t Table) bool { return t.Name == name })
	if i < 0 {
		web.Refuse(w, http.StatusNotFound, "The lake has no such table", "Go back to the query, which lists those that it has.")
		return
	}
	p.site.Render(w, r, http.StatusOK, "table", web.View{Title: name + " – captionlake", Data: tables[i]})
}

// sentCookie brings the ticket of a download back to the page that asked for it: nothing else tells a page that a file has begun to come.
const sentCookie = "captionlake-sent"

// send answers with a file.
func send(w http.ResponseWriter, rows *os.File, ticket, mediaType, format string, reply Reply) {
	http.SetCookie(w, &http.Cookie{Name: sentCookie, Value: ticket, Path: "/", MaxAge: 60, SameSite: http.SameSiteStrictMode})
	h := w.Header()
	h.Set("Content-Type", mediaType)
	h.Set("Content-Disposition", "attachment; filename=captionlake."+format)
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	if reply.More { // A file cannot say it, and a person must know.
		h.Set("Content-Disposition", fmt.Sprintf("attachment; filename=captionlake-first-%d-rows.%s", reply.Rows, format))
	}
	if info, err := rows.Stat(); err == nil {
		h.Set("Content-Length", strconv.FormatInt(info.Size(), 10))
	}
	_, _ = io.Copy(w, rows) // Whoever has gone away misses nothing.
}

func (p *Page) show(w http.ResponseWriter, r *http.Request, status int, v view) {
	tables, err := p.o.Tables()
	if err != nil {
		web.Refuse(w, http.StatusInternalServerError, "The lake cannot be read", err.Error())
		return
	}
	v.Tables, v.Asked, v.Limit, v.Note = tables, p.o.Examples, p.o.Limit, p.o.Note()
	w.Header().Set("Content-Security-Policy", web.ContentPolicy+"; connect-src 'self'") // for the descriptions
	p.site.Render(w, r, status, "query", web.View{Title: "SQL – captionlake", Data: v})
}

// A result is a table of the page.
type result struct {
	Columns []string
	Numeric []bool // every value that is not null is a number
	Rows    [][]cell
	More    bool
	numbers [][]float64
}

// A cell is a value as text.
type cell struct {
	Text string
	Null bool
	Cut  bool
}

// readResult reads an array of objects, whose members are in the order of the columns.
func readResult(r io.Reader) (*result, error) {
	d := json.NewDecoder(r)
	d.UseNumber()
	out := &result{}
	if _, err := d.Token(); err != nil { // [
		return nil, err
	}
	for d.More() {
		if _, err := d.Token(); err != nil { // {
			return nil, err
		}
		var cells []cell
		for d.More() {
			name, err := d.Token()
			if err != nil {
				return nil, err
			}
			var value any
			if err := d.Decode(&value); err != nil {
				return nil, err
			}
			if len(out.Rows) == 0 {
				out.Columns, out.Numeric, out.numbers = append(out.Columns, fmt.Sprint(name)), append(out.Numeric, true), append(out.numbers, nil)
			}
			i := len(cells)
			if i >= len(out.Columns) {
				return nil, errors.New("a row has more columns than the first")
			}
			number, isNumber := value.(json.Number)
			f, err := number.Float64()
			out.Numeric[i] = out.Numeric[i] && (value == nil || isNumber && err == nil)
			out.numbers[i] = append(out.numbers[i], f)
			cells = append(cells, cellOf(value))
		}
		if _, err := d.Token(); err != nil { // }
			return nil, err
		}
		out.Rows = append(out.Rows, cells)
	}
	return out, nil
}

func cellOf(value any) cell {
	text := ""
	switch v := value.(type) {
	case nil:
		return cell{Null: true}
	case string:
		text = v
	case json.Number:
		text = v.String()
	default:
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false) // The template escapes.
		_ = e.Encode(v)        // It was read from JSON.
		text = string(bytes.TrimSpace(b.Bytes()))
	}
	if utf8.RuneCountInString(text) <= longestCell {
		return cell{Text: text}
	}
	return cell{Text: string([]rune(text)[:longestCell]), Cut: true}
}

// draw makes the chart of a result that has a column of numbers: by the columns that were chosen, or the first that fit.
func (v *view) draw() {
	r := v.Result
	label, value := -1, -1
	for i, name := range r.Columns {
		if name == v.Value && r.Numeric[i] {
			value = i
		}
		if name == v.Label {
			label = i
		}
	}
	for i := range r.Columns {
		if label < 0 && !r.Numeric[i] {
			label = i
		}
	}
	if label < 0 {
		label = 0
	}
	for i := range r.Columns {
		if value < 0 && r.Numeric[i] && i != label {
			value = i
		}
	}
	if value < 0 || len(r.Rows) < 2 {
		return
	}
	v.Choices, v.Label, v.Value = r.Columns, r.Columns[label], r.Columns[value]
	v.Chart = newChart(r, label, value)
}
