package captionqa

import (
	"slices"
	"testing"
)

// The witnesses were printed by CPython 3.11: r = random.Random(seed); [r.getrandbits(32) for _ in range(4)], and
// l = list(range(5)); random.Random(seed).shuffle(l). Seeds 2**32 and beyond fill two words of the seeding key; CPython
// drops the sign of −7.
func TestPythonRandomWitnesses(t *testing.T) {
	cases := []struct {
		seed  int64
		words []uint32
		order []int32
	}{
		{0, []uint32{3626764237, 1654615998, 3255389356, 3823568514}, []int32{2, 1, 0, 4, 3}},
		{1, []uint32{577090037, 2444712010, 3639700191, 3445702192}, []int32{2, 3, 4, 0, 1}},
		{42, []uint32{2746317213, 478163327, 107420369, 3184935163}, []int32{3, 1, 2, 4, 0}},
		{1 << 32, []uint32{485306839, 1508871100, 1794561286, 4014597330}, []int32{3, 4, 1, 2, 0}},
		{-7, []uint32{1390851128, 4071050724, 647892279, 1695753998}, []int32{4, 0, 3, 1, 2}},
	}
	for _, c := range cases {
		random := NewPythonRandom(c.seed)
		for i, want := range c.words {
			if got := random.Uint32(); got != want {
				t.Errorf("seed %d: word %d is %d, want %d", c.seed, i, got, want)
			}
		}
		if got := NewOrderStream(c.seed).Next(5); !slices.Equal(got, c.order) {
			t.Errorf("seed %d: order %v, want %v", c.seed, got, c.order)
		}
	}
}

// CPython 3.11: r = random.Random(0); [r._randbelow(n) for n in (1, 2, 3, 4, 5, 1, 7, 8)]. Even n = 1 draws bits.
func TestPythonRandomBelow(t *testing.T) {
	random := NewPythonRandom(0)
	want := []int{0, 1, 0, 2, 4, 0, 3, 4}
	for i, n := range []int{1, 2, 3, 4, 5, 1, 7, 8} {
		if got := random.Below(n); got != want[i] {
			t.Errorf("draw %d below %d is %d, want %d", i, n, got, want[i])
		}
	}
}

// CPython 3.11: r = random.Random(0); [r._randbelow(n) for n in (2**31, 2**33 + 1, 2**62, 2**63 - 1)]. Bounds of more
// than 32 bits take two words per draw.
func TestPythonRandomBelowLarge(t *testing.T) {
	random := NewPythonRandom(0)
	want := []int{1654615998, 1806341205, 4481891911369680482, 8469216845598671736}
	for i, n := range []int{1 << 31, 1<<33 + 1, 1 << 62, 1<<63 - 1} {
		if got := random.Below(n); got != want[i] {
			t.Errorf("draw %d below %d is %d, want %d", i, n, got, want[i])
		}
	}
}

// Fewer than two elements leave the stream where it was: 3626764237 is the first word of seed 0.
func TestShuffleOfOneDrawsNothing(t *testing.T) {
	random := NewPythonRandom(0)
	for _, n := range []int{-1, 0, 1} {
		random.Shuffle(n, func(i, j int) { t.Errorf("Shuffle(%d) swaps %d and %d", n, i, j) })
	}
	if got := random.Below(0); got != 0 {
		t.Errorf("Below(0) = %d, want 0", got)
	}
	if got := random.Uint32(); got != 3626764237 {
		t.Errorf("first word after empty shuffles is %d, want 3626764237", got)
	}
}

// A bank of 33,027 questions with five options each is the published size.
func BenchmarkOrderStream(b *testing.B) {
	for b.Loop() {
		stream := NewOrderStream(OrderSeed)
		for range 33027 {
			stream.Next(5)
		}
	}
}
