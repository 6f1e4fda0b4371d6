package captionqa

import (
	"math/bits"

	"gonum.org/v1/gonum/mathext/prng"
)

// PythonRandom is CPython 3's random.Random seeded with an integer: the MT19937 generator and the draws that CPython
// makes from it. The authors' evaluation code shuffles options with it, so the published option orders need exactly
// these numbers. It is not safe for concurrent use.
type PythonRandom struct{ words *prng.MT19937 }

// NewPythonRandom returns the generator that random.Random(seed) gives. As in CPython the sign of the seed is dropped.
func NewPythonRandom(seed int64) *PythonRandom {
	magnitude := uint64(seed)
	if seed < 0 {
		magnitude = -magnitude
	}
	// CPython splits the seed into 32-bit words, least significant first, without leading zero words but at least one.
	key := []uint32{uint32(magnitude)}
	if high := uint32(magnitude >> 32); high != 0 {
		key = append(key, high)
	}
	words := prng.NewMT19937()
	words.SeedFromKeys(key)
	return &PythonRandom{words}
}

// Uint32 returns the next 32 random bits: getrandbits(32) of CPython.
func (r *PythonRandom) Uint32() uint32 { return r.words.Uint32() }

// bits returns k random bits, 1 to 64: getrandbits(k) of CPython, which fills words from the least significant one and
// takes the high bits of the last draw.
func (r *PythonRandom) bits(k int) uint64 {
	if k <= 32 {
		return uint64(r.Uint32() >> (32 - k))
	}
	low := uint64(r.Uint32())
	return low | uint64(r.Uint32()>>(64-k))<<32
}

// Below returns a number from 0 to n−1: _randbelow_with_getrandbits(n) of CPython, which draws as many bits as n itself
// has and draws again while the number is too large. It returns 0 without a draw when n is below 1.
func (r *PythonRandom) Below(n int) int {
	if n < 1 {
		return 0
	}
	k := bits.Len(uint(n))
	for {
		if drawn := r.bits(k); drawn < uint64(n) {
			return int(drawn)
		}
	}
}

// Shuffle permutes n elements exactly as random.shuffle of CPython 3 does, through swap(i, j) with j ≤ i. Fewer than
// two elements draw nothing from the generator.
func (r *PythonRandom) Shuffle(n int, swap func(i, j int)) {
	for i := n - 1; i >= 1; i-- {
		swap(i, r.Below(i+1))
	}
}
