package ask

import (
	"context"
	"errors"
	"fmt"

	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/sql"
)

// NextPairs are the probabilities of the mart arena_next for pairs of captioners: how much one more
// vote tells about a pair. A pair that nobody has voted on yet has the largest probability.
func NextPairs(ctx context.Context, lake *data.Lake, benchmark string) (weight func(a, b string) float64, err error) {
	r, err := OpenReader(ctx, lake, engine.Options{})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	pairs, err := r.Rows(ctx, "arena_next", `
		select least(captioner_a, captioner_b) as a, greatest(captioner_a, captioner_b) as b, max(probability) as probability
		from arena_next
		where judge = 'people' and probability is not null and benchmark = `+sql.Quote(benchmark)+` group by all`)
	if err != nil {
		return nil, err
	}
	if pairs.Len() == 0 {
		return nil, data.WithHint(
			fmt.Errorf("the mart arena_next has no pair of %s: nobody has voted, or the votes are not analyzed", benchmark),
			"run captionlake analyze after the first votes, or vote without --next")
	}
	of, largest := map[[2]string]float64{}, 0.0
	second, probability := pairs.Text("b"), pairs.Numbers("probability")
	for i, a := range pairs.Text("a") {
		p := probability[i].Value
		of[[2]string{a, second[i]}] = p
		largest = max(largest, p)
	}
	return func(a, b string) float64 {
		if p, known := of[[2]string{min(a, b), max(a, b)}]; known {
			return p
		}
		return largest
	}, nil
}
