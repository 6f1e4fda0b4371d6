package analytics

import (
	"slices"
	"sync"
)

// A plan says which model may be built next: one whose inputs are done, and of several the one that most others wait for.
type plan struct {
	models  []Model
	waiting []int // for each model, how many models read it, directly or not

	mu     sync.Mutex
	turn   sync.Cond
	begun  []bool
	done   map[string]bool // models that are finished, and whether they failed
	failed map[string]bool
	stop   bool
}

func newPlan(models []Model) *plan {
	p := &plan{models: models, begun: make([]bool, len(models)), done: map[string]bool{}, failed: map[string]bool{}, waiting: make([]int, len(models))}
	p.turn.L = &p.mu
	readers := map[string]map[string]bool{}
	for _, m := range slices.Backward(models) {
		for _, input := range m.Inputs {
			if readers[input] == nil {
				readers[input] = map[string]bool{}
			}
			readers[input][m.Name] = true
			for name := range readers[m.Name] {
				readers[input][name] = true
			}
		}
	}
	for i, m := range models {
		p.waiting[i] = len(readers[m.Name])
		p.done[m.Name] = false
	}
	return p
}

// next waits for a model that may be built and returns its number; -1 when there is none left to begin.
func (p *plan) next() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	for {
		best, left := -1, false
		for i, m := range p.models {
			if p.begun[i] {
				continue
			}
			left = true
			ready := !slices.ContainsFunc(m.Inputs, func(input string) bool {
				done, isModel := p.done[input]
				return isModel && !done
			})
			if ready && (best < 0 || p.waiting[i] > p.waiting[best]) {
				best = i
			}
		}
		if !left || p.stop {
			return -1
		}
		if best >= 0 {
			p.begun[best] = true
			return best
		}
		p.turn.Wait()
	}
}

// failedInput names an input of a model that failed.
func (p *plan) failedInput(i int) (input string, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, input := range p.models[i].Inputs {
		if p.failed[input] {
			return input, true
		}
	}
	return "", false
}

// finish says that a model is done, after telling of it. stop lets no further one begin.
func (p *plan) finish(i int, failed, stop bool, tell func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done[p.models[i].Name], p.failed[p.models[i].Name], p.stop = true, failed, p.stop || stop
	tell()
	p.turn.Broadcast()
}
