package construct

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// shared is where the published behaviour's input–output pairs are, in development and in CI.
func shared(t *testing.T, name string) []byte {
	t.Helper()
	folder := os.Getenv("CAPTIONLAKE_SHARED")
	if folder == "" {
		folder = filepath.Join("..", "..", "..", "shared")
	}
	content, err := os.ReadFile(filepath.Join(folder, "parity", name))
	if os.IsNotExist(err) {
		t.Skipf("the published behaviour is not here: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return content
}

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
	if err := json.Unmarshal(shared(t, "dedup.json"), &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) < 7 {
		t.Fatalf("%d cases, want at least 7", len(cases))
	}
	for i, c := range cases {
		d := Duplicates{Neighbors: c.K, Similarity: c.Tau}
		if c.CohesionGuard {
			d.Cohesion = c.TauMin
		}
		groups, err := d.Groups(c.Embeddings)
		if err != nil {
			t.Fatal(err)
		}
		var members [][]int
		var medoids []int
		for _, g := range groups {
			members = append(members, g.Members)
			medoids = append(medoids, g.Medoid)
		}
		if diff := cmp.Diff(c.Groups, members); diff != "" {
			t.Errorf("case %d: groups (-published +here):\n%s", i, diff)
		}
		if diff := cmp.Diff(c.Representatives, medoids); diff != "" {
			t.Errorf("case %d: representatives (-published +here):\n%s", i, diff)
		}
	}
}

// at is the unit vector at an angle: the cosine of two is that of the difference of their angles.
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
		"nothing":                {Duplicates{Neighbors: 1, Similarity: 0.9}, nil, []Group{}},
		"length does not matter": {Duplicates{Neighbors: 1, Similarity: 0.9}, [][]float32{{2, 0}, {0, 3}, {5, 0}}, []Group{{[]int{0, 2}, 0}, {[]int{1}, 1}}},
		// 0–20 and 20–40 reach 0.9, 0–40 does not: a chain is one group, and its middle is most similar to the others.
		"chain": {Duplicates{Neighbors: 2, Similarity: 0.9}, at(0, 40, 20), []Group{{[]int{0, 1, 2}, 2}}},
		// Each has one neighbour: 0 and 10 choose each other, 25 chooses 10, which does not choose it. But 10–25 reach 0.9 (0.966).
		"merged past the neighbours": {Duplicates{Neighbors: 1, Similarity: 0.9}, at(0, 10, 25), []Group{{[]int{0, 1, 2}, 1}}},
		// The sum of all nine cosines is 3 + 2 (cos 19° + cos 21° + cos 40°) = 8.290, so the cohesion is √8.290 / 3 = 0.960. Below 0.97 the
		// group falls into halves around its least similar members, 0 and 40; 19 is nearer to 0.
		"split":           {Duplicates{Neighbors: 2, Similarity: 0.9, Cohesion: 0.97}, at(0, 19, 40), []Group{{[]int{0, 1}, 0}, {[]int{2}, 2}}},
		"cohesive enough": {Duplicates{Neighbors: 2, Similarity: 0.9, Cohesion: 0.95}, at(0, 19, 40), []Group{{[]int{0, 1, 2}, 1}}},
		"equal vectors":   {PublishedDuplicates, at(7, 7, 7), []Group{{[]int{0, 1, 2}, 0}}},
		"beyond cohesion": {Duplicates{Neighbors: 1, Similarity: 0.9, Cohesion: 2}, at(7, 7), []Group{{[]int{0}, 0}, {[]int{1}, 1}}},
	} {
		groups, err := c.d.Groups(c.vectors)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(c.want, append([]Group{}, groups...)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestGroupsOfFaultyVectors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		vectors [][]float32
		want    string
	}{
		{[][]float32{{}}, "vector 0 is empty"},
		{[][]float32{{1}, {1, 2}}, "vector 1 has 2 coordinates, vector 0 has 1; vectors of one model have the same length"},
		{[][]float32{{1}, {0}}, "vector 1 has length 0, and a direction is needed"},
		{[][]float32{{float32(math.NaN())}}, "vector 0 has length NaN, and a direction is needed"},
		{[][]float32{{float32(math.Inf(1))}}, "vector 0 has length +Inf, and a direction is needed"},
	} {
		if _, err := PublishedDuplicates.Groups(c.vectors); err == nil || err.Error() != c.want {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
	if _, err := (Duplicates{}).Groups(at(1)); err == nil {
		t.Error("a graph without neighbours is accepted")
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
		d := Duplicates{Neighbors: 1 + r.IntN(5), Similarity: r.Float64(), Cohesion: r.Float64()}
		groups, err := d.Groups(vectors)
		if err != nil {
			t.Fatal(err)
		}
		var all []int
		for _, g := range groups {
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

// BenchmarkGroups takes the vectors of a whole bank: 30,000 candidates about 200 images, 4,096 coordinates each, a fifth of them
// near-duplicates of another.
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
