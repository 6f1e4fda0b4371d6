package analytics

import (
	"context"
	"database/sql"
	"slices"
)

// rankingTrajectories is the computation of the model ranking_trajectories: what the score and the accuracy of each captioner are over k
// random images, in the orders of rankingStability.
func rankingTrajectories(ctx context.Context, in *sql.Rows) ([][]any, error) {
	var rows [][]any
	var order stabilityOrder
	err := eachRanking(in, func(key *[5]string, s *imageSums) error {
		return in.Scan(&key[0], &key[1], &key[2], &key[3], &key[4], &s.captioner, &s.name, &s.image, &s.answers, &s.correct, &s.parts,
			&order.seed, &order.trials)
	}, func(r *ranking) error {
		rows = append(rows, r.trajectories(order)...)
		return ctx.Err()
	})
	return rows, err
}

// trajectories are the rows of the mart, of every captioner over the images that it has answers for.
func (r *ranking) trajectories(o stabilityOrder) [][]any {
	var rows [][]any
	var images []string // of the captioner before, who mostly has the same
	orders := make([][]int, o.trials)
	for _, captioner := range r.captioners {
		if !slices.EqualFunc(images, captioner, func(image string, s imageSums) bool { return image == s.image }) {
			images = images[:0]
			for _, s := range captioner {
				images = append(images, s.image)
			}
			for trial := range orders {
				orders[trial] = o.images(r.key[4], int64(trial)+1, images)
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
			row := []any{r.key[0], r.key[1], r.key[2], r.key[3], r.key[4], captioner[0].captioner, captioner[0].name, int64(k + 1), int64(len(over)), o.trials}
			rows = append(rows, append(append(row, m[0].columns()[:2]...), m[1].columns()[:2]...))
		}
	}
	return rows
}
