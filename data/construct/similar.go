package construct

import (
	"runtime"
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/floats"
)

// A pair is two places of vectors, i < j.
type pair struct{ i, j int }

// tile is how many vectors are compared with how many others at a time: few enough to stay in a core's cache.
const tile = 32

// similar is the pairs of vectors whose cosine in double precision reaches the similarity, in no particular order.
//
// Nearly all pairs are far below it. So all cosines are computed in single precision first, on all cores, and again in double precision only
// where the error of the first could decide.
func similar(vectors [][]float32, lengths []float64, similarity float64) []pair {
	n, width := len(vectors), len(vectors[0])
	units := blas32.General{Rows: n, Cols: width, Stride: width, Data: make([]float32, n*width)}
	parallel(n, func(i int) {
		row := units.Data[i*width : (i+1)*width]
		for k, x := range vectors[i] {
			row[k] = float32(float64(x) / lengths[i])
		}
	})

	// A sum of as many products of two unit vectors, in any order, is off by less than (products + 2) units of rounding, 2^-24 each, and the
	// coordinates themselves were rounded (Higham, Accuracy and Stability of Numerical Algorithms, section 3.1). Twice that is on the safe side.
	doubt := float64(width+4) * 0x1p-23
	var sure, doubtful []pair
	var mu sync.Mutex
	tiles := (n + tile - 1) / tile
	parallel(tiles*(tiles+1)/2, func(k int) {
		a, b := triangle(k)
		first, second := a*tile, b*tile
		rows, cols := min(tile, n-first), min(tile, n-second)
		part := func(start, rows int) blas32.General {
			return blas32.General{Rows: rows, Cols: width, Stride: width, Data: units.Data[start*width:]}
		}
		cosines := blas32.General{Rows: rows, Cols: cols, Stride: cols, Data: make([]float32, rows*cols)}
		blas32.Gemm(blas.NoTrans, blas.Trans, 1, part(first, rows), part(second, cols), 0, cosines)
		var yes, maybe []pair
		for i := range rows {
			for j, c := range cosines.Data[i*cols : (i+1)*cols] {
				switch p := (pair{first + i, second + j}); {
				case p.i >= p.j:
				case float64(c) >= similarity+doubt:
					yes = append(yes, p)
				case float64(c) >= similarity-doubt:
					maybe = append(maybe, p)
				}
			}
		}
		mu.Lock()
		defer mu.Unlock()
		sure, doubtful = append(sure, yes...), append(doubtful, maybe...)
	})

	one, other := make([]float64, width), make([]float64, width)
	for _, p := range doubtful {
		direct(one, vectors[p.i], lengths[p.i])
		direct(other, vectors[p.j], lengths[p.j])
		if floats.Dot(one, other) >= similarity {
			sure = append(sure, p)
		}
	}
	return sure
}

// triangle is the k-th pair a <= b of the numbers from 0, by b.
func triangle(k int) (a, b int) {
	for k > b {
		b++
		k -= b
	}
	return k, b
}

// parallel does all of n things, as many at a time as there are cores.
func parallel(n int, do func(int)) {
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	group.Wait()
}
