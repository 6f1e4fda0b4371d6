package web

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/captionlake/captionlake/data"
)

// A Book makes rows of the decisions in a journal, and finds earlier decisions. A Ledger is one.
type Book[V any] interface {
	Settle(l *data.Lake) (rows int, err error)
	Past(l *data.Lake) (made, elsewhere []Decision[V], err error)
	Journal() string
}

// A Page is what a page has, whatever people decide on it. Decisions are on disk when it says so.
// Close makes rows of them; after a crash the next OpenPage does.
type Page[V any] struct {
	*Desk[V]        // of Begin
	Pictures        *Pictures
	Made, Elsewhere []Decision[V]   // earlier decisions on this page, and others
	Taken           map[string]bool // names that nobody may have: there are decisions under them from elsewhere
	Left            map[string]int  // items that are not shown, by the words that say so

	lake *data.Lake
	site *Site
	book Book[V]
	kept int
}

// OpenPage reads the lake's data for a page. The templates are files of a folder of this name, with
// spaces between their names. The page's decisions are in the first book; the journals of the other
// books are settled, too. The lake must be open for writing.
func OpenPage[V any](l *data.Lake, templates fs.FS, names string, books ...Book[V]) (*Page[V], error) {
	p := &Page[V]{lake: l, book: books[0], Left: map[string]int{}, Taken: map[string]bool{}}
	var err error
	if p.site, err = NewSite(templates, strings.Fields(names)...); err != nil {
		return nil, err
	}
	for _, book := range books {
		rows, err := book.Settle(l)
		if err != nil {
			return nil, err
		}
		p.kept += rows
	}
	if p.Made, p.Elsewhere, err = p.book.Past(l); err != nil {
		return nil, err
	}
	for _, d := range p.Elsewhere {
		p.Taken[d.Person] = true
	}
	p.Pictures, err = LoadPictures(l)
	return p, err
}

// Begin offers items to people, as NewDesk says.
func (p *Page[V]) Begin(items []Item, before []Decision[V], aside bool, now func() time.Time) (err error) {
	p.Desk, err = NewDesk(p.lake, p.book.Journal(), items, before, aside, now)
	return err
}

// Kept is the number of decisions of a killed process that are rows since OpenPage.
func (p *Page[V]) Kept() int { return p.kept }

// NotShown says which items are not shown, and why.
func (p *Page[V]) NotShown() (lines []string) {
	for _, why := range slices.Sorted(maps.Keys(p.Left)) {
		lines = append(lines, fmt.Sprint(p.Left[why], " ", why))
	}
	return lines
}

// Simulated is the number of simulated items.
func (p *Page[V]) Simulated() (n int) {
	for _, item := range p.items {
		if item.Simulated {
			n++
		}
	}
	return n
}

// Close makes rows of the decisions and returns their number. No request may be under way.
func (p *Page[V]) Close() (rows int, err error) {
	err = p.Desk.Close()
	rows, settled := p.book.Settle(p.lake)
	return rows, errors.Join(err, settled)
}

// Handler answers the requests of the page: a start page and pictures for everybody, and pages that
// people use under their names. question asks for the name, and home is the page of items. The
// templates start, help and progress get data. The handler belongs behind Protect.
func (p *Page[V]) Handler(question, home string, data any,
	pages map[string]func(w http.ResponseWriter, r *http.Request, person string)) http.Handler {
	patterns := map[string]http.HandlerFunc{
		"GET " + picturePath + "{digest}": p.Pictures.ServeHTTP,
		"GET /{$}": func(w http.ResponseWriter, _ *http.Request) {
			p.site.Render(w, "start", View{Title: question + " – captionlake", Progress: p.Progress(), Data: data})
		},
	}
	pages["GET /help"] = func(w http.ResponseWriter, r *http.Request, person string) {
		p.Show(w, r, person, "help", "Guidelines and keys", data)
	}
	pages["GET /progress"] = func(w http.ResponseWriter, r *http.Request, person string) {
		p.Show(w, r, person, "progress", "Progress", data)
	}
	pages["POST /undo"] = func(w http.ResponseWriter, _ *http.Request, person string) {
		last, err := p.Undo(person)
		Answer(w, home, person, last.Item, undone, err)
	}
	for pattern, h := range pages {
		patterns[pattern] = func(w http.ResponseWriter, r *http.Request) {
			name, err := p.known(r.FormValue("as"))
			if err != nil {
				Refuse(w, http.StatusBadRequest, question, err.Error()+".")
				return
			}
			h(w, r, name)
		}
	}
	return Mux(patterns)
}

// known is the person with a name. A name that differs from a known one only in letter case is that
// one. A name that is taken is an error, since the lake stores one decision of a name on an item.
func (p *Page[V]) known(given string) (string, error) {
	name, err := Name(given)
	if err != nil {
		return "", err
	}
	for taken := range p.Taken {
		if strings.EqualFold(taken, name) {
			return "", fmt.Errorf("the lake has decisions of %q that were not made on this page; write another name",
				taken)
		}
	}
	for _, person := range p.People() {
		if strings.EqualFold(person, name) {
			return person, nil
		}
	}
	return name, nil
}

// Show answers a person's request with a page.
func (p *Page[V]) Show(w http.ResponseWriter, r *http.Request, person, template, title string, data any) {
	p.site.Render(w, template, View{Title: title + " – captionlake", Person: person, Counts: p.Of(person),
		Notice: r.URL.Query().Get("notice"), Progress: p.Progress(), Data: data})
}

// ShowItem is Show for a page of an item. Its title begins with the outcome of the request before,
// because a screen reader begins with the title: last is the stored decision in words, or empty.
func (p *Page[V]) ShowItem(w http.ResponseWriter, r *http.Request, person, template, item, last string, data any) {
	c := p.Of(person)
	title := fmt.Sprintf("Your %s %d", item, c.Decided+c.Skipped+1)
	switch {
	case r.URL.Query().Get("notice") == undone:
		title = "Taken back. " + title
	case last != "":
		title = "Stored: " + last + ". " + title
	}
	p.Show(w, r, person, template, title, data)
}
