package server

import "github.com/zeebo/xxh3"

// A token of the rehearsal models is four bytes, about the mean of English text with current
// tokenizers.
const bytesPerToken = 4

// BlockTokens is the number of tokens in a block of the prefix cache: vLLM's default on a GPU.
const BlockTokens = 16

// tokens returns the number of tokens of so many bytes.
func tokens(bytes int) int { return (bytes + bytesPerToken - 1) / bytesPerToken }

// blockKeys returns the keys of the full blocks of a text. A key identifies a block by its own
// tokens and all tokens before it.
func blockKeys(text []byte) []uint64 {
	const size = BlockTokens * bytesPerToken
	keys := make([]uint64, 0, len(text)/size)
	h := xxh3.New()
	for len(text) >= size {
		// The hash continues over the blocks, so that each key covers all tokens before it.
		h.Write(text[:size]) // a hash never fails
		keys = append(keys, h.Sum64())
		text = text[size:]
	}
	return keys
}
