package web

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

// A request that is being answered when the server is told to stop gets its answer.
func TestServeStopsGracefully(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	entered, addresses, served := make(chan bool), make(chan string, 1), make(chan error, 1)
	slow := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		entered <- true
		time.Sleep(100 * time.Millisecond)
		_, _ = io.WriteString(w, "answered")
	})
	go func() { served <- Serve(ctx, 0, secret, slow, func(address string) { addresses <- address }) }()
	address := <-addresses
	jar := must.Get(cookiejar.New(nil))(t)
	answer := make(chan string, 1)
	go func() {
		response, err := (&http.Client{Jar: jar}).Get(address)
		if err != nil {
			answer <- err.Error()
			return
		}
		content, _ := io.ReadAll(response.Body)
		answer <- string(content)
	}()
	<-entered
	stop()
	expect.Equal(t, <-answer, "answered")
	must.Succeed(t, <-served)
}

func TestServeAnswersOnLoopbackAlone(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	addresses, served := make(chan string, 1), make(chan error, 1)
	go func() { served <- Serve(ctx, 0, secret, echo, func(address string) { addresses <- address }) }()
	at := must.Get(url.Parse(<-addresses))(t)
	if at.Hostname() != "127.0.0.1" || at.Query().Get("token") != secret {
		t.Errorf("address %s", at)
	}
	interfaces := must.Get(net.InterfaceAddrs())(t)
	for _, a := range interfaces {
		if ip, ok := a.(*net.IPNet); ok && ip.IP.To4() != nil && !ip.IP.IsLoopback() {
			if c, err := net.DialTimeout("tcp", net.JoinHostPort(ip.IP.String(), at.Port()), time.Second); err == nil {
				t.Errorf("it answers on %v, too", ip.IP)
				_ = c.Close()
			}
		}
	}
	port := must.Get(strconv.Atoi(at.Port()))(t)
	expect.Failure(t, Serve(ctx, port, secret, echo, func(string) {}), "address already in use")
	stop()
	must.Succeed(t, <-served)
}

// times are n1 of the one time and n2 of the other.
func times(n1 int, one float64, n2 int, other float64) (seconds []float64) {
	for range n1 {
		seconds = append(seconds, one)
	}
	for range n2 {
		seconds = append(seconds, other)
	}
	return seconds
}

func TestPace(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		seconds []float64
		want    string
	}{
		{"18 of 20 faster", times(2, 200, 18, 100), "18 of the last 20 took less than 142 seconds, the average"},
		{"17 of 20 faster", times(3, 200, 17, 100), ""},
		{"18 of 20 slower", times(2, 100, 18, 200), "18 of the last 20 took more than 142 seconds, the average"},
		{"as the average", times(0, 0, 20, 142), ""},
		{"long ago", times(40, 100, 20, 142), ""},
		{"too few", times(0, 0, 19, 100), ""},
		{"none", nil, ""},
	} {
		expect.Equal(t, Pace(c.seconds, 142), c.want, c.name)
	}
}

func TestName(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"Ada": "Ada", "  Ada \t Lovelace ": "Ada Lovelace", "Ame\u0301lie": "Amélie", "李 娜": "李 娜",
		"o'neill@lab-2.org":     "o'neill@lab-2.org",
		strings.Repeat("é", 60): strings.Repeat("é", 60),
	} {
		expect.Equal(t, must.Get(Name(given))(t), want, given)
	}
	for _, given := range []string{"", " ", strings.Repeat("x", 61), "a/b", `a\b`, "<b>", "a\x1b[31m", "a\u202eb",
		"a\x00b", "a\u200bb", "\xff"} {
		if got, err := Name(given); err == nil {
			t.Errorf("Name(%q) = %q, want an error", given, got)
		}
	}
}

func TestAway(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Duration{"": 0, "1.5": 1500 * time.Millisecond, "-3": 0, "NaN": 0, "x": 0,
		"Inf": 1e6 * time.Second, "1e300": 1e6 * time.Second} {
		expect.Equal(t, Away(text), want)
	}
}
