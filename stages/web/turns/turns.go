package turns

import (
	"embed"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/web"
)

// Decisions is a page on which people decide, over a lake that is open for writing. Close makes rows of what was decided.
type Decisions interface {
	Handler() http.Handler
	Close() (rows int, err error)
}

// A Kind is one such page.
type Kind struct {
	Name  string // in the address
	Title string
	What  string // people do there, in one sentence
	// Open opens the page. The error says what the lake has nothing of, where there is nothing to decide about.
	Open func(*data.Lake) (Decisions, error)
}

// Turns opens and closes the pages of a lake.
type Turns struct {
	open  func() (*data.Lake, error) // for writing
	kinds []Kind
	idle  time.Duration
	site  *web.Site

	mu    sync.RWMutex // held for reading while a page answers
	lake  *data.Lake   // nil while no page is open
	pages map[string]Decisions
	used  map[string]*time.Timer // ends a page that nobody uses
}

//go:embed templates/*.html.tmpl
var templates embed.FS

// New serves pages over a lake that open opens for writing. A page that nobody has asked anything of for the time idle is closed.
func New(open func() (*data.Lake, error), idle time.Duration, kinds ...Kind) (*Turns, error) {
	site, err := web.NewSite(templates, "templates", "list")
	return &Turns{open: open, kinds: kinds, idle: idle, site: site, pages: map[string]Decisions{}, used: map[string]*time.Timer{}}, err
}

// Close closes every page and reports how many rows were made. No request may be under way.
func (t *Turns) Close() (rows int, err error) {
	for _, k := range t.kinds {
		n, closed := t.end(k.Name)
		rows, err = rows+n, errors.Join(err, closed)
	}
	return rows, err
}

func (t *Turns) begin(k Kind) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.pages[k.Name] != nil {
		return nil
	}
	if t.lake == nil {
		lake, err := t.open()
		if err != nil {
			return err
		}
		t.lake = lake
	}
	page, err := k.Open(t.lake)
	if err != nil {
		return errors.Join(err, t.release())
	}
	t.pages[k.Name] = page
	t.used[k.Name] = time.AfterFunc(t.idle, func() { _, _ = t.end(k.Name) }) // What fails is on disk, and becomes rows at the next beginning.
	return nil
}

// release lets others write once no page is open.
func (t *Turns) release() error {
	if len(t.pages) > 0 || t.lake == nil {
		return nil
	}
	lake := t.lake
	t.lake = nil
	return lake.Close()
}

func (t *Turns) end(name string) (rows int, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	page := t.pages[name]
	if page == nil {
		return 0, nil
	}
	t.used[name].Stop()
	delete(t.pages, name)
	rows, err = page.Close()
	return rows, errors.Join(err, t.release())
}

// Handler answers the requests of all pages. It belongs behind web.Protect.
func (t *Turns) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", t.list)
	mux.HandleFunc("POST /begin", t.beginPage)
	mux.HandleFunc("POST /end", t.endPage)
	for _, k := range t.kinds {
		mux.HandleFunc("/"+k.Name+"/", func(w http.ResponseWriter, r *http.Request) { t.serve(w, r, k) })
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		web.Refuse(w, http.StatusNotFound, "There is no such page", "Open the address that the command printed.")
	})
	return mux
}

func (t *Turns) serve(w http.ResponseWriter, r *http.Request, k Kind) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	page := t.pages[k.Name]
	switch {
	case page != nil:
		t.used[k.Name].Reset(t.idle)
		http.StripPrefix("/"+k.Name, page.Handler()).ServeHTTP(w, r)
	case r.Method == http.MethodPost:
		web.Refuse(w, http.StatusConflict, "Nobody decides here any more", "This was not stored. Go back to the list of pages, begin again, and decide again; what was stored before is safe.")
	default:
		w.Header().Set("Location", "../")
		w.WriteHeader(http.StatusSeeOther)
	}
}

// line is a page as the list has it.
type line struct {
	Kind
	Open bool
}

func (t *Turns) list(w http.ResponseWriter, r *http.Request) {
	var lines []line
	t.mu.RLock()
	for _, k := range t.kinds {
		lines = append(lines, line{k, t.pages[k.Name] != nil})
	}
	t.mu.RUnlock()
	ended := ""
	if n := r.URL.Query().Get("rows"); n != "" {
		ended = fmt.Sprintf("Ended: %s new rows in the lake.", n)
	}
	t.site.Render(w, r, http.StatusOK, "list", web.View{Title: "People – captionlake", Data: map[string]any{"Lines": lines, "Ended": ended, "Idle": t.idle}})
}

// chosen is the page that a form names. It answers a form that names none.
func (t *Turns) chosen(w http.ResponseWriter, r *http.Request) (Kind, bool) {
	i := slices.IndexFunc(t.kinds, func(k Kind) bool { return k.Name == r.PostForm.Get("page") })
	if i < 0 {
		web.Refuse(w, http.StatusBadRequest, "There is no such page", "Go back and choose another.")
		return Kind{}, false
	}
	return t.kinds[i], true
}

func (t *Turns) beginPage(w http.ResponseWriter, r *http.Request) {
	k, ok := t.chosen(w, r)
	if !ok {
		return
	}
	if err := t.begin(k); err != nil {
		status, next := http.StatusConflict, "Go back when that has changed."
		var hint *data.HintError
		if errors.As(err, &hint) {
			next = "Try: " + hint.Hint
		}
		if errors.Is(err, data.ErrLocked) {
			status = http.StatusLocked
		}
		web.Refuse(w, status, err.Error(), next)
		return
	}
	w.Header().Set("Location", k.Name+"/")
	w.WriteHeader(http.StatusSeeOther)
}

func (t *Turns) endPage(w http.ResponseWriter, r *http.Request) {
	k, ok := t.chosen(w, r)
	if !ok {
		return
	}
	rows, err := t.end(k.Name)
	if err != nil {
		web.Refuse(w, http.StatusInternalServerError, "The decisions are not rows yet", err.Error()+". They are stored, and become rows when somebody begins again.")
		return
	}
	web.Redirect(w, "./", url.Values{"rows": {fmt.Sprint(rows)}})
}
