package stages

import (
	"iter"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/llm"
)

// An inquiry is requests about a number of things of which an unreadable reply is asked for again. A second try is a
// request of its own, since it has another temperature and another seed: greedy decoding would only repeat what could
// not be read. So every try is recorded, none is paid twice, and what is to be asked next follows from what is recorded.
type inquiry struct {
	work     Work // its Groups are those of try
	n        int
	attempts int                                       // tries for each thing, at least 1
	affinity func(i int) string                        // things in a row with equal affinity are asked together
	subject  func(i int) string                        // key of the row that the thing is
	request  func(i int) (llm.Request, error)          // the request of the first try
	readable func(i int, reply string) (problem error) // nil when the reply can be read
}

// retryTemperature is the least temperature of a second try.
const retryTemperature = 0.7

// task is one try at one thing.
func (q *inquiry) task(i, attempt int) (Task, error) {
	r, err := q.request(i)
	if err != nil {
		return Task{}, err
	}
	if attempt > 0 {
		r.Sampling.Temperature = max(r.Sampling.Temperature, retryTemperature)
		r.Sampling.Seed += int64(attempt)
	}
	return Task{Request: r, Subject: q.subject(i)}, nil
}

// try is the work of one try at some of the things.
func (q *inquiry) try(things []int, attempt int) Work {
	w := q.work
	w.Groups = func() iter.Seq2[Group, error] {
		return func(yield func(Group, error) bool) {
			var group Group
			for _, i := range things {
				t, err := q.task(i, attempt)
				if err != nil {
					yield(Group{}, err)
					return
				}
				if key := q.affinity(i); len(group.Tasks) > 0 && key != group.Affinity {
					if !yield(group, nil) {
						return
					}
					group = Group{}
				}
				group.Affinity = q.affinity(i)
				group.Tasks = append(group.Tasks, t)
			}
			if len(group.Tasks) > 0 {
				yield(group, nil)
			}
		}
	}
	return w
}

// first is the work of the first try at everything.
func (q *inquiry) first() Work { return q.try(q.all(), 0) }

func (q *inquiry) all() []int {
	things := make([]int, q.n)
	for i := range things {
		things[i] = i
	}
	return things
}

// again is the work of the tries after the first: at everything of which no try so far is readable. It is false when
// there is nothing to try again.
func (q *inquiry) again(l *data.Lake, attempt int) (Work, bool, error) {
	if attempt >= q.attempts {
		return Work{}, false, nil
	}
	found, err := q.read(l, attempt)
	if err != nil || len(found.unreadable) == 0 {
		return Work{}, false, err
	}
	return q.try(found.unreadable, attempt), true, nil
}

// A heard is what was said about one thing: the first readable reply, or else the last one.
type heard struct {
	call   data.Call
	asked  bool // a call is recorded; else there is no reply yet
	failed bool // the only call failed
	ok     bool // the reply is readable
}

// findings are the recorded replies of an inquiry.
type findings struct {
	things      []heard
	unreadable  []int  // things of which every try was answered, and none readably
	fingerprint string // digest of what was found
}

// read finds the replies of the first tries. A failed first try is no reply, which a run with RetryFailed asks for; a
// failed later one leaves the thing unreadable.
func (q *inquiry) read(l *data.Lake, attempts int) (findings, error) {
	f := findings{things: make([]heard, q.n), unreadable: q.all(), fingerprint: noReplies}
	for attempt := 0; attempt < attempts && len(f.unreadable) > 0; attempt++ {
		var left []int
		n := 0
		for r, err := range replies(l, q.try(f.unreadable, attempt)) {
			if err != nil {
				return f, err
			}
			f.fingerprint = r.digest(f.fingerprint)
			i, call := f.unreadable[n], r.call
			n++
			switch {
			case !r.ok:
			case call.State == llm.StateFailed:
				if attempt == 0 {
					f.things[i] = heard{call: call, asked: true, failed: true}
				}
			default:
				readable := q.readable(i, call.Reply) == nil
				f.things[i] = heard{call: call, asked: true, ok: readable}
				if !readable {
					left = append(left, i)
				}
			}
		}
		f.unreadable = left
	}
	return f, nil
}

// step makes a step of an inquiry that plan prepares.
func inquiryStep(s Step, plan func(*data.Lake) (*inquiry, error)) Step {
	s.Work = func(l *data.Lake) (Work, error) {
		q, err := plan(l)
		if err != nil {
			return Work{}, err
		}
		return q.first(), nil
	}
	s.Again = func(l *data.Lake, attempt int) (Work, bool, error) {
		q, err := plan(l)
		if err != nil {
			return Work{}, false, err
		}
		return q.again(l, attempt)
	}
	return s
}
