package vote

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"math"
	"slices"
	"strconv"
	"unique"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/web"
)

// load reads the battles that can be shown, and counts the others in p.Left.
func (p *Page) load(l *data.Lake) (battles []data.Battle, err error) {
	votedElsewhere := map[string]bool{} // by battle: whether it has a real vote that was not made on the page
	for _, d := range p.Elsewhere {
		votedElsewhere[d.Item] = votedElsewhere[d.Item] || !d.Simulated
	}
	for b, err := range data.Select(l, data.Battles, data.Where{"benchmark": p.options.Benchmark}) {
		switch {
		case err != nil:
			return nil, err
		case b.CaptionA == "" || b.CaptionB == "":
			p.Left["battles with fewer than two captions are not shown"]++
		case b.CaptionerA == b.CaptionerB:
			p.Left["battles between a captioner and itself are not shown"]++
		case len(p.Pictures.Frames(b.ImageID)) == 0:
			p.Left["battles without a picture are not shown: load pictures with captionlake ingest FOLDER"]++
		case votedElsewhere[b.BattleID] && !p.options.Again:
			p.Left["battles that people have voted on elsewhere are not shown; --again shows them"]++
		default: // A caption is in a battle with each opponent; unique keeps it in memory once.
			b.CaptionA, b.CaptionB = unique.Make(b.CaptionA).Value(), unique.Make(b.CaptionB).Value()
			battles = append(battles, b)
		}
	}
	return battles, nil
}

// order sorts battles into the order of the page, which is drawn without replacement. Each pair of
// captioners has a chance in proportion to its weight, which all battles of the pair share equally.
// Battles of a pair with the weight 0 come last. With a nil weight, all battles have the same
// chance.
func order(battles []data.Battle, seed int64, weight func(a, b string) float64) {
	battlesOf := map[[2]string]int{} // by pair
	for _, b := range battles {
		battlesOf[pairOf(b)]++
	}
	waits := make(map[string]float64, len(battles)) // by battle
	for _, b := range battles {
		rate := 1.0
		if weight != nil {
			rate = weight(b.CaptionerA, b.CaptionerB) / float64(battlesOf[pairOf(b)])
		}
		// With exponential waiting times, the probability to be the first is proportional to the
		// rate.
		waits[b.BattleID] = -math.Log(uniform(seed, "order", b.BattleID)) / rate
	}
	slices.SortFunc(battles, func(x, y data.Battle) int {
		return cmp.Or(cmp.Compare(waits[x.BattleID], waits[y.BattleID]), cmp.Compare(x.BattleID, y.BattleID))
	})
}

// pairOf is the pair of captioners of a battle, whichever is A.
func pairOf(b data.Battle) [2]string {
	return [2]string{min(b.CaptionerA, b.CaptionerB), max(b.CaptionerA, b.CaptionerB)}
}

// items are the battles as items of a desk. overlap is the share of the battles that goes to two
// people; these battles are drawn with the seed.
func items(battles []data.Battle, seed int64, overlap float64) []web.Item {
	all := make([]web.Item, len(battles))
	for i, b := range battles {
		all[i] = web.Item{ID: b.BattleID, Need: 1, Simulated: b.Provenance == data.ProvenanceSimulated}
		if uniform(seed, "overlap", b.BattleID) <= overlap {
			all[i].Need = 2
		}
	}
	return all
}

// uniform draws a number above 0 and up to 1 that depends only on its arguments. It is never 0,
// because order takes its logarithm. It uses 53 bits, as many as a float64 holds exactly.
func uniform(seed int64, purpose, id string) float64 {
	sum := sha256.Sum256([]byte(strconv.FormatInt(seed, 10) + "\x00" + purpose + "\x00" + id))
	return (float64(binary.BigEndian.Uint64(sum[:])>>11) + 1) / (1 << 53)
}
