package captionqa

import "math/bits"

// Parameters of MT19937 (Matsumoto and Nishimura, 1998).
const (
	mtSize      = 624
	mtShift     = 397
	mtMatrix    = 0x9908b0df
	mtUpperMask = 0x80000000
	mtLowerMask = 0x7fffffff
)

// PythonRandom is CPython 3's random.Random seeded with an integer: the MT19937 generator and the draws that CPython
// makes from it. The authors' evaluation code shuffles options with it, so the published option orders need exactly
// these numbers. It is not safe for concurrent use.
type PythonRandom struct {
	state [mtSize]uint32
	next  int
}

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
	r := &PythonRandom{}
	r.seedWithArray(key)
	return r
}

// seedWithWord is init_genrand of MT19937.
func (r *PythonRandom) seedWithWord(seed uint32) {
	r.state[0] = seed
	for i := 1; i < mtSize; i++ {
		previous := r.state[i-1]
		r.state[i] = 1812433253*(previous^previous>>30) + uint32(i)
	}
	r.next = mtSize
}

// seedWithArray is init_by_array of MT19937.
func (r *PythonRandom) seedWithArray(key []uint32) {
	r.seedWithWord(19650218)
	i, j := 1, 0
	// advance moves to the next word of the state, wrapping past its end as the reference does.
	advance := func() {
		i++
		if i >= mtSize {
			r.state[0] = r.state[mtSize-1]
			i = 1
		}
	}
	for range max(mtSize, len(key)) {
		previous := r.state[i-1]
		r.state[i] = (r.state[i] ^ (previous^previous>>30)*1664525) + key[j] + uint32(j)
		j = (j + 1) % len(key)
		advance()
	}
	for range mtSize - 1 {
		previous := r.state[i-1]
		r.state[i] = (r.state[i] ^ (previous^previous>>30)*1566083941) - uint32(i)
		advance()
	}
	r.state[0] = 0x80000000
}

// twist makes the next mtSize words of the state.
func (r *PythonRandom) twist() {
	for i := range mtSize {
		word := r.state[i]&mtUpperMask | r.state[(i+1)%mtSize]&mtLowerMask
		mixed := word >> 1
		if word&1 == 1 {
			mixed ^= mtMatrix
		}
		r.state[i] = r.state[(i+mtShift)%mtSize] ^ mixed
	}
	r.next = 0
}

// Uint32 returns the next 32 random bits: getrandbits(32) of CPython.
func (r *PythonRandom) Uint32() uint32 {
	if r.next >= mtSize {
		r.twist()
	}
	y := r.state[r.next]
	r.next++
	y ^= y >> 11
	y ^= y << 7 & 0x9d2c5680
	y ^= y << 15 & 0xefc60000
	return y ^ y>>18
}

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
