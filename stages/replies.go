package stages

import (
	"fmt"

	"github.com/captionlake/captionlake/data"
)

// replies are the recorded calls of one unit of work.
type replies struct {
	calls       map[callKey]said
	fingerprint string // digest of what was found
}

// said is what the readers of replies need of a call: there is one for each question of a unit in memory.
type said struct {
	text, logprobs string
	state, finish  string // shared between calls
	tokens         int64
}

// of returns the recorded call of a task: its hash, state, reply, finish reason, log-probabilities and completion tokens.
func (r *replies) of(t Task) (data.Call, bool) {
	hash := t.Request.Hash()
	k, err := keyOf(hash, int32(t.Request.Repeat))
	if err != nil {
		return data.Call{}, false
	}
	h, ok := r.calls[k]
	return data.Call{
		RequestHash: hash, Repeat: int32(t.Request.Repeat), State: h.state, Reply: h.text, FinishReason: h.finish, Logprobs: h.logprobs,
		CompletionTokens: h.tokens,
	}, ok
}

// collect finds the recorded calls of a plan: in the unit's own file first, and what is missing there, because an equal
// request was asked for another unit, in the model's other calls. It holds the replies of one unit in memory.
func collect(l *data.Lake, w Work) (*replies, error) {
	r := &replies{calls: map[callKey]said{}}
	missing := map[callKey]struct{}{}
	words := map[string]string{}
	shared := func(word string) string {
		if _, ok := words[word]; !ok {
			words[word] = word
		}
		return words[word]
	}
	for group, err := range w.Groups() {
		if err != nil {
			return nil, err
		}
		for _, t := range group.Tasks {
			k, err := keyOf(t.Request.Hash(), int32(t.Request.Repeat))
			if err != nil {
				return nil, err
			}
			missing[k] = struct{}{}
		}
	}
	planned := len(missing)
	take := func(c data.Call) error {
		k, err := keyOf(c.RequestHash, c.Repeat)
		if err != nil {
			return err
		}
		if _, wanted := missing[k]; wanted {
			delete(missing, k)
			r.calls[k] = said{c.Reply, c.Logprobs, shared(c.State), shared(c.FinishReason), c.CompletionTokens}
		}
		return nil
	}
	for c, err := range data.UnitRows(l, data.Calls, w.Unit()) {
		if err != nil {
			return nil, err
		}
		if err := take(c); err != nil {
			return nil, err
		}
	}
	if len(missing) > 0 {
		for c, err := range data.Select(l, data.Calls, data.Where{"model": w.Model}) {
			if err != nil {
				return nil, err
			}
			if c.Stage == "ingest" {
				continue
			}
			if err := take(c); err != nil {
				return nil, err
			}
		}
	}
	r.fingerprint = r.digest(planned)
	return r, nil
}

// digest depends on every reply and not on the order in which they were found.
func (r *replies) digest(planned int) string {
	var sum [32]byte
	for k, c := range r.calls {
		for i, b := range []byte(data.Fingerprint(string(k[:]), c.state, c.text, c.logprobs))[:32] {
			sum[i] += b
		}
	}
	return data.Fingerprint("replies/1", data.Version, fmt.Sprint(planned), fmt.Sprint(len(r.calls)), string(sum[:]))
}

// writeUnit writes one table in one unit and returns the number of rows; an unchanged unit is left as it is and
// returns the number of rows that it has.
func writeUnit[T any](l *data.Lake, unit data.Unit, table data.Table[T], fill func(write func(T) error) error) (int, error) {
	done, err := l.Done(unit)
	if err != nil {
		return 0, err
	}
	n := 0
	if done {
		for _, err := range data.UnitRows(l, table, unit) {
			if err != nil {
				return 0, err
			}
			n++
		}
		return n, nil
	}
	tx, err := l.Begin(unit)
	if err != nil {
		return 0, err
	}
	defer tx.Abort()
	out, err := data.NewRowWriter(tx, table)
	if err != nil {
		return 0, err
	}
	if err := fill(func(row T) error { n++; return out.Write(row) }); err != nil {
		return 0, err
	}
	return n, tx.Commit()
}
