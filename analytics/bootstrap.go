package analytics

import (
	"context"
	"crypto/md5"
	"database/sql"
	"encoding/binary"
	"slices"
	"strconv"
)

// bootstrapDraws is how often media files are drawn for the intervals and comparisons of the rubric.
const bootstrapDraws = 1000

// drawsPerDigest is how many numbers of 32 bits an MD5 digest gives.
const drawsPerDigest = md5.Size / 4

// poissonThresholds are the distribution function of the Poisson distribution with mean 1 at 0, 1, 2…, in units of 2^-32.
var poissonThresholds = []uint32{
	1580030168, 3160060337, 3950075421, 4213413783, 4279248373, 4292415291, 4294609777, 4294923276, 4294962463, 4294966817,
}

// poissonWeights is how often a media file is drawn in the draws 4*block to 4*block + 3: Poisson numbers with mean 1 that depend on nothing
// but seed, file and draw, from the inverse of the distribution function.
func poissonWeights(seed int64, media string, block int) (weights [drawsPerDigest]uint8) {
	var text [128]byte
	digest := md5.Sum(strconv.AppendInt(append(append(strconv.AppendInt(text[:0], seed, 10), '/'), media+"/"...), int64(block), 10))
	for i := range weights {
		u := binary.BigEndian.Uint32(digest[4*i:])
		for int(weights[i]) < len(poissonThresholds) && u >= poissonThresholds[weights[i]] {
			weights[i]++
		}
	}
	return weights
}

// A drawnStratum is a dimension of a benchmark: its files are drawn alike for all conditions, so that comparisons are paired.
type drawnStratum struct {
	benchmark, dimension string
	seed                 int64
}

// A drawnFile is what one condition, which is a judge's verdicts on one captioner in the dimension, has of one media file.
type drawnFile struct {
	media                        string
	judge, captioner, provenance string
	repeat                       int64
	counts                       [3]int64
}

// poissonBootstrap draws media files and sums what each condition has of them. It takes rows of benchmark, dimension, media, judge,
// captioner, repeat, provenance, the seed and three counts, those of a dimension together and in it those of a file; it gives rows of
// benchmark, judge, captioner, repeat, provenance, dimension, draw and the three sums, each file counted as often as it is drawn.
func poissonBootstrap(ctx context.Context, in *sql.Rows) ([][]any, error) {
	return byKey(ctx, in, func(s *drawnStratum, f *drawnFile) []any {
		return []any{&s.benchmark, &s.dimension, &f.media, &f.judge, &f.captioner, &f.repeat, &f.provenance, &s.seed,
			&f.counts[0], &f.counts[1], &f.counts[2]}
	}, func(s drawnStratum, files []drawnFile) ([][]any, error) { return s.draw(ctx, files) })
}

// draw are the rows of a dimension.
func (s drawnStratum) draw(ctx context.Context, files []drawnFile) (out [][]any, err error) {
	var conditions [][6]any // benchmark, judge, captioner, repeat, provenance, dimension
	index := map[[6]any]int{}
	of := make([]int, len(files))
	for i, f := range files {
		key := [6]any{s.benchmark, f.judge, f.captioner, f.repeat, f.provenance, s.dimension}
		if _, ok := index[key]; !ok {
			index[key] = len(conditions)
			conditions = append(conditions, key)
		}
		of[i] = index[key]
	}
	for block := range bootstrapDraws / drawsPerDigest {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		sums := make([][drawsPerDigest][3]int64, len(conditions))
		var weights [drawsPerDigest]uint8
		for i, f := range files {
			if i == 0 || f.media != files[i-1].media {
				weights = poissonWeights(s.seed, f.media, block)
			}
			for d, w := range weights {
				for j, n := range f.counts {
					sums[of[i]][d][j] += int64(w) * n
				}
			}
		}
		for c, drawn := range sums {
			for d, sum := range drawn {
				out = append(out, append(slices.Clone(conditions[c][:]), int64(drawsPerDigest*block+d), float64(sum[0]), float64(sum[1]), float64(sum[2])))
			}
		}
	}
	return out, nil
}
