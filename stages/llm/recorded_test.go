package llm_test

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/llm"
)

// recorded are exchanges with a real vLLM, which the rehearsal server's tests record.
const recorded = "../rehearsal/server/testdata/vllm.json"

// exchange is what the client's tests need of one.
type exchange struct {
	Name   string
	Path   string
	Status int
	Header map[string]string
	Body   json.RawMessage
	Text   string
}

func exchanges(t *testing.T) (engine string, all []exchange) {
	t.Helper()
	content := must.Read(t, recorded)
	var r struct {
		Engine    string
		Exchanges []exchange
	}
	must.Succeed(t, json.Unmarshal(content, &r))
	return r.Engine, r.Exchanges
}

// replay is a server that says one recorded thing, whatever it is asked.
func replay(t *testing.T, x exchange) *llm.Client {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for k, v := range x.Header {
			w.Header().Set(k, v)
		}
		w.WriteHeader(x.Status)
		w.Write(append(x.Body, x.Text...)) // a client that has gone fails its own test
	}))
	t.Cleanup(server.Close)
	c := must.Get(llm.New(llm.Config{Endpoint: llm.Endpoint{Name: "vllm", Replicas: []string{server.URL + "/v1"}},
		MaxAttempts: 1}))(t)
	return c
}

// The client reads every recorded chat exchange as it is: whole, cut off, or refused for a reason
// that decides what a run does.
func TestTheClientReadsWhatVLLMSaid(t *testing.T) {
	engine, all := exchanges(t)
	if !strings.HasPrefix(engine, "vLLM ") {
		t.Fatalf("recorded from %q", engine)
	}
	classes := map[string]llm.Class{
		"unknown path": llm.ClassNotFound, "wrong method": llm.ClassNotFound, "unknown model": llm.ClassNotFound,
		"chat with an embedder":       llm.ClassNotFound,
		"prompt of the whole context": llm.ClassContextLength, "prompt above the context": llm.ClassContextLength,
		"prompt far above the context": llm.ClassContextLength,
		// which no request asks for: vLLM says it of a prompt that fills the context
		"max_tokens 0": llm.ClassContextLength,
		"engine dies":  llm.ClassServer,
		"wrong type":   llm.ClassParameter, "temperature": llm.ClassParameter,
		"temperature above 2": llm.ClassParameter, "top_p": llm.ClassParameter,
		"top_logprobs": llm.ClassParameter, "max_tokens above the context": llm.ClassParameter,
		"max_completion_tokens above the context": llm.ClassParameter,
	}
	states := map[string]string{"choice": llm.StateOK, "stop": llm.StateOK, "logprobs to the end": llm.StateOK}
	for _, x := range all {
		if x.Path != "/v1/chat/completions" && x.Name != "unknown path" {
			continue
		}
		t.Run(x.Name, func(t *testing.T) {
			var said struct{ Model string }
			must.Succeed(t, json.Unmarshal(x.Body, &said))
			sampling := llm.Greedy(8)
			if strings.HasPrefix(x.Name, "logprobs") {
				sampling.Logprobs, sampling.TopLogprobs = true, 2
			}
			reply, err := replay(t, x).Ask(context.Background(), llm.Request{
				Model: cmp.Or(said.Model, "tiny/reader"), Messages: []llm.Message{llm.User("x")},
				Sampling: sampling, Protocol: "test",
			}, "")
			if x.Name == "thoughts without an end" {
				if llm.ClassOf(err) != llm.ClassSilent || reply.Text != "" || reply.Reasoning == "" {
					t.Errorf("%+v %v", reply, err)
				}
				return
			}
			if x.Status != http.StatusOK {
				want, ok := classes[x.Name]
				if !ok {
					want = llm.ClassRefused
				}
				expect.Equal(t, llm.ClassOf(err), want)
				return
			}
			want, ok := states[x.Name]
			if !ok {
				want = llm.StateTruncated
			}
			if err != nil || reply.State != want || reply.PromptTokens == 0 || reply.CompletionTokens == 0 {
				t.Fatalf("%+v %v, want %s", reply, err, want)
			}
			switch x.Name {
			case "prompt cached in part":
				if reply.CachedTokens == 0 {
					t.Error("no token came from the cache")
				}
			case "logprobs to the end":
				var tokens []llm.TokenLogprob
				if err := json.Unmarshal([]byte(reply.Logprobs), &tokens); err != nil || len(tokens) != 2 ||
					len(tokens[0].Top) != 2 || tokens[0].Token != reply.Text {
					t.Errorf("%+v", reply.Logprobs)
				}
			}
		})
	}
}

// The client reads what vLLM says of itself.
func TestTheClientReadsVLLMsFacts(t *testing.T) {
	_, all := exchanges(t)
	said := map[string]exchange{}
	for _, x := range all {
		if x.Status == http.StatusOK {
			said[x.Path] = x
		}
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x := said[r.URL.Path]
		w.Header().Set("Content-Type", x.Header["Content-Type"])
		w.Write(append(x.Body, x.Text...)) // a client that has gone fails its own test
	}))
	defer server.Close()
	c := must.Get(llm.New(llm.Config{Endpoint: llm.Endpoint{Name: "vllm", Replicas: []string{server.URL + "/v1"}},
		MaxAttempts: 1}))(t)
	facts := c.Facts(context.Background())[0]
	if !facts.Healthy || facts.Version == "" || len(facts.Models) != 1 || facts.Models[0].ID != "tiny/reader" ||
		facts.Models[0].ContextTokens != 4096 {
		t.Errorf("%+v", facts)
	}
	if facts.Counters == nil || facts.Counters.PrefixQueries == 0 || facts.Counters.PromptTokens == 0 {
		t.Errorf("%+v", facts.Counters)
	}
	vectors, err := c.Ask(context.Background(), llm.Request{Model: "tiny/embedder", Inputs: []string{"a", "b"}}, "")
	if err != nil || strings.Count(vectors.Text, ",") != 2*128-1 || vectors.PromptTokens != 16 {
		t.Errorf("%v %v", vectors.PromptTokens, err)
	}
}
