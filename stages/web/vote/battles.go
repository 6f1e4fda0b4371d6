package vote

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"math"
	"slices"
	"strconv"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/web"
)

// Left counts the battles that are not shown, by reason.
type Left struct {
	NoPicture int // the lake has no picture of the item
	OneText   int // at least one of the two captions is missing
	OneModel  int // both captions are by the same captioner
	VotedOn   int // people voted on them outside of the page, as in released files
}

// battle is the page's data of a battle. Texts are shared: a caption is in as many battles as its
// captioner has opponents.
type battle struct {
	id, image  string
	a, b       string // captions
	simulated  bool
	captionerA string
	captionerB string
}

// loadBattles reads the battles that can be shown, by id.
func loadBattles(l *data.Lake, o Options, pictures *web.Pictures,
	elsewhere map[string]bool) (battles []battle, left Left, err error) {
	texts := map[string]string{}
	shared := func(s string) string {
		if known, ok := texts[s]; ok {
			return known
		}
		texts[s] = s
		return s
	}
	for row, err := range data.Select(l, data.Battles, data.Where{"benchmark": o.Benchmark}) {
		switch {
		case err != nil:
			return nil, left, err
		case row.CaptionA == "" || row.CaptionB == "":
			left.OneText++
		case row.CaptionerA == row.CaptionerB:
			left.OneModel++
		case len(pictures.Frames(row.ImageID)) == 0:
			left.NoPicture++
		case elsewhere[row.BattleID] && !o.Again:
			left.VotedOn++
		default:
			battles = append(battles, battle{
				id: row.BattleID, image: shared(row.ImageID), a: shared(row.CaptionA), b: shared(row.CaptionB),
				captionerA: shared(row.CaptionerA), captionerB: shared(row.CaptionerB),
				simulated: row.Provenance == data.ProvenanceSimulated,
			})
		}
	}
	return battles, left, nil
}

// order sorts battles into the order of the page: drawn without replacement, each pair of
// captioners in proportion to its weight and all battles of a pair alike. Without weights all
// battles are alike.
func order(battles []battle, seed int64, weight func(a, b string) float64) {
	pairs := map[[2]string]int{}
	for _, b := range battles {
		pairs[pairOf(b)]++
	}
	keys := make(map[string]float64, len(battles))
	for _, b := range battles {
		w := 1.0
		if weight != nil {
			w = weight(b.captionerA, b.captionerB) / float64(pairs[pairOf(b)])
		}
		// Take exponential waiting times with the weights as rates: the probability to be the first
		// is then proportional to the weight.
		keys[b.id] = -math.Log(uniform(seed, "order", b.id)) / w
	}
	slices.SortFunc(battles, func(x, y battle) int {
		return cmp.Or(cmp.Compare(keys[x.id], keys[y.id]), cmp.Compare(x.id, y.id))
	})
}

func pairOf(b battle) [2]string {
	return [2]string{min(b.captionerA, b.captionerB), max(b.captionerA, b.captionerB)}
}

// items are the battles for the desk: a share of them, drawn with the seed, goes to two people.
func items(battles []battle, seed int64, overlap float64) []web.Item {
	all := make([]web.Item, len(battles))
	for i, b := range battles {
		all[i] = web.Item{ID: b.id, Need: 1}
		if uniform(seed, "overlap", b.id) <= overlap {
			all[i].Need = 2
		}
	}
	return all
}

// uniform draws a number above 0 and up to 1 that depends only on its arguments.
func uniform(seed int64, purpose, id string) float64 {
	sum := sha256.Sum256([]byte(strconv.FormatInt(seed, 10) + "\x00" + purpose + "\x00" + id))
	return (float64(binary.BigEndian.Uint64(sum[:])>>11) + 1) / (1 << 53)
}
