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
	jar, err := cookiejar.New(nil)
	must.Succeed(t, err)
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
	if got := <-answer; got != "answered" {
		t.Errorf("answer %q", got)
	}
	if err := <-served; err != nil {
		t.Error(err)
	}
}

func TestServeAnswersOnLoopbackAlone(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	addresses, served := make(chan string, 1), make(chan error, 1)
	go func() { served <- Serve(ctx, 0, secret, echo, func(address string) { addresses <- address }) }()
	at, err := url.Parse(<-addresses)
	must.Succeed(t, err)
	if at.Hostname() != "127.0.0.1" || at.Query().Get("token") != secret {
		t.Errorf("address %s", at)
	}
	interfaces, err := net.InterfaceAddrs()
	must.Succeed(t, err)
	for _, a := range interfaces {
		if ip, ok := a.(*net.IPNet); ok && ip.IP.To4() != nil && !ip.IP.IsLoopback() {
			if c, err := net.DialTimeout("tcp", net.JoinHostPort(ip.IP.String(), at.Port()), time.Second); err == nil {
				t.Errorf("it answers on %v, too", ip.IP)
				_ = c.Close()
			}
		}
	}
	port, err := strconv.Atoi(at.Port())
	must.Succeed(t, err)
	if err := Serve(ctx, port, secret, echo, func(string) {}); err == nil || !strings.Contains(err.Error(), "address already in use") {
		t.Errorf("a port in use: %v", err)
	}
	stop()
	if err := <-served; err != nil {
		t.Error(err)
	}
}
