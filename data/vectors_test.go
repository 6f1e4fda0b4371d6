package data

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/captionlake/captionlake/data/must"
)

// Vectors gives what Select gives, of lists of any length: empty, of one number, and of more than a page has, in row groups of several units.
func TestVectors(t *testing.T) {
	t.Parallel()
	l := newLake(t)
	r := rand.New(rand.NewPCG(11, 12))
	for _, unit := range []string{"odd", "even"} {
		var rows []Embedding
		for i, length := range []int{0, 1, 0, 70_000, 3, 4096, 4096, 0} {
			e := Embedding{CandidateID: string(rune('a'+i)) + "/" + unit, Model: []string{"first", "second"}[i/2%2], Vector: make([]float32, length), Provenance: ProvenanceMeasured}
			for k := range e.Vector {
				e.Vector[k] = r.Float32()
			}
			rows = append(rows, e)
		}
		writeUnit(t, l, Unit{Stage: "test", Name: unit, Provenance: ProvenanceMeasured}, Embeddings, rows...)
	}
	for _, model := range []string{"first", "second", "third"} {
		var want, got []Embedding
		for e, err := range Select(l, Embeddings, Where{"model": model}) {
			must.Succeed(t, err)
			want = append(want, Embedding{CandidateID: e.CandidateID, Model: e.Model, Vector: e.Vector})
		}
		for e, err := range Vectors(l, model) {
			must.Succeed(t, err)
			got = append(got, e)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-selected +vectors):\n%.2000s", model, diff)
		}
		if n := len(want); (model == "third") != (n == 0) || n > 0 && n != 8 {
			t.Errorf("%s: %d rows", model, n)
		}
	}
	for e := range Vectors(l, "first") { // no more are wanted
		if e.CandidateID == "b/even" {
			break
		}
	}
}

// A damaged file is an error that names it.
func TestVectorsOfDamagedFile(t *testing.T) {
	t.Parallel()
	l := newLake(t)
	var rows []Embedding
	for i := range 50 {
		rows = append(rows, Embedding{CandidateID: string(rune('a' + i)), Model: "m", Vector: make([]float32, 1000), Provenance: ProvenanceMeasured})
		rows[i].Vector[i] = 1
	}
	writeUnit(t, l, Unit{Stage: "test", Name: "unit", Provenance: ProvenanceMeasured}, Embeddings, rows...)
	names, err := l.Files(Embeddings)
	must.Succeed(t, err)
	path := l.Path(names[0])
	whole, err := os.ReadFile(path)
	must.Succeed(t, err)
	found := 0
	for at := 0; at < len(whole); at += 301 {
		broken := append([]byte{}, whole...)
		broken[at] ^= 0xff
		must.Succeed(t, os.WriteFile(path, broken, 0o666))
		for _, err := range Vectors(l, "m") {
			if err != nil {
				found++
				if !strings.Contains(err.Error(), names[0]) {
					t.Fatalf("byte %d: %v", at, err)
				}
			}
		}
	}
	if found == 0 {
		t.Error("no damage is found")
	}
}

// writeUnit commits a unit of rows of one table.
func writeUnit[T any](t testing.TB, l *Lake, u Unit, table Table[T], rows ...T) {
	t.Helper()
	tx, err := l.Begin(u)
	must.Succeed(t, err)
	defer tx.Abort()
	w, err := NewRowWriter(tx, table)
	must.Succeed(t, err)
	must.Succeed(t, w.Write(rows...))
	must.Succeed(t, tx.Commit())
}
