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

// A Book is a Ledger without the type of its rows.
type Book[V any] interface {
	Settle(l *data.Lake) (rows int, err error)
	Past(l *data.Lake) (made, elsewhere []Decision[V], err error)
	Journal() string
}

// A Page is the common part of all pages for people. A decision is on disk before the page says
// that it is stored. Close makes rows of the decisions; after a crash the next OpenPage does.
type Page[V any] struct {
	*Desk[V]  // nil before Begin
	Pictures  *Pictures
	Made      []Decision[V]   // earlier decisions on this page
	Elsewhere []Decision[V]   // people's decisions of other origin
	Taken     map[string]bool // names that nobody on the page may have, because Elsewhere has them
	Left      map[string]int  // numbers of items that are not shown, by a message that gives the reason

	lake *data.Lake
	site *Site
	book Book[V]
	kept int
}

// OpenPage reads the lake's data for a page. names are the names of the templates (see NewSite),
// with spaces between them. The first book has the page's decisions. OpenPage makes rows of the
// decisions in the journals of all books. The lake must be open for writing.
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

// Begin makes the desk that offers the items to people. Its arguments are the arguments of NewDesk.
func (p *Page[V]) Begin(items []Item, before []Decision[V], ignoreQuick bool,
	now func() time.Time) (err error) {
	p.Desk, err = NewDesk(p.lake, p.book.Journal(), items, before, ignoreQuick, now)
	return err
}

// Kept is the number of rows that OpenPage has made of the decisions that a killed process left.
func (p *Page[V]) Kept() int { return p.kept }

// NotShown gives a line for each reason why items are not shown, with the number of items.
func (p *Page[V]) NotShown() (lines []string) {
	for _, reason := range slices.Sorted(maps.Keys(p.Left)) {
		lines = append(lines, fmt.Sprint(p.Left[reason], " ", reason))
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
	closing := p.Desk.Close()
	rows, settling := p.book.Settle(p.lake)
	return rows, errors.Join(closing, settling)
}

// Handler answers the requests of the page: a start page and pictures for everybody, and pages that
// people use under their names. The title of the start page is question, which asks for the name.
// After an undo, people return to the path home, which shows the item. The templates start, help
// and progress get data. Protect must guard the handler.
func (p *Page[V]) Handler(question, home string, data any,
	pages map[string]func(w http.ResponseWriter, r *http.Request, person string)) http.Handler {
	patterns := map[string]http.HandlerFunc{
		"GET /" + picturePath + "{digest}": p.Pictures.ServeHTTP,
		"GET /{$}": func(w http.ResponseWriter, _ *http.Request) {
			p.site.Render(w, "start", View{Title: question + " – captionlake", Progress: p.Progress(), Data: data})
		},
	}
	for name, title := range map[string]string{"help": "Guidelines and keys", "progress": "Progress"} {
		pages["GET /"+name] = func(w http.ResponseWriter, r *http.Request, person string) {
			p.Show(w, r, person, name, title, data)
		}
	}
	pages["POST /undo"] = func(w http.ResponseWriter, _ *http.Request, person string) {
		last, err := p.Undo(person)
		Answer(w, home, person, last.Item, undone, err)
	}
	for pattern, h := range pages {
		patterns[pattern] = func(w http.ResponseWriter, r *http.Request) {
			name, err := p.personOf(r.FormValue("as"))
			if err != nil {
				Refuse(w, http.StatusBadRequest, question, err.Error()+".")
				return
			}
			h(w, r, name)
		}
	}
	return Mux(patterns)
}

// personOf is the person who has given a name on a form. If the page knows a person by this name in
// any letter case, it is that person. A taken name is an error, since the lake stores only one
// decision under a name on an item.
func (p *Page[V]) personOf(given string) (string, error) {
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

// Show answers a person's request with a page, which the template makes of data.
func (p *Page[V]) Show(w http.ResponseWriter, r *http.Request, person, template, title string, data any) {
	p.site.Render(w, template, View{Title: title + " – captionlake", Person: person, Counts: p.Of(person),
		Notice: r.URL.Query().Get("notice"), Progress: p.Progress(), Data: data})
}

// ShowItem is Show for the page of an item. item is the item's kind, such as question, and last the
// person's last decision in words, or empty. The title begins with the outcome of the previous
// request, because a screen reader begins with the title.
func (p *Page[V]) ShowItem(w http.ResponseWriter, r *http.Request, person, template, item, last string, data any) {
	progress := p.Of(person)
	title := fmt.Sprintf("Your %s %d", item, progress.Decided+progress.Skipped+1)
	switch {
	case r.URL.Query().Get("notice") == undone:
		title = "Taken back. " + title
	case last != "" && r.URL.Query().Get("notice") != tooLate: // A decision that came too late was not stored.
		title = "Stored: " + last + ". " + title
	}
	p.Show(w, r, person, template, title, data)
}
