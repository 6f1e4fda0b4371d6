package server

import "hash/maphash"

// A token of the rehearsal models is four bytes, about the mean of English text under the tokenizers of current models.
const bytesPerToken = 4

// BlockTokens is the number of tokens in a block of the prefix cache: vLLM's default on a GPU.
const BlockTokens = 16

// tokens returns the number of tokens of a number of bytes.
func tokens(bytes int) int { return (bytes + bytesPerToken - 1) / bytesPerToken }

// blocksOf returns the number of blocks that hold a number of tokens.
func blocksOf(tokens int) int { return (tokens + BlockTokens - 1) / BlockTokens }

// blockKey names a block by its own tokens and those before it.
type blockKey uint64

// cacheSeed is of one process: keys never leave it.
var cacheSeed = maphash.MakeSeed()

// blockKeys returns the keys of the full blocks of a text.
func blockKeys(text []byte) []blockKey {
	const size = BlockTokens * bytesPerToken
	keys := make([]blockKey, 0, len(text)/size)
	var h maphash.Hash
	h.SetSeed(cacheSeed)
	for len(text) >= size {
		// The hash goes on over the blocks, so that each key covers all tokens before it.
		h.Write(text[:size]) // a hash never fails
		keys = append(keys, blockKey(h.Sum64()))
		text = text[size:]
	}
	return keys
}

// blockPool is the memory of an engine, in blocks of tokens, as vLLM's automatic prefix cache manages it. A block belongs to
// the sequences that use it. One that nobody uses stays findable by its key until its place is needed; then the one that was
// given back first goes first and, of one sequence, the end before the start. It is not safe for concurrent use.
type blockPool struct {
	capacity int // blocks
	used     int // blocks that sequences hold
	unused   int // blocks that can still be found, but that nobody holds
	named    map[blockKey]*block
	oldest   block // sentinel of the ring of unused blocks, in the order in which they were given back
}

type block struct {
	key        blockKey
	named      bool
	users      int
	prev, next *block // in the ring of unused blocks
}

func newBlockPool(capacityTokens int) *blockPool {
	p := &blockPool{capacity: capacityTokens / BlockTokens, named: map[blockKey]*block{}}
	p.oldest.prev, p.oldest.next = &p.oldest, &p.oldest
	return p
}

// find returns the leading blocks of a prompt that the pool has. The last token of a prompt is always computed, since its
// output is what the first new token is drawn from; so a prompt that is wholly known finds one block less when its length
// is a multiple of the block's.
func (p *blockPool) find(keys []blockKey, promptTokens int) []*block {
	var found []*block
	for _, k := range keys {
		b, ok := p.named[k]
		if !ok || (len(found)+1)*BlockTokens > promptTokens-1 {
			break
		}
		found = append(found, b)
	}
	return found
}

// room is the number of blocks that can be taken now.
func (p *blockPool) room() int { return p.capacity - p.used }

// share adds a user to blocks that were found.
func (p *blockPool) share(blocks []*block) {
	for _, b := range blocks {
		if b.users == 0 {
			p.drop(b)
			p.used++
		}
		b.users++
	}
}

// take returns a block without a name. A pool that is full makes one more: the engine asks for room first.
func (p *blockPool) take() *block {
	p.used++
	if p.used+p.unused > p.capacity && p.unused > 0 {
		b := p.oldest.next
		p.drop(b)
		delete(p.named, b.key)
	}
	return &block{users: 1}
}

// name makes a block findable. When another block has the name already, that one stays.
func (p *blockPool) name(b *block, key blockKey) {
	if _, taken := p.named[key]; !taken && !b.named {
		b.key, b.named = key, true
		p.named[key] = b
	}
}

// giveBack removes a user from the blocks of a sequence.
func (p *blockPool) giveBack(blocks []*block) {
	for i := len(blocks) - 1; i >= 0; i-- {
		b := blocks[i]
		if b.users--; b.users > 0 {
			continue
		}
		p.used--
		if !b.named {
			continue
		}
		if p.used+p.unused >= p.capacity { // more was taken than there is
			delete(p.named, b.key)
			continue
		}
		last := p.oldest.prev
		last.next, b.prev, b.next, p.oldest.prev = b, last, &p.oldest, b
		p.unused++
	}
}

// drop takes a block out of the ring of unused blocks.
func (p *blockPool) drop(b *block) {
	b.prev.next, b.next.prev = b.next, b.prev
	b.prev, b.next = nil, nil
	p.unused--
}
