package server

import (
	"fmt"
	"strings"
)

// metrics writes the counters with the names of vLLM's V1 engine in the Prometheus text format. They are of the whole
// server, under one model name.
func (e *engine) metrics() string {
	e.mu.Lock()
	c := e.counts
	e.mu.Unlock()
	const labels = `engine="0",model_name="rehearsal"`
	var b strings.Builder
	family := func(name, kind, help string) { fmt.Fprintf(&b, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind) }
	value := func(kind, name, help string, v float64) {
		family(name, kind, help)
		fmt.Fprintf(&b, "%s{%s} %g\n", name, labels, v)
	}
	value("gauge", "vllm:num_requests_running", "Number of requests in model execution batches.", float64(c.running))
	value("gauge", "vllm:num_requests_waiting", "Number of requests waiting to be processed.", float64(c.waiting))
	value("counter", "vllm:prefix_cache_queries_total", "Prefix cache queries, in terms of number of queried tokens.", float64(c.queries))
	value("counter", "vllm:prefix_cache_hits_total", "Prefix cache hits, in terms of number of cached tokens.", float64(c.hits))
	value("counter", "vllm:num_preemptions_total", "Cumulative number of preemption from the engine.", 0)
	value("counter", "vllm:prompt_tokens_total", "Number of prefill tokens processed.", float64(c.prompt))
	value("counter", "vllm:generation_tokens_total", "Number of generation tokens processed.", float64(c.generated))
	family("vllm:request_success_total", "counter", "Count of successfully processed requests.")
	for _, r := range []struct {
		reason string
		n      int64
	}{{"stop", c.stopped}, {"length", c.cut}, {"abort", c.aborted}, {"error", 0}, {"repetition", 0}} {
		fmt.Fprintf(&b, "vllm:request_success_total{engine=\"0\",finished_reason=%q,model_name=\"rehearsal\"} %d\n", r.reason, r.n)
	}
	return b.String()
}
