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

// battle is the page's data of a battle. Texts are shared: a caption is in as many battles as its
// captioner has opponents.
type battle struct {
	id, image  string
	a, b       string // captions
	simulated  bool
	captionerA string
	captionerB string
}

// load reads the battles that can be shown, by id.
func (p *Page) load(l *data.Lake) (battles []battle, err error) {
	texts := map[string]string{}
	shared := func(s string) string {
		if known, ok := texts[s]; ok {
			return known
		}
		texts[s] = s
		return s
	}
	elsewhere := map[string]bool{} // battles with real votes of people that were not made on the page
	for _, d := range p.Elsewhere {
		elsewhere[d.Item] = elsewhere[d.Item] || !d.Value.Simulated
	}
	for row, err := range data.Select(l, data.Battles, data.Where{"benchmark": p.options.Benchmark}) {
		switch {
		case err != nil:
			return nil, err
		case row.CaptionA == "" || row.CaptionB == "":
			p.Left["battles with fewer than two captions are not shown"]++
		case row.CaptionerA == row.CaptionerB:
			p.Left["battles between a captioner and itself are not shown"]++
		case len(p.Pictures.Frames(row.ImageID)) == 0:
			p.Left["battles without a picture are not shown: load pictures with captionlake ingest FOLDER"]++
		case elsewhere[row.BattleID] && !p.options.Again:
			p.Left["battles that people have voted on elsewhere are not shown; --again shows them"]++
		default:
			battles = append(battles, battle{
				id: row.BattleID, image: shared(row.ImageID), a: shared(row.CaptionA), b: shared(row.CaptionB),
				captionerA: shared(row.CaptionerA), captionerB: shared(row.CaptionerB),
				simulated: row.Provenance == data.ProvenanceSimulated,
			})
		}
	}
	return battles, nil
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
		all[i] = web.Item{ID: b.id, Need: 1, Simulated: b.simulated}
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
