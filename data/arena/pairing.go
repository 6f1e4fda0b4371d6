package arena

import (
	"cmp"
	"slices"
	"strings"
)

// An Entry is one caption of an item that can enter battles.
type Entry struct {
	Captioner string
	Text      string
}

// AllPairs gives every pair of an item's captions, ordered by captioner. Two captions by the same
// captioner are no pair.
func AllPairs(benchmark, imageID string, entries []Entry) []Pair {
	entries = slices.Clone(entries)
	slices.SortStableFunc(entries, func(x, y Entry) int { return strings.Compare(x.Captioner, y.Captioner) })
	var pairs []Pair
	for i, a := range entries {
		for _, b := range entries[i+1:] {
			if a.Captioner != b.Captioner {
				pairs = append(pairs, Pair{Benchmark: benchmark, ImageID: imageID, CaptionerA: a.Captioner,
					CaptionA: a.Text, CaptionerB: b.Captioner, CaptionB: b.Text})
			}
		}
	}
	return pairs
}

// Draw keeps n of the pairs of an item, drawn by a seed. A pair that is added later, as with a new
// captioner, has the same chance as the other pairs. If the added pair is drawn, it replaces one
// drawn pair, and all other drawn pairs stay.
func Draw(seed int64, n int, pairs []Pair) []Pair {
	if n >= len(pairs) {
		return pairs
	}
	drawn := slices.Clone(pairs)
	// The rank does not depend on the texts, so a changed caption leaves the draw as it is.
	rank := func(p Pair) uint64 { return draw(seed, p.Benchmark, p.ImageID, p.CaptionerA, p.CaptionerB) }
	slices.SortStableFunc(drawn, func(x, y Pair) int { return cmp.Compare(rank(x), rank(y)) })
	return drawn[:n]
}

// Against pairs an item's captions with the baseline's caption, which is caption b of each battle.
// The baseline is not paired with itself. If the baseline has no caption of the item, there are no
// pairs.
func Against(benchmark, imageID, baseline string, entries []Entry) []Pair {
	place := slices.IndexFunc(entries, func(e Entry) bool { return e.Captioner == baseline })
	if place < 0 {
		return nil
	}
	var pairs []Pair
	for _, e := range entries {
		if e.Captioner != baseline {
			pairs = append(pairs, Pair{Benchmark: benchmark, ImageID: imageID, CaptionerA: e.Captioner,
				CaptionA: e.Text, CaptionerB: baseline, CaptionB: entries[place].Text})
		}
	}
	return pairs
}

// Deal gives each item one of the baselines, by a seed, so that all baselines get equally many
// items. CapArena-Auto has 200 images for each of three baselines (section 5). Deal gets all items
// of a benchmark at once, so one more item can change the baselines of other items. There must be a
// baseline.
func Deal(seed int64, imageIDs, baselines []string) map[string]string {
	order := slices.Clone(imageIDs)
	slices.SortFunc(order, func(x, y string) int {
		return cmp.Or(cmp.Compare(draw(seed, x), draw(seed, y)), strings.Compare(x, y))
	})
	dealt := make(map[string]string, len(order))
	for i, id := range order {
		dealt[id] = baselines[i%len(baselines)]
	}
	return dealt
}
