package engine

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"iter"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/llm"
)

// A callKey is the beginning of a request hash, and the repeat number. 96 bits tell apart more calls than there will ever
// be, at a quarter of the memory of the text.
type callKey [16]byte

func keyOf(hash string, repeat int32) (callKey, error) {
	var k callKey
	if len(hash) < 24 {
		return k, fmt.Errorf("request hash %q is too short", hash)
	}
	if _, err := hex.Decode(k[:12], []byte(hash[:24])); err != nil {
		return k, fmt.Errorf("request hash %q: %w", hash, err)
	}
	binary.BigEndian.PutUint32(k[12:], uint32(repeat))
	return k, nil
}

// A quality ranks the records of a request: a better one replaces a worse one, and never the other way round.
type quality uint8

const (
	noCall quality = iota
	failedCall
	cutOff
	whole
)

// A callState is how a request's call ended, as far as it is known without the request: the larger, the better. Above
// stateLength it is that of a reply of so many tokens more that ended at its largest length: some protocols want no more.
type callState uint16

const (
	unrecorded callState = iota
	stateFailed
	stateCutOff
	stateLength
	stateWhole callState = 1<<16 - 1
)

func stateOf(state, finish string, tokens int64) callState {
	switch {
	case state == llm.StateOK:
		return stateWhole
	case state == llm.StateTruncated && finish == finishLength:
		return stateLength + callState(min(tokens, 1<<15))
	case state == llm.StateTruncated:
		return stateCutOff
	}
	return stateFailed
}

// state is how the call of a reply ended.
func (r *Reply) state() callState { return stateOf(r.State, r.FinishReason, r.Tokens) }

// eachCall goes through recorded calls with their keys and how they ended. Those that were loaded from files are left out:
// nobody asked them.
func eachCall(calls iter.Seq2[data.Call, error], do func(callKey, callState, data.Call)) error {
	for c, err := range calls {
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
		do(k, stateOf(c.State, c.FinishReason, c.CompletionTokens), c)
	}
	return nil
}

// finishLength is the finish reason of a reply that ended at its largest length.
const finishLength = "length"

// quality ranks a state by what the request wants of its reply.
func (s callState) quality(t *plannedCall) quality {
	switch {
	case s == stateWhole:
		return whole
	case s >= stateLength && llm.Request{FirstTokens: t.first > 0, Sampling: llm.Sampling{MaxTokens: int(t.first)}}.Whole(finishLength, int(s-stateLength)):
		return whole
	case s >= stateCutOff:
		return cutOff
	case s == stateFailed:
		return failedCall
	}
	return noCall
}

// settled reports whether a request is not to be asked again.
func (q quality) settled(retryFailed bool) bool { return q == whole || q != noCall && !retryFailed }

// A callIndex knows what is recorded of one model's requests. It is read once in a run and kept up to date.
type callIndex struct {
	calls map[callKey]indexedCall
	unit  uint32 // number of the unit that is planned
}

type indexedCall struct {
	unit  uint32 // number of the last unit that planned the request; 0 until one does
	state callState
}

// callRef is what tells calls apart, and how they ended.
type callRef struct {
	RequestHash string `parquet:"request_hash"`
	Repeat      int32  `parquet:"repeat"`
	Stage       string `parquet:"stage"`
	Model       string `parquet:"model"`
	State       string `parquet:"state"`
	Finish      string `parquet:"finish_reason"`
	Tokens      int64  `parquet:"completion_tokens"`
}

// readIndex reads the recorded calls of a model, those that were loaded from files excepted: nobody asked them.
func readIndex(l *data.Lake, model string) (*callIndex, error) {
	x := &callIndex{calls: map[callKey]indexedCall{}}
	return x, x.take(data.Project[callRef](l, data.Calls, data.Where{"model": model}), model)
}

// add notes the recorded calls of one unit.
func (x *callIndex) add(l *data.Lake, model, unit string) error {
	return x.take(data.ProjectUnit[callRef](l, data.Calls, unit), model)
}

func (x *callIndex) take(calls iter.Seq2[callRef, error], model string) error {
	for c, err := range calls {
		if err != nil {
			return err
		}
		if c.Stage == "ingest" || c.Model != model {
			continue
		}
		k, err := keyOf(c.RequestHash, c.Repeat)
		if err != nil {
			return err
		}
		x.record(k, stateOf(c.State, c.Finish, c.Tokens))
	}
	return nil
}

// begin prepares for another unit, with what an interrupted run left in its journal.
func (x *callIndex) begin(l *data.Lake, u *unit) error {
	x.unit++
	return eachCall(data.JournalRows[data.Call](l, u.calls().FileStem()), func(k callKey, state callState, _ data.Call) { x.record(k, state) })
}

// plan looks a request of the unit up. first is false when the unit has planned an equal one before.
func (x *callIndex) plan(k callKey) (state callState, first bool) {
	c := x.calls[k]
	x.calls[k] = indexedCall{x.unit, c.state}
	return c.state, c.unit != x.unit
}

// record notes how a call ended: the best record of a request counts.
func (x *callIndex) record(k callKey, state callState) {
	c := x.calls[k]
	c.state = max(c.state, state)
	x.calls[k] = c
}
