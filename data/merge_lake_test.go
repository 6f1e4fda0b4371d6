package data

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

// closedCopies are lakes with the content of one lake, each with more of its own.
func closedCopies(t *testing.T, base *Lake, own ...func(*Lake)) (dirs []string) {
	t.Helper()
	for _, add := range own {
		l := copyOf(t, base)
		add(l)
		dirs = append(dirs, l.Dir())
	}
	return dirs
}

// mergeAll merges lakes into one. The test's own locks of them are other locks of this process, so
// each is copied first.
func mergeAll(t *testing.T, into *Lake, o MergeOptions, dirs ...string) (all []Merge, err error) {
	t.Helper()
	for _, dir := range dirs {
		still := filepath.Join(t.TempDir(), "other")
		must.Succeed(t, os.CopyFS(still, os.DirFS(dir)))
		other := must.Get(Open(still))(t)
		m, err := into.Merge(other, o)
		if err != nil {
			return all, err
		}
		m.Lake = ""
		all = append(all, m)
	}
	return all, nil
}

// answered gives a lake its share of a unit.
func answered(t *testing.T, ids ...string) func(*Lake) {
	return func(l *Lake) {
		var rows []Answer
		for _, id := range ids {
			rows = append(rows, Answer{Protocol: "p", Reader: "r", Captioner: "c", QuestionID: id, Outcome: "correct"})
		}
		writeUnit(t, l, Unit{Stage: "score", Name: "unit", Fingerprint: strings.Join(ids, " "),
			Provenance: ProvenanceMeasured, Source: "calls"}, Answers, rows...)
	}
}

func answerIDs(t *testing.T, l *Lake) string {
	var ids []string
	for _, a := range allRows(t, l, Answers) {
		ids = append(ids, a.QuestionID+" "+a.Outcome)
	}
	return strings.Join(ids, ", ")
}

// The shares of a unit that several lakes have make one unit, in whatever order they come, and
// again changes nothing; executions come along, and the unit's files are the files of the last one.
func TestMergeJoinsTheSharesOfAUnit(t *testing.T) {
	t.Parallel()
	base := newLake(t)
	commitRows(t, base, "ingest/bank", "bank", Questions, Question{QuestionID: "q"})
	dirs := closedCopies(t, base, answered(t, "a", "d"), answered(t, "b"), answered(t, "c", "e"))
	for _, order := range [][]int{{0, 1, 2}, {2, 0, 1}, {1, 2, 0}} {
		into := newLake(t)
		all, err := mergeAll(t, into, MergeOptions{}, dirs[order[0]], dirs[order[1]], dirs[order[2]])
		must.Succeed(t, err)
		expect.Equal(t, all, []Merge{{Taken: 2}, {Same: 1, Joined: 1}, {Same: 1, Joined: 1}})
		expect.Equal(t, answerIDs(t, into), "a correct, b correct, c correct, d correct, e correct")
		all, err = mergeAll(t, into, MergeOptions{}, dirs...)
		if want := (Merge{Same: 2}); err != nil || slices.ContainsFunc(all, func(m Merge) bool { return m != want }) {
			t.Errorf("merged again: %+v, %v", all, err)
		}
		stem := Unit{Stage: "score", Name: "unit"}.FileStem()
		last, runs, err := executionsOf(into, stem)
		// three that were merged, and two merges
		if err != nil || len(runs) != 5 || *last.Execution != 5 || last.Rows != 5 {
			t.Errorf("executions %+v, %v", runs, err)
		}
		expect.Equal(t, must.Get(wroteFiles(into, *last))(t), true, "the last execution wrote other files")
		sound(t, into)
	}
}

// Rows of one key that differ are an error that names both lakes, before anything is written; one
// side can be preferred. Two versions of a loaded file are no shares of a unit.
func TestMergeOfLakesThatDiffer(t *testing.T) {
	t.Parallel()
	version := func(text string, more ...string) func(*Lake) {
		return func(l *Lake) {
			rows := []Caption{{ImageID: "i", Captioner: "c", Prompt: "p", Caption: text}}
			for _, id := range more {
				rows = append(rows, Caption{ImageID: id, Captioner: "c", Prompt: "p"})
			}
			writeUnit(t, l, Unit{Stage: "ingest/captions", Name: "file", Fingerprint: text,
				Provenance: ProvenanceMeasured}, Captions, rows...)
			one := Answer{Protocol: "p", Reader: "r", Captioner: "c", QuestionID: "q", Outcome: text}
			own := one
			own.QuestionID = "only " + text
			writeUnit(t, l, Unit{Stage: "score", Name: "unit", Fingerprint: text, Provenance: ProvenanceMeasured,
				Source: "calls"}, Answers, one, own)
			commitRows(t, l, "score", "another of "+text, Answers, Answer{Protocol: "q", QuestionID: text})
		}
	}
	dirs := closedCopies(t, newLake(t), version("ours"), version("theirs", "j"))
	for _, c := range []struct {
		prefer            string
		merge             Merge
		captions, answers string
	}{
		{PreferOurs, Merge{Taken: 1, Joined: 1, Kept: 1}, "i ours", "q ours, only ours ours, only theirs theirs"},
		{PreferTheirs, Merge{Taken: 1, Joined: 1, Replaced: 1}, "i theirs, j ",
			"q theirs, only ours ours, only theirs theirs"},
	} {
		into := newLake(t)
		version("ours")(into)
		before := answerIDs(t, into)
		_, err := mergeAll(t, into, MergeOptions{}, dirs[1])
		expect.Failure(t, err, ErrUnitsDiffer, into.Dir(), "ingest-captions-file",
			"1 rows differ, 1 are in the first alone and 1 in the second alone")
		expect.Equal(t, answerIDs(t, into), before)
		all, err := mergeAll(t, into, MergeOptions{Prefer: c.prefer}, dirs[1])
		if err != nil || all[0] != c.merge {
			t.Errorf("prefer %s: %+v, %v", c.prefer, all, err)
		}
		var captions []string
		for _, row := range allRows(t, into, Captions) {
			captions = append(captions, row.ImageID+" "+row.Caption)
		}
		expect.Equal(t, strings.Join(captions, ", "), c.captions, c.prefer)
		for _, want := range strings.Split(c.answers, ", ") {
			expect.Contains(t, answerIDs(t, into), want)
		}
		sound(t, into)
	}
}

// A unit that is measured in one lake and simulated in the other is not joined, whatever its keys:
// nothing is merged until one is preferred.
func TestMergeKeepsProvenancesApart(t *testing.T) {
	t.Parallel()
	dirs := closedCopies(t, newLake(t), func(l *Lake) {
		commitRows(t, l, "ingest/bank", "bank", Questions, Question{QuestionID: "q"})
		writeUnit(t, l, Unit{Stage: "score", Name: "unit", Fingerprint: "s", Provenance: ProvenanceSimulated}, Answers,
			Answer{QuestionID: "b", Outcome: "correct"})
	})
	into := newLake(t)
	answered(t, "a")(into)
	expect.Refusal(mergeAll(t, into, MergeOptions{}, dirs[0]))(t, ErrUnitsDiffer)
	if units, err := unitsOf(into); len(units) != 1 || err != nil {
		t.Errorf("merged %v, %v", units, err)
	}
	if all, err := mergeAll(t, into, MergeOptions{Prefer: PreferTheirs}, dirs[0]); err != nil ||
		all[0] != (Merge{Taken: 1, Replaced: 1}) || answerIDs(t, into) != "b correct" {
		t.Errorf("%+v, %v: %s", all, err, answerIDs(t, into))
	}
}

// A merge that is stopped at any move is carried on by the same call, and what is there in between
// is whole.
func TestInterruptedMergeGoesOn(t *testing.T) {
	t.Parallel()
	base := newLake(t)
	commitRows(t, base, "ingest/bank", "bank", Questions, Question{QuestionID: "q"})
	dirs := closedCopies(t, base, answered(t, "a"), func(l *Lake) {
		answered(t, "b")(l)
		commitRows(t, l, "ingest/bank", "other", Questions, Question{QuestionID: "r"})
		j := must.Get(OpenJournal[Call](l, "answers"))(t)
		must.Succeed(t, errors.Join(j.Append(Call{RequestHash: "x"}), j.Close()))
	})
	first := newLake(t)
	must.Get(mergeAll(t, first, MergeOptions{}, dirs[0]))(t)
	for step := 0; ; step++ {
		dir := filepath.Join(t.TempDir(), "lake")
		must.Succeed(t, os.CopyFS(dir, os.DirFS(first.Dir())))
		into := must.Get(Waiter{}.Edit(dir, "test"))(t)
		into.store = &stoppingStore{Store: into.store, left: step, counts: true}
		_, stopped := mergeAll(t, into, MergeOptions{}, dirs[1])
		if stopped != nil && !errors.Is(stopped, errStop) {
			t.Fatal(stopped)
		}
		die(t, into)
		into = must.Get(Waiter{}.Edit(dir, "test"))(t)
		sound(t, into)
		must.Get(mergeAll(t, into, MergeOptions{}, dirs[1]))(t)
		expect.Equal(t, answerIDs(t, into), "a correct, b correct", step)
		if got, err := into.Journals(); len(allRows(t, into, Questions)) != 2 || len(got) != 1 || err != nil {
			t.Errorf("after %d moves: journals %v, %v", step, got, err)
		}
		must.Succeed(t, into.Close())
		if stopped == nil {
			if step < 6 { // a record, two tables with their runs, and a journal
				t.Errorf("only %d moves", step)
			}
			return
		}
	}
}

// Replies of interrupted runs come along once, and none that the lake has already.
func TestMergeTakesRepliesInFlight(t *testing.T) {
	t.Parallel()
	stem := Unit{Stage: "answer", Name: "unit"}.FileStem()
	asked := func(hashes ...string) func(*Lake) {
		return func(l *Lake) {
			j := must.Get(OpenJournal[Call](l, stem))(t)
			for _, h := range hashes {
				must.Succeed(t, j.Append(Call{RequestHash: h, Text: "reply to " + h}))
			}
			must.Succeed(t, j.Close())
		}
	}
	dirs := closedCopies(t, newLake(t), asked("a", "b"), asked("b", "c", "d"))
	into := newLake(t)
	commitRows(t, into, "answer", "unit", Calls, Call{RequestHash: "d"})
	for i, want := range []int{1, 1, 0} {
		all, err := mergeAll(t, into, MergeOptions{}, dirs[i%2])
		if err != nil || all[0].Journals != want {
			t.Errorf("merge %d: %+v, %v", i, all, err)
		}
	}
	expect.Equal(t, callHashes(t, into, stem), []string{"a", "b", "c"}, "the journal has")
}

// What a damaged or a foreign lake has is not taken: a file with other bytes than were committed, a
// picture under the wrong name.
func TestMergeRefuses(t *testing.T) {
	t.Parallel()
	into := newLake(t)
	source := newLake(t)
	stem := commitRows(t, source, "ingest/bank", "bank", Questions, Question{QuestionID: "q"})
	flip(t, source.Path("questions/"+stem+".parquet"))
	expect.Refusal(mergeAll(t, into, MergeOptions{}, source.Dir()))(t, "is not the committed file")
	foreign := newLake(t)
	commitRows(t, foreign, "ingest/images", "pictures", Images, Image{ImageID: "i", Path: "../../etc/passwd"})
	expect.Refusal(mergeAll(t, into, MergeOptions{}, foreign.Dir()))(t, "is not one of a lake")
	expect.Refusal(into.Merge(foreign, MergeOptions{}))(t, ErrLocked)
	expect.Refusal(into.Merge(into, MergeOptions{}))(t, "into itself")
	noTemps(t, into.store)
	if units, err := unitsOf(into); err != nil || len(units) > 0 {
		t.Errorf("taken: %v, %v", units, err)
	}
}

// A file that another lake has under a symbolic link is copied: a link to the link would lead
// elsewhere from here.
func TestMergeFollowsLinks(t *testing.T) {
	t.Parallel()
	source := newLake(t)
	stem := commitRows(t, source, "ingest/bank", "bank", Questions, Question{QuestionID: "q"})
	path := source.Path("questions/" + stem + ".parquet")
	must.Succeed(t, errors.Join(os.Rename(path, filepath.Join(source.Dir(), "kept")), os.Symlink("../kept", path)))
	die(t, source)
	other := must.Get(Open(source.Dir()))(t)
	into := newLake(t)
	must.Get(into.Merge(other, MergeOptions{}))(t)
	sound(t, into)
	expect.Equal(t, len(allRows(t, into, Questions)), 1)
}

// The rows of a unit are joined only if they are the rows that were committed: somebody may write
// to a lake that this process cannot lock.
func TestMergeJoinsWhatWasCommitted(t *testing.T) {
	t.Parallel()
	dirs := closedCopies(t, newLake(t), answered(t, "a"), answered(t, "b"))
	into := newLake(t)
	answered(t, "c")(into)
	name := filepath.Join(Answers.Name(), Unit{Stage: "score", Name: "unit"}.FileStem()+".parquet")
	must.Succeed(t, errors.Join(os.Remove(filepath.Join(dirs[0], name)),
		os.Link(filepath.Join(dirs[1], name), filepath.Join(dirs[0], name))))
	if _, err := mergeAll(t, into, MergeOptions{}, dirs[0]); err == nil ||
		!strings.Contains(err.Error(), "differ from the committed files") || answerIDs(t, into) != "c correct" {
		t.Errorf("%v, and %s", err, answerIDs(t, into))
	}
}

// While a lake is merged into another, nobody else can write to it or merge it.
func TestMergesAreExclusive(t *testing.T) {
	t.Parallel()
	source := newLake(t)
	die(t, source)
	first := must.Get(Open(source.Dir()))(t)
	into := newLake(t)
	must.Succeed(t, lockAgainstWriters(first, into))
	second := must.Get(Open(source.Dir()))(t)
	_, err := into.Merge(second, MergeOptions{})
	inUse(t, err, "the lake", "merge")
	_, err = Waiter{}.Edit(source.Dir(), "test")
	inUse(t, err, "the lake", "merge")
	must.Succeed(t, first.Close())
	must.Get(into.Merge(second, MergeOptions{}))(t)
}

// Pictures come along, linked or copied.
func TestMergeTakesPictures(t *testing.T) {
	t.Parallel()
	source := newLake(t)
	tx := must.Get(source.Begin(Unit{Stage: "ingest/images", Name: "folder", Provenance: ProvenanceMeasured}))(t)
	defer tx.Abort()
	name := must.Get(tx.AddPicture([]byte("a picture"), "png"))(t)
	w := must.Get(NewRowWriter(tx, Images))(t)
	must.Succeed(t, errors.Join(w.Write(Image{ImageID: "i", Path: name}), tx.Commit()))
	into := newLake(t)
	must.Get(mergeAll(t, into, MergeOptions{}, source.Dir()))(t)
	expect.Equal(t, string(must.Read(t, into.Path(name))), "a picture")
}
