package webtest

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

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

// A Clock is a time that moves only when a test moves it.
type Clock struct{ at time.Time }

// NewClock is a clock on a morning.
func NewClock() *Clock { return &Clock{time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)} }

// Now is the clock's time.
func (c *Clock) Now() time.Time { return c.at }

// Pass moves the clock on.
func (c *Clock) Pass(seconds float64) {
	c.at = c.at.Add(time.Duration(seconds * float64(time.Second)))
}
