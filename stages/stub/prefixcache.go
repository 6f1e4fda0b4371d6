package stub

import (
	"container/list"
	"hash/maphash"
	"time"
)

// A token of the rehearsal models is four bytes, about the mean of English text under the tokenizers of current models.
const bytesPerToken = 4

// BlockTokens is the number of tokens in a block of the prefix cache, as in vLLM.
const BlockTokens = 16

// tokens returns the number of tokens of a number of bytes.
func tokens(bytes int) int { return (bytes + bytesPerToken - 1) / bytesPerToken }

// blockKey names a block by its own tokens and those before it.
type blockKey uint64

// cacheSeed is of one process: keys never leave it.
var cacheSeed = maphash.MakeSeed()

// blockKeys returns the keys of the full blocks of a prompt.
func blockKeys(prompt []byte) []blockKey {
	const size = BlockTokens * bytesPerToken
	keys := make([]blockKey, 0, len(prompt)/size)
	var h maphash.Hash
	h.SetSeed(cacheSeed)
	for len(prompt) >= size {
		// The hash goes on over the blocks, so that each key covers all tokens before it.
		h.Write(prompt[:size]) // a hash never fails
		keys = append(keys, blockKey(h.Sum64()))
		prompt = prompt[size:]
	}
	return keys
}

// prefixCache is vLLM's automatic prefix cache: blocks of tokens that are found again by their whole prefix, evicted least
// recently used first and, among blocks used together, the end of the prompt before its start. It is not safe for
// concurrent use.
type prefixCache struct {
	capacity int // blocks; 0 keeps none
	blocks   map[blockKey]*list.Element
	recent   list.List // *block, most recently used first
}

type block struct {
	key   blockKey
	ready time.Time // when its computation is done
}

func newPrefixCache(capacityTokens int) *prefixCache {
	return &prefixCache{capacity: capacityTokens / BlockTokens, blocks: map[blockKey]*list.Element{}}
}

// lookup returns the number of a prompt's tokens that the cache holds at a time. The last token of a prompt is always
// computed, since its output is what the first new token is drawn from; so a prompt that is wholly cached finds one block
// less when its length is a multiple of the block's.
func (c *prefixCache) lookup(keys []blockKey, promptTokens int, now time.Time) int {
	hits := 0
	for _, k := range keys {
		el, ok := c.blocks[k]
		if !ok || el.Value.(*block).ready.After(now) || (hits+1)*BlockTokens > promptTokens-1 {
			break
		}
		hits++
	}
	return hits * BlockTokens
}

// store keeps a prompt's blocks, which are computed by a time, and marks those that it had as used.
func (c *prefixCache) store(keys []blockKey, ready time.Time) {
	if c.capacity == 0 {
		return
	}
	for i := len(keys) - 1; i >= 0; i-- {
		if el, ok := c.blocks[keys[i]]; ok {
			c.recent.MoveToFront(el)
			if b := el.Value.(*block); ready.Before(b.ready) {
				b.ready = ready
			}
			continue
		}
		c.blocks[keys[i]] = c.recent.PushFront(&block{keys[i], ready})
	}
	for c.recent.Len() > c.capacity {
		delete(c.blocks, c.recent.Remove(c.recent.Back()).(*block).key)
	}
}
