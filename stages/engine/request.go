package engine

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"github.com/captionlake/captionlake/stages/llm"
)

// Keys say which row, requests and part of a run an item belongs to.
type Keys struct {
	Subject string // key of the item's row: a question_id, an image_id, a sample_id
	// Consecutive items with an equal Group share a long prefix: they go to one replica, one right
	// after the other, so that all but the first find the prefix in the replica's cache. An empty
	// Group stands for the Subject.
	Group   string
	Picture string // the parts of a run divide the items of all stages by Picture; if empty, the Group
	Spared  bool   // the item is not asked about: only a recorded reply is read
}

// An item is one thing that a unit asks about, such as a question with its caption.
type item struct {
	Keys
	of any // the item as the stage made it: the I of its Unit[I]
}

// A request is one request about one item, from its plan to its reply.
type request struct {
	item     *item
	attempt  int      // from 0
	before   *Outcome // outcome of the previous attempt; nil for the first
	hash     string   // empty if nothing is asked
	key      callKey
	body     *llm.Request // nil while its recorded reply is awaited; it is built again when it is needed
	first    int64        // number of reply tokens that are needed; 0 for all
	follows  bool         // the request is not asked itself: it uses the reply to an equal request, or the recorded reply
	recorded *llm.Reply   // the best reply in the lake; nil without one, and before it is read
	noted    int          // the index's note of its reply when recorded was read; 0 without a note
}

// identify sets the hash of the request and the fields that follow from it.
func (q *request) identify(body *llm.Request) {
	q.hash = body.Hash()
	q.key = keyOf(q.hash, int32(body.Repeat))
	q.first = body.First()
}

// An Outcome is the result of one item: the reply and its state. The Provenance of the reply
// is the provenance of the rows to make.
type Outcome struct {
	llm.Reply
	Asked    bool // there was a request about the item
	Failed   bool // the call failed: there is no reply
	Readable bool // Accept accepted the reply
}

// Vectors are the vectors in a reply, in the order of the texts.
func (o Outcome) Vectors() (all [][]float32, err error) {
	err = json.Unmarshal([]byte(o.Text), &all)
	return all, err
}

// A callKey is a digest of a request's hash and its repetition, which identify a recorded reply. A
// run keeps a callKey for each reply; hashes as texts would take four times the memory.
type callKey [16]byte

func keyOf(hash string, repeat int32) callKey {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d", hash, repeat))
	return callKey(sum[:16])
}

// A rank orders the replies to a request: a better reply replaces a worse reply, never the
// other way round.
type rank int

const (
	missing rank = iota
	failed
	cutOff // truncated, and the protocol reads more tokens than the reply has
	whole
)

// rank is the rank of a reply to the request; missing for nil.
func (q *request) rank(reply *llm.Reply) rank {
	switch {
	case reply == nil:
		return missing
	case reply.State == llm.StateOK,
		reply.State == llm.StateTruncated && llm.Whole(q.first, reply.FinishReason, reply.CompletionTokens):
		return whole
	case reply.State == llm.StateTruncated:
		return cutOff
	}
	return failed
}
