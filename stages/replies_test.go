package stages

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/batch"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/doctor"
	"github.com/captionlake/captionlake/stages/llm"
	"github.com/captionlake/captionlake/stages/preflight"
)

// saying is a server whose model m answers each request as reply says, and the configuration of a
// captioner and reader that it is.
func saying(t *testing.T, reply func(n int, request map[string]any) (status int, body string)) (c *config.Config,
	asked *atomic.Int64) {
	t.Helper()
	asked = &atomic.Int64{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			if !strings.HasSuffix(r.URL.Path, "/models") {
				http.NotFound(w, r)
				return
			}
			fmt.Fprint(w, `{"data":[{"id":"m","root":"m","max_model_len":32768}]}`)
			return
		}
		var request map[string]any
		if json.NewDecoder(r.Body).Decode(&request) != nil {
			return // The run has ended meanwhile.
		}
		status, body := reply(int(asked.Add(1)), request)
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}))
	t.Cleanup(server.Close)
	c = rehearsal(server.URL + "/v1")
	c.Endpoints[0].Models = []string{"m"}
	c.Captions.Captioners, c.Answers.Readers = []string{"m"}, []string{"m"}
	return c, asked
}

// said is a reply with a message, as JSON, and a finish reason.
func said(message, finish string) string {
	return fmt.Sprintf(`{"model":"m","choices":[{"index":0,"message":%s,"finish_reason":%q,"logprobs":null}],
		"usage":{"prompt_tokens":20,"completion_tokens":4}}`, message, finish)
}

// always is a reply to every request.
func always(message, finish string) func(int, map[string]any) (int, string) {
	return func(int, map[string]any) (int, string) { return http.StatusOK, said(message, finish) }
}

// callsOf are the recorded calls of the model m.
func callsOf(t *testing.T, l *data.Lake) (calls []data.Call) {
	t.Helper()
	for _, c := range laketest.All(t, l, data.Calls) {
		if c.Model == "m" {
			calls = append(calls, c)
		}
	}
	return calls
}

// Replies that are no answer fail with their reason, or end the unit, and none becomes a row that
// counts.
func TestRepliesThatAreNoAnswer(t *testing.T) {
	answer, caption := config.Choice{Stage: "answer", Captioners: []string{"rehearsal/captioner-medium"}},
		captioning
	probabilities := answer
	probabilities.Protocol = captionqa.ProtocolProbabilities
	for name, c := range map[string]struct {
		choice  config.Choice
		message string
		finish  string
		say     string // how the run ends
		next    string
	}{
		"thoughts in the text": {answer, `{"content":"<think>\nOkay,"}`, "length", "m has not answered once",
			"turn thinking off"},
		"thoughts in the caption": {caption, `{"content":"<think>\nThe user wants a description."}`, "length",
			"m has not answered once", "turn thinking off"},
		"log-probabilities are ignored": {probabilities, `{"content":"A"}`, "stop",
			"m has given no log-probabilities", captionqa.ProtocolUpstream},
		"nobody can read them": {answer, `{"content":"<|im_start|>"}`, "stop",
			"no reply can be read: 32 replies of m have come, such as \"<|im_start|>\"",
			"captionlake run --retry-failed"},
		// 25 pictures are fewer than end a unit
		"the caption is empty": {caption, `{"content":" "}`, "stop", "", ""},
		"the model refuses": {caption,
			`{"content":null,"refusal":"I'm sorry, I can't help with identifying people."}`, "stop", "", ""},
		"the model calls a tool": {caption,
			`{"content":null,"tool_calls":[{"function":{"name":"zoom","arguments":"{}"}}]}`, "tool_calls", "", ""},
		"the answer is held back as such": {answer, `{"content":null}`, "content_filter", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			l := captionedLake(t)
			conf, asked := saying(t, always(c.message, c.finish))
			reports, err := runAll(t.Context(), l, conf, c.choice)
			if c.say != "" {
				laketest.Hint(t, err, c.next, c.say)
			} else {
				must.Succeed(t, err)
			}
			if n := int(asked.Load()); len(callsOf(t, l)) > n || n > reports[0].Planned {
				t.Errorf("%d requests for %d calls of %d", n, len(callsOf(t, l)), reports[0].Planned)
			}
			for _, row := range laketest.All(t, l, data.Captions) {
				if row.Captioner == "m" {
					t.Fatalf("%+v is kept", row)
				}
			}
			for _, row := range laketest.All(t, l, data.Answers) {
				if row.Reader == "m" && row.Outcome != string(captionqa.Failed) {
					t.Fatalf("%+v counts", row)
				}
			}
			for _, call := range callsOf(t, l) {
				if name != "the caption is empty" &&
					(call.State != llm.StateFailed || call.Attempts != 1 || call.Error == "") {
					t.Fatalf("%+v", call)
				}
				if name == "the model refuses" &&
					(!strings.Contains(call.Error, "I can't help") || !strings.HasPrefix(call.Text, "I'm sorry")) {
					t.Fatalf("%+v", call)
				}
			}
			if name == "the caption is empty" &&
				!strings.Contains(reports[0].Note, "25 of 25 replies of m could not be read") {
				t.Errorf("note %q", reports[0].Note)
			}
		})
	}
}

// What ended a unit because nobody could read it is asked again once the cause is gone.
func TestUnreadRepliesAreAskedAgain(t *testing.T) {
	l := captionedLake(t)
	conf, asked := saying(t, always(`{"content":"???"}`, "stop"))
	choice := config.Choice{Stage: "answer", Captioners: []string{"rehearsal/captioner-medium"}}
	if _, err := runAll(t.Context(), l, conf, choice); err == nil {
		t.Fatal("the run goes on")
	}
	_, questions := sampleSize(t)
	if n := int(asked.Load()); n < 32 || n >= questions {
		t.Errorf("%d requests", n)
	}
	mended, _ := saying(t,
		always(`{"content":[{"type":"thinking","thinking":[{"type":"text","text":"B is out."}]},{"type":"text",
			"text":"A"}]}`, "stop"))
	retryFailed(t, l, mended, choice)
	calls := callsOf(t, l)
	for _, call := range calls {
		if call.State != llm.StateOK || call.Text != "A" || call.Reasoning != "B is out." {
			t.Fatalf("%+v", call)
		}
	}
	expect.Equal(t, len(calls), questions)
}

// A few unreadable replies are the model's, and count; more than a twentieth are said.
func TestUnreadableRepliesAreSaid(t *testing.T) {
	for every, noted := range map[int]bool{10: true, 40: false} {
		l := captionedLake(t)
		conf, _ := saying(t, func(n int, _ map[string]any) (int, string) {
			if n%every == 1 {
				return http.StatusOK, said(`{"content":"hm"}`, "stop")
			}
			return http.StatusOK, said(`{"content":"A"}`, "stop")
		})
		reports := mustRun(t, l, conf,
			config.Choice{Stage: "answer", Captioners: []string{"rehearsal/captioner-medium"}})
		unparsed := 0
		for _, row := range laketest.All(t, l, data.Answers) {
			if row.Reader == "m" && row.Protocol == captionqa.ProtocolUpstream &&
				row.Outcome == string(captionqa.Unparsed) {
				unparsed++
			}
		}
		note := fmt.Sprintf("%d of %d replies of m could not be read, such as %q", unparsed, reports[0].Planned, "hm")
		if unparsed == 0 || reports[0].Unreadable != unparsed || reports[0].Failed != 0 ||
			strings.Contains(reports[0].Note, note) != noted {
			t.Errorf("every %dth: %d unparsed, %+v", every, unparsed, reports[0])
		}
	}
}

// gpt5 refuses sampling parameters as OpenAI's reasoning models do.
func gpt5(_ int, request map[string]any) (int, string) {
	for _, param := range []string{"temperature", "top_p", "presence_penalty", "frequency_penalty",
		"max_tokens", "seed"} {
		if v, sent := request[param]; sent && v != 1.0 {
			return http.StatusBadRequest,
				fmt.Sprintf(`{"error":{"message":"Unsupported value: '%s' does not support %v with this model. Only the `+
					`default (1) value is supported.",`+
					`"type":"invalid_request_error","param":%[1]q,"code":"unsupported_value"}}`, param, v)
		}
	}
	return http.StatusOK, said(`{"content":"A red kettle."}`, "stop")
}

// A model that takes no sampling parameters ends the run with the line to write, and nothing is
// recorded; with that it is asked, live and in a batch.
func TestModelsThatRefuseParameters(t *testing.T) {
	l := captionedLake(t)
	conf, asked := saying(t, gpt5)
	conf.Endpoints[0].Dialect = llm.DialectOpenAI
	choice := captioning
	refused(t, l, conf, choice, "write sampling: default under the model's name", "'temperature' does not support 0")
	if n := len(callsOf(t, l)); n > 0 {
		t.Errorf("%d calls are recorded", n)
	}
	for _, r := range examined(t, conf, "sampling") {
		expect.Equal(t, r.Verdict, doctor.Fail, r)
		expect.Contains(t, r.Detail, "write sampling: default")
		expect.Lacks(t, r.Detail, "dialect to openai")
	}
	// By its name it is known before anything is sent.
	before := asked.Load()
	known := *conf
	known.Endpoints = []config.Endpoint{conf.Endpoints[0]}
	known.Endpoints[0].Models, known.Captions.Captioners = []string{"gpt-5"}, []string{"gpt-5"}
	refused(t, l, &known, choice, "write sampling: default under the model's name", "gpt-5 is not asked")
	_, err := exportBatches(l, &known, choice, batch.Options{Dir: t.TempDir()})
	laketest.Hint(t, err, "write sampling: default under the model's name", "gpt-5 is not asked")
	expect.Equal(t, asked.Load(), before, "a request was sent")

	conf.Models = []config.ModelSettings{{Name: "m", Sampling: llm.SamplingDefault}}
	dir := t.TempDir()
	manifests := must.Get(exportBatches(l, conf, choice, batch.Options{Dir: dir}))(t)
	content := string(must.Read(t, filepath.Join(dir, manifests[0].File)))
	if strings.Contains(content, "temperature") || !strings.Contains(content, `"max_completion_tokens":2048`) {
		t.Errorf("%.300s", content)
	}
	if r := mustRun(t, l, conf, choice)[0]; r.Answered == 0 || r.Failed != 0 || r.Rows != r.Planned {
		t.Errorf("%+v", r)
	}
	for _, call := range callsOf(t, l) {
		must.Equal(t, call.Sampling,
			`{"sampling":"default","max_tokens":2048,"model":"m","prompt":"`+captionPrompt(t)+`"}`, call)
	}
	healthy(t, conf)
}

func captionPrompt(t *testing.T) string {
	t.Helper()
	text, ok := captionqa.PromptText(captionqa.PromptSimple)
	if !ok {
		t.Fatal("there is no text")
	}
	return text
}

// busy is a client of a server whose counters say where the time of requests goes.
type busy struct {
	preflight.Client
	took   float64 // milliseconds that a request takes
	counts []llm.Counters
}

func (b *busy) Ask(context.Context, llm.Request, string) (llm.Reply, error) {
	return llm.Reply{State: llm.StateOK, LatencyMS: &b.took}, nil
}

func (b *busy) Facts(context.Context) []llm.ServerFacts {
	c := b.counts[0]
	b.counts = b.counts[1:]
	return []llm.ServerFacts{{Healthy: true, Counters: &c}}
}

// By hand: requests take 800 ms and the engine has them for 20 s / 200 = 100 ms: it has an eighth
// of the requests in flight.
func TestABottleneckIsNamed(t *testing.T) {
	for name, c := range map[string]struct {
		inferred float64
		model    string
		said     bool
	}{
		"held back": {18, "m", true}, "a busy engine": {150, "m", false}, "a rehearsal": {18,
			"rehearsal/reader-careful", false},
	} {
		before := llm.Counters{Timed: 100, Queued: 5, Inferred: 50}
		client := &busy{took: 800, counts: []llm.Counters{before, {Timed: 300, Queued: 7, Inferred: 50 + c.inferred}}}
		check := &preflight.Check{Client: client, Model: config.Model{Served: c.model}, Spent: &preflight.Spending{}}
		for range 200 {
			must.Get(check.Ask(t.Context(), llm.Request{}, ""))(t)
		}
		check.Record(t.Context(), config.Price{})
		note := check.Note()
		if strings.Contains(note, "--api-server-count 4") != c.said || !c.said && note != "" {
			t.Errorf("%s: note %q", name, note)
		}
	}
}

// The doctor asks for log-probabilities where a protocol reads them, as some servers ignore the
// wish without a word.
func TestDoctorProbesLogprobs(t *testing.T) {
	ignoring, _ := saying(t, always(`{"content":"A"}`, "stop"))
	giving := rehearsal(serve(t, nil))
	expect.Equal(t, len(examined(t, ignoring, "logprobs")), 0, "nothing reads them")
	ignoring.Answers.Protocol, giving.Answers.Protocol = captionqa.ProtocolProbabilities,
		captionqa.ProtocolProbabilities
	for c, want := range map[*config.Config]doctor.Verdict{ignoring: doctor.Fail, giving: doctor.Pass} {
		r := examined(t, c, "logprobs")
		must.Equal(t, len(r), 1)
		expect.Equal(t, r[0].Verdict, want, r)
	}
}

// The doctor reads off a server's counters that its process holds requests back.
func TestDoctorNamesABottleneck(t *testing.T) {
	for inferred, warned := range map[int]bool{100: true, 900: false} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case strings.HasSuffix(r.URL.Path, "/models"):
				fmt.Fprint(w, `{"data":[{"id":"m"}]}`)
			case r.URL.Path == "/metrics":
				fmt.Fprintf(w, "vllm:request_inference_time_seconds_count{engine=\"0\"} 1200\n"+
					"vllm:request_inference_time_seconds_sum{engine=\"0\"} %d\n"+
					"vllm:e2e_request_latency_seconds_sum{engine=\"0\"} 1200\n", inferred)
			default:
				fmt.Fprint(w, said(`{"content":"A"}`, "stop"))
			}
		}))
		defer server.Close()
		c := rehearsal(server.URL + "/v1")
		c.Endpoints[0].Models = []string{"m"}
		load := examined(t, c, "load")
		expect.Equal(t, len(load) > 0, warned, inferred)
		for _, r := range load {
			expect.Equal(t, r.Verdict, doctor.Warn, r)
			expect.Contains(t, r.Detail, "--api-server-count 4",
				"of the 1.00 s that a request spent at this server on average, the engine had it for 0.08 s")
		}
	}
}
