package ask

import (
	"context"
	"errors"

	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/sql"
)

// NextPairs returns a function that gives a pair of captioners a weight, in either order. The
// weight says how much one more vote tells about the pair: it is the pair's probability in the mart
// arena_next. A pair that nobody has voted on yet has the largest weight of all pairs. A benchmark
// without pairs in the mart is an error.
func NextPairs(ctx context.Context, lake *data.Lake, benchmark string) (weight func(a, b string) float64, err error) {
	r, err := OpenReader(ctx, lake, engine.Options{})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	// A pair has a row for each protocol and provenance of the votes.
	pairs, err := r.Rows(ctx, "arena_next", `
		select
			least(captioner_a, captioner_b) as a, greatest(captioner_a, captioner_b) as b,
			max(probability) as probability
		from arena_next
		where judge = 'people' and probability is not null and benchmark = `+sql.Quote(benchmark)+` group by all`)
	if err != nil {
		return nil, err
	}
	if pairs.Len() == 0 {
		return nil, data.Errorf("run captionlake analyze after the first votes, or vote without --next",
			"the mart arena_next has no pair of %s: nobody has voted, or the votes are not analyzed", benchmark)
	}
	probabilities, largest := map[[2]string]float64{}, 0.0
	second, probability := pairs.Text("b"), pairs.Numbers("probability")
	for i, first := range pairs.Text("a") {
		probabilities[[2]string{first, second[i]}] = probability[i].Value
		largest = max(largest, probability[i].Value)
	}
	return func(a, b string) float64 {
		if probability, known := probabilities[[2]string{min(a, b), max(a, b)}]; known {
			return probability
		}
		return largest
	}, nil
}
