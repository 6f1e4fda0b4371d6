package analytics

import (
	"context"
	"crypto/md5"
	"database/sql"
	"encoding/binary"
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

// A drawnFile is what one condition has of one media file.
type drawnFile struct {
	media  int // index into the stratum's files
	counts [3]int64
}

// A stratum is a dimension of a benchmark: its files are drawn alike for all conditions, so that comparisons are paired.
type stratum struct {
	files      []string
	conditions []*drawnCondition
}

// A drawnCondition is one judge's verdicts on one captioner in one dimension.
type drawnCondition struct {
	key   [6]any // benchmark, judge, captioner, repeat, provenance, dimension
	files []drawnFile
}

// poissonBootstrap draws media files and sums what each condition has of them. It takes rows of benchmark, dimension, media, judge,
// captioner, repeat, provenance, the seed and three counts, those of a dimension together and in it those of a file; it gives rows of
// benchmark, judge, captioner, repeat, provenance, dimension, draw and the three sums, each file counted as often as it is drawn.
func poissonBootstrap(ctx context.Context, in *sql.Rows) (out [][]any, err error) {
	var now stratum
	var of [2]string
	var seed int64
	index := map[[6]any]*drawnCondition{}
	for in.Next() {
		var benchmark, dimension, media, judge, captioner, provenance string
		var repeat int64
		var f drawnFile
		if err := in.Scan(&benchmark, &dimension, &media, &judge, &captioner, &repeat, &provenance, &seed, &f.counts[0], &f.counts[1], &f.counts[2]); err != nil {
			return nil, err
		}
		if of != [2]string{benchmark, dimension} {
			if out, err = now.draw(ctx, seed, out); err != nil {
				return nil, err
			}
			now, of = stratum{}, [2]string{benchmark, dimension}
			clear(index)
		}
		if len(now.files) == 0 || now.files[len(now.files)-1] != media {
			now.files = append(now.files, media)
		}
		f.media = len(now.files) - 1
		key := [6]any{benchmark, judge, captioner, repeat, provenance, dimension}
		if index[key] == nil {
			index[key] = &drawnCondition{key: key}
			now.conditions = append(now.conditions, index[key])
		}
		index[key].files = append(index[key].files, f)
	}
	return now.draw(ctx, seed, out)
}

// draw appends the rows of a dimension.
func (s stratum) draw(ctx context.Context, seed int64, out [][]any) ([][]any, error) {
	weights := make([][drawsPerDigest]uint8, len(s.files))
	for block := range bootstrapDraws / drawsPerDigest {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for i, media := range s.files {
			weights[i] = poissonWeights(seed, media, block)
		}
		for _, c := range s.conditions {
			var sums [drawsPerDigest][3]int64
			for _, f := range c.files {
				for i, w := range weights[f.media] {
					for j, n := range f.counts {
						sums[i][j] += int64(w) * n
					}
				}
			}
			for i, sum := range sums {
				row := append(make([]any, 0, len(c.key)+4), c.key[:]...)
				out = append(out, append(row, int64(drawsPerDigest*block+i), float64(sum[0]), float64(sum[1]), float64(sum[2])))
			}
		}
	}
	return out, nil
}
