package data

import (
	"slices"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

// Of two versions of a unit the one that was made from the other is taken, in whatever order they
// meet; what was made beside it is asked about.
func TestMergeTakesTheLaterVersion(t *testing.T) {
	t.Parallel()
	early := newLake(t)
	stem := commitRows(t, early, "ingest/bank", "bank", Questions, Question{QuestionID: "q", Question: "first"})
	late := copyOf(t, early)
	commitRows(t, late, "ingest/bank", "bank", Questions, Question{QuestionID: "q", Question: "second"})
	beside := copyOf(t, early)
	commitRows(t, beside, "ingest/bank", "bank", Questions, Question{QuestionID: "q", Question: "third"})

	expect.Equal(t, must.Get(mergeAll(t, copyOf(t, late), MergeOptions{}, early.Dir()))(t)[0].Same, 1,
		"the earlier into the later")
	expect.Refusal(mergeAll(t, beside, MergeOptions{}, late.Dir()))(t, ErrUnitsDiffer)
	if all, err := mergeAll(t, early, MergeOptions{}, late.Dir()); err != nil || all[0].Replaced != 1 ||
		allRows(t, early, Questions)[0].Question != "second" {
		t.Errorf("the later into the earlier: %+v, %v", all, err)
	}
	ours, err := Inventory(early)
	theirs, errTheirs := Inventory(late)
	if err != nil || errTheirs != nil || len(ours) != 1 || ours[0].Unit != stem || len(ours[0].Executions) != 2 ||
		!slices.Equal(ours[0].Executions, theirs[0].Executions) || !ours[0].sameRows(theirs[0]) {
		t.Errorf("%+v, %v; %+v, %v", ours, err, theirs, errTheirs)
	}
}

// Rows that stay as they are over another lake's are the later version: nobody is asked about them
// again, here or there.
func TestMergeRemembersWhatStays(t *testing.T) {
	t.Parallel()
	bank := func(text string) *Lake {
		l := newLake(t)
		commitRows(t, l, "ingest/bank", "bank", Questions, Question{QuestionID: "q", Question: text})
		return l
	}
	for prefer, theirs := range map[string]string{PreferOurs: "second", "": "first"} {
		ours, other := bank("first"), bank(theirs)
		if theirs == "first" { // equal rows, beside more
			commitRows(t, ours, "score", "p", Answers, Answer{Protocol: "p", QuestionID: "q"},
				Answer{Protocol: "p", QuestionID: "r"})
			commitRows(t, other, "score", "p", Answers, Answer{Protocol: "p", QuestionID: "q"})
		}
		before := must.Get(Inventory(ours))(t)
		if all, err := mergeAll(t, ours, MergeOptions{Prefer: prefer}, other.Dir()); err != nil ||
			all[0].Same+all[0].Kept != len(before) {
			t.Errorf("%+v, %v", all, err)
		}
		expect.Equal(t, allRows(t, ours, Questions)[0].Question, "first", "the lake has")
		after := must.Get(Inventory(ours))(t)
		for i, u := range after {
			if !u.sameRows(before[i]) {
				t.Errorf("%s was written anew", u.Unit)
			}
		}
		sound(t, ours)
		expect.Equal(t, must.Get(mergeAll(t, ours, MergeOptions{}, other.Dir()))(t)[0].Same, len(before))
		if all, err := mergeAll(t, other, MergeOptions{}, ours.Dir()); err != nil ||
			all[0].Replaced+all[0].Same != len(before) {
			t.Errorf("the other way: %+v, %v", all, err)
		}
	}
}
