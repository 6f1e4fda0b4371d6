package data

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/files"
	"github.com/captionlake/captionlake/data/must"
)

// another opens a lake for writing once more, as another process does.
func another(t testing.TB, l *Lake) *Lake {
	t.Helper()
	other := must.Get(Waiter{}.Edit(l.dir, "neighbour"))(t)
	t.Cleanup(func() { must.Succeed(t, other.Close()) })
	return other
}

// inUse fails the test unless an error says that another process keeps this one from something, and
// names it.
func inUse(t *testing.T, err error, what, by string) {
	t.Helper()
	hinted(t, err, "", ErrLocked, what+" is in use by captionlake "+by+" (process ")
}

// Two processes write different units at once. The unit that one works on is the other's when it
// has ended, and no row is in both.
func TestWritersShareALake(t *testing.T) {
	t.Parallel()
	one := newLake(t)
	two := another(t, one)
	stem := stemOf("captions")
	tx, w := writeCaptions(t, one)
	must.Succeed(t, w.Write(Caption{ImageID: "a", Captioner: "m"}))
	_, err := two.Begin(tx.Unit())
	inUse(t, err, "the unit "+stem, "test")
	_, err = OpenJournal[Call](two, stem)
	inUse(t, err, "the unit "+stem, "test")
	must.Succeed(t, commitCaptions(t, two, "another", "f", Caption{ImageID: "b", Captioner: "m"}))
	must.Succeed(t, tx.Commit())
	others, read, err := one.CommittedByOthers(0)
	must.Succeed(t, err)
	expect.Equal(t, others, []string{stemOf("another")})
	for i, l := range []*Lake{one, two} {
		expect.Failure(t, commitCaptions(t, l, "third", "f", Caption{ImageID: "ba"[i : i+1], Captioner: "m"}),
			ErrDuplicateKey)
	}
	again := must.Get(two.Begin(tx.Unit()))(t)
	inUse(t, one.Remove(stem), "the unit "+stem, "neighbour")
	again.Abort()
	must.Succeed(t, one.Remove(stem))
	must.Succeed(t, commitCaptions(t, two, "third", "f", Caption{ImageID: "a", Captioner: "m"}))
	since, to, err := one.CommittedByOthers(read)
	must.Succeed(t, err)
	expect.Equal(t, since, []string{stemOf("third")}, "committed elsewhere since")
	if since, end, err := one.CommittedByOthers(to); len(since) > 0 || end != to || err != nil {
		t.Errorf("%v, %d instead of %d, %v", since, end, to, err)
	}
	expect.Equal(t, len(allRows(t, one, Captions)), 2, "rows are missing")
}

// What another process commits between the comparison of a unit's rows and its commit is compared,
// too, and nothing else again.
func TestCommitComparesWhatCameMeanwhile(t *testing.T) {
	t.Parallel()
	one := newLake(t)
	two := another(t, one)
	for i := range 20 {
		must.Succeed(t, commitCaptions(t, two, fmt.Sprint("early ", i), "f",
			Caption{ImageID: "a", Captioner: fmt.Sprint(i)}, Caption{ImageID: "z", Captioner: fmt.Sprint(i)}))
	}
	for _, late := range []string{"m", "n"} {
		mine := map[string]string{"m": "m", "n": "o"}[late]
		tx, w := writeCaptions(t, one)
		must.Succeed(t, w.Write(Caption{ImageID: "a", Captioner: mine}, Caption{ImageID: "z", Captioner: mine}))
		must.Succeed(t, errors.Join(tx.WriteOut(), tx.collides()))
		must.Succeed(t, commitCaptions(t, two, "late", "f", Caption{ImageID: "a", Captioner: late},
			Caption{ImageID: "z", Captioner: late}))
		store := &openedStore{Store: one.store, folder: Captions.Name()}
		one.store = store
		err := tx.Commit()
		if late == "m" != errors.Is(err, ErrDuplicateKey) || late == "n" && err != nil {
			t.Errorf("%s: %v", late, err)
		}
		if store.opened > 3 {
			t.Errorf("%s: %d files were read again", late, store.opened)
		}
		one.store = store.Store
	}
	noTemps(t, one.store)
}

// What a dead process has left is removed by the first that writes to the lake alone; until then
// nothing of the living goes.
func TestTheDeadAreSweptAway(t *testing.T) {
	t.Parallel()
	alive := newLake(t)
	tx, w := writeCaptions(t, alive)
	for i := range 10 { // in temporary files
		must.Succeed(t, w.Write(Caption{ImageID: fmt.Sprint(i)}))
		must.Succeed(t, w.spill())
	}
	frozen, release, err := alive.Snapshot()
	must.Succeed(t, err)

	dead := another(t, alive)
	txOfDead := must.Get(dead.Begin(Unit{Stage: "test", Name: "dead", Provenance: ProvenanceMeasured}))(t)
	ofDead := must.Get(NewRowWriter(txOfDead, Captions))(t)
	must.Succeed(t, errors.Join(ofDead.Write(Caption{ImageID: "x"}), ofDead.spill()))
	before := snapshot(t, filepath.Join(alive.dir, journalDir))
	die(t, dead)

	next := another(t, alive)
	must.Get(next.Begin(txOfDead.Unit()))(t).Abort()
	after := snapshot(t, filepath.Join(alive.dir, journalDir))
	for name := range before {
		if strings.HasSuffix(name, tempSuffix) && after[name] != before[name] {
			t.Errorf("%s has changed or is gone", name)
		}
	}
	must.Succeed(t, errors.Join(tx.Commit(), release()))
	if rows := allRows(t, next, Captions); len(rows) != 10 || frozen.session != alive.session {
		t.Errorf("%d rows", len(rows))
	}
	_, _, err = next.Snapshot()
	must.Succeed(t, err)
	die(t, next)
	die(t, alive)
	another(t, alive)
	for name := range snapshot(t, filepath.Join(alive.dir, journalDir)) {
		t.Errorf("%s is left", name)
	}
}

// A commit that a failing disk has interrupted in one process is completed by the next commit of
// another.
func TestNeighbourCompletesACommit(t *testing.T) {
	t.Parallel()
	for step := range 3 {
		one := newLake(t)
		two := another(t, one)
		// Its index of the table is read.
		must.Succeed(t, commitCaptions(t, two, "known", "f", Caption{ImageID: "k"}))
		whole := one.store
		one.store = &stoppingStore{Store: whole, left: step}
		if err := commitCaptions(t, one, "one", "f", Caption{ImageID: "a"}); step < 2 != errors.Is(err, errStop) {
			t.Fatal(err)
		}
		expect.Failure(t, commitCaptions(t, two, "two", "f", Caption{ImageID: "a"}), ErrDuplicateKey)
		must.Succeed(t, commitCaptions(t, two, "two", "f", Caption{ImageID: "b"}))
		rows := allRows(t, two, Captions)
		elsewhere, _, err := two.CommittedByOthers(0)
		if err != nil || len(rows) != 3 || !slices.Contains(elsewhere, stemOf("one")) {
			t.Errorf("step %d: %d rows, elsewhere %v", step, len(rows), elsewhere)
		}
		one.store = whole
		must.Succeed(t, commitCaptions(t, one, "one", "g", Caption{ImageID: "c"}))
		sound(t, two)
	}
}

// A unit to which another process adds rows while it is found out what would be removed with
// another one is not removed.
func TestRemoveSeesWhatCameMeanwhile(t *testing.T) {
	t.Parallel()
	one := newLake(t)
	two := another(t, one)
	commitRows(t, one, "answer", "calls", Calls, Call{RequestHash: "first"})
	asked := Unit{Stage: "answer", Name: "calls"}.FileStem()
	score := Unit{Stage: "score", Name: "unit", Provenance: ProvenanceMeasured}
	writeUnit(t, one, score, Answers, Answer{QuestionID: "q", Evidence: "none", RequestHash: "first"})
	one.waiter.Reader = func(ctx context.Context, l *Lake, query string, args []any,
		hand func(arrow.RecordBatch) error) error {
		defer func() { one.waiter.Reader = SQL }()
		err := SQL(ctx, l, query, args, hand)
		score.Fingerprint = "again"
		writeUnit(t, two, score, Answers, Answer{QuestionID: "q", Evidence: "none", RequestHash: "first"},
			Answer{QuestionID: "r", Evidence: "none", RequestHash: "second"})
		return err
	}
	removed, err := one.RemoveAll(asked)
	if err != nil || len(removed) != 1 || removed[0].Whole() {
		t.Errorf("%+v %v", removed, err)
	}
	expect.Equal(t, len(allRows(t, two, Answers)), 2, "rows are left")
	expect.Equal(t, len(allRows(t, two, Calls)), 0, "calls are left")
}

func TestSnapshotStays(t *testing.T) {
	t.Parallel()
	for _, links := range []bool{true, false} {
		l := newLake(t)
		two := another(t, l)
		for _, name := range []string{"one", "two"} {
			must.Succeed(t, commitCaptions(t, l, name, "f", Caption{ImageID: name}))
		}
		if !links {
			l.link = func(string, string) error { return errors.ErrUnsupported }
		}
		still, release, err := l.Snapshot()
		must.Succeed(t, err)
		must.Succeed(t, errors.Join(commitCaptions(t, two, "one", "g", Caption{ImageID: "other"}),
			two.Remove(stemOf("two")),
			commitCaptions(t, two, "three", "f", Caption{ImageID: "three"})))
		var ids []string
		for _, c := range allRows(t, still, Captions) {
			ids = append(ids, c.ImageID)
		}
		expect.Equal(t, ids, []string{"one", "two"}, links)
		if check, err := still.Check(CheckTables, nil); err != nil || len(check.Faults) > 0 || check.Files != 2 {
			t.Errorf("links %v: %+v %v", links, check, err)
		}
		expect.Equal(t, len(must.Get(filepath.Glob(filepath.Join(l.dir,
			filepath.FromSlash(still.Place(Captions.Name())),
			"*.parquet")))(t)), 2, links)
		temp := still.Temp("x")
		must.Succeed(t, errors.Join(files.Write(still.store, temp, []byte("x")),
			still.Publish(map[string]string{temp: "marts/x.parquet"})))
		must.Succeed(t, release())
		expect.Equal(t, len(allRows(t, l, Captions)), 2, "the changes are missing")
		must.Get(os.Stat(filepath.Join(l.dir, "marts", "x.parquet")))(t)
	}
}

// Folders that are made again are one process's at a time.
func TestFoldersAreHeld(t *testing.T) {
	t.Parallel()
	one := newLake(t)
	two := another(t, one)
	release := must.Get(one.Hold(MartsFolder))(t)
	again := must.Get(one.Hold(MartsFolder))(t)
	release()
	release()
	_, err := two.Hold("report", MartsFolder)
	inUse(t, err, "the folder marts", "test")
	expect.Refusal(two.Hold("../x"))(t)
	again()
	must.Get(two.Hold("report", MartsFolder))(t)()
}

// A process that stands still in a commit is named after a second, and an interrupt ends the wait.
// No other user can open the lock.
func TestWaitingForCommitsIsToldAndEnds(t *testing.T) {
	t.Parallel()
	holder := newLake(t)
	must.Succeed(t, holder.BetweenCommits(func() error {
		ctx, interrupt := context.WithCancel(t.Context())
		var told string
		waiter := Waiter{Context: ctx, Tell: func(text string) { told = text; interrupt() }}
		_, err := waiter.Edit(holder.dir, "ingest")
		var hint *HintError
		if !errors.Is(err, context.Canceled) || !errors.As(err, &hint) ||
			!strings.Contains(told, "waiting for captionlake test (process ") || !strings.Contains(told, stopHint) {
			t.Errorf("told %q, and ended with %v", told, err)
		}
		expect.Equal(t, must.Get(os.Stat(holder.Path(commitLock)))(t).Mode().Perm(), lockMode)
		return nil
	}))
	another(t, holder)
}
