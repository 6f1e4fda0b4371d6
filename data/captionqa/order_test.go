package captionqa

import (
	"fmt"
	"slices"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

// One question more or less in the stream changes the orders after it: the reason for the two
// rules. CPython 3.11: one random.Random(0) shuffles list(range(n)) for n = 5, 4, 2, 2 into the
// orders below; a fresh one that leaves the question of 5 out begins elsewhere.
func TestOrderStreamIsOneStream(t *testing.T) {
	stream := NewOrderStream(OrderSeed)
	want := [][]int32{{2, 1, 0, 4, 3}, {0, 2, 1, 3}, {0, 1}, {0, 1}}
	for i, n := range []int{5, 4, 2, 2} {
		expect.Equal(t, stream.Next(n), want[i], i)
	}
	if got := NewOrderStream(OrderSeed).Next(4); slices.Equal(got, want[1]) {
		t.Errorf("order %v does not depend on the question before it", got)
	}
	expect.Equal(t, len(stream.Next(-3)), 0, "order of -3 options")
}

// CPython 3.11: l = list(range(5)); random.Random(seed).shuffle(l), and r = random.Random(0);
// [r._randbelow(n) for n in (1, 2, 3, 4, 5, 1, 7, 8)]. Even n = 1 draws bits.
func TestOrderStreamDrawsAsPython(t *testing.T) {
	for seed, want := range map[uint32][]int32{0: {2, 1, 0, 4, 3}, 1: {2, 3, 4, 0, 1}, 42: {3, 1, 2, 4, 0}} {
		expect.Equal(t, NewOrderStream(seed).Next(5), want)
	}
	stream := NewOrderStream(0)
	want := []int{0, 1, 0, 2, 4, 0, 3, 4}
	for i, n := range []int{1, 2, 3, 4, 5, 1, 7, 8} {
		expect.Equal(t, stream.below(n), want[i], i)
	}
}

func TestPresent(t *testing.T) {
	options := []string{"red", "green", "blue"}
	expect.Equal(t, must.Get(Present(options, []int32{2, 0, 1}))(t), []string{"blue", "red", "green"})
	refused := map[string][]int32{
		"option order has 2 positions for 3 options; make it with OrderStream.Next from the options after WithCannot": {0, 1},
		"option order [0 0 1] is not a permutation of 0 to 2; make it with " +
			"OrderStream.Next": {0, 0, 1},
		"option order [0 3 1] is not a permutation of 0 to 2; make it with OrderStream.Next":  {0, 3, 1},
		"option order [-1 0 1] is not a permutation of 0 to 2; make it with OrderStream.Next": {-1, 0, 1},
	}
	for want, order := range refused {
		_, err := Present(options, order)
		expect.Equal(t, fmt.Sprint(err), want, order)
	}
}
