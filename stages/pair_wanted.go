package stages

import (
	"fmt"
	"slices"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/arena"
)

// want chooses the battles of the pairs that are wanted: on images of which both captioners have captions, where these captions have not
// met yet, in an order that the seed draws.
func (p *pairing) want() error {
	if len(p.o.Wanted) == 0 {
		return nil
	}
	type named struct {
		ID string `parquet:"battle_id"`
	}
	fought := map[string]bool{}
	for b, err := range data.Project[named](p.lake, data.Battles, nil) {
		if err != nil {
			return err
		}
		fought[b.ID] = true
	}
	free := map[[2]string][]arena.Pair{}
	for _, image := range p.images {
		for _, pair := range arena.AllPairs(p.report.Benchmark, image.imageID, image.entries) {
			if !fought[pair.ID()] {
				of := inOrder(pair.CaptionerA, pair.CaptionerB)
				free[of] = append(free[of], pair)
			}
		}
	}
	counts := map[[2]string]int{}
	for _, w := range p.o.Wanted {
		counts[inOrder(w[0], w[1])]++
	}
	p.wanted = map[string]bool{}
	for of, n := range counts {
		p.report.Unmet += max(0, n-len(free[of]))
		for _, pair := range arena.Draw(p.o.Seed, n, free[of]) {
			p.wanted[pair.ID()] = true
		}
	}
	if len(p.wanted) == 0 {
		return data.WithHint(fmt.Errorf("%w: of the %d that are wanted, none has an image with both captions on which the two have not met", ErrNoBattles, len(p.o.Wanted)),
			"caption more images with these captioners, or vote on the battles that there are")
	}
	return nil
}

// inOrder names two captioners in one order.
func inOrder(a, b string) [2]string {
	of := [2]string{a, b}
	slices.Sort(of[:])
	return of
}
