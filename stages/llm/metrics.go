package llm

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"slices"
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
}

type counterName struct {
	names []string
	field func(*Counters) *float64
}

// counterNames are vLLM's names of the counters, the newest first. Its Prometheus library adds _total to what the
// code calls vllm:prefix_cache_queries, and releases before 0.9 said gpu_prefix_cache. Only the first name that a server has
// counts: some releases export an old name beside the new one.
var counterNames = []counterName{
	{[]string{"vllm:prefix_cache_queries_total", "vllm:prefix_cache_queries", "vllm:gpu_prefix_cache_queries_total", "vllm:gpu_prefix_cache_queries"}, func(c *Counters) *float64 { return &c.PrefixQueries }},
	{[]string{"vllm:prefix_cache_hits_total", "vllm:prefix_cache_hits", "vllm:gpu_prefix_cache_hits_total", "vllm:gpu_prefix_cache_hits"}, func(c *Counters) *float64 { return &c.PrefixHits }},
	{[]string{"vllm:prompt_tokens_total", "vllm:prompt_tokens"}, func(c *Counters) *float64 { return &c.PromptTokens }},
	{[]string{"vllm:generation_tokens_total", "vllm:generation_tokens"}, func(c *Counters) *float64 { return &c.GenerationTokens }},
	{[]string{"vllm:num_preemptions_total", "vllm:num_preemptions"}, func(c *Counters) *float64 { return &c.Preemptions }},
	{[]string{"vllm:request_success_total", "vllm:request_success"}, func(c *Counters) *float64 { return &c.Requests }},
}

// counterLine is a sample of one of vLLM's metrics: its name, labels, which do not matter here, its value, and perhaps a time.
var counterLine = regexp.MustCompile(`^(vllm:\w+)(?:\{(?:"(?:[^"\\]|\\.)*"|[^"}])*\})?[ \t]+([-+.\w]+)(?:[ \t]+-?\d+)?[ \t]*$`)

// mostCounted is the largest value that is taken for a counter's: whole numbers above are not exact any more.
const mostCounted = 1 << 53

// ParseMetrics reads a page in the Prometheus text format and adds each counter up over its labels. A page without any of vLLM's
// counters is an error. Values that no counter can have are left out.
func ParseMetrics(r io.Reader) (Counters, error) {
	totals := map[string]float64{}
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		sample := counterLine.FindSubmatch(lines.Bytes())
		if sample == nil || !isCounter(string(sample[1])) {
			continue
		}
		value, err := strconv.ParseFloat(string(sample[2]), 64)
		if err != nil {
			return Counters{}, fmt.Errorf("/metrics is not in the Prometheus text format: %s has the value %.40q", sample[1], sample[2])
		}
		total := totals[string(sample[1])]
		if value > 0 && value <= mostCounted {
			total = min(total+value, mostCounted)
		}
		totals[string(sample[1])] = total
	}
	if err := lines.Err(); err != nil {
		return Counters{}, fmt.Errorf("/metrics cannot be read: %w", err)
	}
	if len(totals) == 0 {
		return Counters{}, fmt.Errorf("/metrics has none of vLLM's counters, such as %s; is it a vLLM server?", counterNames[0].names[0])
	}
	var out Counters
	for _, counter := range counterNames {
		for _, name := range counter.names {
			if total, ok := totals[name]; ok {
				*counter.field(&out) = total
				break
			}
		}
	}
	return out, nil
}

func isCounter(name string) bool {
	return slices.ContainsFunc(counterNames, func(c counterName) bool { return slices.Contains(c.names, name) })
}

// Since returns what was counted after an earlier reading. A server that has restarted meanwhile counts from 0 again; what
// it shows now is then what is known to have happened since.
func (c Counters) Since(earlier Counters) Counters {
	restarted := false
	for _, counter := range counterNames {
		restarted = restarted || *counter.field(&c) < *counter.field(&earlier)
	}
	if restarted {
		return c
	}
	for _, counter := range counterNames {
		*counter.field(&c) -= *counter.field(&earlier)
	}
	return c
}
