package data

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/must"
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

// A partial lake says what it holds, and is not written to; files are adopted together.
func TestPartialLake(t *testing.T) {
	t.Parallel()
	source := newLake(t)
	stem := commitRows(t, source, "ingest/bank", "bank", Questions, Question{QuestionID: "q"})
	dir := filepath.Join(t.TempDir(), "lake")
	l, err := CreatePartial(dir, "test")
	must.Succeed(t, err)
	must.Succeed(t, l.SetPartial(&Partial{From: "elsewhere", Tables: []string{"questions"}}))
	name := "questions/" + stem + ".parquet"
	must.Succeed(t, os.MkdirAll(filepath.Join(dir, "cache"), 0o777))
	must.Succeed(t, os.Link(source.Path(name), filepath.Join(dir, "cache", "one")))
	for _, hostile := range []string{"../q.parquet", "questions/../../q.parquet", "LAKE", "marts/m.parquet"} {
		if err := l.Adopt(nil, []string{hostile}); err == nil {
			t.Errorf("%s was removed", hostile)
		}
	}
	must.Succeed(t, l.Adopt(map[string]string{"cache/one": name}, nil))
	must.Succeed(t, l.Close())
	for _, open := range []func(string, string) (*Lake, error){Edit, Create} {
		_, err := open(dir, "test")
		var hint *HintError
		if !errors.Is(err, ErrPartial) || !errors.As(err, &hint) || !strings.Contains(hint.Hint, "pull --tables all ") {
			t.Errorf("opened for writing: %v, hint %v", err, hint)
		}
	}
	read, err := Open(dir)
	if err != nil || len(allRows(t, read, Questions)) != 1 || len(read.Notices()) != 1 {
		t.Errorf("opened for reading: %v", err)
	}
	if l, err = CreatePartial(dir, "test"); err != nil {
		t.Fatal(err)
	}
	must.Succeed(t, errors.Join(l.SetPartial(nil), l.Close()))
	if l, err = Edit(dir, "test"); err != nil {
		t.Fatal(err)
	}
	must.Succeed(t, l.Close())
}
