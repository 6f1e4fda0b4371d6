package llm

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/captionlake/captionlake/data/expect"
)

// page has the form of a vLLM V1 server's /metrics with two engines, cut to some families. One
// family is not of interest.
const page = `# HELP vllm:num_requests_running Number of requests in model execution batches.
# TYPE vllm:num_requests_running gauge
vllm:num_requests_running{engine="0",model_name="m"} 3.0
# HELP vllm:prefix_cache_queries_total Prefix cache queries, in terms of number of queried tokens.
# TYPE vllm:prefix_cache_queries_total counter
vllm:prefix_cache_queries_total{engine="0",model_name="m"} 1000.0
vllm:prefix_cache_queries_total{engine="1",model_name="m"} 500.0
# HELP vllm:prefix_cache_queries_created Prefix cache queries, in terms of number of queried tokens.
# TYPE vllm:prefix_cache_queries_created gauge
vllm:prefix_cache_queries_created{engine="0",model_name="m"} 1.7e+09
# HELP vllm:prefix_cache_hits_total Prefix cache hits, in terms of number of cached tokens.
# TYPE vllm:prefix_cache_hits_total counter
vllm:prefix_cache_hits_total{engine="0",model_name="m"} 800.0
vllm:prefix_cache_hits_total{engine="1",model_name="m"} 400.0
# HELP vllm:prompt_tokens_total Number of prefill tokens processed.
# TYPE vllm:prompt_tokens_total counter
vllm:prompt_tokens_total{engine="0",model_name="m"} 1400.0
# HELP vllm:generation_tokens_total Number of generation tokens processed.
# TYPE vllm:generation_tokens_total counter
vllm:generation_tokens_total{engine="0",model_name="m"} 60.0
# HELP vllm:num_preemptions_total Cumulative number of preemption from the engine.
# TYPE vllm:num_preemptions_total counter
vllm:num_preemptions_total{engine="0",model_name="m"} 2.0
# HELP vllm:request_success_total Count of successfully processed requests.
# TYPE vllm:request_success_total counter
vllm:request_success_total{engine="0",finished_reason="stop",model_name="m"} 9.0
vllm:request_success_total{engine="0",finished_reason="length",model_name="m"} 1.0
# HELP vllm:e2e_request_latency_seconds Histogram of end to end request latency in seconds.
# TYPE vllm:e2e_request_latency_seconds histogram
vllm:e2e_request_latency_seconds_bucket{engine="0",le="0.3",model_name="m"} 9.0
vllm:e2e_request_latency_seconds_bucket{engine="0",le="+Inf",model_name="m"} 10.0
vllm:e2e_request_latency_seconds_count{engine="0",model_name="m"} 10.0
vllm:e2e_request_latency_seconds_sum{engine="0",model_name="m"} 2.0
`

func TestParseMetrics(t *testing.T) {
	// 1000 + 500 looked up, 800 + 400 found.
	want := Counters{PrefixQueries: 1500, PrefixHits: 1200, PromptTokens: 1400, GenerationTokens: 60, Preemptions: 2,
		Requests: 10, Served: 2}
	expect.Equal(t, *parseMetrics([]byte(page)), want)
	for _, bad := range []string{"", "<html>", "go_goroutines 5\n", "vllm:prompt_tokens_total{ 5\n", "{}", "{} 5\n",
		`{"vllm:prompt_tokens_total"}`,
		"vllm:prompt_tokens_total{} {} 5\n{}\n", strings.Repeat("vllm:prompt_tokens_total", 10_000)} {
		if parseMetrics([]byte(bad)) != nil {
			t.Errorf("%q is taken for vLLM's counters", bad)
		}
	}
}

func TestCountersSince(t *testing.T) {
	before := Counters{PrefixQueries: 100, PrefixHits: 50, PromptTokens: 90}
	later := Counters{PrefixQueries: 160, PrefixHits: 95, PromptTokens: 150, Requests: 3}
	if got, want := later.Since(before),
		(Counters{PrefixQueries: 60, PrefixHits: 45, PromptTokens: 60, Requests: 3}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	restarted := Counters{PrefixQueries: 30, PrefixHits: 10, PromptTokens: 95}
	expect.Equal(t, restarted.Since(before), restarted, "after a restart")
}

func TestFactsAndCounters(t *testing.T) {
	server := func(version string) func(*http.Request) (*http.Response, error) {
		return func(r *http.Request) (*http.Response, error) {
			switch r.URL.Path {
			case "/v1/models":
				return respond(200, `{"data":[{"id":"m","max_model_len":4096},{"id":"n"}]}`), nil
			case "/version":
				return respond(200, `{"version":"`+version+`"}`), nil
			case "/metrics":
				return respond(200, page), nil
			}
			return respond(404, "{}"), nil
		}
	}
	synctest.Test(t, func(t *testing.T) {
		c := newClient(t, world{"a": server("0.12.0"), "b": server("0.11.0"), "c": refuseConnection}, nil,
			"a", "b", "c")
		facts := c.Facts(t.Context())
		if !facts[0].Healthy || facts[0].Version != "0.12.0" || facts[1].Version != "0.11.0" ||
			facts[0].Models[0] != (ServedModel{ID: "m", ContextTokens: 4096}) || facts[0].Counters.PrefixHits != 1200 {
			t.Errorf("%+v", facts)
		}
		if facts[2].Healthy || !strings.Contains(facts[2].Error, "connection refused") {
			t.Errorf("%+v", facts[2])
		}
	})
}

func TestProbe(t *testing.T) {
	content := func(text string) func(*http.Request) (*http.Response, error) {
		return func(*http.Request) (*http.Response, error) {
			return respond(200, `{"choices":[{"message":{"content":"`+text+`"},"finish_reason":"stop"}]}`), nil
		}
	}
	synctest.Test(t, func(t *testing.T) {
		c := newClient(t,
			world{"a": content("quartz"), "b": content("apple"), "c": content("quartz and apple"),
				"d": func(*http.Request) (*http.Response, error) {
					return respond(400, `{"error":{"message":"unknown field"}}`), nil
				}}, nil, "a", "b", "c", "d")
		verdicts := c.ProbeConstraint(t.Context(), "m", nil)
		for i, want := range []bool{true, false, false, false} {
			if verdicts[i].Honoured != want || verdicts[i].Endpoint != c.pool.replicas[i].name {
				t.Errorf("%+v", verdicts[i])
			}
		}
		if !strings.Contains(verdicts[1].Detail, "ignores structured_outputs") ||
			!strings.Contains(verdicts[3].Detail, "unknown field") {
			t.Errorf("%+v", verdicts)
		}
	})
}
