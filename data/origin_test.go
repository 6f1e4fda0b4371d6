package data

import (
	"testing"

	"github.com/captionlake/captionlake/data/must"
)

// Every row says where it comes from: as its unit does, unless a rehearsal model had part in it, whose words are simulated whoever brings
// them. A unit is simulated when all of its rows are.
func TestRowsHaveProvenance(t *testing.T) {
	t.Parallel()
	l := newLake(t)
	commit := func(name string, captions ...Caption) (rows []Caption, unit string) {
		t.Helper()
		u := Unit{Stage: "test", Name: name, Fingerprint: "f", Provenance: ProvenancePublished}
		writeUnit(t, l, u, Captions, captions...)
		for row, err := range UnitRows(l, Captions, u) {
			must.Succeed(t, err)
			rows = append(rows, row)
		}
		runs, err := unitRuns(l, u.FileStem())
		must.Succeed(t, err)
		return rows, runs[0].Provenance
	}
	rows, unit := commit("mixed", Caption{ImageID: "a", Captioner: "gpt-4o"}, Caption{ImageID: "b", Captioner: "gpt-4o", Provenance: ProvenanceMeasured},
		Caption{ImageID: "c", Captioner: "rehearsal-captioner-medium", Provenance: ProvenanceMeasured})
	for i, want := range []string{ProvenancePublished, ProvenanceMeasured, ProvenanceSimulated} {
		if rows[i].Provenance != want {
			t.Errorf("row %d is %s, want %s", i, rows[i].Provenance, want)
		}
	}
	if unit != ProvenancePublished {
		t.Errorf("a unit of mixed rows is %s", unit)
	}
	if _, unit = commit("rehearsed", Caption{ImageID: "d", Captioner: "rehearsal-captioner-medium"}); unit != ProvenanceSimulated {
		t.Errorf("a unit of a rehearsal model is %s", unit)
	}
	tx, err := l.Begin(Unit{Stage: "test", Name: "unknown", Fingerprint: "f", Provenance: ProvenanceMeasured})
	must.Succeed(t, err)
	defer tx.Abort()
	w, err := NewRowWriter(tx, Captions)
	must.Succeed(t, err)
	const want = `table captions: a row has the provenance "guessed", which is not one of published, measured, simulated`
	if err := w.Write(Caption{ImageID: "e", Provenance: "guessed"}); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
