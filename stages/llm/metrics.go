package llm

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
)

// Counters is what a vLLM server has counted since it started, all models and engines together.
type Counters struct {
	PrefixQueries    float64 // prompt tokens looked up in the prefix cache
	PrefixHits       float64 // prompt tokens found there
	PromptTokens     float64 // prompt tokens of finished requests, from the cache or not
	GenerationTokens float64 // tokens generated
	Preemptions      float64 // requests that were put back for want of memory
	Requests         float64 // requests finished
	Timed            float64 // requests finished of which the times below are known
	Queued           float64 // seconds that these have waited in the engine,
	Inferred         float64 // and seconds that it has worked on them
	Served           float64 // seconds from their coming to the server to their end
}

// counterFields are the counters by vLLM's names, since its release 0.9.
var counterFields = map[string]func(*Counters) *float64{
	"vllm:prefix_cache_queries_total": func(c *Counters) *float64 { return &c.PrefixQueries },
	"vllm:prefix_cache_hits_total":    func(c *Counters) *float64 { return &c.PrefixHits },
	"vllm:prompt_tokens_total":        func(c *Counters) *float64 { return &c.PromptTokens },
	"vllm:generation_tokens_total":    func(c *Counters) *float64 { return &c.GenerationTokens },
	"vllm:num_preemptions_total":      func(c *Counters) *float64 { return &c.Preemptions },
	"vllm:request_success_total":      func(c *Counters) *float64 { return &c.Requests },

	"vllm:request_inference_time_seconds_count": func(c *Counters) *float64 { return &c.Timed },
	"vllm:request_queue_time_seconds_sum":       func(c *Counters) *float64 { return &c.Queued },
	"vllm:request_inference_time_seconds_sum":   func(c *Counters) *float64 { return &c.Inferred },
	"vllm:e2e_request_latency_seconds_sum":      func(c *Counters) *float64 { return &c.Served },
}

// counterLine is a sample of one of vLLM's metrics: its name, labels, which do not matter here, its value, and perhaps a time.
var counterLine = regexp.MustCompile(`^(vllm:\w+)(?:\{(?:"(?:[^"\\]|\\.)*"|[^"}])*\})?[ \t]+([-+.\w]+)(?:[ \t]+-?\d+)?[ \t]*$`)

// mostCounted is the largest value that is taken for a counter's: whole numbers above are not exact any more.
const mostCounted = 1 << 53

// ParseMetrics reads a page in the Prometheus text format and adds each counter up over its labels. A page without any of vLLM's
// counters is an error. Values that no counter can have are left out.
func ParseMetrics(r io.Reader) (Counters, error) {
	var out Counters
	found := false
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		sample := counterLine.FindSubmatch(lines.Bytes())
		if sample == nil || counterFields[string(sample[1])] == nil {
			continue
		}
		value, err := strconv.ParseFloat(string(sample[2]), 64)
		if err != nil {
			return Counters{}, fmt.Errorf("/metrics is not in the Prometheus text format: %s has the value %.40q", sample[1], sample[2])
		}
		found = true
		if value > 0 && value <= mostCounted {
			total := counterFields[string(sample[1])](&out)
			*total = min(*total+value, mostCounted)
		}
	}
	if err := lines.Err(); err != nil {
		return Counters{}, fmt.Errorf("/metrics cannot be read: %w", err)
	}
	if !found {
		return Counters{}, errors.New("/metrics has none of vLLM's counters, such as vllm:prompt_tokens_total; is it a vLLM server?")
	}
	return out, nil
}

// HoldsBack reports whether requests that take so many seconds each, in the mean, spend most of them outside of the engine, and how many
// they spend in it. Then the process that takes them in is what is slow.
func (c Counters) HoldsBack(seconds float64) (engine float64, slow bool) {
	engine = (c.Queued + c.Inferred) / max(c.Timed, 1)
	return engine, engine > 0 && engine < seconds/2
}

// ManyInFlight is how many requests in flight tell whether a server's process holds them back: of few, the network's share is large.
const ManyInFlight = 64

// Add adds what another server has counted.
func (c *Counters) Add(other Counters) {
	for _, field := range counterFields {
		*field(c) += *field(&other)
	}
}

// MoreServers is what to do where a server's process holds requests back.
const MoreServers = "its API process holds the others back, and the GPU waits: start vLLM with --api-server-count 4"

// Since returns what was counted after an earlier reading. A server that has restarted meanwhile counts from 0 again; what
// it shows now is then what is known to have happened since.
func (c Counters) Since(earlier Counters) Counters {
	restarted := false
	since := c
	for _, field := range counterFields {
		restarted = restarted || *field(&c) < *field(&earlier)
		*field(&since) -= *field(&earlier)
	}
	if restarted {
		return c
	}
	return since
}
