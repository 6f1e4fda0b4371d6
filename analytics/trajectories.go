package analytics

import (
	"context"
	"database/sql"
	"slices"
)

// rankingTrajectories is the computation of the model ranking_trajectories: what the score and the accuracy of each captioner are over k
// random images, in the orders of rankingStability.
func rankingTrajectories(ctx context.Context, in *sql.Rows) ([][]any, error) {
	return byKey(ctx, in, func(key *rankingKey, s *imageSums) []any {
		return append(key.targets(), &s.captioner, &s.name, &s.image, &s.answers, &s.correct, &s.parts, &key.seed, &key.trials)
	}, func(key rankingKey, sums []imageSums) ([][]any, error) {
		return rankingOf(key, sums).trajectories(), nil
	})
}

// trajectories are the rows of the mart, of every captioner over the images that it has answers for.
func (r *ranking) trajectories() [][]any {
	var rows [][]any
	var images []string // of the captioner before, who mostly has the same
	orders := make([][]int, r.trials)
	for _, captioner := range r.captioners {
		if !slices.EqualFunc(images, captioner, func(image string, s imageSums) bool { return image == s.image }) {
			images = images[:0]
			for _, s := range captioner {
				images = append(images, s.image)
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
				sum.answers, sum.correct, sum.parts = sum.answers+s.answers, sum.correct+s.correct, sum.parts+s.parts
				over[k][0].add(100 * sum.correct / sum.answers)
				over[k][1].add(100 * sum.parts / scoreParts / sum.answers)
			}
		}
		for k, m := range over {
			row := append(r.columns(), captioner[0].captioner, captioner[0].name, int64(k+1), int64(len(over)), r.trials)
			rows = append(rows, append(append(row, m[0].columns()[:2]...), m[1].columns()[:2]...))
		}
	}
	return rows
}

// scoreParts are the parts of a score of 1: the number of the macro score_parts.
const scoreParts = 232792560
