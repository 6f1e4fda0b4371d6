package turns

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/web"
	"github.com/captionlake/captionlake/stages/web/browser"
)

// counter is a page on which people count. One process at a time serves it.
type counter struct {
	n       int
	release func()
}

func openCounter(l *data.Lake) (Decisions, error) {
	release, err := l.Hold("count")
	return &counter{release: release}, err
}

func (c *counter) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintf(w, "counted %d", c.n) })
	mux.HandleFunc("POST /more", func(w http.ResponseWriter, _ *http.Request) { c.n++; web.Redirect(w, "./", url.Values{}) })
	return mux
}

func (c *counter) Close() (int, error) {
	c.release()
	return c.n, nil
}

func newTurns(t *testing.T, idle time.Duration) (*Turns, string, *browser.Visitor) {
	t.Helper()
	lake, err := data.Create(t.TempDir(), "test")
	must.Succeed(t, err)
	dir := lake.Dir()
	must.Succeed(t, lake.Close())
	turns, err := New(func() (*data.Lake, error) { return data.Edit(dir, "serve") }, idle,
		Kind{Name: "count", Title: "Count", What: "Say one more.", Open: openCounter},
		Kind{Name: "none", Title: "Nothing", What: "Do nothing.", Open: func(*data.Lake) (Decisions, error) {
			return nil, data.WithHint(errors.New("the lake has nothing"), "make something")
		}})
	must.Succeed(t, err)
	mux := http.NewServeMux()
	mux.Handle("/people/", http.StripPrefix("/people", turns.Handler()))
	mux.HandleFunc("GET /{$}", func(http.ResponseWriter, *http.Request) {})
	return turns, dir, browser.NewVisitor(t, browser.Serve(t, mux).URL, browser.Token, "Ada")
}

// free reports whether another process could serve the page. It could write to the lake in any case.
func free(t *testing.T, dir string) bool {
	t.Helper()
	lake, err := data.Edit(dir, "another")
	must.Succeed(t, err)
	defer func() {
		if err := lake.Close(); err != nil {
			t.Error(err)
		}
	}()
	release, err := lake.Hold("count")
	if errors.Is(err, data.ErrLocked) {
		return false
	}
	must.Succeed(t, err)
	release()
	return true
}

func TestTurns(t *testing.T) {
	turns, dir, v := newTurns(t, time.Hour)
	v.Get("/people/count/")
	if v.Wants("What people decide", "Begin"); !free(t, dir) {
		t.Error("the page is taken before anybody begins")
	}
	v.Send("/people/begin", url.Values{"page": {"none"}})
	if v.Wants("the lake has nothing", "Try: make something"); !free(t, dir) {
		t.Error("the page is taken though nothing was begun")
	}
	v.Get("/people/")
	v.Send("/people/begin", url.Values{"page": {"count"}})
	if v.Wants("counted 0"); free(t, dir) {
		t.Error("another can serve the page while people decide")
	}
	v.Get("/people/")
	v.Wants("Join", "End, and make rows")
	v.Send("/people/count/more", url.Values{})
	v.Wants("counted 1")
	v.Get("/people/")
	v.Send("/people/end", url.Values{"page": {"count"}})
	if v.Wants("Ended: 1 new rows in the lake."); !free(t, dir) {
		t.Error("the page is taken after the end")
	}
	v.Send("/people/count/more", url.Values{})
	v.Wants("Nobody decides here any more")

	other, err := data.Edit(dir, "another")
	must.Succeed(t, err)
	if _, err := openCounter(other); err != nil {
		t.Fatal(err)
	}
	v.Get("/people/")
	v.Send("/people/begin", url.Values{"page": {"count"}})
	if v.Status != http.StatusLocked {
		t.Errorf("begun while another serves it: %d %s", v.Status, v.Page)
	}
	must.Succeed(t, other.Close())
	v.Get("/people/")
	v.Send("/people/begin", url.Values{"page": {"count"}})
	v.Wants("counted 0")
	if _, err := turns.Close(); err != nil || !free(t, dir) {
		t.Errorf("closed: %v", err)
	}
}

// A page that nobody uses is ended, so that others can serve it.
func TestIdlePagesEnd(t *testing.T) {
	_, dir, v := newTurns(t, 50*time.Millisecond)
	v.Get("/people/")
	v.Send("/people/begin", url.Values{"page": {"count"}})
	for end := time.Now().Add(5 * time.Second); !free(t, dir); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the page is open still")
		}
	}
}
