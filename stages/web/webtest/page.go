package webtest

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/web"
)

// Token lets visitors in to the pages of Serve.
const Token = "0123456789abcdef"

// Serve serves pages as the commands do.
func Serve(t testing.TB, pages http.Handler) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(web.Protect(pages, Token))
	t.Cleanup(server.Close)
	return server
}

// A Page is a page for people over a lake. Close makes rows of the decisions and returns their
// number.
type Page interface {
	Handler() http.Handler
	Close() (int, error)
}

// A Sitting is a page over a lake, with a clock that only the test moves.
type Sitting struct {
	T    *testing.T
	Lake *data.Lake
	URL  string // of the page that is open
	page Page
	now  time.Time
}

// NewSitting begins a sitting without a page, on a morning.
func NewSitting(t *testing.T, lake *data.Lake) *Sitting {
	return &Sitting{T: t, Lake: lake, now: time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)}
}

// Serve serves a page until the test ends.
func (s *Sitting) Serve(page Page) { s.page, s.URL = page, Serve(s.T, page.Handler()).URL }

// End closes the page and returns how many rows it has made.
func (s *Sitting) End() int { s.T.Helper(); return must.Get(s.page.Close())(s.T) }

// Visitor is a visitor of the page.
func (s *Sitting) Visitor(name string) *Visitor {
	s.T.Helper()
	return NewVisitor(s.T, s.URL, Token, name)
}

// Tab is a browser at an address of the page, which ends with ? or &.
func (s *Sitting) Tab(path string, o Options) *Tab {
	s.T.Helper()
	return Open(s.T, s.URL+path+"token="+Token, o)
}

// Now is the clock's time.
func (s *Sitting) Now() time.Time { return s.now }

// Pass moves the clock on.
func (s *Sitting) Pass(seconds float64) {
	s.now = s.now.Add(time.Duration(seconds * float64(time.Second)))
}
