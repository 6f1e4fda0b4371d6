package construct

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/graph/simple"
	"gonum.org/v1/gonum/graph/topo"
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
// cosine reaches τ. They take the connected components as groups. Then they merge two groups if the
// cosine of any member of one and any member of the other reaches τ. The merge joins all questions
// that the links join, so k changes nothing: groups are the connected components of cosines of at
// least τ. TestNeighborsChangeNothing compares these groups with the groups of the authors' two
// steps.
type Duplicates struct {
	Similarity float64 // τ, the least cosine of two duplicates, -1 to 1
	// τ_min, the least mean cosine of a group's members to their centre; a group with a smaller mean
	// is split in two; 0 for no split
	Cohesion float64
}

// PublishedDuplicates are the values in the authors' code: τ = 0.90, and a cohesion of 0.85.
var PublishedDuplicates = Duplicates{Similarity: 0.90, Cohesion: 0.85}

// A Group is a set of duplicates. Only one question of a group is kept.
type Group struct {
	Members []int // positions of the members' vectors, in growing order
	Medoid  int   // position of the member that is most similar to the others; of several, the first
}

// Groups sorts the vectors of one image's questions into groups: every question is in exactly one
// group. Groups of several members come first, then groups of one member; both are ordered by their
// first members. If a group's members are too far from their centre, two-means splits the group,
// starting from its two least similar members, and each half is split in the same way.
//
// Vectors must have the same length, at least 1, and every coordinate must be a number. Vectors
// need not be normalised. All decisions use cosines in double precision. Time grows with the square
// of the number of questions of an image; memory grows with their vectors and with the number of
// similar pairs.
func (d Duplicates) Groups(vectors [][]float32) ([]Group, error) {
	if len(vectors) == 0 {
		return nil, nil
	}
	units, err := directions(vectors)
	if err != nil {
		return nil, err
	}
	var several, single []Group // groups of several members, and of one
	// The vectors in units have length 1, so the dot product of two of them is their cosine.
	areSimilar := func(i, j int) bool { return floats.Dot(units[i], units[j]) >= d.Similarity }
	for _, component := range connected(len(units), areSimilar) {
		for _, members := range d.split(units, component) {
			if g := (Group{members, medoid(units, members)}); len(members) > 1 {
				several = append(several, g)
			} else {
				single = append(single, g)
			}
		}
	}
	for _, groups := range [][]Group{several, single} {
		slices.SortFunc(groups, func(a, b Group) int { return a.Members[0] - b.Members[0] })
	}
	return append(several, single...), nil
}

// Cosine is the cosine of two vectors of the same length; 0 if one of them is zero.
func Cosine(a, b []float32) float64 {
	var dot, squaresA, squaresB float64
	for i := range a {
		x, y := float64(a[i]), float64(b[i])
		dot, squaresA, squaresB = dot+x*y, squaresA+x*x, squaresB+y*y
	}
	if squaresA == 0 || squaresB == 0 {
		return 0
	}
	return dot / math.Sqrt(squaresA*squaresB)
}

// directions are the vectors scaled to length 1. Their lengths cannot overflow, because squares of
// single-precision numbers and the sums of these squares fit into double precision.
func directions(vectors [][]float32) ([][]float64, error) {
	width := len(vectors[0])
	if width == 0 {
		return nil, errors.New("vector 0 is empty")
	}
	units := make([][]float64, len(vectors))
	for i, v := range vectors {
		if len(v) != width {
			return nil, fmt.Errorf("vector %d has %d coordinates, vector 0 has %d; vectors of one model have the same length",
				i, len(v), width)
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

// connected are the connected components of the positions 0 to n-1, each in growing order. It calls
// linked only with i < j, so linked must be symmetric.
func connected(n int, linked func(i, j int) bool) (all [][]int) {
	g := simple.NewUndirectedGraph()
	for j := range n {
		g.AddNode(simple.Node(j))
		for i := range j {
			if linked(i, j) {
				g.SetEdge(simple.Edge{F: simple.Node(i), T: simple.Node(j)})
			}
		}
	}
	for _, nodes := range topo.ConnectedComponents(g) {
		var members []int
		for _, n := range nodes {
			members = append(members, int(n.ID()))
		}
		slices.Sort(members)
		all = append(all, members)
	}
	return all
}

// split divides members until the cohesion of every part is high enough.
func (d Duplicates) split(units [][]float64, members []int) [][]int {
	if d.Cohesion <= 0 || len(members) < 2 || cohesion(units, members) >= d.Cohesion {
		return [][]int{members}
	}
	first, second := twoMeans(units, members)
	return append(d.split(units, first), d.split(units, second)...)
}

// cohesion is the mean cosine of some members to their centre. For unit vectors, this mean cosine
// is the length of the mean vector.
func cohesion(units [][]float64, members []int) float64 {
	sum := make([]float64, len(units[0]))
	for _, i := range members {
		floats.Add(sum, units[i])
	}
	return floats.Norm(sum, 2) / float64(len(members))
}

// maxRounds bounds two-means, which converges within a few rounds.
const maxRounds = 100

// twoMeans divides two or more members into two halves, each with the members nearer to its centre.
// Neither half is empty. The first half has the first member.
func twoMeans(units [][]float64, members []int) (first, second []int) {
	// The first centres are copies of the two least similar members, because centres change below.
	var centres [2][]float64
	least := math.Inf(1)
	for place, i := range members {
		for _, j := range members[:place] {
			if cosine := floats.Dot(units[i], units[j]); cosine < least {
				least, centres = cosine, [2][]float64{slices.Clone(units[j]), slices.Clone(units[i])}
			}
		}
	}
	// Members go to the nearer centre. Then a centre goes to the direction of the sum of its members.
	// This is repeated until no member changes its half.
	var halves [2][]int
	for range maxRounds {
		var next [2][]int
		sums := [2][]float64{make([]float64, len(units[0])), make([]float64, len(units[0]))}
		for _, i := range members {
			half := 0
			if floats.Dot(units[i], centres[1]) > floats.Dot(units[i], centres[0]) {
				half = 1
			}
			next[half] = append(next[half], i)
			floats.Add(sums[half], units[i])
		}
		if slices.Equal(next[0], halves[0]) {
			break
		}
		halves = next
		for half, sum := range sums {
			// An empty half keeps its centre, and so does a half with members that add up to zero.
			if length := floats.Norm(sum, 2); length > 0 {
				floats.ScaleTo(centres[half], 1/length, sum)
			}
		}
	}
	first, second = halves[0], halves[1]
	if len(first) == 0 || len(second) == 0 { // equal vectors, or a cohesion above 1: nothing separates them
		return members[:1], members[1:]
	}
	if second[0] < first[0] {
		first, second = second, first
	}
	return first, second
}

// medoid is the member with the greatest sum of cosines to the other members; of several members,
// the first. The vectors in units have length 1.
func medoid(units [][]float64, members []int) int {
	best, greatest := 0, math.Inf(-1)
	for _, i := range members {
		sum := 0.0
		for _, j := range members {
			if j != i {
				sum += floats.Dot(units[i], units[j])
			}
		}
		if sum > greatest {
			best, greatest = i, sum
		}
	}
	return best
}
