package build

import "math"

// spearman is Pearson's r of mean ranks, kendall is tau-b, both from their definitions.
func spearman(x, y []float64) float64 {
	rx, ry := meanRanks(x), meanRanks(y)
	n := float64(len(x))
	var sx, sy, sxx, syy, sxy float64
	for i := range rx {
		sx, sy = sx+rx[i], sy+ry[i]
		sxx, syy, sxy = sxx+rx[i]*rx[i], syy+ry[i]*ry[i], sxy+rx[i]*ry[i]
	}
	return (sxy - sx*sy/n) / math.Sqrt((sxx-sx*sx/n)*(syy-sy*sy/n))
}

func meanRanks(x []float64) []float64 {
	ranks := make([]float64, len(x))
	for i := range x {
		below, equal := 0, 0
		for j := range x {
			if x[j] < x[i] {
				below++
			} else if x[j] == x[i] {
				equal++
			}
		}
		ranks[i] = float64(below) + float64(equal+1)/2
	}
	return ranks
}

func kendall(x, y []float64) float64 {
	var agree, untiedX, untiedY float64
	sign := func(d float64) float64 {
		switch {
		case d > 0:
			return 1
		case d < 0:
			return -1
		}
		return 0
	}
	for i := range x {
		for j := range i {
			a, b := sign(x[i]-x[j]), sign(y[i]-y[j])
			agree, untiedX, untiedY = agree+a*b, untiedX+a*a, untiedY+b*b
		}
	}
	return agree / math.Sqrt(untiedX*untiedY)
}
