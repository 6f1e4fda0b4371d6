package llm

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

// A hostile server writes its answer to every request byte by byte. It ends when the writer fails.
type hostile func(w io.Writer, request string)

// answer is a whole HTTP answer.
func answer(status string, body string, headers ...string) hostile {
	return func(w io.Writer, _ string) {
		fmt.Fprintf(w, "HTTP/1.1 %s\r\nContent-Length: %d\r\nConnection: close\r\n", status, len(body))
		for _, h := range headers {
			fmt.Fprintf(w, "%s\r\n", h)
		}
		fmt.Fprintf(w, "\r\n%s", body)
	}
}

// endless writes a head and then a piece again and again.
func endless(head, piece string, every time.Duration) hostile {
	return func(w io.Writer, _ string) {
		if _, err := io.WriteString(w, head); err != nil {
			return
		}
		for {
			if _, err := io.WriteString(w, piece); err != nil {
				return
			}
			time.Sleep(every)
		}
	}
}

const (
	hostileKey = "sk-captionlake-hostile-7f3a9c"
	jsonHead   = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n"
	message    = `"choices":[{"index":0,"message":{"role":"assistant","content":"A"},"finish_reason":"stop"}]`
)

// hostiles are the servers by name. None of their answers is a reply.
func hostiles() map[string]hostile {
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	zeros := make([]byte, 1<<20)
	for range 512 {
		_, _ = z.Write(zeros) // to memory
	}
	_ = z.Close()
	big := strings.Repeat("x", 64<<10)
	return map[string]hostile{
		"endless body": endless(jsonHead+"\r\n", strings.Repeat(" ", 64<<10), 0),
		"endless chunks": endless(jsonHead+"Transfer-Encoding: chunked\r\n"+
			"\r\n", fmt.Sprintf("%x\r\n%s\r\n", len(big), big), 0),
		"endless text":     endless(jsonHead+"\r\n"+`{"choices":[{"message":{"content":"`, big, 0),
		"slow drip":        endless(jsonHead+"Content-Length: 100000\r\n\r\n", " ", 50*time.Millisecond),
		"slow head":        endless("HTTP/1.1 200 OK\r\nX: ", "a", 50*time.Millisecond),
		"silence":          endless("", "", 100*time.Millisecond),
		"length too large": answer("200 OK", "{"+message+"}", "X: 1\r\nContent-Length: 67108000"),
		"length claimed":   func(w io.Writer, _ string) { fmt.Fprintf(w, "%sContent-Length: 4194000\r\n\r\n{", jsonHead) },
		"length below": func(w io.Writer, _ string) {
			fmt.Fprintf(w, "%sContent-Length: 20\r\n\r\n"+
				"{%s}", jsonHead, message)
		},
		"length negative": func(w io.Writer, _ string) {
			fmt.Fprintf(w, "%sContent-Length: -1\r\n\r\n"+
				"{%s}", jsonHead, message)
		},
		"huge header":  endless("HTTP/1.1 200 OK\r\nX: ", big, 0),
		"many headers": endless("HTTP/1.1 200 OK\r\n", "X: y\r\n", 0),
		"1xx flood":    endless("", "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n", 0),
		"no HTTP":      func(w io.Writer, _ string) { _, _ = io.WriteString(w, "SSH-2.0-OpenSSH_9.6\r\n") },
		"reset":        func(w io.Writer, _ string) { reset(w) },
		"reset in the body": func(w io.Writer, _ string) {
			fmt.Fprintf(w, "%sContent-Length: 900\r\n\r\n{%s", jsonHead, message)
			reset(w)
		},
		"HTTP/1.0 cut": func(w io.Writer, _ string) { fmt.Fprintf(w, "HTTP/1.0 200 OK\r\n\r\n{%s", message) },
		"bad chunks": func(w io.Writer, _ string) {
			fmt.Fprintf(w, "%sTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n{", jsonHead)
		},
		"upgrade":                answer("101 Switching Protocols", "", "Upgrade: h2c"),
		"no content":             answer("204 No Content", ""),
		"redirect elsewhere":     answer("307 Temporary Redirect", "", "Location: http://127.0.0.1:9/v1/chat/completions"),
		"redirect to itself":     answer("308 Permanent Redirect", "", "Location: /v1/chat/completions"),
		"status 999":             answer("999 What", "{"+message+"}"),
		"gzip bomb":              answer("200 OK", bomb.String(), "Content-Encoding: gzip"),
		"deep nesting":           answer("200 OK", strings.Repeat(`{"choices":[`, 200_000)),
		"deep brackets":          answer("200 OK", `{"choices":`+strings.Repeat(`[`, 1<<20)),
		"endless finish reason":  answer("200 OK", `{"choices":[{"message":{"content":"A"},"finish_reason":"`+big+`"}]}`),
		"far too long":           answer("200 OK", `{"choices":[{"message":{"content":"`+strings.Repeat("A", 1<<20)+`"}}]}`),
		"metrics of nothing":     answer("200 OK", "{}"),
		"metrics by the million": answer("200 OK", strings.Repeat("vllm:prompt_tokens_total{a=\"b\"} NaN\n", 80_000)),
		"probability above one": answer("200 OK", `{"choices":[{"message":{"content":"A"},"finish_reason":"stop",
			"logprobs":{"content":[{"token":"A","logprob":5}]}}]}`),
	}
}

// reset ends a connection without a goodbye.
func reset(w io.Writer) {
	if tcp, ok := w.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
		_ = tcp.Close() // A peer that is gone already is as good.
	}
}

// listen serves a hostile server and returns its address.
func listen(t *testing.T, h hostile) string {
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	var wg sync.WaitGroup
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(func() {
		cancel()
		_ = l.Close()
		wg.Wait()
	})
	wg.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() {
				defer context.AfterFunc(ctx, func() { _ = c.Close() })()
				// The head is enough to know; the rest is taken in so that nothing is reset by
				// accident.
				head := make([]byte, 8<<10)
				n, err := c.Read(head)
				if err != nil {
					return
				}
				gone := make(chan struct{})
				go func() {
					defer close(gone)
					_, _ = io.Copy(io.Discard, c)
				}()
				h(untilGone{c, gone}.conn(), string(head[:n]))
				_ = c.(*net.TCPConn).CloseWrite()
				select {
				case <-gone:
				case <-time.After(100 * time.Millisecond):
				}
			})
		}
	})
	return "http://" + l.Addr().String() + "/v1"
}

// untilGone is a connection whose other end is watched.
type untilGone struct {
	c    net.Conn
	gone chan struct{}
}

func (u untilGone) conn() io.Writer {
	context.AfterFunc(closed(u.gone), func() { _ = u.c.Close() })
	return u.c
}

func closed(c chan struct{}) context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		<-c
		cancel()
	}()
	return ctx
}

// No server, whatever it answers, panics the client, keeps it beyond its deadline, takes more than
// a bounded memory, has its answer taken for a reply, or gets the key into an error. Every kind is
// asked by twenty callers at once.
func TestHostileServers(t *testing.T) {
	laketest.Slow(t, "more than fifty kinds of hostile server")
	const (
		callers  = 20
		deadline = 1500 * time.Millisecond
		// memory is what twenty calls may take: each a reply of 4 MiB, twice while it grows, and
		// once more while it is read.
		memory = callers*16<<20 + 64<<20
	)
	kinds := hostiles()
	if len(kinds) < 27 {
		t.Fatalf("%d kinds", len(kinds))
	}
	for name, h := range kinds {
		t.Run(name, func(t *testing.T) {
			t.Setenv("K", hostileKey)
			c := must.Get(New(Config{
				Endpoint:    Endpoint{Name: "hostile", Replicas: []string{listen(t, h)}, KeyEnv: "K"},
				MaxAttempts: 2, Timeout: deadline, GiveUp: 2 * deadline, TripAfter: 1000,
			}))(t)
			runtime.GC()
			var before runtime.MemStats
			runtime.ReadMemStats(&before)
			var peak atomic.Uint64
			watch, stop := context.WithCancel(t.Context())
			watching := make(chan struct{})
			go func() {
				defer close(watching)
				for watch.Err() == nil {
					var now runtime.MemStats
					runtime.ReadMemStats(&now)
					peak.Store(max(peak.Load(), now.HeapInuse-min(now.HeapInuse, before.HeapInuse)))
					time.Sleep(20 * time.Millisecond)
				}
			}()
			request := plainRequest("q")
			request.Sampling = Greedy(4)
			request.Sampling.Logprobs, request.Sampling.TopLogprobs = true, 20
			begin := time.Now()
			var wg sync.WaitGroup
			for range callers {
				wg.Go(func() {
					reply, err := c.Ask(t.Context(), request, "")
					var call *CallError
					if !errors.As(err, &call) || reply.State == StateOK || reply.State == StateTruncated {
						t.Errorf("%+v, %v", reply, err)
						return
					}
					if said := err.Error() + reply.Text + reply.Reasoning; c.redact.clean(said) != said || len(said) > 2000 {
						t.Errorf("%q", said)
					}
				})
			}
			wg.Wait()
			// Beside two deadlines, a busy machine takes its time to look through forty bodies of
			// some megabytes.
			if took := time.Since(begin); took > 2*deadline+30*time.Second {
				t.Errorf("the calls took %v", took)
			}
			facts := c.Facts(t.Context())[0]
			if said := fmt.Sprint(facts.Error, facts.Version, facts.Models); c.redact.clean(said) != said {
				t.Errorf("%q", said)
			}
			if facts.Counters != nil && name != "metrics by the million" {
				t.Error("its counters were believed")
			}
			if _, err := c.Ask(t.Context(), Request{Model: "m", Inputs: []string{"x", "y"}}, ""); err == nil {
				t.Error("its vectors were believed")
			}
			if v := c.ProbeConstraint(t.Context(), "m", nil)[0]; v.Honoured {
				t.Errorf("%+v", v)
			}
			stop()
			<-watching
			t.Logf("%d MiB at most", peak.Load()>>20)
			if peak.Load() > memory {
				t.Errorf("%d MiB were taken", peak.Load()>>20)
			}
		})
	}
}
