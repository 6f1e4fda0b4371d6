package server

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// Latency is a model of an engine with continuous batching. Requests take one of Slots in the order of their arrival. A step
// gives each running sequence its next token and computes as much of the prompts as its budget allows. It takes as long as the
// slower of two things that an accelerator does side by side (the roofline model): reading the weights, which takes Step, and
// computing the tokens at PrefillRate. The model is for rehearsing schedules, not for predicting times.
type Latency struct {
	Name        string
	Slots       int           // sequences at once; 0 is no limit
	PrefillRate float64       // tokens computed per second; 0 is instantaneous
	Step        time.Duration // least time of a step
	CacheTokens int           // tokens that the memory for sequences and prefix cache holds; 0 is memory without end and no cache
	BatchTokens int           // tokens that one step computes at most; 0 is 8192, vLLM's default on large GPUs
}

const defaultBatchTokens = 8192

// instant reports whether nothing takes time.
func (l Latency) instant() bool { return l.PrefillRate == 0 && l.Step == 0 }

// budget is the number of tokens that one step computes at most.
func (l Latency) budget() int {
	switch {
	case l.instant():
		return math.MaxInt
	case l.BatchTokens > 0:
		return l.BatchTokens
	}
	return defaultBatchTokens
}

// step is how long a step takes that computes a number of tokens.
func (l Latency) step(tokens int) time.Duration {
	took := l.Step
	if l.PrefillRate > 0 {
		took = max(took, time.Duration(float64(tokens)/l.PrefillRate*float64(time.Second)))
	}
	return took
}

// Latencies returns the presets. The accelerators' are derived from data sheets for Qwen2.5-72B in BF16 on one of them,
// and are assumptions, not measurements:
//
//	weights             72.7e9 parameters · 2 B = 145 GB
//	step                weights / memory bandwidth, since every step reads them all:
//	                    MI300X 145 GB / 5.3 TB/s = 27 ms; MI325X 145 GB / 6.0 TB/s = 24 ms
//	prefill             40 % of 1307 TFLOPS dense BF16 / (2 · 72.7e9 FLOP per token) = 3,600 tokens/s on both
//	cache               (92 % of the memory that the card reports, 191.98 or 255.98 GiB − 145 GB − 5 GB) / 328 kB per token
//	                    (80 layers · 8 KV heads · 128 · 2 · 2 B) = 121,000 and 314,000 tokens
//
// Memory share, sequences and tokens of a step are those that stages/deploy sets.
func Latencies() []Latency {
	return []Latency{
		{Name: "zero", CacheTokens: 1 << 20},
		{Name: "mi300x", Slots: 256, PrefillRate: 3600, Step: 27 * time.Millisecond, CacheTokens: 121_000, BatchTokens: 16384},
		{Name: "mi325x", Slots: 256, PrefillRate: 3600, Step: 24 * time.Millisecond, CacheTokens: 314_000, BatchTokens: 16384},
	}
}

// ParseLatency returns a preset by its name, possibly sped up: "mi325x" or "mi325x/10" for ten times as fast.
func ParseLatency(name string) (Latency, error) {
	base, by, scaled := strings.Cut(name, "/")
	all := Latencies()
	i := slices.IndexFunc(all, func(l Latency) bool { return l.Name == base })
	if i < 0 {
		names := make([]string, len(all))
		for j, l := range all {
			names[j] = l.Name
		}
		return Latency{}, fmt.Errorf("no latency model %q; use one of %s", base, strings.Join(names, ", "))
	}
	if !scaled {
		return all[i], nil
	}
	var factor float64
	if _, err := fmt.Sscanf(by, "%g", &factor); err != nil || !(factor > 0) || factor > 1e6 {
		return Latency{}, fmt.Errorf("latency model %q: %q is not a factor above 0", name, by)
	}
	return all[i].Faster(factor), nil
}

// Faster returns the model with every rate multiplied by a factor above 0.
func (l Latency) Faster(factor float64) Latency {
	l.Name = fmt.Sprintf("%s/%g", l.Name, factor)
	l.PrefillRate *= factor
	l.Step = time.Duration(float64(l.Step) / factor)
	return l
}

// Ceiling returns the largest number of requests per second that the model allows when the mean request computes a number
// of prompt tokens, those from the cache left out, and generates a number of new ones, at least 1. Its tokens pass at
// PrefillRate, the last new one excepted, which is only drawn; and Slots requests at once take a step for each new token.
// 0 is no limit.
func (l Latency) Ceiling(computed, generated float64) float64 {
	ceiling := math.Inf(1)
	if tokens := computed + max(generated-1, 0); l.PrefillRate > 0 && tokens > 0 {
		ceiling = l.PrefillRate / tokens
	}
	if l.Slots > 0 && l.Step > 0 {
		ceiling = min(ceiling, float64(l.Slots)/(max(generated, 1)*l.Step.Seconds()))
	}
	if math.IsInf(ceiling, 1) {
		return 0
	}
	return ceiling
}
