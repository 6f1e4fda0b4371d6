package server_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
	rehearsalserver "github.com/captionlake/captionlake/stages/rehearsal/server"
)

// recorded holds what a real vLLM server said. The file is made by this test and never written by
// hand:
//
//	CAPTIONLAKE_VLLM=http://127.0.0.1:8011/v1 CAPTIONLAKE_VLLM_VISION=… \
//	  CAPTIONLAKE_VLLM_EMBED=… CAPTIONLAKE_VLLM_THINK=… \
//	  go test ./stages/rehearsal/server -run TestRecordExchanges -record
//
// The servers have --max-model-len 4096 (embeddings 2048), --enable-prompt-tokens-details and, for
// thinking, a --reasoning-parser.
const recorded = "testdata/vllm.json"

var record = flag.Bool("record", false, "record the exchanges of the vLLM servers that the environment names")

// A recording is the exchanges of one version.
type recording struct {
	Engine    string     `json:"engine"`
	Exchanges []exchange `json:"exchanges"`
}

// An exchange is one request and what came back.
type exchange struct {
	Name    string            `json:"name"`
	Server  string            `json:"server"`
	Method  string            `json:"method"`
	Path    string            `json:"path"`
	Request json.RawMessage   `json:"request,omitempty"` // empty for long ones
	Status  int               `json:"status"`
	Header  map[string]string `json:"header"`
	Body    json.RawMessage   `json:"body,omitempty"` // JSON
	Text    string            `json:"text,omitempty"` // a body that is not JSON
}

// serverEnv names the environment variables that hold the servers' addresses.
var serverEnv = map[string]string{"text": "CAPTIONLAKE_VLLM", "vision": "CAPTIONLAKE_VLLM_VISION",
	"embed": "CAPTIONLAKE_VLLM_EMBED", "think": "CAPTIONLAKE_VLLM_THINK"}

// contextTokens is the context of the recorded servers.
const contextTokens = 4096

// A request is one to be recorded and repeated. The requests are in testdata/requests.txtar: under
// the name a line with the fields up to tokens, and then the body.
type request struct {
	server, method, path, contentType string
	tokens                            int // of the whole prompt of a chat request with PROMPT; 0 without PROMPT
	name                              string
	body                              string // MODEL is the server's model, PROMPT a text of so many tokens, PNG a picture
}

func requests(t testing.TB) (all []request) {
	t.Helper()
	for _, f := range txtar.Parse(must.Read(t, "testdata/requests.txtar")).Files {
		head, body, _ := strings.Cut(string(f.Data), "\n")
		r := request{name: f.Name, body: strings.TrimSpace(body)}
		must.Get(fmt.Sscan(head, &r.server, &r.method, &r.path, &r.contentType, &r.tokens))(t)
		all = append(all, r)
	}
	return all
}

// send carries a request out.
func (r request) send(t testing.TB, base, model string) exchange {
	t.Helper()
	body := strings.ReplaceAll(r.body, "MODEL", model)
	if strings.Contains(body, "PNG") {
		body = strings.ReplaceAll(body, "PNG", redSquare(t))
	}
	if r.tokens > 0 {
		body = sizedPrompt(t, base, body, r.tokens)
	}
	req := must.Get(http.NewRequest(r.method, strings.TrimSuffix(base, "/v1")+r.path, strings.NewReader(body)))(t)
	if r.method == http.MethodPost {
		req.Header.Set("Content-Type", r.contentType)
	}
	resp := must.Get(http.DefaultClient.Do(req))(t)
	defer resp.Body.Close()
	said := must.Get(io.ReadAll(resp.Body))(t)
	x := exchange{Name: r.name, Server: r.server, Method: r.method, Path: r.path, Status: resp.StatusCode,
		Header: map[string]string{}}
	for _, h := range []string{"Content-Type", "Allow", "Retry-After"} {
		if v := resp.Header.Get(h); v != "" {
			x.Header[h] = v
		}
	}
	switch {
	case json.Valid(said):
		x.Body = said
	default:
		x.Text = string(said)
	}
	if len(body) < 1000 && json.Valid([]byte(body)) {
		x.Request = json.RawMessage(body)
	}
	return x
}

// sizedPrompt puts a text into a body such that the whole prompt has a number of tokens. Its word
// is one token under the recorded model's tokenizer, and a token of the rehearsal server is four
// bytes.
func sizedPrompt(t testing.TB, base, body string, tokens int) string {
	t.Helper()
	with := func(words int) string { return strings.ReplaceAll(body, "PROMPT", strings.Repeat(" a a", words)) }
	count := func(words int) int {
		resp := must.Get(http.Post(base+"/chat/completions", "application/json", strings.NewReader(with(words))))(t)
		defer resp.Body.Close()
		var reply struct {
			Usage struct {
				PromptTokens int `json:"prompt_tokens"`
			} `json:"usage"`
		}
		if err := json.NewDecoder(resp.Body).Decode(&reply); err != nil || reply.Usage.PromptTokens == 0 {
			t.Fatalf("a prompt of %d words: %v", words, err)
		}
		return reply.Usage.PromptTokens
	}
	few, more := count(10), count(110)
	each := (more - few) / 100
	left := tokens - few
	return strings.ReplaceAll(body, "PROMPT", strings.Repeat(" a a", 10+left/each)+strings.Repeat(" a", left%each))
}

func redSquare(t testing.TB) string {
	t.Helper()
	square := image.NewRGBA(image.Rect(0, 0, 112, 112))
	for i := range 112 * 112 {
		square.Set(i%112, i/112, color.RGBA{200, 30, 30, 255})
	}
	var b bytes.Buffer
	must.Succeed(t, png.Encode(&b, square))
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

// servedModel asks a server for its model.
func servedModel(t testing.TB, base string) string {
	t.Helper()
	resp := must.Get(http.Get(base + "/models"))(t)
	defer resp.Body.Close()
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&list); err != nil || len(list.Data) == 0 {
		t.Fatalf("%s names no model: %v", base, err)
	}
	return list.Data[0].ID
}

func readRecording(t testing.TB) recording {
	t.Helper()
	var r recording
	must.Succeed(t, json.Unmarshal(must.Read(t, recorded), &r))
	return r
}

// engineDies is the name of a request that the engine does not survive. CAPTIONLAKE_VLLM_DIE is a
// command that kills the engine of the thinking server while the request is under way, such as kill
// -9 of the process VLLM::EngineCore.
const engineDies = "engine dies"

// TestRecordExchanges writes the recording anew for the servers that the environment names, and
// keeps the others' part.
func TestRecordExchanges(t *testing.T) {
	if !*record {
		t.Skip("records only with -record")
	}
	var r recording
	if _, err := os.Stat(recorded); err == nil {
		r = readRecording(t)
	}
	die := os.Getenv("CAPTIONLAKE_VLLM_DIE")
	for _, q := range requests(t) {
		base := os.Getenv(serverEnv[q.server])
		if base == "" || q.name == engineDies && die == "" {
			continue
		}
		model := servedModel(t, base)
		if q.name == engineDies {
			defer time.AfterFunc(time.Second, func() {
				if out, err := exec.Command("sh", "-c", die).CombinedOutput(); err != nil {
					t.Errorf("%v: %s", err, out)
				}
			}).Stop()
		}
		x := q.send(t, base, model)
		if q.name == "metrics" {
			x.Text = excerpt(x.Text)
		}
		if q.name == "version" {
			var v struct{ Version string }
			must.Succeed(t, json.Unmarshal(x.Body, &v))
			r.Engine = "vLLM " + v.Version
		}
		if i := slices.IndexFunc(r.Exchanges, func(old exchange) bool { return old.Name == x.Name }); i >= 0 {
			r.Exchanges[i] = x
		} else {
			r.Exchanges = append(r.Exchanges, x)
		}
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "{\"engine\": %q, \"exchanges\": [\n", r.Engine)
	for i, x := range r.Exchanges {
		if i > 0 {
			out.WriteString(",\n")
		}
		out.Write(must.Get(json.Marshal(x))(t))
	}
	out.WriteString("\n]}\n")
	must.Succeed(t, os.WriteFile(recorded, out.Bytes(), 0o644))
}

// excerpt keeps the counters that captionlake reads.
func excerpt(metrics string) string {
	var kept []string
	for _, line := range strings.Split(metrics, "\n") {
		for _, name := range []string{"num_requests_running", "num_requests_waiting", "prefix_cache_queries_total",
			"prefix_cache_hits_total",
			"num_preemptions_total", "prompt_tokens_total", "generation_tokens_total", "request_success_total",
			"request_queue_time_seconds", "request_inference_time_seconds", "e2e_request_latency_seconds"} {
			if regexp.MustCompile(`^(# (HELP|TYPE) )?vllm:` + name + `(_sum|_count)?[ {]`).MatchString(line) {
				kept = append(kept, line)
			}
		}
	}
	return strings.Join(kept, "\n") + "\n"
}

// rehearsalModels are the rehearsal server's for each kind of server.
var rehearsalModels = map[string]string{"text": "rehearsal/reader-careful", "vision": "rehearsal/captioner-large",
	"embed": "rehearsal/embedder", "think": "rehearsal/reader-thinking"}

// differs says where the rehearsal server is meant to be another.
var differs = map[string]string{
	"picture for a reader": "its models answer any kind of request",
	"stop":                 "no stage stops at a text",
	engineDies:             "it has no engine that could die: a test kills the server instead",
}

// The rehearsal server answers every recorded request as vLLM did: the same status, headers that
// matter, keys and kinds of values, and the same messages but for numbers and names.
func TestTheRehearsalServerAnswersAsVLLMDid(t *testing.T) {
	server := httptest.NewServer(rehearsalserver.New(rehearsalserver.Options{ContextTokens: contextTokens}))
	defer server.Close()
	said := map[string]exchange{}
	for _, x := range readRecording(t).Exchanges {
		said[x.Name] = x
	}
	for _, q := range requests(t) {
		t.Run(q.name, func(t *testing.T) {
			want, ok := said[q.name]
			if why := differs[q.name]; why != "" {
				t.Skip(why)
			}
			if !ok {
				t.Fatal("not recorded")
			}
			got := q.send(t, server.URL+"/v1", rehearsalModels[q.server])
			expect.Equal(t, got.Status, want.Status, got.Body, got.Text)
			for name, v := range want.Header {
				expect.Equal(t, got.Header[name], v, name)
			}
			if q.name == "metrics" {
				compareMetrics(t, excerpt(got.Text), excerpt(want.Text))
				return
			}
			if (got.Body == nil) != (want.Body == nil) {
				t.Fatalf("said %s%q, vLLM %s%q", got.Body, got.Text, want.Body, want.Text)
			}
			if want.Body == nil {
				return
			}
			var g, w any
			must.Succeed(t, json.Unmarshal(got.Body, &g))
			must.Succeed(t, json.Unmarshal(want.Body, &w))
			compare(t, "body", g, w)
		})
	}
}

// sayings are the texts that must be equal but for numbers and names; other texts are the model's
// own or name the server.
var sayings = []string{"message", "detail", "type", "param", "object", "finish_reason", "role"}

var (
	digits = regexp.MustCompile(`-?[0-9]+(\.[0-9]+)?`)
	names  = regexp.MustCompile(`(Valid aliases: ).*\.$|^\S+( is not a multimodal model)`)
)

// blurred is a text without the parts that differ from server to server. Of the reports of a
// validator only the head counts.
func blurred(s string) string {
	if head, _, more := strings.Cut(s, "\n"); more {
		s = head
	}
	return digits.ReplaceAllString(names.ReplaceAllString(s, "$1…$2"), "N")
}

// compare reports where two values differ in form.
func compare(t *testing.T, at string, got, want any) {
	t.Helper()
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			t.Errorf("%s is %T, vLLM has an object", at, got)
			return
		}
		for k, v := range w {
			if _, ok := g[k]; !ok && v == nil {
				continue // As good as null.
			} else if !ok {
				t.Errorf("%s.%s is missing", at, k)
				continue
			}
			own, isText := g[k].(string)
			text, wasText := v.(string)
			if slices.Contains(sayings, k) && isText && wasText && blurred(own) != blurred(text) {
				t.Errorf("%s.%s is %q, vLLM's %q", at, k, own, text)
			}
			compare(t, at+"."+k, g[k], v)
		}
		for k := range g {
			if _, ok := w[k]; !ok {
				t.Errorf("%s.%s is not in vLLM's", at, k)
			}
		}
	case []any:
		g, ok := got.([]any)
		if !ok || (len(g) == 0) != (len(w) == 0) {
			t.Errorf("%s is %v, vLLM has a list of %d", at, got, len(w))
			return
		}
		if len(w) > 0 {
			compare(t, at+"[0]", g[0], w[0])
		}
	default:
		if g, w := fmt.Sprintf("%T", got), fmt.Sprintf("%T", want); g != w {
			t.Errorf("%s is %s (%v), vLLM's is %s (%v)", at, g, got, w, want)
		}
	}
}

// compareMetrics compares names, kinds and labels of counters.
func compareMetrics(t *testing.T, got, want string) {
	t.Helper()
	form := func(text string) []string {
		var lines []string
		for _, line := range strings.Split(text, "\n") {
			if !strings.HasPrefix(line, "# HELP") && line != "" {
				line = regexp.MustCompile(`model_name="[^"]*"`).ReplaceAllString(line, "model_name=…")
				if !strings.HasPrefix(line, "#") {
					line, _, _ = strings.Cut(line, "} ")
				}
				lines = append(lines, line)
			}
		}
		slices.Sort(lines)
		return slices.Compact(lines)
	}
	g, w := form(got), form(want)
	for _, line := range w {
		if !slices.Contains(g, line) {
			t.Errorf("%q is missing from %q", line, g)
		}
	}
}
