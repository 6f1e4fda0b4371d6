package conformance_test

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/llm"
	"github.com/captionlake/captionlake/stages/rehearsal/conformance"
	rehearsalserver "github.com/captionlake/captionlake/stages/rehearsal/server"
)

var models = conformance.Options{Chat: "stub/reader-careful", Vision: "stub/captioner-large", Embed: "stub/embedder"}

func run(t *testing.T, o rehearsalserver.Options, opts conformance.Options) map[string]conformance.Result {
	t.Helper()
	o.Latency.CacheTokens = 1 << 20
	server := httptest.NewServer(rehearsalserver.New(o))
	t.Cleanup(server.Close)
	results, err := conformance.Run(context.Background(), llm.Config{
		Endpoint: llm.Endpoint{Name: "test", Replicas: []string{server.URL + "/v1"}}, MaxAttempts: 1, Timeout: time.Minute,
	}, opts)
	must.Succeed(t, err)
	m := map[string]conformance.Result{}
	for _, r := range results {
		m[r.Check] = r
	}
	if len(m) != len(results) {
		t.Errorf("%d results have %d names", len(results), len(m))
	}
	return m
}

func TestStubConforms(t *testing.T) {
	for name, r := range run(t, rehearsalserver.Options{}, models) {
		if r.Verdict != conformance.Pass {
			t.Errorf("%s: %s: %s", name, r.Verdict, r.Detail)
		}
	}
}

// A suite that passes everything proves nothing: servers with one fault each must fail the check that is about it.
func TestFaultyServersFail(t *testing.T) {
	plan := func(text string) *rehearsalserver.Faults {
		f, err := rehearsalserver.ParseFaults(text)
		must.Succeed(t, err)
		return f
	}
	ignores := run(t, rehearsalserver.Options{Faults: plan("ignore-choice=100%")}, models)
	if r := ignores["constraint"]; r.Verdict != conformance.Fail || !strings.Contains(r.Detail, "ignores structured_outputs") {
		t.Errorf("a server that ignores constraints: %+v", r)
	}
	if r := ignores["question"]; r.Verdict != conformance.Pass {
		t.Errorf("a server that ignores constraints still answers: %+v", r)
	}
	garbage := run(t, rehearsalserver.Options{Faults: plan("malformed=100%")}, models)
	for _, name := range []string{"question", "truncation", "logprobs", "image", "embeddings"} {
		if r := garbage[name]; r.Verdict != conformance.Fail {
			t.Errorf("a server that answers garbage: %+v", r)
		}
	}
	missing := run(t, rehearsalserver.Options{}, conformance.Options{Chat: "Qwen/none"})
	if r := missing["models"]; r.Verdict != conformance.Fail || !strings.Contains(r.Detail, "Qwen/none is not served") {
		t.Errorf("a model that is not served: %+v", r)
	}
	if r := missing["image"]; r.Verdict != conformance.Skip {
		t.Errorf("no vision model: %+v", r)
	}
}

func TestDeadServer(t *testing.T) {
	server := httptest.NewServer(nil)
	server.Close()
	results, err := conformance.Run(context.Background(), llm.Config{
		Endpoint: llm.Endpoint{Name: "dead", Replicas: []string{server.URL + "/v1"}}, MaxAttempts: 1,
	}, models)
	must.Succeed(t, err)
	for _, r := range results {
		if r.Verdict == conformance.Pass {
			t.Errorf("a dead server passed %+v", r)
		}
	}
}
