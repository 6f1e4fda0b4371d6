package llm

import (
	"reflect"
	"regexp"
	"strconv"
)

// Counters are a vLLM server's counts since its start, summed over models and engines. The tags are
// vLLM's names since release 0.9.
type Counters struct {
	// prompt tokens looked up in the prefix cache
	PrefixQueries float64 `vllm:"prefix_cache_queries_total"`
	PrefixHits    float64 `vllm:"prefix_cache_hits_total"` // prompt tokens found in the prefix cache
	// prompt tokens of finished requests, from the cache or not
	PromptTokens     float64 `vllm:"prompt_tokens_total"`
	GenerationTokens float64 `vllm:"generation_tokens_total"` // tokens generated
	// requests that were put back because memory ran out
	Preemptions float64 `vllm:"num_preemptions_total"`
	Requests    float64 `vllm:"request_success_total"`                // requests finished
	Timed       float64 `vllm:"request_inference_time_seconds_count"` // finished requests with known times
	Queued      float64 `vllm:"request_queue_time_seconds_sum"`       // seconds that requests waited in the engine
	Inferred    float64 `vllm:"request_inference_time_seconds_sum"`   // seconds that the engine worked on requests
	// seconds of requests from their arrival at the server to their end
	Served float64 `vllm:"e2e_request_latency_seconds_sum"`
}

// fields are the counters by vLLM's names.
func (c *Counters) fields() map[string]*float64 {
	all, v := map[string]*float64{}, reflect.ValueOf(c).Elem()
	for i := range v.NumField() {
		all["vllm:"+v.Type().Field(i).Tag.Get("vllm")] = v.Field(i).Addr().Interface().(*float64)
	}
	return all
}

// counterLine is a sample of one of vLLM's metrics: its name, its labels, which are ignored, its
// value, and perhaps a time.
var counterLine = regexp.MustCompile(`(?m)^(vllm:\w+)(?:\{(?:"(?:[^"\\\n]|\\.)*"|[^"}\n])*\})?` +
	`[ \t]+([-+.\w]+)(?:[ \t]+-?\d+)?[ \t]*\r?$`)

// mostCounted is the largest value accepted for a counter. Larger whole numbers are not exact.
const mostCounted = 1 << 53

// parseMetrics reads a page in the Prometheus text format and sums each counter over its labels. It
// gives nil for a page without any of vLLM's counters. Values that no counter can have are skipped.
func parseMetrics(page []byte) *Counters {
	var out Counters
	found, counters := false, out.fields()
	for _, sample := range counterLine.FindAllSubmatch(page, -1) {
		total := counters[string(sample[1])]
		value, err := strconv.ParseFloat(string(sample[2]), 64)
		if total == nil || err != nil {
			continue
		}
		found = true
		if value > 0 && value <= mostCounted {
			*total = min(*total+value, mostCounted)
		}
	}
	if !found {
		return nil
	}
	return &out
}

// HoldsBack reports whether the server's API process is slow: requests spend most of their time
// outside of the engine. seconds is the mean time of a request. engine is the mean time that a
// request spends in the engine, or 0 if the server does not count this time; slow is then false.
func (c Counters) HoldsBack(seconds float64) (engine float64, slow bool) {
	engine = (c.Queued + c.Inferred) / max(c.Timed, 1)
	return engine, engine > 0 && engine < seconds/2
}

// Add adds the counts of another server.
func (c *Counters) Add(other Counters) {
	more := other.fields()
	for name, n := range c.fields() {
		*n += *more[name]
	}
}

// MoreServers is the advice if a server's API process holds requests back.
const MoreServers = "its API process, or the network, delays the others, and the GPU waits: " +
	"start vLLM with --api-server-count 4"

// Since returns the counts since an earlier reading. A server that has restarted meanwhile counts
// from 0 again; then all its present counts are newer.
func (c Counters) Since(earlier Counters) Counters {
	since, before := c, earlier.fields()
	for name, n := range since.fields() {
		*n -= *before[name]
		if *n < 0 {
			return c // The server has restarted.
		}
	}
	return since
}
