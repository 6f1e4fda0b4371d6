package engine

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"iter"
	"slices"

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
func (s callState) quality(t *task) quality {
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

// A callIndex knows what is recorded of one model's requests. It is read once in a run and kept up to date, in a sorted
// list, which takes a third of the memory of a map; only what has come since it was last sorted is in one.
type callIndex struct {
	old   []indexed
	seen  []uint32 // of old: number of the last unit that planned the request; nil until one does
	fresh map[callKey]freshCall
	unit  uint32 // number of the unit that is planned
}

type indexed struct {
	key   callKey
	state callState
}

type freshCall struct {
	unit  uint32
	state callState
}

// sortFresh is how many fresh calls are sorted in when a unit begins.
const sortFresh = 1 << 16

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
	x := &callIndex{fresh: map[callKey]freshCall{}}
	for c, err := range data.Project[callRef](l, data.Calls, data.Where{"model": model}) {
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
		x.old = append(x.old, indexed{k, stateOf(c.State, c.Finish, c.Tokens)})
	}
	x.sort()
	return x, nil
}

// sort orders the old calls and keeps the best record of each.
func (x *callIndex) sort() {
	slices.SortFunc(x.old, func(a, b indexed) int { return bytes.Compare(a.key[:], b.key[:]) })
	n := 0
	for i, c := range x.old {
		if i > 0 && c.key == x.old[n-1].key {
			x.old[n-1].state = max(x.old[n-1].state, c.state)
			continue
		}
		x.old[n] = c
		n++
	}
	x.old = x.old[:n]
	x.seen = make([]uint32, n)
}

// begin prepares for another unit, with what an interrupted run left in its journal.
func (x *callIndex) begin(l *data.Lake, u *unit) error {
	x.unit++
	if len(x.fresh) >= sortFresh {
		for k, c := range x.fresh {
			if c.state != unrecorded {
				x.old = append(x.old, indexed{k, c.state})
			}
		}
		clear(x.fresh)
		x.sort()
	}
	return eachCall(data.JournalRows[data.Call](l, u.calls().FileStem()), func(k callKey, state callState, _ data.Call) { x.record(k, state) })
}

// plan looks a request of the unit up. first is false when the unit has planned an equal one before.
func (x *callIndex) plan(k callKey) (state callState, first bool) {
	at, old := slices.BinarySearchFunc(x.old, k, func(c indexed, k callKey) int { return bytes.Compare(c.key[:], k[:]) })
	if old {
		state, first = x.old[at].state, x.seen[at] != x.unit
		x.seen[at] = x.unit
	} else {
		first = true
	}
	c, fresh := x.fresh[k]
	if fresh {
		state, first = max(state, c.state), first && c.unit != x.unit
	}
	if !old || fresh {
		x.fresh[k] = freshCall{x.unit, c.state}
	}
	return state, first
}

// record takes in how a call ended.
func (x *callIndex) record(k callKey, state callState) {
	c := x.fresh[k]
	x.fresh[k] = freshCall{c.unit, max(c.state, state)}
}
