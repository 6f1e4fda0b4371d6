package statistics

import (
	"context"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
)

// rankingTrajectories is the computation of the model ranking_trajectories: the score and the
// accuracy of each captioner over k random images, in the orders of rankingStability.
func rankingTrajectories(ctx context.Context, in arrow.RecordBatch) ([][]any, error) {
	return byKey(ctx, in, 5, func(key []any, sums []imageSums) ([][]any, error) {
		return rankingOf(key, sums).trajectories(), nil
	})
}

// trajectories returns the rows of the mart, with every captioner over the images that it has
// answers for.
func (r *ranking) trajectories() [][]any {
	var rows [][]any
	var images []string // images of the captioner before, who mostly has the same images
	orders := make([][]int, r.trials)
	for _, captioner := range r.captioners {
		if !slices.EqualFunc(images, captioner, func(image string, s imageSums) bool { return image == s.Image }) {
			images = images[:0]
			for _, s := range captioner {
				images = append(images, s.Image)
			}
			for trial := range orders {
				orders[trial] = r.images(int64(trial)+1, images)
			}
		}
		over := make([][2]moments, len(captioner)) // by number of images
		for _, order := range orders {
			var sum imageSums
			for k, i := range order {
				s := captioner[i]
				sum.Answers, sum.Correct, sum.Parts = sum.Answers+s.Answers, sum.Correct+s.Correct, sum.Parts+s.Parts
				over[k][0].add(100 * sum.Correct / sum.Answers)
				over[k][1].add(100 * sum.Parts / ScoreParts / sum.Answers)
			}
		}
		for k, m := range over {
			row := append(slices.Clone(r.key), captioner[0].Captioner, captioner[0].Name, int64(k+1), int64(len(over)), r.trials)
			rows = append(rows, append(append(row, m[0].columns()[:2]...), m[1].columns()[:2]...))
		}
	}
	return rows
}

// ScoreParts are the parts of a score of 1: the number of the macro score_parts.
const ScoreParts = 232792560
