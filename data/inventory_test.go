package data

import (
	"errors"
	"slices"
	"testing"
)

// Of two versions of a unit the one that was made from the other is taken, in whatever order they meet; what was made beside it is asked about.
func TestMergeTakesTheLaterVersion(t *testing.T) {
	t.Parallel()
	early := newLake(t)
	stem := commitRows(t, early, "ingest/bank", "bank", Questions, Question{QuestionID: "q", Question: "first"})
	late := copyOf(t, early)
	commitRows(t, late, "ingest/bank", "bank", Questions, Question{QuestionID: "q", Question: "second"})
	beside := copyOf(t, early)
	commitRows(t, beside, "ingest/bank", "bank", Questions, Question{QuestionID: "q", Question: "third"})

	if all, err := mergeAll(t, copyOf(t, late), MergeOptions{}, early.Dir()); err != nil || all[0].Same != 1 {
		t.Errorf("the earlier into the later: %+v, %v", all, err)
	}
	if _, err := mergeAll(t, beside, MergeOptions{}, late.Dir()); !errors.Is(err, ErrUnitsDiffer) {
		t.Errorf("two of one origin: %v", err)
	}
	if all, err := mergeAll(t, early, MergeOptions{}, late.Dir()); err != nil || all[0].Replaced != 1 || allRows(t, early, Questions)[0].Question != "second" {
		t.Errorf("the later into the earlier: %+v, %v", all, err)
	}
	ours, err := early.Inventory()
	theirs, errTheirs := late.Inventory()
	if err != nil || errTheirs != nil || len(ours) != 1 || ours[0].Unit != stem || len(ours[0].Executions) != 2 || !slices.Equal(ours[0].Executions, theirs[0].Executions) || !ours[0].SameRows(theirs[0]) {
		t.Errorf("%+v, %v; %+v, %v", ours, err, theirs, errTheirs)
	}
}
