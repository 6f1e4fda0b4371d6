package query

import (
	"fmt"
	"net"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/web/browser"
)

// A query whose browser goes away is ended, and its place is free.
func TestQueryEndsWithItsBrowser(t *testing.T) {
	p := newPool(t, 1, 20*time.Second)
	server := serve(t, p)
	v := browser.NewVisitor(t, server.URL, browser.Token, "")
	host := strings.TrimPrefix(server.URL, "http://")
	_, port, _ := strings.Cut(host, ":")
	conn, err := net.Dial("tcp", host)
	must.Succeed(t, err)
	body := url.Values{"query": {"endless"}, "do": {"run"}, "token": {v.Field("token")}}.Encode()
	fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: %s\r\nCookie: captionlake-%s=%s\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n%s", host, port, browser.Token, len(body), body)
	for end := time.Now().Add(5 * time.Second); len(p.workers) == 0 && time.Now().Before(end); time.Sleep(time.Millisecond) {
	}
	begun := time.Now()
	must.Succeed(t, conn.Close())
	for end := time.Now().Add(10 * time.Second); len(p.workers) > 0; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the query runs on %v after nobody waits for it", time.Since(begun))
		}
	}
}
