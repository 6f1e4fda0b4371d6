package engine

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"github.com/captionlake/captionlake/stages/llm"
)

// A request is one request about one item, from its plan to its reply.
type request struct {
	item     any
	attempt  int      // from 0
	before   *Outcome // of the attempt before; nil for the first
	hash     string   // empty where nothing is asked
	key      callKey
	body     *llm.Request // nil while its recorded reply is awaited: what is asked is built again when it is needed
	first    int64        // tokens that are wanted of the reply; 0 for all
	follows  bool         // it is not asked itself: the reply to another counts, or what is recorded
	recorded *llm.Reply   // the best that the lake has; nil for none, and before it is read
	noted    int          // when its reply was last noted before that; 0 for never
}

// identify notes what tells a request from others.
func (q *request) identify(body *llm.Request) {
	q.hash = body.Hash()
	q.key = keyOf(q.hash, int32(body.Repeat))
	q.first = body.First()
}

// An Outcome is what came of one item: the reply, whose provenance is that of the rows to be made, and what is known of it.
type Outcome struct {
	llm.Reply
	Asked    bool // false for an item that nothing is asked about
	Failed   bool // the call failed: there is no reply
	Readable bool // Accept took the reply
}

// Vectors are those of a reply about texts, in their order.
func (o Outcome) Vectors() (all [][]float32, err error) {
	err = json.Unmarshal([]byte(o.Text), &all)
	return all, err
}

// A callKey is a digest of what a reply is recorded under: a request's hash and which repetition it is. A run keeps one for each reply, so
// that the texts would take four times the memory.
type callKey [16]byte

func keyOf(hash string, repeat int32) callKey {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d", hash, repeat))
	return callKey(sum[:16])
}

// A rank orders the replies to a request: a better one replaces a worse one, and never the other way round.
type rank int

const (
	missing rank = iota
	failed
	cutOff
	whole
)

func (q *request) rank(c *llm.Reply) rank {
	switch {
	case c == nil:
		return missing
	case c.State == llm.StateOK, c.State == llm.StateTruncated && llm.Whole(q.first, c.FinishReason, c.CompletionTokens):
		return whole
	case c.State == llm.StateTruncated:
		return cutOff
	}
	return failed
}
