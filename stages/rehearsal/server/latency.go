package server

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Latency is a model of an accelerator. Requests take Slots in the order of their arrival. Prompt
// tokens that are not in the prefix cache are computed one prompt after the other, at PrefillRate.
// Then all replies in progress get a token every Step. The model is for rehearsing schedules, not
// for predicting times.
type Latency struct {
	Name        string
	Slots       int           // requests at once; 0 for no limit
	PrefillRate float64       // tokens computed per second; 0 for instantaneous
	Step        time.Duration // between two tokens of a reply
}

// latencies are the presets. The accelerators' presets are derived from data sheets for
// Qwen2.5-72B in BF16 on one accelerator. They are assumptions, not measurements:
//
//	weights             72.7e9 parameters · 2 B = 145 GB
//	step                weights / memory bandwidth, since every step reads them all:
//	                    MI300X 145 GB / 5.3 TB/s = 27 ms; MI325X 145 GB / 6.0 TB/s = 24 ms
//	prefill             40 % of 1307 TFLOPS dense BF16 / (2 · 72.7e9 FLOP per token)
//	                    = 3,600 tokens/s on both
//
// Slots are the sequences at once (--max-num-seqs) that stages/deploy gives to vLLM.
var latencies = map[string]Latency{
	"zero":   {},
	"mi300x": {Slots: 256, PrefillRate: 3600, Step: 27 * time.Millisecond},
	"mi325x": {Slots: 256, PrefillRate: 3600, Step: 24 * time.Millisecond},
}

// ParseLatency returns a preset by its name, possibly sped up: "mi325x" or "mi325x/10" for ten
// times the speed.
func ParseLatency(name string) (Latency, error) {
	base, speedup, scaled := strings.Cut(name, "/")
	l, known := latencies[base]
	l.Name = name
	if !known {
		return l, fmt.Errorf("no latency model %q; use one of %s", base,
			strings.Join(slices.Sorted(maps.Keys(latencies)), ", "))
	}
	if !scaled {
		return l, nil
	}
	factor, err := strconv.ParseFloat(speedup, 64)
	if err != nil || !(factor > 0) || factor > 1e6 {
		return l, fmt.Errorf("latency model %q: %q is not a factor above 0", name, speedup)
	}
	return l.Faster(factor), nil
}

// Faster returns the model with every rate multiplied by a factor above 0.
func (l Latency) Faster(factor float64) Latency {
	l.PrefillRate *= factor
	l.Step = time.Duration(float64(l.Step) / factor)
	return l
}
