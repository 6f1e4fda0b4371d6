package llm

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
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

// ParseMetrics reads a page in the Prometheus text format. A page without any of vLLM's counters is an error.
func ParseMetrics(r io.Reader) (Counters, error) {
	lines, err := counterLines(r)
	if err != nil {
		return Counters{}, fmt.Errorf("/metrics cannot be read: %w", err)
	}
	families, err := parseFamilies(lines)
	if err != nil {
		return Counters{}, fmt.Errorf("/metrics is not in the Prometheus text format: %w", err)
	}
	var out Counters
	found := false
	for _, counter := range counterNames {
		for _, name := range counter.names {
			if family, ok := families[name]; ok {
				*counter.field(&out), found = total(family), true
				break
			}
		}
	}
	if !found {
		return Counters{}, fmt.Errorf("/metrics has none of vLLM's counters, such as %s; is it a vLLM server?", counterNames[0].names[0])
	}
	return out, nil
}

// counterLines takes the lines about our counters out of a page. The parser keeps some hundred bytes for each line, and a
// page may have millions.
func counterLines(r io.Reader) (*bytes.Buffer, error) {
	var kept bytes.Buffer
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		line := bytes.TrimLeft(lines.Bytes(), " \t")
		if bytes.HasPrefix(bytes.TrimPrefix(line, []byte("# TYPE ")), []byte("vllm:")) && slices.ContainsFunc(counterNames, func(c counterName) bool {
			return slices.ContainsFunc(c.names, func(name string) bool {
				after, found := bytes.CutPrefix(bytes.TrimPrefix(line, []byte("# TYPE ")), []byte(name))
				return found && len(after) > 0 && (after[0] == '{' || after[0] == ' ' || after[0] == '\t')
			})
		}) {
			kept.Write(line)
			kept.WriteByte('\n')
		}
	}
	return &kept, lines.Err()
}

// parseFamilies reads the families of a page. The library panics at some pages that are not in the format, such as {}; what
// a server sends must not end the program.
func parseFamilies(r io.Reader) (families map[string]*dto.MetricFamily, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			families, err = nil, errors.New("it cannot be parsed")
		}
	}()
	parser := expfmt.NewTextParser(model.UTF8Validation)
	return parser.TextToMetricFamilies(r)
}

// mostCounted is the largest value that is taken for a counter's: whole numbers above are not exact any more.
const mostCounted = 1 << 53

// total adds a family up over its labels. Values that no counter can have are left out.
func total(family *dto.MetricFamily) float64 {
	sum := 0.0
	for _, m := range family.GetMetric() {
		v := m.GetCounter().GetValue() + m.GetUntyped().GetValue() + m.GetGauge().GetValue()
		if v > 0 && v <= mostCounted {
			sum += v
		}
	}
	return min(sum, mostCounted)
}

func (c Counters) plus(o Counters) Counters {
	for _, counter := range counterNames {
		*counter.field(&c) += *counter.field(&o)
	}
	return c
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

// HitShare is the share of looked-up prompt tokens that came from the prefix cache, 0 to 1; 0 without look-ups.
func (c Counters) HitShare() float64 {
	if c.PrefixQueries == 0 {
		return 0
	}
	return c.PrefixHits / c.PrefixQueries
}
