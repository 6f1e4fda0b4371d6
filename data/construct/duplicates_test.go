package construct

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

func TestGroupsParity(t *testing.T) {
	t.Parallel()
	var cases []struct {
		K               int
		Tau             float64
		CohesionGuard   bool    `json:"cohesion_guard"`
		TauMin          float64 `json:"tau_min"`
		Embeddings      [][]float32
		Groups          [][]int
		Representatives []int
	}
	must.Succeed(t, json.Unmarshal(must.Read(t, must.Shared(t, "parity/dedup.json")), &cases))
	if len(cases) < 7 {
		t.Fatalf("%d cases, want at least 7", len(cases))
	}
	for i, c := range cases {
		d := Duplicates{Similarity: c.Tau}
		if c.CohesionGuard {
			d.Cohesion = c.TauMin
		}
		var members [][]int
		var medoids []int
		for _, g := range must.Get(d.Groups(c.Embeddings))(t) {
			members = append(members, g.Members)
			medoids = append(medoids, g.Medoid)
		}
		expect.Equal(t, members, c.Groups, i)
		expect.Equal(t, medoids, c.Representatives, i)
	}
}

// at is the unit vector at an angle: the cosine of two vectors is the cosine of the difference of
// their angles.
func at(degrees ...float64) [][]float32 {
	var vectors [][]float32
	for _, d := range degrees {
		s, c := math.Sincos(d * math.Pi / 180)
		vectors = append(vectors, []float32{float32(c), float32(s)})
	}
	return vectors
}

// The cosines of 10, 20, 30, 40 and 60 degrees are 0.985, 0.940, 0.866, 0.766 and 0.5.
func TestGroups(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		d       Duplicates
		vectors [][]float32
		want    []Group
	}{
		"nothing": {Duplicates{Similarity: 0.9}, nil, []Group{}},
		"length does not matter": {Duplicates{Similarity: 0.9}, [][]float32{{2, 0}, {0, 3}, {5, 0}},
			[]Group{{[]int{0, 2}, 0}, {[]int{1}, 1}}},
		// 0–20 and 20–40 reach 0.9, 0–40 does not: a chain is one group, and its middle is most similar
		// to the others.
		"chain": {Duplicates{Similarity: 0.9}, at(0, 40, 20), []Group{{[]int{0, 1, 2}, 2}}},
		// The sum of all nine cosines is 3 + 2 (cos 19° + cos 21° + cos 40°) = 8.290, so the
		// cohesion is √8.290 / 3 = 0.960. Below 0.97 the group falls into halves around its least
		// similar members, 0 and 40; 19 is nearer to 0.
		"split": {Duplicates{Similarity: 0.9, Cohesion: 0.97}, at(0, 19, 40),
			[]Group{{[]int{0, 1}, 0}, {[]int{2}, 2}}},
		"cohesive enough": {Duplicates{Similarity: 0.9, Cohesion: 0.95}, at(0, 19, 40), []Group{{[]int{0, 1, 2}, 1}}},
		"equal vectors":   {PublishedDuplicates, at(7, 7, 7), []Group{{[]int{0, 1, 2}, 0}}},
		"beyond cohesion": {Duplicates{Similarity: 0.9, Cohesion: 2}, at(7, 7), []Group{{[]int{0}, 0}, {[]int{1}, 1}}},
	} {
		groups := must.Get(c.d.Groups(c.vectors))(t)
		expect.Equal(t, append([]Group{}, groups...), c.want, name)
	}
}

func TestGroupsOfFaultyVectors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		vectors [][]float32
		want    string
	}{
		{[][]float32{{}}, "vector 0 is empty"},
		{[][]float32{{1}, {1, 2}},
			"vector 1 has 2 coordinates, vector 0 has 1; vectors of one model have the same length"},
		{[][]float32{{1}, {0}}, "vector 1 has length 0, and a direction is needed"},
		{[][]float32{{float32(math.NaN())}}, "vector 0 has length NaN, and a direction is needed"},
		{[][]float32{{float32(math.Inf(1))}}, "vector 0 has length +Inf, and a direction is needed"},
	} {
		_, err := PublishedDuplicates.Groups(c.vectors)
		expect.Equal(t, fmt.Sprint(err), c.want)
	}
}

// The authors' two steps in double precision, as section 4.3.3 has them: links between mutual
// k-nearest neighbours that reach the similarity, and then the merging of groups if two of their
// members reach it.
func twoSteps(t testing.TB, d Duplicates, k int, vectors [][]float32) [][]int {
	n := len(vectors)
	units := must.Get(directions(vectors))(t)
	cosine := func(i, j int) float64 { return floats.Dot(units[min(i, j)], units[max(i, j)]) }
	near := make([][]int, n)
	for i := range n {
		for j := range n {
			if j != i {
				near[i] = append(near[i], j)
			}
		}
		slices.SortStableFunc(near[i], func(a, b int) int { return cmp.Compare(cosine(i, b), cosine(i, a)) })
		near[i] = near[i][:min(k, n-1)]
	}
	groups := connected(n, func(i, j int) bool {
		return slices.Contains(near[i], j) && slices.Contains(near[j], i) && cosine(i, j) >= d.Similarity
	})
	merges := func(a, b int) bool {
		return slices.ContainsFunc(groups[a], func(i int) bool {
			return slices.ContainsFunc(groups[b], func(j int) bool { return cosine(i, j) >= d.Similarity })
		})
	}
	var out [][]int
	for _, merged := range connected(len(groups), merges) {
		var members []int
		for _, g := range merged {
			members = append(members, groups[g]...)
		}
		slices.Sort(members)
		out = append(out, members)
	}
	return out
}

// Whatever k is, the two steps give the groups that hang together, also groups of one question.
func TestNeighborsChangeNothing(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	for range 60 {
		vectors := make([][]float32, 1+r.IntN(90))
		for i := range vectors {
			vectors[i] = []float32{float32(r.NormFloat64()), float32(r.NormFloat64()), float32(r.NormFloat64()),
				float32(r.NormFloat64())}
		}
		d := Duplicates{Similarity: 0.8 + 0.2*r.Float64()}
		var got [][]int
		for _, g := range must.Get(d.Groups(vectors))(t) {
			got = append(got, g.Members)
		}
		byFirst := func(a, b []int) int { return a[0] - b[0] }
		slices.SortFunc(got, byFirst)
		for _, k := range []int{1, 3, 10} {
			want := twoSteps(t, d, k, vectors)
			slices.SortFunc(want, byFirst)
			must.Equal(t, got, want, len(vectors), d.Similarity, k)
		}
	}
}

// Whatever the vectors are, every question is in one group, and its medoid is a member.
func TestGroupsArePartition(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		vectors := make([][]float32, 1+r.IntN(30))
		for i := range vectors {
			vectors[i] = []float32{float32(r.NormFloat64()), float32(r.NormFloat64()), 0.01}
		}
		d := Duplicates{Similarity: r.Float64(), Cohesion: r.Float64()}
		var all []int
		for _, g := range must.Get(d.Groups(vectors))(t) {
			if !slices.Contains(g.Members, g.Medoid) || !slices.IsSorted(g.Members) {
				t.Fatalf("%+v: %+v", d, g)
			}
			all = append(all, g.Members...)
		}
		slices.Sort(all)
		for i, x := range all {
			if i != x || len(all) != len(vectors) {
				t.Fatalf("%+v: members %v of %d vectors", d, all, len(vectors))
			}
		}
	}
}

// BenchmarkGroups takes the vectors of a whole bank: 30,000 candidates about 200 images, 4,096
// coordinates each, a fifth of them near-duplicates of another. What numpy takes for the cosines
// alone:
//
//	python3 -m timeit -s 'import numpy
//	v = numpy.random.default_rng(3).standard_normal((150, 4096), dtype="float32")' \
//	'for _ in range(200):
//	  u = v / numpy.linalg.norm(v, axis=1, keepdims=True)
//	  numpy.argwhere(u @ u.T >= 0.9)'
func BenchmarkGroups(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 4))
	image := make([][]float32, 150)
	for i := range image {
		image[i] = make([]float32, 4096)
		copied := i > 0 && i%5 == 0
		for j := range image[i] {
			image[i][j] = float32(r.NormFloat64())
			if copied {
				image[i][j] = image[i-1][j] + image[i][j]/10
			}
		}
	}
	for b.Loop() {
		for range 200 {
			groups, err := PublishedDuplicates.Groups(image)
			if err != nil || len(groups) != 121 {
				b.Fatal(len(groups), err)
			}
		}
	}
}
