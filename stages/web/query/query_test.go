package query

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/dictionary"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/web/webtest"
)

// hostile is a value that would do something if it were not text.
const hostile = `</pre><script>alert(1)</script><img src=x onerror=alert(2)>` + "\x1b[31m\u202e$\\frac{1}{2}$"

// say answers a few words.
func say(ctx context.Context, query, _ string, rows int64, out io.Writer) error {
	word, rest, _ := strings.Cut(query, " ")
	switch word {
	case "rows":
		note, err := json.Marshal(rest)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(out, `[{"name":"a","score":1.5,"note":%s},{"name":%q,"score":2,"note":null},`+
			`{"name":"c","score":-1,"note":{"x":[1]}}]`, note, "b<b>")
		return err
	case "numbers":
		numbers := make([]string, rows)
		for i := range numbers {
			numbers[i] = fmt.Sprintf(`{"n":%d}`, i)
		}
		_, err := fmt.Fprintf(out, "[%s]", strings.Join(numbers, ","))
		return err
	case "none":
		_, err := io.WriteString(out, "[]\n")
		return err
	case "many":
		for range 1 + pageBytes/1000 {
			if _, err := out.Write(make([]byte, 1000)); err != nil {
				return err
			}
		}
		return nil
	case "half":
		_, _ = io.WriteString(out, "half")
		return errors.New("damaged")
	case "endless":
		<-ctx.Done()
		return ctx.Err()
	}
	return data.WithHint(fmt.Errorf("SQL:1:1: syntax error\n\nLINE 1: %s\n        ^", query), "write a select")
}

// served serves the page, and returns how many queries run.
func served(t *testing.T, limit time.Duration) (*httptest.Server, func() int) {
	t.Helper()
	page := must.Get(New(Options{
		Ask: say, Limit: limit,
		Note: func() string { return "Results are older than the tables." },
		Tables: func() ([]Table, error) {
			return []Table{{"answers", "table", "a parsed and scored answer", "",
				[]dictionary.Column{{Name: "captioner", Comment: "model_id"}}},
				{"versus(a, b)", "shortcut", "two captioners", "from versus(1, 2)\nlimit 5", nil}}, nil
		},
	}))(t)
	return webtest.Serve(t, page.Handler()), func() int { return len(page.runs) }
}

// A query ends with its time, and when its browser goes away; then the next one runs. Two run at a
// time.
func TestQueryEnds(t *testing.T) {
	server, _ := served(t, 500*time.Millisecond)
	v := webtest.NewVisitor(t, server.URL, webtest.Token, "")
	v.Send("/", url.Values{"query": {"endless"}, "do": {"run"}})
	v.Wants("more than 500ms")
	server, running := served(t, time.Hour)
	v = webtest.NewVisitor(t, server.URL, webtest.Token, "")
	host := strings.TrimPrefix(server.URL, "http://")
	_, port, _ := strings.Cut(host, ":")
	body := url.Values{"query": {"endless"}, "do": {"run"}}.Encode()
	endless := func(runs int) net.Conn {
		t.Helper()
		conn := must.Get(net.Dial("tcp", host))(t)
		fmt.Fprintf(conn,
			"POST / HTTP/1.1\r\nHost: %s\r\nCookie: captionlake-%s=%s\r\nContent-Type: application/x-www-form-urlencoded\r\n"+
				"Content-Length: %d\r\n\r\n%s", host, port, webtest.Token, len(body), body)
		for end := time.Now().Add(20 * time.Second); running() < runs &&
			time.Now().Before(end); time.Sleep(time.Millisecond) {
		}
		return conn
	}
	first := endless(1)
	v.Send("/", url.Values{"query": {"none"}, "do": {"run"}}) // beside the first
	v.Wants("0 rows")
	second := endless(2)
	time.AfterFunc(50*time.Millisecond, func() { _ = first.Close() })
	v.Send("/", url.Values{"query": {"none"}, "do": {"run"}}) // in the place of the first
	v.Wants("0 rows")
	must.Succeed(t, second.Close())
}

func TestPage(t *testing.T) {
	server, _ := served(t, 5*time.Second)
	v := webtest.NewVisitor(t, server.URL, webtest.Token, "")
	v.Wants("Results are older than the tables.", "<code>answers</code>", `href="table?name=versus%28a%2c%20b%29"`)
	v.Wants(`<a href="./?query=from%20versus%281%2c%202%29%0alimit%205">two captioners</a>`)
	expect.Lacks(t, v.Page, "model_id")
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
	v.Wants("3 rows<", "&lt;script&gt;alert(1)", "�[31m�$\\frac", ">null<", `{&#34;x&#34;:[1]}`, ">score</th>")
	if strings.Contains(v.Page, "<script>alert") || strings.Contains(v.Page, "<img src=x") {
		t.Error("a value is markup")
	}
	v.Send("/", url.Values{"query": {"selekt <b>"}, "do": {"run"}})
	if v.Wants("LINE 1: selekt &lt;b&gt;\n        ^", "<b>Try:</b> write a select",
		"selekt &lt;b&gt;</textarea>"); v.Status != http.StatusOK {
		t.Errorf("status of a fault %d", v.Status)
	}
	v.Send("/", url.Values{"query": {"numbers"}, "do": {"run"}})
	v.Wants("1000 rows, the first of more", ">999<")
	v.Send("/", url.Values{"query": {"none"}, "do": {"run"}})
	v.Wants("0 rows")
	v.Send("/", url.Values{"query": {strings.Repeat("x", longestQuery+1)}, "do": {"run"}})
	v.Wants("longer than 32 KiB")
	v.Send("/", url.Values{"query": {"many"}, "do": {"run"}})
	v.Wants("more than 8 MB", "download them")
	v.Get("/")
	v.Send("/", url.Values{"query": {"selekt"}, "do": {"csv"}})
	v.Wants("LINE 1: selekt")
	v.Send("/", url.Values{"query": {"none"}, "do": {"csv"}})
	expect.Equal(t, v.Page, "[]\n")
}

// A download that fails half-way is no file.
func TestHalfADownload(t *testing.T) {
	page := must.Get(New(Options{Ask: say, Limit: time.Minute}))(t)
	defer func() {
		expect.Equal[any](t, recover(), http.ErrAbortHandler, "the connection is not broken off")
	}()
	r := httptest.NewRequest(http.MethodPost, "/", nil)
	r.PostForm = url.Values{"query": {"half"}, "do": {"csv"}}
	page.Handler().ServeHTTP(httptest.NewRecorder(), r)
}

func FuzzReadResult(f *testing.F) {
	for _, s := range []string{"[]", `[{"a":1,"b":"x"},{"a":null,"b":[1,{}]}]`, `[{"a":1},{"a":1,"b":2}]`,
		`[{"a":1e999}]`, "[[", `{"a":1}`, `[{"a":NaN}]`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(_ *testing.T, content []byte) { _, _ = readResult(bytes.NewReader(content)) })
}
