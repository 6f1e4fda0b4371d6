package server

import (
	"math"

	"github.com/zeebo/xxh3"
)

// Dimensions is the length of the server's vectors.
const Dimensions = 256

// Embed returns the vector of a text by feature hashing (Weinberger et al. 2009): its words and
// pairs of neighbouring words, each counted at a hashed position with a hashed sign, scaled to
// length 1. Texts that share words are near each other. A text without words gets the first unit
// vector.
func Embed(text string) []float32 {
	var sums [Dimensions]float64
	add := func(feature string, weight float64) {
		h := xxh3.HashString(feature)
		if h>>63 == 1 {
			weight = -weight
		}
		sums[h%Dimensions] += weight
	}
	words := split(text)
	for i, w := range words {
		weight := 1.0
		if plain[w] { // The word says little about the topic.
			weight = 0.3
		}
		add(w, weight)
		if i > 0 {
			add(words[i-1]+" "+w, 0.5)
		}
	}
	norm := 0.0
	for _, s := range sums {
		norm += s * s
	}
	out := make([]float32, Dimensions)
	if norm == 0 {
		out[0] = 1
		return out
	}
	for i, s := range sums {
		out[i] = float32(s / math.Sqrt(norm))
	}
	return out
}
