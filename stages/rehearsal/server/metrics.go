package server

import (
	"fmt"
	"strings"
)

// metrics writes the counters with the names of vLLM's V1 engine in the Prometheus text format.
// They cover the whole server, under one model name.
func (e *engine) metrics() string {
	e.mu.Lock()
	c := e.counts
	e.mu.Unlock()
	var b strings.Builder
	value := func(name, labels string, v float64) {
		fmt.Fprintf(&b, "vllm:%s{engine=\"0\",%smodel_name=\"rehearsal\"} %g\n", name, labels, v)
	}
	for _, m := range []struct {
		kind, name string
		n          int64
	}{
		{"gauge", "num_requests_running", c.running}, {"gauge", "num_requests_waiting", c.waiting},
		{"counter", "prefix_cache_queries_total", c.queries}, {"counter", "prefix_cache_hits_total", c.hits},
		{"counter", "num_preemptions_total", 0}, {"counter", "prompt_tokens_total", c.prompt},
		{"counter", "generation_tokens_total", c.generated},
	} {
		fmt.Fprintf(&b, "# TYPE vllm:%s %s\n", m.name, m.kind)
		value(m.name, "", float64(m.n))
	}
	b.WriteString("# TYPE vllm:request_success_total counter\n")
	finished := map[string]int64{"stop": c.stopped, "length": c.cut, "abort": c.aborted, "error": 0, "repetition": 0}
	for reason, n := range finished {
		value("request_success_total", fmt.Sprintf("finished_reason=%q,", reason), float64(n))
	}
	for name, seconds := range map[string]float64{
		"request_queue_time_seconds": c.queued.Seconds(), "request_inference_time_seconds": c.inferred.Seconds(),
		"e2e_request_latency_seconds": (c.queued + c.inferred).Seconds(),
	} {
		fmt.Fprintf(&b, "# TYPE vllm:%s histogram\n", name)
		value(name+"_count", "", float64(c.stopped+c.cut))
		value(name+"_sum", "", seconds)
	}
	return b.String()
}
