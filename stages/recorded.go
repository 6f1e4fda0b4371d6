package stages

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"

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

// recorded is a set of calls that need not be asked again: 20 bytes for each.
type recorded struct {
	sorted []callKey
	recent map[callKey]struct{} // added since sorted was sorted
}

func (s *recorded) has(k callKey) bool {
	if _, ok := s.recent[k]; ok {
		return true
	}
	_, ok := slices.BinarySearchFunc(s.sorted, k, compareKeys)
	return ok
}

func (s *recorded) add(k callKey) { s.recent[k] = struct{}{} }

func compareKeys(a, b callKey) int { return bytes.Compare(a[:], b[:]) }

// settled reports whether a call in that state is not to be asked again.
func settled(state string, retryFailed bool) bool { return state == llm.StateOK || !retryFailed }

// callRef is what tells calls apart, and whether they are settled.
type callRef struct {
	RequestHash string `parquet:"request_hash"`
	Repeat      int32  `parquet:"repeat"`
	Stage       string `parquet:"stage"`
	Model       string `parquet:"model"`
	State       string `parquet:"state"`
}

// recordedCalls collects the calls of a model that the lake holds: those that a plan need not ask again. With
// retryFailed the failed and the truncated ones are left out.
func recordedCalls(l *data.Lake, model string, retryFailed bool) (*recorded, error) {
	s := &recorded{recent: map[callKey]struct{}{}}
	for call, err := range data.Project[callRef](l, data.Calls, data.Where{"model": model}) {
		if err != nil {
			return nil, err
		}
		if call.Stage == "ingest" || !settled(call.State, retryFailed) {
			continue
		}
		k, err := keyOf(call.RequestHash, call.Repeat)
		if err != nil {
			return nil, err
		}
		s.sorted = append(s.sorted, k)
	}
	slices.SortFunc(s.sorted, compareKeys)
	return s, nil
}
