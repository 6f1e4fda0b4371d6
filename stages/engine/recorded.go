package engine

import (
	"encoding/json"
	"fmt"
	"iter"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/llm"
)

// all goes through a walk without asking: pending gets what group gives.
func (w *walk) all(pending func([]*plannedCall) error) error {
	for more := true; more; {
		for {
			group, err := w.group()
			if err == nil && len(group) > 0 {
				err = pending(group)
			}
			if err != nil {
				return err
			}
			if len(group) == 0 {
				break
			}
			for _, t := range group {
				w.drop(t)
			}
		}
		var err error
		if more, err = w.rest(); err != nil {
			return err
		}
	}
	return nil
}

// rest reads what is recorded of the calls that were held back. It is called when nothing is under way, and reports
// whether group has more to give.
func (w *walk) rest() (more bool, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.err == nil && len(w.again) == 0 && len(w.recorded)+len(w.waiting) > 0 {
		for _, t := range w.waiting {
			w.hold(t)
		}
		w.waiting = nil
		w.err = w.settle()
	}
	return len(w.again) > 0, w.err
}

// settle reads the recorded replies of the calls that are held back. One without a recorded reply, which nobody asks, has
// no rows.
func (w *walk) settle() error {
	held := w.recorded
	w.recorded, w.bytes = nil, 0
	wanted := make(map[callKey]*Reply, len(held))
	limits := make(map[callKey]*plannedCall, len(held))
	left := 0
	for _, t := range held {
		if _, known := wanted[t.key]; !known {
			wanted[t.key], limits[t.key] = nil, t
			if !t.unasked {
				left++
			}
		}
	}
	// The unit's own file is enough unless calls are missing there or failed: what failed for one unit may have been asked
	// again for another, and then the whole reply counts.
	sources := []iter.Seq2[data.Call, error]{
		data.UnitRows(w.lake, data.Calls, w.unit.calls()),
		data.JournalRows[data.Call](w.lake, w.unit.calls().FileStem()),
		data.Select(w.lake, data.Calls, data.Where{"model": w.unit.Model.ID}),
	}
	for i, source := range sources {
		if i > 0 && left <= 0 {
			break
		}
		w.foreign = w.foreign || i == len(sources)-1
		err := eachCall(source, func(k callKey, state callState, c data.Call) {
			before, planned := wanted[k]
			if !planned || before != nil && before.state().quality(limits[k]) >= state.quality(limits[k]) {
				return
			}
			if c.State != llm.StateFailed && (before == nil || before.State == llm.StateFailed) {
				left--
			}
			reply := replyOf(c)
			wanted[k] = &reply
		})
		if err != nil {
			return err
		}
	}
	for _, t := range held {
		reply := wanted[t.key]
		var err error
		if reply == nil {
			err = w.leave(t)
		} else {
			if t.embeds && reply.State == llm.StateOK && reply.Vectors == nil {
				err = json.Unmarshal([]byte(reply.Text), &reply.Vectors)
			}
			if err == nil {
				err = w.deliver(t, *reply)
			}
		}
		if err != nil {
			return fmt.Errorf("%s: %w", t.subject, err)
		}
	}
	return nil
}
