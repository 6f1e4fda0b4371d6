package stages

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"iter"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/llm"
)

// callKey is the first half of a request hash and the repeat number. Half a SHA-256 tells apart more calls than there
// will ever be, at a third of the memory of the text.
type callKey [20]byte

func keyOf(hash string, repeat int32) (callKey, error) {
	var k callKey
	if len(hash) < 32 {
		return k, fmt.Errorf("request hash %q is too short", hash)
	}
	if _, err := hex.Decode(k[:16], []byte(hash[:32])); err != nil {
		return k, fmt.Errorf("request hash %q: %w", hash, err)
	}
	binary.BigEndian.PutUint32(k[16:], uint32(repeat))
	return k, nil
}

func (k callKey) repeat() int32 { return int32(binary.BigEndian.Uint32(k[16:])) }

// quality ranks the records of a request: a better one replaces a worse one, and never the other way round.
type quality uint8

const (
	noCall quality = iota
	failedCall
	cutOff
	whole
)

// qualityOf ranks a call. What a protocol wants the first tokens of was recorded as truncated once, and is whole.
func qualityOf(r llm.Request, state, finish string, tokens int64) quality {
	switch {
	case state == llm.StateOK, state == llm.StateTruncated && r.Whole(finish, int(tokens)):
		return whole
	case state == llm.StateTruncated:
		return cutOff
	}
	return failedCall
}

// rank returns the key and the quality of the call of a request.
func rank(r llm.Request, c data.Call) (callKey, quality, error) {
	k, err := keyOf(c.RequestHash, c.Repeat)
	return k, qualityOf(r, c.State, c.FinishReason, c.CompletionTokens), err
}

// standing is the best that is recorded of some requests: a key for each that has a record.
type standing map[callKey]quality

// settled reports whether a request is not to be asked again.
func (s standing) settled(k callKey, retryFailed bool) bool {
	return s[k] == whole || s[k] != noCall && !retryFailed
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

// standingOf finds what is recorded of a part of a work: in the lake, and in the journal that an interrupted run left.
func standingOf(l *data.Lake, w Work, p *part) (standing, error) {
	s := standing{}
	for call, err := range data.Project[callRef](l, data.Calls, data.Where{"model": w.Model}) {
		if err == nil && call.Stage != "ingest" {
			err = s.take(p, call)
		}
		if err != nil {
			return nil, err
		}
	}
	unit := w.Unit().FileStem()
	for _, journal := range []iter.Seq2[data.Call, error]{data.JournalRows[data.Call](l, unit), data.SharedJournalRows[data.Call](l, unit)} {
		for call, err := range journal {
			if err == nil {
				err = s.take(p, callRef{
					RequestHash: call.RequestHash, Repeat: call.Repeat, State: call.State, Finish: call.FinishReason, Tokens: call.CompletionTokens,
				})
			}
			if err != nil {
				return nil, err
			}
		}
	}
	return s, nil
}

// take notes a call if the part asks for it.
func (s standing) take(p *part, c callRef) error {
	k, err := keyOf(c.RequestHash, c.Repeat)
	if i, planned := p.first[k]; err == nil && planned {
		s[k] = max(s[k], qualityOf(p.tasks[i].limits(), c.State, c.Finish, c.Tokens))
	}
	return err
}
