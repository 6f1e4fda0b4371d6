package stages

import (
	"fmt"
	"iter"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/llm"
)

// A reply is what is recorded of one task of a plan.
type reply struct {
	subject string
	call    data.Call // its hash, repeat, state, reply, finish reason, log-probabilities and completion tokens
	ok      bool      // else there is no record
}

// said is what the readers of replies need of a call: there is one for each task of a part in memory.
type said struct {
	text, logprobs string
	state, finish  string
	tokens         int64
}

// replies streams the recorded calls of a plan, one for each task in the plan's order: those of the unit's own file, and
// what is missing there, because an equal request was asked for another unit, of the model's other calls.
func replies(l *data.Lake, w Work) iter.Seq2[reply, error] {
	return func(yield func(reply, error) bool) {
		for p, err := range parts(w) {
			var calls map[callKey]said
			if err == nil {
				calls, err = collect(l, w, p)
			}
			if err != nil {
				yield(reply{}, err)
				return
			}
			for _, t := range p.tasks {
				s, ok := calls[t.key]
				r := reply{t.subject, data.Call{
					RequestHash: t.hash, Repeat: t.key.repeat(), State: s.state, Reply: s.text, FinishReason: s.finish, Logprobs: s.logprobs,
					CompletionTokens: s.tokens,
				}, ok}
				if !yield(r, nil) {
					return
				}
			}
		}
	}
}

// collect finds the recorded calls of a part. The unit's own file is enough unless calls are missing there or failed:
// what failed for one unit may have been asked again for another, and then the whole reply counts.
func collect(l *data.Lake, w Work, p *part) (map[callKey]said, error) {
	calls := map[callKey]said{}
	wanting := 0
	for _, i := range p.first {
		if !p.tasks[i].extra {
			wanting++
		}
	}
	sources := []iter.Seq2[data.Call, error]{
		data.UnitRows(l, data.Calls, w.Unit()),
		data.Select(l, data.Calls, data.Where{"model": w.Model}),
	}
	for _, source := range sources {
		if wanting == 0 {
			break
		}
		for c, err := range source {
			if err != nil {
				return nil, err
			}
			if c.Stage == "ingest" {
				continue
			}
			k, err := keyOf(c.RequestHash, c.Repeat)
			if err != nil {
				return nil, err
			}
			i, planned := p.first[k]
			if !planned {
				continue
			}
			before, found := calls[k]
			limits := p.tasks[i].limits()
			if found && qualityOf(limits, before.state, before.finish, before.tokens) >= qualityOf(limits, c.State, c.FinishReason, c.CompletionTokens) {
				continue
			}
			if !p.tasks[i].extra && c.State != llm.StateFailed && (!found || before.state == llm.StateFailed) {
				wanting--
			}
			calls[k] = said{c.Reply, c.Logprobs, c.State, c.FinishReason, c.CompletionTokens}
		}
	}
	return calls, nil
}

// replyDigest is a digest of what is recorded of a plan. It does not depend on where a call is recorded.
func replyDigest(l *data.Lake, w Work) (string, error) {
	digest := noReplies
	for r, err := range replies(l, w) {
		if err != nil {
			return "", err
		}
		digest = r.digest(digest)
	}
	return digest, nil
}

// noReplies begins a digest.
var noReplies = data.Fingerprint("replies/2", data.Version)

// digest adds a reply to the digest of those before it.
func (r *reply) digest(before string) string {
	return data.Fingerprint(before, fmt.Sprint(r.ok), r.call.RequestHash, r.call.State, r.call.Reply, r.call.Logprobs)
}

// writeUnit writes one table in one unit and returns the number of rows; an unchanged unit is left as it is and
// returns the number of rows that it has.
func writeUnit[T any](l *data.Lake, unit data.Unit, table data.Table[T], fill func(write func(T) error) error) (int, error) {
	return writeUnits(l, []data.Unit{unit}, table, func(write func(i int, row T) error) error {
		return fill(func(row T) error { return write(0, row) })
	})
}

// writeUnits writes one table in several units, side by side, and returns the number of rows of all. Unchanged units are
// left as they are, what is written to them is dropped, and when all are unchanged, fill is not called.
func writeUnits[T any](l *data.Lake, units []data.Unit, table data.Table[T], fill func(write func(i int, row T) error) error) (int, error) {
	rows := 0
	var open []*data.Tx
	out := make([]*data.RowWriter[T], len(units)) // nil for unchanged ones
	for i, unit := range units {
		done, err := l.Done(unit)
		if err != nil {
			return 0, err
		}
		if done {
			for _, err := range data.UnitRows(l, table, unit) {
				if err != nil {
					return 0, err
				}
				rows++
			}
			continue
		}
		tx, err := l.Begin(unit)
		if err != nil {
			return 0, err
		}
		defer tx.Abort()
		open = append(open, tx)
		if out[i], err = data.NewRowWriter(tx, table); err != nil {
			return 0, err
		}
	}
	if len(open) == 0 {
		return rows, nil
	}
	err := fill(func(i int, row T) error {
		if out[i] == nil {
			return nil
		}
		rows++
		return out[i].Write(row)
	})
	if err != nil {
		return 0, err
	}
	for _, tx := range open {
		if err := tx.Commit(); err != nil {
			return 0, err
		}
	}
	return rows, nil
}
