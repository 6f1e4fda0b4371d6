package query

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/web/browser"
)

// TestMain is also the worker of the tests: a process that answers a few words.
func TestMain(m *testing.M) {
	if os.Getenv("QUERY_TEST_WORKER") == "" {
		os.Exit(m.Run())
	}
	if err := Work(context.Background(), os.Stdin, os.Stdout, say); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// hostile is a value that would do something if it were not text.
const hostile = `</pre><script>alert(1)</script><img src=x onerror=alert(2)>` + "\x1b[31m\u202e$\\frac{1}{2}$"

func say(ctx context.Context, r Request, out io.Writer) (Reply, error) {
	word, rest, _ := strings.Cut(r.Query, " ")
	switch word {
	case "rows":
		note, err := json.Marshal(rest)
		if err != nil {
			return Reply{}, err
		}
		_, err = fmt.Fprintf(out, `[{"name":"a","score":1.5,"note":%s},{"name":%q,"score":2,"note":null},{"name":"c","score":-1,"note":{"x":[1]}}]`, note, "b<b>")
		return Reply{Rows: 3, More: r.Rows < 2_000}, err
	case "pid":
		_, err := fmt.Fprintf(out, `[{"pid":%d}]`, os.Getpid())
		return Reply{Rows: 1}, err
	case "none":
		_, err := io.WriteString(out, "[]\n")
		return Reply{}, err
	case "many":
		_, err := io.Copy(out, io.LimitReader(zeros{}, r.Bytes+1))
		return Reply{}, err
	case "slow": // as one that stops when it is told to
		<-ctx.Done()
		return Reply{}, ctx.Err()
	case "endless": // as one that does not
		select {}
	case "memory":
		os.Exit(2)
	}
	return Reply{}, data.WithHint(fmt.Errorf("SQL:1:1: syntax error\n\nLINE 1: %s\n        ^", r.Query), "write a select")
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { return len(b), nil }

func newPool(t *testing.T, workers int, limit time.Duration) *Pool {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	program, err := os.Executable()
	must.Succeed(t, err)
	p := NewPool(workers, limit, func(string) *exec.Cmd {
		c := exec.Command(program)
		c.Env = append(os.Environ(), "QUERY_TEST_WORKER=1")
		return c
	})
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		if left, err := os.ReadDir(os.Getenv("TMPDIR")); err != nil || len(left) > 0 {
			t.Errorf("left in the temporary folder: %v %v", left, err)
		}
	})
	return p
}

func ask(t *testing.T, p *Pool, ctx context.Context, query string) (string, error) {
	t.Helper()
	rows, _, err := p.Ask(ctx, Request{Query: query, Format: "json", Rows: 10, Bytes: 1000})
	if err != nil {
		return "", err
	}
	defer rows.Close()
	content, err := io.ReadAll(rows)
	must.Succeed(t, err)
	return string(content), nil
}

// A query that fails leaves its process to the next one; one that does not stop, or that ends its process, does not.
func TestPool(t *testing.T) {
	p := newPool(t, 1, 300*time.Millisecond)
	first, err := ask(t, p, t.Context(), "pid")
	must.Succeed(t, err)
	var hint *data.HintError
	if _, err := ask(t, p, t.Context(), "selekt"); err == nil || !strings.Contains(err.Error(), "LINE 1: selekt\n        ^") || !errors.As(err, &hint) || hint.Hint != "write a select" {
		t.Errorf("a fault: %v", err)
	}
	if _, err := ask(t, p, t.Context(), "many"); err == nil || !strings.Contains(err.Error(), "MB") {
		t.Errorf("many bytes: %v", err)
	}
	if _, err := ask(t, p, t.Context(), "slow"); err == nil || !strings.Contains(err.Error(), "more than 300ms") {
		t.Errorf("a slow query: %v", err)
	}
	if same, err := ask(t, p, t.Context(), "pid"); err != nil || same != first {
		t.Errorf("the process that was told to stop: %s, before %s, %v", same, first, err)
	}
	if _, err := ask(t, p, t.Context(), "memory"); err == nil || !strings.Contains(err.Error(), "memory") {
		t.Errorf("a process that ended: %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	begun := time.Now()
	if _, err := ask(t, p, ctx, "endless"); !errors.Is(err, context.DeadlineExceeded) || time.Since(begun) > 2*time.Second {
		t.Errorf("cancelled: %v after %v", err, time.Since(begun))
	}
	if another, err := ask(t, p, t.Context(), "pid"); err != nil || another == first {
		t.Errorf("the process after one that was killed: %s, before %s, %v", another, first, err)
	}
}

// A query that hears nothing is stopped a little after its time.
func TestPoolStopsWhatDoesNotStop(t *testing.T) {
	p := newPool(t, 1, 100*time.Millisecond)
	begun := time.Now()
	if _, err := ask(t, p, t.Context(), "endless"); err == nil || !strings.Contains(err.Error(), "more than 100ms") || time.Since(begun) > grace+3*time.Second {
		t.Errorf("%v after %v", err, time.Since(begun))
	}
}

func TestPoolIsBounded(t *testing.T) {
	p := newPool(t, 1, 10*time.Second)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 5)
	for range cap(p.places) {
		go func() {
			_, _, err := p.Ask(ctx, Request{Query: "slow", Bytes: 1})
			ended <- err
		}()
	}
	for end := time.Now().Add(5 * time.Second); len(p.places) < cap(p.places) && time.Now().Before(end); time.Sleep(time.Millisecond) {
	}
	if _, err := ask(t, p, t.Context(), "pid"); !errors.Is(err, ErrBusy) {
		t.Errorf("one too many: %v", err)
	}
	cancel()
	for range cap(p.places) {
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
	if got, err := ask(t, p, t.Context(), "none"); err != nil || got != "[]\n" {
		t.Errorf("after all were cancelled: %q %v", got, err)
	}
}

func serve(t *testing.T, p *Pool) *httptest.Server {
	t.Helper()
	page, err := New(Options{
		Ask: p.Ask, Limit: p.limit, Examples: []Example{{"Which is best?", "from leaderboard('Simple')\nlimit 5"}}, Note: func() string { return "Results are older than the tables." },
		Tables: func() ([]Table, error) {
			return []Table{{"answers", "table", "a parsed and scored answer", "", []Column{{"captioner", "VARCHAR", "model_id"}}}, {"versus(a, b)", "shortcut", "two captioners", "from versus(1, 2)", nil}}, nil
		},
	})
	must.Succeed(t, err)
	return browser.Serve(t, page.Handler())
}

func TestPage(t *testing.T) {
	server := serve(t, newPool(t, 2, 5*time.Second))
	v := browser.NewVisitor(t, server.URL, browser.Token, "")
	v.Wants("Results are older than the tables.", "<code>answers</code>", `href="table?name=versus%28a%2c%20b%29"`)
	v.Wants(`<a href="./?query=from%20leaderboard%28%27Simple%27%29%0alimit%205">Which is best?</a>`)
	if strings.Contains(v.Page, "model_id") {
		t.Error("the page has the columns of all tables before anybody asks for them")
	}
	v.Get("/table?name=answers")
	v.Wants("model_id", "<code>captioner</code>")
	v.Get("/table?name=versus%28a%2c%20b%29")
	v.Wants("<code>versus(a, b)</code>", "from versus(1, 2)")
	if v.Get("/table?name=nothing"); v.Status != http.StatusNotFound {
		t.Errorf("a table that is not there: status %d", v.Status)
	}
	v.Get("/?query=" + url.QueryEscape("rows of a link"))
	if v.Wants("rows of a link</textarea>"); strings.Contains(v.Page, "<table") {
		t.Error("a link ran its query")
	}
	v.Send("/", url.Values{"query": {"rows " + hostile}, "do": {"run"}})
	v.Wants("3 rows, the first of more", "&lt;script&gt;alert(1)", "�[31m�$\\frac", ">null<", `{&#34;x&#34;:[1]}`, `class="bar"`, ">score</th>")
	if strings.Contains(v.Page, "<script>alert") || strings.Contains(v.Page, "<img src=x") {
		t.Error("a value is markup")
	}
	v.Send("/", url.Values{"query": {"rows x"}, "do": {"run"}, "label": {"score"}, "value": {"score"}})
	v.Wants(`class="dot"`)
	v.Send("/", url.Values{"query": {"selekt <b>"}, "do": {"run"}})
	if v.Wants("LINE 1: selekt &lt;b&gt;\n        ^", "<b>Try:</b> write a select", "selekt &lt;b&gt;</textarea>"); v.Status != http.StatusOK {
		t.Errorf("status of a fault %d", v.Status)
	}
	v.Send("/", url.Values{"query": {"none"}, "do": {"run"}})
	v.Wants("0 rows")
	v.Send("/", url.Values{"query": {strings.Repeat("x", longestQuery+1)}, "do": {"run"}})
	v.Wants("longer than 32 KiB")
	v.Get("/")
	v.Send("/", url.Values{"query": {"none"}, "do": {"csv"}, "ticket": {"abc"}})
	if v.Page != "[]\n" || v.Cookie(sentCookie) != "abc" {
		t.Errorf("a download: %q, its ticket %q", v.Page, v.Cookie(sentCookie))
	}
}

// Nothing is run for a request that is not a form of this server in a browser that was let in.
func TestPageIsProtected(t *testing.T) {
	server := serve(t, newPool(t, 1, 5*time.Second))
	v := browser.NewVisitor(t, server.URL, browser.Token, "")
	good := v.Field("token")
	for name, change := range map[string]func(*http.Request){
		"a wrong host":      func(r *http.Request) { r.Host = "evil.example" },
		"no cookie":         func(r *http.Request) { r.Header.Del("Cookie") },
		"another origin":    func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") },
		"another site":      func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") },
		"no token":          func(r *http.Request) { r.Body = io.NopCloser(strings.NewReader("query=none&do=csv")) },
		"text, not a form":  func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") },
		"another method":    func(r *http.Request) { r.Method = http.MethodPut },
		"nothing at all":    nil,
		"the token as JSON": func(r *http.Request) { r.Header.Set("Content-Type", "application/json") },
	} {
		body := url.Values{"query": {"none"}, "do": {"csv"}, "token": {good}}.Encode()
		r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
		r.Host = strings.TrimPrefix(server.URL, "http://")
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		_, port, _ := strings.Cut(r.Host, ":")
		r.AddCookie(&http.Cookie{Name: "captionlake-" + port, Value: browser.Token})
		if change != nil {
			change(r)
		}
		w := httptest.NewRecorder()
		server.Config.Handler.ServeHTTP(w, r)
		if ran := w.Body.String() == "[]\n"; ran != (change == nil) {
			t.Errorf("%s: status %d, ran: %v", name, w.Code, ran)
		}
	}
}

func FuzzReadResult(f *testing.F) {
	for _, s := range []string{"[]", `[{"a":1,"b":"x"},{"a":null,"b":[1,{}]}]`, `[{"a":1},{"a":1,"b":2}]`, `[{"a":1e999}]`, "[[", `{"a":1}`, `[{"a":NaN}]`, `[{"a":1},{"a":-1e300}]`, `[{"a":"x","b":1e300},{"a":"y","b":-1e300}]`} {
		f.Add([]byte(s), "a", "b")
	}
	f.Fuzz(func(t *testing.T, content []byte, label, value string) {
		r, err := readResult(bytes.NewReader(content))
		if err != nil {
			return
		}
		v := view{Result: r, Label: label, Value: value}
		v.draw()
		if v.Chart != nil && len(v.Chart.Ticks) > 50 {
			t.Errorf("%d ticks", len(v.Chart.Ticks))
		}
	})
}
