package browser

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
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
