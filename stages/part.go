package stages

import (
	"iter"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/llm"
)

// partTasks is how many tasks of a plan are looked up in the lake at a time. It bounds the memory of a run, whatever the
// number of questions; a larger one reads the recorded calls less often. Tests make it small.
var partTasks = 50_000

// A part is a number of groups of a plan in a row, without their texts.
type part struct {
	tasks  []plannedTask
	first  map[callKey]int32 // position of the first task of each request
	groups int
	walk   func() (Group, error, bool) // the groups of the plan, from the part's first on
}

// A plannedTask is what is kept in memory of a task.
type plannedTask struct {
	key     callKey
	hash    string
	subject string
	extra   bool
	first   int32 // tokens that the protocol reads of the reply; 0 for all
}

// limits is the request as far as its length goes.
func (t plannedTask) limits() llm.Request {
	return llm.Request{Sampling: llm.Sampling{MaxTokens: int(t.first)}, FirstTokens: t.first > 0}
}

// parts cuts a plan into parts. Each is to be dealt with before the next one is asked for. The plan is walked through
// twice side by side: ahead for the keys of a part, and behind for its groups, so that no part's texts are in memory.
func parts(w Work) iter.Seq2[*part, error] {
	return func(yield func(*part, error) bool) {
		walk, stop := iter.Pull2(w.Groups())
		defer stop()
		p := newPart(walk)
		for group, err := range w.Groups() {
			if err == nil {
				err = p.add(group)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if len(p.tasks) < partTasks {
				continue
			}
			if !yield(p, nil) {
				return
			}
			if err := p.skip(); err != nil {
				yield(nil, err)
				return
			}
			p = newPart(walk)
		}
		if p.groups > 0 {
			yield(p, nil)
		}
	}
}

func newPart(walk func() (Group, error, bool)) *part {
	return &part{first: map[callKey]int32{}, walk: walk}
}

func (p *part) add(group Group) error {
	for _, t := range group.Tasks {
		hash := t.Request.Hash()
		k, err := keyOf(hash, int32(t.Request.Repeat))
		if err != nil {
			return err
		}
		if _, twice := p.first[k]; !twice {
			p.first[k] = int32(len(p.tasks))
		}
		task := plannedTask{key: k, hash: hash, subject: t.Subject, extra: t.Extra}
		if t.Request.FirstTokens {
			task.first = int32(t.Request.Sampling.MaxTokens)
		}
		p.tasks = append(p.tasks, task)
	}
	p.groups++
	return nil
}

// next walks to the next group of the part.
func (p *part) next() (Group, error, bool) {
	if p.groups == 0 {
		return Group{}, nil, false
	}
	p.groups--
	return p.walk()
}

// skip leaves the groups out that were not walked through.
func (p *part) skip() error {
	for {
		if _, err, more := p.next(); err != nil || !more {
			return err
		}
	}
}

// pending walks through the groups of the part without what is recorded, equal requests once. The summary counts what is
// planned and what is recorded.
func (p *part) pending(known standing, retryFailed bool, summary *Summary) iter.Seq2[Group, error] {
	return func(yield func(Group, error) bool) {
		at := 0
		for {
			group, err, more := p.next()
			if err != nil {
				yield(Group{}, err)
				return
			}
			if !more {
				return
			}
			left := group.Tasks[:0]
			for _, task := range group.Tasks {
				planned := p.tasks[at]
				at++
				if int(p.first[planned.key]) != at-1 {
					continue
				}
				summary.Planned++
				if known.settled(planned.key, retryFailed) {
					summary.Recorded++
					if known[planned.key] != whole {
						summary.Lacking++
					}
					continue
				}
				task.hash = planned.hash
				left = append(left, task)
			}
			if len(left) > 0 && !yield(Group{group.Affinity, left}, nil) {
				return
			}
		}
	}
}

// pending walks through the groups of a work without what is recorded, for those that ask nothing.
func pending(l *data.Lake, w Work, retryFailed bool, summary *Summary) iter.Seq2[Group, error] {
	return func(yield func(Group, error) bool) {
		for p, err := range parts(w) {
			var known standing
			if err == nil {
				known, err = standingOf(l, w, p)
			}
			if err != nil {
				yield(Group{}, err)
				return
			}
			for group, err := range p.pending(known, retryFailed, summary) {
				if !yield(group, err) || err != nil {
					return
				}
			}
		}
	}
}
