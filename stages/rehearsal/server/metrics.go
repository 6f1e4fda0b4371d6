package server

import "fmt"

// metricsPage has the names of vLLM's V1 engine in the Prometheus text format.
const metricsPage = `# TYPE vllm:num_requests_running gauge
vllm:num_requests_running{engine="0",model_name="rehearsal"} %d
# TYPE vllm:num_requests_waiting gauge
vllm:num_requests_waiting{engine="0",model_name="rehearsal"} %d
# TYPE vllm:prefix_cache_queries_total counter
vllm:prefix_cache_queries_total{engine="0",model_name="rehearsal"} %d
# TYPE vllm:prefix_cache_hits_total counter
vllm:prefix_cache_hits_total{engine="0",model_name="rehearsal"} %d
# TYPE vllm:num_preemptions_total counter
vllm:num_preemptions_total{engine="0",model_name="rehearsal"} 0
# TYPE vllm:prompt_tokens_total counter
vllm:prompt_tokens_total{engine="0",model_name="rehearsal"} %d
# TYPE vllm:generation_tokens_total counter
vllm:generation_tokens_total{engine="0",model_name="rehearsal"} %d
# TYPE vllm:request_success_total counter
vllm:request_success_total{engine="0",finished_reason="stop",model_name="rehearsal"} %d
vllm:request_success_total{engine="0",finished_reason="length",model_name="rehearsal"} %d
vllm:request_success_total{engine="0",finished_reason="abort",model_name="rehearsal"} %d
vllm:request_success_total{engine="0",finished_reason="error",model_name="rehearsal"} 0
vllm:request_success_total{engine="0",finished_reason="repetition",model_name="rehearsal"} 0
# TYPE vllm:request_queue_time_seconds histogram
vllm:request_queue_time_seconds_count{engine="0",model_name="rehearsal"} %[10]d
vllm:request_queue_time_seconds_sum{engine="0",model_name="rehearsal"} %[11]g
# TYPE vllm:request_inference_time_seconds histogram
vllm:request_inference_time_seconds_count{engine="0",model_name="rehearsal"} %[10]d
vllm:request_inference_time_seconds_sum{engine="0",model_name="rehearsal"} %[12]g
# TYPE vllm:e2e_request_latency_seconds histogram
vllm:e2e_request_latency_seconds_count{engine="0",model_name="rehearsal"} %[10]d
vllm:e2e_request_latency_seconds_sum{engine="0",model_name="rehearsal"} %[13]g
`

// metrics writes the counters of the whole server under one model name.
func (e *engine) metrics() string {
	e.mu.Lock()
	c := e.counts
	e.mu.Unlock()
	return fmt.Sprintf(metricsPage, c.running, c.waiting, c.queries, c.hits, c.prompt, c.generated,
		c.stopped, c.cut, c.aborted,
		c.stopped+c.cut, c.queued.Seconds(), c.inferred.Seconds(), (c.queued + c.inferred).Seconds())
}
