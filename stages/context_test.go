package stages

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/doctor"
	"github.com/captionlake/captionlake/stages/llm"
)

// rewriting changes the bodies of replies. edit gets the request and the reply, and returns the
// reply's new body.
func rewriting(edit func(path string, request, reply []byte) []byte) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			request, err := io.ReadAll(r.Body)
			if err != nil {
				return
			}
			r.Body = io.NopCloser(bytes.NewReader(request))
			recorded := httptest.NewRecorder()
			next.ServeHTTP(recorded, r)
			w.WriteHeader(recorded.Code)
			_, _ = w.Write(edit(r.URL.Path, request, recorded.Body.Bytes())) // Who does not read it knows.
		})
	}
}

// thinker is a server whose models think unless the template's flag forbids it, as vLLM does with
// --reasoning-parser.
func thinker(_ string, request, reply []byte) []byte {
	var r struct {
		Flags map[string]bool `json:"chat_template_kwargs"`
	}
	if json.Unmarshal(request, &r) != nil || len(request) == 0 {
		return reply
	}
	if thinks, set := r.Flags["enable_thinking"]; set && !thinks {
		return reply
	}
	return []byte(`{"choices":[{"index":0,"message":{"role":"assistant","content":null,"reasoning":"Okay, so the"},
		"finish_reason":"length"}],"usage":{"prompt_tokens":90,"completion_tokens":4}}`)
}

// A reader that thinks spends its four tokens on thoughts. The run says so and ends, the doctor
// names the flag, and with the flag all is well. The constrained protocol sends its probe with the
// model's flags, too.
func TestThinkingModelIsNamed(t *testing.T) {
	l := captionedLake(t)
	c := rehearsal(serve(t, l, rewriting(thinker)))
	c.Endpoints[0].Concurrency = llm.Concurrency{Initial: 1, Max: 1}
	refused(t, l, c, answering, "enable_thinking: false",
		"12 characters of reasoning and reached max_tokens 4 before an answer")
	recorded := 0
	for _, call := range laketest.All(t, l, data.Calls) {
		if call.Stage == "answer" {
			recorded++
			if call.State != llm.StateFailed || call.Reasoning != "Okay, so the" ||
				!strings.Contains(call.Error, "reasoning") {
				t.Errorf("%+v", call)
			}
		}
	}
	if recorded >= 3 {
		t.Errorf("%d replies without an answer were recorded", recorded)
	}
	refused(t, l, c, config.Choice{Stage: "answer", Protocol: captionqa.ProtocolConstrained},
		captionqa.ProtocolUpstream, "the model thinks")
	thinking := examined(t, c, "thinking")
	if len(thinking) == 0 {
		t.Error("the doctor did not look")
	}
	for _, r := range thinking {
		expect.Equal(t, r.Verdict, doctor.Fail, r)
		expect.Contains(t, r.Detail, "enable_thinking: false")
	}
	c.Endpoints[0].Concurrency = llm.Concurrency{Max: 32}
	c.Models = []config.ModelSettings{
		{Name: "rehearsal/reader-careful", Template: map[string]any{"enable_thinking": false}},
		{Name: "rehearsal/captioner-medium", Template: map[string]any{"enable_thinking": false}},
	}
	for _, protocol := range captionqa.AskProtocols() {
		mustRun(t, l, c, config.Choice{Stage: "answer", Protocol: protocol})
	}
	healthy(t, c)
}

// A chat template may open the thoughts in the prompt. Without --reasoning-parser a reply then
// begins within the thoughts, and has only the mark that ends them.
func TestThoughtsThatTheTemplateOpensAreNamed(t *testing.T) {
	for message, want := range map[string][2]string{
		`{"content":"Okay, so the"},"finish_reason":"length"`: {"fail",
			`the reply "Okay, so the" reached max_tokens 4 before an answer: if the model thinks, turn thinking off`},
		`{"content":"A bus.\n</think>\n\nB"},"finish_reason":"stop"`: {"pass", "the model thinks"},
		`{"content":"B. Blue."},"finish_reason":"length"`:            {"pass", "without thoughts"},
	} {
		c := rehearsal(serve(t, sampleLake(t), rewriting(func(_ string, request, reply []byte) []byte {
			if len(request) == 0 {
				return reply
			}
			return []byte(`{"choices":[{"message":` + message + `}]}`)
		})))
		for _, r := range examined(t, c, "thinking") {
			expect.Equal(t, string(r.Verdict), want[0], r)
			expect.Contains(t, r.Detail, want[1])
		}
	}
}

// A model that loses itself in thought now and then goes on: such replies count as failed, and the
// run says so.
func TestSomeThoughtsWithoutAnAnswer(t *testing.T) {
	l := captionedLake(t)
	var n atomic.Int64
	c := rehearsal(serve(t, l, rewriting(func(path string, request, reply []byte) []byte {
		if len(request) > 0 && n.Add(1)%10 == 0 {
			return thinker(path, request, reply)
		}
		return reply
	})))
	reports := mustRun(t, l, c, answering)
	if r := reports[0]; r.Failed == 0 ||
		!strings.Contains(r.Note,
			fmt.Sprintf("%d replies of rehearsal/reader-careful are thoughts without an answer", r.Failed)) {
		t.Errorf("%+v", r)
	}
}

// What a server's context cannot hold is said before anything is asked, and replies that it
// shortened are told from replies that are as long as was asked.
func TestContextIsCompared(t *testing.T) {
	l := sampleLake(t)
	var limit, posts atomic.Int64
	c := rehearsal(serve(t, l, rewriting(func(path string, request, reply []byte) []byte {
		if len(request) > 0 {
			posts.Add(1)
			return bytes.ReplaceAll(reply, []byte(`"finish_reason":"stop"`), []byte(`"finish_reason":"length"`))
		}
		if path != "/v1/models" {
			return reply
		}
		var list struct {
			Data []map[string]any `json:"data"`
		}
		if err := json.Unmarshal(reply, &list); err != nil {
			t.Error(err)
		}
		for _, m := range list.Data {
			m["max_model_len"] = limit.Load()
		}
		out, err := json.Marshal(list)
		if err != nil {
			t.Error(err)
		}
		return out
	})))
	c.Captions.MaxTokens = 2048
	verdict := func() doctor.Result {
		for _, r := range examined(t, c, "context") {
			if strings.Contains(r.Detail, "rehearsal/captioner-medium") {
				return r
			}
		}
		t.Fatal("the doctor did not compare")
		return doctor.Result{}
	}

	limit.Store(2000)
	if r := verdict(); r.Verdict != doctor.Fail || !strings.Contains(r.Detail, "2048 is above the max_model_len 2000") {
		t.Errorf("%+v", r)
	}
	posts.Store(0)
	refused(t, l, c, captioning, "--max-model-len",
		"max_tokens 2048 is above the max_model_len 2000 of rehearsal/captioner-medium")
	if posts.Load() > 0 || callsIn(t, l) > 0 {
		t.Errorf("%d requests", posts.Load())
	}

	limit.Store(2048)
	expect.Equal(t, verdict().Verdict, doctor.Warn)
	expect.Contains(t, mustRun(t, l, c, captioning)[0].Note,
		"cut off before max_tokens, because the server's max_model_len 2048")

	limit.Store(100_000)
	expect.Equal(t, verdict().Verdict, doctor.Pass)
	narrowed := c.Narrow(config.Choice{})
	narrowed.Captions.Prompts = []string{captionqa.PromptShort}
	if reports := mustRun(t, l, &narrowed, captioning); reports[0].Note != "" ||
		reports[0].Truncated == 0 {
		t.Errorf("%+v", reports)
	}
}
