package engine

import (
	"encoding/json"
	"fmt"
	"iter"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/llm"
)

// recordedReply is what is recorded of one request.
type recordedReply struct {
	state string
	Reply
}

func (h *recordedReply) rank(t *task) quality {
	return stateOf(h.state, h.FinishReason, h.Tokens).quality(t)
}

// rest reads what is recorded of the tasks that were held back. It is called when nothing is under way, and reports
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

// settle reads the recorded replies of the tasks that are held back. One without a recorded reply, which nobody asks, has
// no rows.
func (w *walk) settle() error {
	tasks := w.recorded
	w.recorded, w.bytes = nil, 0
	wanted := make(map[callKey]*recordedReply, len(tasks))
	limits := make(map[callKey]*task, len(tasks))
	left := 0
	for _, t := range tasks {
		if _, twice := wanted[t.key]; !twice {
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
		data.SharedJournalRows[data.Call](w.lake, w.unit.calls().FileStem()),
		data.Select(w.lake, data.Calls, data.Where{"model": w.unit.Model.ID}),
	}
	for i, source := range sources {
		if i > 0 && left <= 0 {
			break
		}
		w.foreign = w.foreign || i == len(sources)-1
		for c, err := range source {
			if err != nil {
				return err
			}
			if c.Stage == "ingest" {
				continue
			}
			k, err := keyOf(c.RequestHash, c.Repeat)
			if err != nil {
				return err
			}
			before, planned := wanted[k]
			if !planned {
				continue
			}
			now := stateOf(c.State, c.FinishReason, c.CompletionTokens).quality(limits[k])
			if before != nil && before.rank(limits[k]) >= now {
				continue
			}
			if c.State != llm.StateFailed && (before == nil || before.state == llm.StateFailed) {
				left--
			}
			wanted[k] = &recordedReply{c.State, Reply{Text: c.Reply, Logprobs: c.Logprobs, FinishReason: c.FinishReason, Tokens: c.CompletionTokens}}
		}
	}
	for _, t := range tasks {
		h := wanted[t.key]
		var err error
		switch {
		case h == nil:
			err = w.leave(t)
		default:
			if t.embeds && h.state == llm.StateOK && h.Vectors == nil {
				err = json.Unmarshal([]byte(h.Text), &h.Vectors)
			}
			if err == nil {
				err = w.deliver(t, *h)
			}
		}
		if err != nil {
			return fmt.Errorf("%s: %w", t.subject, err)
		}
	}
	return nil
}
