package arena

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

func between(pairs []Pair) string {
	var names []string
	for _, p := range pairs {
		names = append(names, p.CaptionerA+"-"+p.CaptionerB)
	}
	return strings.Join(names, " ")
}

func TestAllPairs(t *testing.T) {
	pairs := AllPairs("b", "i", []Entry{{"m3", "3"}, {"m1", "1"}, {"m2", "2"}})
	expect.Equal(t, between(pairs), "m1-m2 m1-m3 m2-m3", "the pairs are")
	expect.Equal(t, pairs[1], (Pair{Benchmark: "b", ImageID: "i", CaptionerA: "m1", CaptionA: "1", CaptionerB: "m3",
		CaptionB: "3"}), "a pair is")
	expect.Equal(t, len(AllPairs("b", "i", []Entry{{"m1", "x"}, {"m1", "y"}})), 0, "a captioner meets itself")
}

// Each pair is drawn equally often, the same ones for one seed, and a new captioner leaves what was
// drawn in its order.
func TestDraw(t *testing.T) {
	var entries []Entry
	for _, m := range []string{"m1", "m2", "m3", "m4"} {
		entries = append(entries, Entry{m, m})
	}
	counts := map[string]int{}
	const images = 3000
	for i := range images {
		image := fmt.Sprint("image ", i)
		pairs := AllPairs("b", image, entries[:3])
		first := Draw(1, 2, pairs)
		if len(first) != 2 || !slices.Equal(first, Draw(1, 2, pairs)) {
			t.Fatalf("drawn are %+v", first)
		}
		for _, p := range first {
			counts[p.CaptionerA+p.CaptionerB]++
		}
		more := Draw(1, 6, AllPairs("b", image, entries))
		old := slices.DeleteFunc(slices.Clone(Draw(1, 5, AllPairs("b", image, entries))),
			func(p Pair) bool { return p.CaptionerB == "m4" })
		if len(more) != 6 || !slices.Equal(old[:min(2, len(old))], first[:min(2, len(old))]) {
			t.Fatalf("%s: a new captioner changes the order of the others: %s, then %s", image, between(first),
				between(old))
		}
	}
	for pair, n := range counts {
		expect.Between(t, n, images*2/3-120, images*2/3+120, pair) // four standard deviations of a binomial of 2/3
	}
}

func TestAgainst(t *testing.T) {
	entries := []Entry{{"base", "0"}, {"m1", "1"}, {"m2", "2"}}
	expect.Equal(t, between(Against("b", "i", "base", entries)), "m1-base m2-base", "the battles are")
	expect.Equal(t, Against("b", "i", "nobody", entries), nil, "battles with nobody")
}

func TestDeal(t *testing.T) {
	var images []string
	for i := range 600 {
		images = append(images, fmt.Sprintf("test_%05d.jpg", i))
	}
	dealt, counts := Deal(1, images, []string{"x", "y", "z"}), map[string]int{}
	slices.Reverse(images)
	again, other := Deal(1, images, []string{"x", "y", "z"}), Deal(2, images, []string{"x", "y", "z"})
	moved := 0
	for id, baseline := range dealt {
		counts[baseline]++
		must.Equal(t, again[id], baseline, "the order of the images matters")
		if other[id] != baseline {
			moved++
		}
	}
	if counts["x"] != 200 || counts["y"] != 200 || counts["z"] != 200 || moved < 300 {
		t.Errorf("%v, %d of 600 moved by another seed", counts, moved)
	}
}
