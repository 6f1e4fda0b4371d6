package remote

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

// Units that differ are an error that names both, until somebody decides. Units that one side has
// run on are no difference.
func TestUnitsThatDiffer(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	base := newLake(t, bank("x", "a=1"), score("p", "a=correct"))
	push(t, f.bucket(1), base)
	other := filepath.Join(t.TempDir(), "other")
	pull(t, f.bucket(1), other)

	// One goes on from the state that both have.
	change(t, other, bank("x", "a=2"))
	if done := push(t, f.bucket(1), other); done.Replaced != 1 || done.Same != 1 {
		t.Errorf("run on there: %+v", done)
	}
	if done := push(t, f.bucket(1), base); done.Kept != 1 || done.Files > 0 {
		t.Errorf("not run on here: %+v", done)
	}
	if done := pull(t, f.bucket(1), base); done.Units.Replaced != 1 || rowsIn(t, base) != "pa=correct xa=2" {
		t.Errorf("run on there: %+v, %s", done, rowsIn(t, base))
	}

	// Both go on.
	change(t, base, bank("x", "a=3"))
	change(t, other, bank("x", "a=4"))
	push(t, f.bucket(1), other)
	stored := f.state()
	_, err := pushLake(t.Context(), f.bucket(1), base, PushOptions{})
	expect.Failure(t, err, data.ErrUnitsDiffer, base, "s3://bucket/lakes/one", bank("x").stem())
	if got := f.state(); !maps.EqualFunc(got, stored,
		func(a, b object) bool { return string(a.content) == string(b.content) }) {
		t.Error("something was pushed")
	}
	expect.Refusal(pullLake(t.Context(), f.bucket(1), base, PullOptions{}))(t, data.ErrUnitsDiffer,
		"s3://bucket/lakes/one")
	expect.Equal(t, rowsIn(t, base), "pa=correct xa=3")
	for prefer, want := range map[string]string{data.PreferOurs: "pa=correct xa=3",
		data.PreferTheirs: "pa=correct xa=4"} {
		f.restore(stored)
		decided := filepath.Join(t.TempDir(), "decided")
		must.Succeed(t, os.CopyFS(decided, os.DirFS(base)))
		must.Get(pullLake(t.Context(), f.bucket(1), decided, PullOptions{Prefer: prefer}))(t)
		push(t, f.bucket(1), decided)
		if got := pulled(t, f.bucket(1)); got != want || rowsIn(t, decided) != want {
			t.Errorf("%s preferred: %s there, %s here", prefer, got, rowsIn(t, decided))
		}
	}
	f.restore(stored)

	// Equal rows that both have made are no difference, which a pull finds out.
	same := newLake(t, score("p", "a=correct"))
	expect.Refusal(pushLake(t.Context(), f.bucket(1), same, PushOptions{}))(t, data.ErrUnitsDiffer)
	if done := pull(t, f.bucket(1), same); done.Units.Same != 1 || done.Units.Taken != 1 {
		t.Errorf("equal rows: %+v", done)
	}
	if done := push(t, f.bucket(1), same); done.Replaced != 1 || done.Same != 1 ||
		pulled(t, f.bucket(1)) != rowsIn(t, same) {
		t.Errorf("equal rows: %+v", done)
	}

	// A unit is removed by its name alone.
	done := must.Get(pushLake(t.Context(), f.bucket(1), other, PushOptions{Remove: []string{bank("x").stem()}}))(t)
	expect.Equal(t, done.Removed, 1)
	expect.Equal(t, pulled(t, f.bucket(1)), "pa=correct")
	expect.Refusal(pushLake(t.Context(), f.bucket(1), other, PushOptions{Remove: []string{"no-such-unit"}}))(t,
		"no-such-unit")
}

// Two units of other names that repeat one another's keys cannot be in one lake: the pull that
// brings them together names both, takes nothing, and removing one there helps.
func TestUnitsOfEqualKeys(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	one, two := bank("x", "a=1"), unit{"ingest/again", "x", []string{"a=2"}}
	push(t, f.bucket(1), newLake(t, one))
	other := newLake(t, two)
	push(t, f.bucket(1), other)
	into := filepath.Join(t.TempDir(), "lake")
	expect.Refusal(pullLake(t.Context(), f.bucket(1), into, PullOptions{}))(t, data.ErrDuplicateKey, one.stem(),
		two.stem())
	expect.Equal(t, rowsIn(t, into), "")
	expect.Refusal(pullLake(t.Context(), f.bucket(1), other, PullOptions{}))(t, two.stem())
	must.Get(pushLake(t.Context(), f.bucket(1), other, PushOptions{Remove: []string{one.stem()}}))(t)
	expect.Equal(t, pulled(t, f.bucket(1)), "xa=2")
}

// A pull refuses a link in the place of its folder, because the link may lead to the lake's files.
func TestPullStaysInItsFolder(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	push(t, f.bucket(1), newLake(t, bank("one", "a=1")))
	into := newLake(t, bank("two", "b=1"))
	must.Succeed(t, errors.Join(os.MkdirAll(filepath.Join(into, "cache"), 0o755),
		os.Symlink("..", filepath.Join(into, stageFolder))))
	expect.Refusal(pullLake(t.Context(), f.bucket(1), into, PullOptions{}))(t, "is not a folder")
	expect.Equal(t, rowsIn(t, into), "twob=1")
}

// Marts are pushed and pulled where they belong to the units.
func TestMartsAreThoseOfTheUnits(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	one, two := newLake(t, bank("one", "a=1")), newLake(t, bank("two", "b=1"))
	mart(t, one, "of one")
	mart(t, two, "of two")
	push(t, f.bucket(1), one)
	if done := push(t, f.bucket(1), two); done.Marts != 0 || done.Others != 1 {
		t.Errorf("marts of a part: %+v", done)
	}
	into := filepath.Join(t.TempDir(), "lake")
	if done := pull(t, f.bucket(1), into); done.Marts != 0 || !done.Behind {
		t.Errorf("marts of a part: %+v", done)
	}
	mart(t, into, "of both")
	push(t, f.bucket(1), into)
	if done := pull(t, f.bucket(1), two); done.Marts != 1 || done.Behind {
		t.Errorf("marts of all: %+v", done)
	}
	expect.Equal(t, string(must.Read(t, filepath.Join(two, "marts/mart_0.parquet"))), "of both")
	// A fold has fewer buckets than before: the others go.
	edited := must.Get(data.Waiter{}.Edit(into, "analyze"))(t)
	buckets := map[string]string{}
	for _, name := range []string{"00", "01"} {
		must.Write(t, edited.Path(edited.Temp(name)), name)
		buckets[edited.Temp(name)] = "marts/fold/" + name + ".parquet"
	}
	must.Succeed(t, edited.Publish(buckets))
	push(t, f.bucket(1), into)
	pull(t, f.bucket(1), two)
	must.Write(t, edited.Path(edited.Temp("00")), "both")
	must.Succeed(t, edited.Publish(map[string]string{edited.Temp("00"): "marts/fold/00.parquet"},
		"marts/fold/01.parquet"))
	must.Succeed(t, edited.Close())
	push(t, f.bucket(1), into)
	pull(t, f.bucket(1), two)
	expect.Equal(t, string(must.Read(t, filepath.Join(two, "marts/fold/00.parquet"))), "both")
	expect.Refusal(os.Stat(filepath.Join(two, "marts/fold/01.parquet")))(t, os.ErrNotExist)
	// The lake's marts have rows of the unit that storage loses.
	done := must.Get(pushLake(t.Context(), f.bucket(1), into,
		PushOptions{Marts: true, Remove: []string{bank("two").stem()}}))(t)
	expect.Equal(t, fmt.Sprint(done.Removed, done.Marts), "1 0")
}
