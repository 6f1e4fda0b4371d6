package llm

import (
	"encoding/json"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

// A router is told the same of calls that share a prefix and something else of others, in the place
// that it looks at; nobody else is told anything, and the body is otherwise the same.
func TestSession(t *testing.T) {
	for name, session := range map[string]Session{"none": {}, "header": {Header: "x-session-id"},
		"field": {Field: "user"}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var headers, fields []string
				serve := func(r *http.Request) (*http.Response, error) {
					again := must.Get(r.GetBody())(t)
					body, err := io.ReadAll(again)
					must.Succeed(t, err)
					var sent map[string]any
					must.Succeed(t, json.Unmarshal(body, &sent))
					user, _ := sent["user"].(string)
					headers, fields = append(headers, r.Header.Get("X-Session-ID")), append(fields, user)
					if sent["model"] != plainRequest("q").Model || len(sent) < 10 {
						t.Errorf("the body is %s", body)
					}
					return respond(200, `{"choices":[{"message":{"content":"A"},"finish_reason":"stop"}]}`), nil
				}
				c := newClient(t, world{"a": serve},
					func(cfg *Config) { cfg.Endpoint.Session, cfg.Endpoint.Routed = session, true }, "a")
				for _, key := range []string{"one", "one", "two", ""} {
					must.Get(c.Ask(t.Context(), plainRequest("q"), key))(t)
				}
				for at, got := range map[string][]string{"header": headers, "field": fields} {
					switch {
					case at != name && (got[0] != "" || got[2] != ""):
						t.Errorf("the %s has %q", at, got)
					case at == name && (len(got[0]) != 32 || got[0] != got[1] || got[0] == got[2] || got[3] != ""):
						t.Errorf("the %s has %q", at, got)
					}
				}
			})
		})
	}
}

// Behind routers the prefix does not decide where a call goes: both get the same share of one
// caption's calls.
func TestRoutedGoesToTheLeastLoaded(t *testing.T) {
	for routed, most := range map[bool]int{false: 4, true: 2} {
		synctest.Test(t, func(t *testing.T) {
			w := world{"a": after(time.Second), "b": after(time.Second)}
			c := newClient(t, w, func(cfg *Config) { cfg.Endpoint.Routed = routed }, "a", "b")
			replies := answered(t, c, 4, "caption")
			if n := countBy(replies); max(n["test/0"], n["test/1"]) != most {
				t.Errorf("routed %t: %v", routed, n)
			}
		})
	}
}

func TestParseRetryAfter(t *testing.T) {
	now := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"": 0, "3": 3 * time.Second, " 2 ": 2 * time.Second, "0.5": 500 * time.Millisecond, "-4": 0, "NaN": 0,
		"1e300": 1e6 * time.Second, "soon": 0,
		"Mon, 04 May 2026 12:00:30 GMT": 30 * time.Second, "Mon, 04 May 2026 11:00:00 GMT": 0,
		"Monday, 04-May-26 12:00:05 GMT": 5 * time.Second,
	} {
		expect.Equal(t, parseRetryAfter(value, now), want)
	}
}
