package browser

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/web"
)

// Token lets visitors in to the pages that Serve, Main and Answers serve.
const Token = "0123456789abcdef"

// Serve serves pages as the commands do.
func Serve(t testing.TB, pages http.Handler) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(web.Protect(pages, Token))
	t.Cleanup(server.Close)
	return server
}

// servedLake is the environment variable that names the lake whose page Main serves.
const servedLake = "CAPTIONLAKE_TEST_PAGE"

// Main is the TestMain of a package with a page: in a process that Process started it serves the page of a lake instead of testing.
func Main(m *testing.M, open func(lake *data.Lake) (http.Handler, error)) {
	dir := os.Getenv(servedLake)
	if dir == "" {
		os.Exit(m.Run())
	}
	lake, err := data.Edit(dir, "test")
	if err != nil {
		panic(err)
	}
	pages, err := open(lake)
	if err != nil {
		panic(err)
	}
	panic(web.Serve(context.Background(), 0, Token, pages, func(address string) { println(address) }))
}

// A Clock is a time that moves when a test says so.
type Clock struct{ at time.Time }

// NewClock is a clock on a morning.
func NewClock() *Clock { return &Clock{time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)} }

// Now is the clock's time.
func (c *Clock) Now() time.Time { return c.at }

// Pass moves the clock on.
func (c *Clock) Pass(seconds float64) {
	c.at = c.at.Add(time.Duration(seconds * float64(time.Second)))
}

// Answers gives the pages that requests are answered with, without a server between.
func Answers(b *testing.B, pages http.Handler) func(method, target string, form url.Values) string {
	pages = web.Protect(pages, Token)
	return func(method, target string, form url.Values) string {
		r := httptest.NewRequest(method, target, strings.NewReader(form.Encode()))
		r.Host = "localhost"
		r.AddCookie(&http.Cookie{Name: "captionlake", Value: Token})
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		w := httptest.NewRecorder()
		pages.ServeHTTP(w, r)
		if w.Code >= 400 {
			b.Fatalf("%s %s: status %d: %s", method, target, w.Code, w.Body)
		}
		return w.Body.String()
	}
}

// Measure does something over and over, and reports the time within which 99 of 100 are done.
func Measure(b *testing.B, do func()) {
	var took []time.Duration
	for b.Loop() {
		began := time.Now()
		do()
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "ms-99th-percentile")
}
