package construct

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Names of the encoding of questions, and of the rule of Groups.
const (
	ProtocolEmbed      = "construct/embed/1"
	ProtocolDuplicates = "construct/duplicates/1"
)

// Duplicates says when two questions about one image are the same question, by the cosine of their
// vectors (CaptionQA section 4.3.3).
//
// The authors link two questions if each is among the k nearest neighbours of the other and their
// cosine reaches τ. They take the connected components as groups, and then merge groups if any
// member of one reaches τ with any member of the other. The merge joins everything that the links
// join, so k changes nothing: groups are the connected components of cosines of at least τ.
// TestNeighborsChangeNothing compares with the two steps.
type Duplicates struct {
	Similarity float64 // τ, the least cosine of two duplicates, -1 to 1
	// τ_min, the least mean cosine of a group's members to their centre; groups below it are split
	// in two; 0 for no split
	Cohesion float64
}

// PublishedDuplicates are the values in the authors' code: τ = 0.90, and a cohesion of 0.85.
var PublishedDuplicates = Duplicates{Similarity: 0.90, Cohesion: 0.85}

// A Group is a set of duplicates. One of them is kept.
type Group struct {
	Members []int // positions of the vectors, growing
	Medoid  int   // position of the member that is most similar to the others; the first of several
}

// Groups sorts the vectors of one image's questions into groups: every question is in exactly one.
// Groups of several members come first, then single questions, each ordered by first member. If a
// group's members are too far from their centre, two-means splits it, starting from its two least
// similar members; the halves are treated alike.
//
// Vectors must have the same length, at least 1, and every coordinate must be a number. They need
// not be normalised. All decisions use cosines in double precision. Time grows with the square of
// the number of questions of an image; memory grows with their vectors and with the square of the
// largest group.
func (d Duplicates) Groups(vectors [][]float32) ([]Group, error) {
	if len(vectors) == 0 {
		return nil, nil
	}
	units, err := directions(vectors)
	if err != nil {
		return nil, err
	}
	var pairs []pair
	for j, v := range units {
		for i, u := range units[:j] {
			if floats.Dot(u, v) >= d.Similarity {
				pairs = append(pairs, pair{i, j})
			}
		}
	}
	var out []Group
	for _, members := range connected(len(vectors), pairs) {
		out = append(out, d.cohesive(newCrowd(units, members))...)
	}
	slices.SortFunc(out, func(a, b Group) int {
		single := func(g Group) int {
			if len(g.Members) == 1 {
				return 1
			}
			return 0
		}
		return cmp.Or(single(a)-single(b), a.Members[0]-b.Members[0])
	})
	return out, nil
}

// Cosine is the cosine of two vectors of the same length; 0 if one of them is zero.
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

// directions are the vectors scaled to length 1. Squares of single-precision numbers and their sums
// fit into double precision.
func directions(vectors [][]float32) ([][]float64, error) {
	width := len(vectors[0])
	if width == 0 {
		return nil, errors.New("vector 0 is empty")
	}
	units := make([][]float64, len(vectors))
	for i, v := range vectors {
		if len(v) != width {
			return nil, fmt.Errorf("vector %d has %d coordinates, vector 0 has %d; vectors of one model have the same length", i, len(v), width)
		}
		unit := make([]float64, width)
		for k, x := range v {
			unit[k] = float64(x)
		}
		length := math.Sqrt(floats.Dot(unit, unit))
		if length == 0 || math.IsNaN(length) || math.IsInf(length, 0) {
			return nil, fmt.Errorf("vector %d has length %v, and a direction is needed", i, length)
		}
		floats.Scale(1/length, unit)
		units[i] = unit
	}
	return units, nil
}

// A pair is two positions of vectors, i < j.
type pair struct{ i, j int }

// connected are the connected components of the positions 0 to n-1 under the pairs; the members of
// each grow.
func connected(n int, pairs []pair) [][]int {
	parent := make([]int, n)
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
	for _, p := range pairs {
		a, b := root(p.i), root(p.j)
		parent[max(a, b)] = min(a, b)
	}
	all := make([][]int, n)
	for i := range n {
		all[root(i)] = append(all[root(i)], i)
	}
	return slices.DeleteFunc(all, func(members []int) bool { return len(members) == 0 })
}

// A crowd is the members of a group with their directions and cosines.
type crowd struct {
	members []int       // positions of the vectors, growing
	units   [][]float64 // the direction of each
	cosines [][]float64 // of each with each
}

func newCrowd(units [][]float64, members []int) crowd {
	c := crowd{members: members}
	for _, i := range members {
		c.units = append(c.units, units[i])
	}
	for _, u := range c.units {
		row := make([]float64, len(members))
		for j, v := range c.units {
			row[j] = floats.Dot(u, v)
		}
		c.cosines = append(c.cosines, row)
	}
	return c
}

// cohesive divides the members of a crowd into cohesive groups.
func (d Duplicates) cohesive(c crowd) []Group {
	rows := make([]int, len(c.members))
	for i := range rows {
		rows[i] = i
	}
	var out []Group
	for _, part := range d.split(c, rows) {
		g := Group{Medoid: c.members[c.medoid(part)]}
		for _, i := range part {
			g.Members = append(g.Members, c.members[i])
		}
		out = append(out, g)
	}
	return out
}

// split divides members of a crowd, by their rows, until the parts are cohesive.
func (d Duplicates) split(c crowd, rows []int) [][]int {
	if d.Cohesion <= 0 || len(rows) < 2 || c.cohesion(rows) >= d.Cohesion {
		return [][]int{rows}
	}
	near, far := c.twoMeans(rows)
	return append(d.split(c, near), d.split(c, far)...)
}

// cohesion is the mean cosine of some members to their centre. For unit vectors it is the length of
// their mean. The square of this length is the mean of all cosines, including each member with
// itself.
func (c crowd) cohesion(rows []int) float64 {
	sum := 0.0
	for _, i := range rows {
		for _, j := range rows {
			sum += c.cosines[i][j]
		}
	}
	return math.Sqrt(max(sum, 0)) / float64(len(rows))
}

// maxRounds bounds two-means, which converges within a few rounds.
const maxRounds = 100

// twoMeans divides two or more members into two halves, each with the members nearer to its centre.
// Neither half is empty. The first half has the first member.
func (c crowd) twoMeans(rows []int) (first, second []int) {
	a, b := rows[0], rows[1]
	for x, i := range rows {
		for _, j := range rows[:x] {
			if c.cosines[i][j] < c.cosines[a][b] {
				a, b = j, i
			}
		}
	}
	centres := [2][]float64{slices.Clone(c.units[a]), slices.Clone(c.units[b])}
	side := make([]int, len(rows))
	for round := range maxRounds {
		changed := round == 0
		var sums [2][]float64
		for s := range sums {
			sums[s] = make([]float64, len(c.units[0]))
		}
		for x, i := range rows {
			v, s := c.units[i], 0
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
	for x, i := range rows {
		if side[x] == side[0] {
			first = append(first, i)
		} else {
			second = append(second, i)
		}
	}
	if len(second) == 0 { // equal vectors, or a cohesion above 1: nothing separates them
		return rows[:1], rows[1:]
	}
	return first, second
}

// medoid is the member with the greatest sum of cosines to the others.
func (c crowd) medoid(rows []int) int {
	best, most := rows[0], math.Inf(-1)
	for _, i := range rows {
		sum := 0.0
		for _, j := range rows {
			if j != i {
				sum += c.cosines[i][j]
			}
		}
		if sum > most {
			best, most = i, sum
		}
	}
	return best
}
