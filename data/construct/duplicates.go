package construct

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Names of how questions are encoded, and of the rule of Groups.
const (
	ProtocolEmbed      = "construct/embed/1"
	ProtocolDuplicates = "construct/duplicates/1"
)

// Duplicates says when two questions about one image are the same question, in terms of the cosine of their vectors (CaptionQA section
// 4.3.3).
type Duplicates struct {
	Neighbors  int     // k of the mutual k-nearest-neighbour graph, 1 or more
	Similarity float64 // τ, the least cosine of two duplicates, -1 to 1
	Cohesion   float64 // τ_min, the least mean cosine of a group's members to their centre; a group below it is split in two; 0 for no split
}

// PublishedDuplicates is what the authors' code takes: k = 10, τ = 0.90, and a cohesion of 0.85.
var PublishedDuplicates = Duplicates{Neighbors: 10, Similarity: 0.90, Cohesion: 0.85}

// A Group is a set of duplicates, of which one is kept.
type Group struct {
	Members []int // places of the vectors, growing
	Medoid  int   // place of the member that is most similar to the others; the first of several
}

// Groups sorts the vectors of one image's questions into groups: every question is in exactly one. Groups of several members come
// first, then the single ones, each by their first member.
//
// Two questions are linked when each is among the other's nearest neighbours and their cosine reaches the similarity; what hangs
// together is a group. Groups of which any two members reach the similarity are one. A group whose members lie too far from
// their centre is split by two-means, starting from its two least similar members, and so are its halves.
//
// Vectors must have the same length, which may be any but zero, and no coordinate that is not a number. They need not be
// normalised. Work and memory grow with the square of the number of questions of one image.
func (d Duplicates) Groups(vectors [][]float32) ([]Group, error) {
	if d.Neighbors < 1 {
		return nil, fmt.Errorf("the graph has %d neighbours; at least 1 is needed", d.Neighbors)
	}
	if len(vectors) == 0 {
		return nil, nil
	}
	units, err := normalised(vectors)
	if err != nil {
		return nil, err
	}
	cosines := mat.NewSymDense(len(vectors), nil)
	cosines.SymOuterK(1, units)

	groups := d.mergeSimilar(cosines, d.linkNeighbors(cosines))
	if d.Cohesion > 0 {
		var cohesive [][]int
		for _, members := range groups {
			cohesive = append(cohesive, d.split(units, cosines, members)...)
		}
		groups = cohesive
	}
	slices.SortFunc(groups, func(a, b []int) int {
		single := func(members []int) int {
			if len(members) == 1 {
				return 1
			}
			return 0
		}
		return cmp.Or(single(a)-single(b), a[0]-b[0])
	})
	out := make([]Group, len(groups))
	for i, members := range groups {
		out[i] = Group{members, medoid(cosines, members)}
	}
	return out, nil
}

// Cosine is that of two vectors of the same length; 0 when one of them has no direction.
func Cosine(a, b []float32) float64 {
	var dot, aa, bb float64
	for i := range a {
		x, y := float64(a[i]), float64(b[i])
		dot, aa, bb = dot+x*y, aa+x*x, bb+y*y
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return dot / math.Sqrt(aa*bb)
}

// normalised is one row of length 1 for each vector.
func normalised(vectors [][]float32) (*mat.Dense, error) {
	width := len(vectors[0])
	if width == 0 {
		return nil, errors.New("vector 0 is empty")
	}
	units := mat.NewDense(len(vectors), width, nil)
	for i, v := range vectors {
		if len(v) != width {
			return nil, fmt.Errorf("vector %d has %d coordinates, vector 0 has %d; vectors of one model have the same length", i, len(v), width)
		}
		row := units.RawRowView(i)
		for j, x := range v {
			row[j] = float64(x)
		}
		length := floats.Norm(row, 2)
		if length == 0 || math.IsNaN(length) || math.IsInf(length, 0) {
			return nil, fmt.Errorf("vector %d has length %v, and a direction is needed", i, length)
		}
		floats.Scale(1/length, row)
	}
	return units, nil
}

// linkNeighbors is the components of the mutual k-nearest-neighbour graph. Of equally near neighbours the first count.
func (d Duplicates) linkNeighbors(cosines *mat.SymDense) [][]int {
	n := cosines.SymmetricDim()
	near := make([][]bool, n)
	for i := range n {
		others := make([]int, 0, n-1)
		for j := range n {
			if j != i {
				others = append(others, j)
			}
		}
		slices.SortStableFunc(others, func(a, b int) int { return cmp.Compare(cosines.At(i, b), cosines.At(i, a)) })
		near[i] = make([]bool, n)
		for _, j := range others[:min(d.Neighbors, len(others))] {
			near[i][j] = true
		}
	}
	single := make([][]int, n)
	for i := range n {
		single[i] = []int{i}
	}
	return joined(single, func(a, b []int) bool {
		i, j := a[0], b[0]
		return near[i][j] && near[j][i] && cosines.At(i, j) >= d.Similarity
	})
}

// mergeSimilar joins groups of which any two members are similar: the nearest neighbours of a question in a crowd are not all of its
// duplicates.
func (d Duplicates) mergeSimilar(cosines *mat.SymDense, groups [][]int) [][]int {
	return joined(groups, func(a, b []int) bool {
		for _, i := range a {
			for _, j := range b {
				if cosines.At(i, j) >= d.Similarity {
					return true
				}
			}
		}
		return false
	})
}

// joined unites the groups that are linked, directly or through others; members grow within a group.
func joined(groups [][]int, linked func(a, b []int) bool) [][]int {
	parent := make([]int, len(groups))
	for i := range parent {
		parent[i] = i
	}
	root := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	for i := range groups {
		for j := range i {
			if a, b := root(i), root(j); a != b && linked(groups[i], groups[j]) {
				parent[max(a, b)] = min(a, b)
			}
		}
	}
	united := make([][]int, len(groups))
	for i, members := range groups {
		united[root(i)] = append(united[root(i)], members...)
	}
	united = slices.DeleteFunc(united, func(members []int) bool { return len(members) == 0 })
	for _, members := range united {
		slices.Sort(members)
	}
	return united
}

// split divides a group until its parts are cohesive.
func (d Duplicates) split(units *mat.Dense, cosines *mat.SymDense, members []int) [][]int {
	if len(members) < 2 || cohesion(cosines, members) >= d.Cohesion {
		return [][]int{members}
	}
	near, far := twoMeans(units, cosines, members)
	return append(d.split(units, cosines, near), d.split(units, cosines, far)...)
}

// cohesion is the mean cosine of the members to their centre. For unit vectors it is the length of their mean, of which the square is the
// mean of all cosines, those of the members with themselves included.
func cohesion(cosines *mat.SymDense, members []int) float64 {
	sum := 0.0
	for _, i := range members {
		for _, j := range members {
			sum += cosines.At(i, j)
		}
	}
	return math.Sqrt(max(sum, 0)) / float64(len(members))
}

// maxRounds bounds two-means, which settles within a few rounds.
const maxRounds = 100

// twoMeans divides two or more members into those nearer to one centre and to the other, none of them empty. The first half has
// the first member.
func twoMeans(units *mat.Dense, cosines *mat.SymDense, members []int) (first, second []int) {
	a, b := members[0], members[1]
	for x, i := range members {
		for _, j := range members[:x] {
			if cosines.At(i, j) < cosines.At(a, b) {
				a, b = j, i
			}
		}
	}
	_, width := units.Dims()
	centres := [2][]float64{slices.Clone(units.RawRowView(a)), slices.Clone(units.RawRowView(b))}
	side := make([]int, len(members))
	for round := range maxRounds {
		changed := round == 0
		var sums [2][]float64
		for s := range sums {
			sums[s] = make([]float64, width)
		}
		for x, i := range members {
			v, s := units.RawRowView(i), 0
			if floats.Dot(v, centres[1]) > floats.Dot(v, centres[0]) {
				s = 1
			}
			changed = changed || s != side[x]
			side[x] = s
			floats.Add(sums[s], v)
		}
		if !changed {
			break
		}
		for s := range sums {
			if length := floats.Norm(sums[s], 2); length > 0 {
				floats.ScaleTo(centres[s], 1/length, sums[s])
			}
		}
	}
	for x, i := range members {
		if side[x] == side[0] {
			first = append(first, i)
		} else {
			second = append(second, i)
		}
	}
	if len(second) == 0 { // equal vectors, or a cohesion above 1: nothing tells them apart
		return members[:1], members[1:]
	}
	return first, second
}

// medoid is the member with the greatest sum of cosines to the others.
func medoid(cosines *mat.SymDense, members []int) int {
	best, most := members[0], math.Inf(-1)
	for _, i := range members {
		sum := 0.0
		for _, j := range members {
			if j != i {
				sum += cosines.At(i, j)
			}
		}
		if sum > most {
			best, most = i, sum
		}
	}
	return best
}
