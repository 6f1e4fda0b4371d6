package remote

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/captionlake/captionlake/data"
)

// newLake is a lake of the test's own, closed. Each of its units has one row, or more.
func newLake(t testing.TB, units ...unit) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "lake")
	change(t, dir, units...)
	return dir
}

// A unit is what the tests' lakes are made of.
type unit struct {
	stage, name string
	rows        []string // ids and values, such as a=1
}

func bank(name string, rows ...string) unit  { return unit{"ingest/bank", name, rows} }
func score(name string, rows ...string) unit { return unit{"score", name, rows} }

func (u unit) stem() string { return data.Unit{Stage: u.stage, Name: u.name}.FileStem() }

// change writes units into a lake.
func change(t testing.TB, dir string, units ...unit) {
	t.Helper()
	l, err := data.Create(dir, "test")
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range units {
		tx, err := l.Begin(data.Unit{Stage: u.stage, Name: u.name, Provenance: data.ProvenanceMeasured, Fingerprint: fmt.Sprint(u.rows)})
		if err != nil {
			t.Fatal(err)
		}
		if u.stage == "ingest/images" {
			err = pictured(tx, u.rows)
		} else if u.stage == "score" {
			err = rowsOf(tx, data.Answers, u.rows, func(id, value string) data.Answer {
				return data.Answer{Protocol: u.name, Reader: "r", Captioner: "c", QuestionID: id, Outcome: value}
			})
		} else {
			err = rowsOf(tx, data.Questions, u.rows, func(id, value string) data.Question {
				return data.Question{QuestionID: u.name + id, Question: value, Options: []string{"yes", "no"}}
			})
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
}

func rowsOf[T any](tx *data.Tx, table data.Table[T], rows []string, row func(id, value string) T) error {
	w, err := data.NewRowWriter(tx, table)
	for _, r := range rows {
		id, value, _ := strings.Cut(r, "=")
		if err == nil {
			err = w.Write(row(id, value))
		}
	}
	return err
}

func pictured(tx *data.Tx, rows []string) error {
	return rowsOf(tx, data.Images, rows, func(id, value string) data.Image {
		name, err := tx.AddPicture([]byte(value), "png")
		if err != nil {
			panic(err)
		}
		return data.Image{ImageID: id, Path: name, Bytes: int64(len(value)), SHA256: digestOf([]byte(value)).SHA256}
	})
}

// rowsIn are the rows of a lake, in words, and that they are whole.
func rowsIn(t testing.TB, dir string) string {
	t.Helper()
	l, err := data.Open(dir)
	if errors.Is(err, data.ErrNotALake) {
		return ""
	}
	if err != nil {
		t.Fatal(err)
	}
	check, err := l.Verify(nil)
	if err == nil {
		err = check.Err(l)
	}
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for q, err := range data.Scan(l, data.Questions) {
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, q.QuestionID+"="+q.Question)
	}
	for a, err := range data.Scan(l, data.Answers) {
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, a.Protocol+a.QuestionID+"="+a.Outcome)
	}
	for i, err := range data.Scan(l, data.Images) {
		if err != nil {
			t.Fatal(err)
		}
		content, err := os.ReadFile(l.Path(i.Path))
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, i.ImageID+"="+string(content))
	}
	slices.Sort(rows)
	return strings.Join(rows, " ")
}

// mart publishes a mart in a lake, or several.
func mart(t testing.TB, dir string, contents ...string) {
	t.Helper()
	l, err := data.Create(dir, "test")
	if err != nil {
		t.Fatal(err)
	}
	for i, content := range contents {
		w, err := l.Store().Create("journal/mart.tmp")
		if err == nil {
			_, err = w.Write([]byte(content))
			err = errors.Join(err, w.Close(), l.Publish("journal/mart.tmp", fmt.Sprintf("marts/mart_%d.parquet", i)))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
}

func pushLake(ctx context.Context, b *bucket, dir string, o PushOptions) (Pushed, error) {
	l, err := data.Open(dir)
	if err != nil {
		return Pushed{}, err
	}
	o.Marts = true
	return b.push(ctx, l, o)
}

func push(t testing.TB, b *bucket, dir string) Pushed {
	t.Helper()
	done, err := pushLake(t.Context(), b, dir, PushOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return done
}

func pullLake(ctx context.Context, b *bucket, dir string, o PullOptions) (Pulled, error) {
	l, err := data.CreatePartial(dir, "test")
	if err != nil {
		return Pulled{}, err
	}
	done, err := b.pull(ctx, l, o)
	return done, errors.Join(err, l.Close())
}

func pull(t testing.TB, b *bucket, dir string, tables ...string) Pulled {
	t.Helper()
	done, err := pullLake(t.Context(), b, dir, PullOptions{Tables: tables})
	if err != nil {
		t.Fatal(err)
	}
	return done
}

// pulled are the rows that a new reader gets.
func pulled(t testing.TB, f *fake) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "pulled")
	_, err := pullLake(t.Context(), f.bucket(1), dir, PullOptions{})
	if errors.Is(err, ErrNoLake) {
		return ""
	}
	if err != nil {
		t.Fatal(err)
	}
	return rowsIn(t, dir)
}

// A lake that was pushed and pulled is the same lake, file by file, and again nothing travels.
func TestPushAndPull(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	from := newLake(t, bank("x", "a=1", "b=2"), score("p", "a=correct"), unit{"ingest/images", "i", []string{"one=picture", "two=other"}})
	mart(t, from, "a mart", "another")
	done := push(t, f.bucket(1), from)
	if done.Added != 3 || done.Files != 3*2+2+2 || done.Marts != 2 || done.Commit != 1 {
		t.Errorf("pushed %+v", done)
	}
	if again := push(t, f.bucket(1), from); again.Files != 0 || again.Same != 3 || again.Requests != 2 || again.Commit != 1 {
		t.Errorf("pushed again %+v", again)
	}
	into := filepath.Join(t.TempDir(), "lake")
	if done := pull(t, f.bucket(1), into); done.Units.Taken != 3 || done.Marts != 2 || done.Behind || done.Files != 10 || done.Bytes == 0 {
		t.Errorf("pulled %+v", done)
	}
	if done := pull(t, f.bucket(1), into); done.Same != 3 || done.Files != 0 || done.Requests != 2 {
		t.Errorf("pulled again %+v", done)
	}
	for _, folder := range []string{"questions", "answers", "images", "runs", "marts", "pictures"} {
		want, err := fs.Glob(os.DirFS(from), folder+"/*")
		if err != nil || len(want) == 0 {
			t.Fatal(folder, err)
		}
		for _, name := range want {
			one, err := os.ReadFile(filepath.Join(from, name))
			other, errOther := os.ReadFile(filepath.Join(into, name))
			if err != nil || errOther != nil || string(one) != string(other) {
				t.Errorf("%s differs: %v, %v", name, err, errOther)
			}
		}
	}
	if got, want := rowsIn(t, into), rowsIn(t, from); got != want {
		t.Errorf("rows %s, want %s", got, want)
	}
	// A new unit is all that travels.
	change(t, from, bank("y", "c=3"))
	if done := push(t, f.bucket(1), from); done.Added != 1 || done.Files != 2 || done.Commit != 2 {
		t.Errorf("pushed %+v", done)
	}
	if done := pull(t, f.bucket(1), into); done.Files != 2 || done.Units.Taken != 1 {
		t.Errorf("pulled %+v", done)
	}
}

// What is pushed is plain Parquet: a reader that knows nothing of lakes reads the columns of a file that the manifest names.
func TestPushedFilesArePlainParquet(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	b := f.bucket(1)
	push(t, b, newLake(t, bank("x", "a=what?")))
	h, err := b.head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s, err := b.state(t.Context(), h.pointer)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range s.files() {
		content := f.state()["lakes/one/"+file.Name].content
		pf, err := parquet.OpenFile(strings.NewReader(string(content)), int64(len(content)))
		if err != nil {
			t.Fatal(file.Name, err)
		}
		if file.Table != "questions" {
			continue
		}
		row := make([]struct {
			Question string   `parquet:"question"`
			Options  []string `parquet:"options,list"`
		}, 1)
		if _, err := parquet.NewGenericReader[struct {
			Question string   `parquet:"question"`
			Options  []string `parquet:"options,list"`
		}](pf).Read(row); (err != nil && err.Error() != "EOF") || row[0].Question != "what?" || len(row[0].Options) != 2 {
			t.Errorf("%s: %v, %v", file.Name, row, err)
		}
	}
}

// slowly says whether every variant is to be tried, rather than some.
func slowly() bool { return os.Getenv("CAPTIONLAKE_SLOW") != "" }

// killed makes a context that ends at a request, before or after it is carried out.
func killed(t testing.TB, f *fake, at int, what verdict) (context.Context, *atomic.Bool) {
	ctx, stop := context.WithCancel(t.Context())
	reached := &atomic.Bool{}
	f.intercept(func(n int, _ *http.Request) verdict {
		switch {
		case n < at:
			return answered
		case n == at:
			reached.Store(true)
			stop()
			return what
		}
		return ignored // The process is gone, and so are its other requests.
	})
	return ctx, reached
}

// A push that is killed at any request leaves the former state or the new one, whole, to everybody; the same push then goes on, and what had
// arrived does not travel again.
func TestPushKilledAtEveryStep(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	dir := newLake(t, bank("x", "a=1"), score("p", "a=correct"))
	push(t, f.bucket(1), dir)
	before := rowsIn(t, dir)
	change(t, dir, bank("x", "a=2"), bank("y", strings.Fields("c=3 d=4 e=5 f=6 g=7 h=8")...))
	after := rowsIn(t, dir)
	stored := f.state()
	small := func() *bucket { // The files travel in parts.
		b := f.bucket(1)
		b.part = 2_000
		return b
	}
	for _, what := range []verdict{ignored, unheard} {
		for at := 1; ; at++ {
			f.restore(stored)
			ctx, reached := killed(t, f, at, what)
			_, err := pushLake(ctx, small(), dir, PushOptions{})
			f.intercept(nil)
			if !reached.Load() {
				if err != nil || at < 12 {
					t.Fatalf("%d requests: %v", at, err)
				}
				break
			}
			if err == nil {
				t.Errorf("killed at request %d: no error", at)
			}
			got := pulled(t, f)
			if got != before && got != after {
				t.Fatalf("killed at request %d: readers see %s", at, got)
			}
			arrived := len(f.state())
			done := push(t, small(), dir)
			if new := len(f.state()) - arrived; done.Files > new {
				t.Errorf("killed at request %d: %d files travelled, %d were missing", at, done.Files, new)
			}
			if got := pulled(t, f); got != after {
				t.Fatalf("killed at request %d and pushed again: readers see %s", at, got)
			}
			if !slowly() {
				at += 7
			}
		}
	}
}

// A pull that is killed at any request leaves the lake as it was or with everything, and the same pull goes on.
func TestPullKilledAtEveryStep(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	dir := newLake(t, bank("x", "a=1"), score("p", "a=correct"))
	push(t, f.bucket(1), dir)
	old := filepath.Join(t.TempDir(), "old")
	pull(t, f.bucket(1), old)
	before := rowsIn(t, old)
	change(t, dir, bank("x", "a=2"), bank("y", "c=3"), unit{"ingest/images", "i", []string{"one=picture"}})
	mart(t, dir, "a mart")
	push(t, f.bucket(1), dir)
	after := rowsIn(t, dir)
	for _, tables := range [][]string{nil, {"questions", "marts"}} {
		for at := 1; ; at++ {
			into := filepath.Join(t.TempDir(), "lake")
			empty, want := before, after
			if tables == nil {
				if err := os.CopyFS(into, os.DirFS(old)); err != nil {
					t.Fatal(err)
				}
			} else {
				empty, want = "", "xa=2 yc=3"
			}
			ctx, reached := killed(t, f, at, ignored)
			_, err := pullLake(ctx, f.bucket(1), into, PullOptions{Tables: tables})
			f.intercept(nil)
			if !reached.Load() {
				if err != nil || at < 6 {
					t.Fatalf("%d requests: %v", at, err)
				}
				break
			}
			if got := partRows(t, into); err == nil || got != empty && got != want {
				t.Fatalf("killed at request %d: %v; the lake has %s", at, err, got)
			}
			pull(t, f.bucket(1), into, tables...)
			if got := partRows(t, into); got != want {
				t.Fatalf("killed at request %d and pulled again: the lake has %s, want %s", at, got, want)
			}
			if !slowly() {
				at += 2
			}
		}
	}
}

// partRows are the rows of a lake that may be a partial one.
func partRows(t testing.TB, dir string) string {
	t.Helper()
	l, err := data.Open(dir)
	if errors.Is(err, data.ErrNotALake) {
		return ""
	}
	if err != nil {
		t.Fatal(err)
	}
	if p, err := l.Partial(); err != nil || p == nil {
		return rowsIn(t, dir)
	}
	var rows []string
	for q, err := range data.Scan(l, data.Questions) {
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, q.QuestionID+"="+q.Question)
	}
	return strings.Join(rows, " ")
}

// At every request of a push another push comes in between, whole: nothing of either is lost, equal rows are one, shares of a unit are joined.
func TestTwoPushersInterleaved(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	base := newLake(t, bank("x", "a=1"))
	push(t, f.bucket(1), base)
	stored := f.state()
	one, two := filepath.Join(t.TempDir(), "one"), filepath.Join(t.TempDir(), "two")
	for _, dir := range []string{one, two} {
		if err := os.CopyFS(dir, os.DirFS(base)); err != nil {
			t.Fatal(err)
		}
	}
	change(t, one, bank("one", "b=1"), score("p", "a=correct"), bank("same", "s=1"))
	change(t, two, bank("two", "c=1"), score("p", "b=incorrect"), bank("same", "s=1"))
	const want = "oneb=1 pa=correct pb=incorrect sames=1 twoc=1 xa=1"
	for at := 1; ; at++ {
		f.restore(stored)
		var once sync.Once
		reached := &atomic.Bool{}
		f.intercept(func(n int, _ *http.Request) verdict {
			if n == at {
				once.Do(func() {
					reached.Store(true)
					push(t, f.bucket(1), two)
				})
			}
			return answered
		})
		done := push(t, f.bucket(1), one)
		f.intercept(nil)
		if !reached.Load() {
			if at < 12 {
				t.Fatalf("only %d requests", at)
			}
			return
		}
		if got := pulled(t, f); got != want {
			t.Fatalf("interrupted at request %d: readers see %s, want %s", at, got, want)
		}
		if done.Joined > 0 {
			if again := push(t, f.bucket(1), one); again.Files > 0 {
				t.Errorf("interrupted at request %d: pushed again %+v", at, again)
			}
		}
		if !slowly() {
			at += 3
		}
	}
}

// Many push at once: each of them is there in the end.
func TestManyPushers(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	var group sync.WaitGroup
	var want []string
	for i := range 6 {
		name := fmt.Sprint("u", i)
		want = append(want, name+"a=1", fmt.Sprintf("pq%d=correct", i))
		dir := newLake(t, bank(name, "a=1"), score("p", fmt.Sprintf("q%d=correct", i)))
		group.Go(func() {
			b := f.bucket(1)
			b.pause = time.Millisecond
			if _, err := pushLake(t.Context(), b, dir, PushOptions{}); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	slices.Sort(want)
	if got := pulled(t, f); got != strings.Join(want, " ") {
		t.Errorf("readers see %s, want %s", got, want)
	}
}

// Units that differ are an error that names both, until somebody decides; those that one side has run on are no difference.
func TestUnitsThatDiffer(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	base := newLake(t, bank("x", "a=1"), score("p", "a=correct"))
	push(t, f.bucket(1), base)
	other := filepath.Join(t.TempDir(), "other")
	pull(t, f.bucket(1), other)

	// One goes on from what both have.
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
	if !errors.Is(err, data.ErrUnitsDiffer) {
		t.Fatalf("both were run on: %v", err)
	}
	for _, word := range []string{base, "s3://bucket/lakes/one", bank("x").stem(), "1 rows differ"} {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("the error does not name %s: %v", word, err)
		}
	}
	if got := f.state(); !maps.EqualFunc(got, stored, func(a, b object) bool { return string(a.content) == string(b.content) }) {
		t.Error("something was pushed")
	}
	if _, err := pullLake(t.Context(), f.bucket(1), base, PullOptions{}); !errors.Is(err, data.ErrUnitsDiffer) || !strings.Contains(err.Error(), "s3://bucket/lakes/one") || rowsIn(t, base) != "pa=correct xa=3" {
		t.Errorf("pulled %v, %s", err, rowsIn(t, base))
	}
	for prefer, want := range map[string]string{data.PreferOurs: "pa=correct xa=3", data.PreferTheirs: "pa=correct xa=4"} {
		f.restore(stored)
		if _, err := pushLake(t.Context(), f.bucket(1), base, PushOptions{Prefer: prefer}); err != nil || pulled(t, f) != want {
			t.Errorf("%s preferred: %v, %s", prefer, err, pulled(t, f))
		}
	}
	f.restore(stored)
	if _, err := pullLake(t.Context(), f.bucket(1), base, PullOptions{Prefer: data.PreferTheirs}); err != nil || rowsIn(t, base) != "pa=correct xa=4" {
		t.Errorf("pulled %v, %s", err, rowsIn(t, base))
	}

	// Equal rows of other bytes are no difference, and do not travel.
	same := newLake(t, score("p", "a=correct"))
	if done := push(t, f.bucket(1), same); done.Same != 1 || done.Files > 0 || done.Others != 1 {
		t.Errorf("equal rows: %+v", done)
	}
	if done := pull(t, f.bucket(1), same); done.Units.Same != 1 || done.Units.Taken != 1 {
		t.Errorf("equal rows: %+v", done)
	}

	// A unit is removed by its name alone.
	if done, err := pushLake(t.Context(), f.bucket(1), other, PushOptions{Remove: []string{bank("x").stem()}}); err != nil || done.Removed != 1 || pulled(t, f) != "pa=correct" {
		t.Errorf("removed %+v, %v, %s", done, err, pulled(t, f))
	}
	if _, err := pushLake(t.Context(), f.bucket(1), other, PushOptions{Remove: []string{"no-such-unit"}}); err == nil || !strings.Contains(err.Error(), "no-such-unit") {
		t.Errorf("removed what is not there: %v", err)
	}
}

// Two units of other names that repeat one another's keys cannot be in one lake: the pull that brings them together names both, takes
// nothing, and removing one there helps.
func TestUnitsOfEqualKeys(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	one, two := bank("x", "a=1"), unit{"ingest/again", "x", []string{"a=2"}}
	push(t, f.bucket(1), newLake(t, one))
	other := newLake(t, two)
	push(t, f.bucket(1), other)
	into := filepath.Join(t.TempDir(), "lake")
	_, err := pullLake(t.Context(), f.bucket(1), into, PullOptions{})
	if !errors.Is(err, data.ErrDuplicateKey) || !strings.Contains(err.Error(), one.stem()) || !strings.Contains(err.Error(), two.stem()) || rowsIn(t, into) != "" {
		t.Errorf("pulled: %v, %s", err, rowsIn(t, into))
	}
	if _, err := pullLake(t.Context(), f.bucket(1), other, PullOptions{}); err == nil || !strings.Contains(err.Error(), two.stem()) {
		t.Errorf("pulled into one that has the other: %v", err)
	}
	if _, err := pushLake(t.Context(), f.bucket(1), other, PushOptions{Remove: []string{one.stem()}}); err != nil || pulled(t, f) != "xa=2" {
		t.Errorf("removed: %v", err)
	}
}

// Marts are pushed and pulled where they are those of the units.
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
	if done := pull(t, f.bucket(1), filepath.Join(t.TempDir(), "results"), "marts"); done.Marts != 1 || !done.Behind {
		t.Errorf("marts of a part, alone: %+v", done)
	}
	mart(t, into, "of both")
	push(t, f.bucket(1), into)
	if done := pull(t, f.bucket(1), two); done.Marts != 1 || done.Behind {
		t.Errorf("marts of all: %+v", done)
	}
	if content, err := os.ReadFile(filepath.Join(two, "marts/mart_0.parquet")); err != nil || string(content) != "of both" {
		t.Errorf("the mart is %q, %v", content, err)
	}
}

// A lake of some tables is for reading, stays in step with what it was taken from, and becomes whole on demand.
func TestPartialLake(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	from := newLake(t, bank("x", "a=1"), bank("y", "b=2"), score("p", "a=correct"))
	mart(t, from, "a mart")
	push(t, f.bucket(1), from)
	into := filepath.Join(t.TempDir(), "lake")
	if done := pull(t, f.bucket(1), into, "questions", "marts"); done.Files != 3 || done.Marts != 1 {
		t.Errorf("pulled %+v", done)
	}
	if got := partRows(t, into); got != "xa=1 yb=2" {
		t.Errorf("rows %s", got)
	}
	if _, err := data.Create(into, "test"); !errors.Is(err, data.ErrPartial) {
		t.Errorf("a writer: %v", err)
	}
	if _, err := pushLake(t.Context(), f.bucket(1), into, PushOptions{}); !errors.Is(err, data.ErrPartial) {
		t.Errorf("pushed: %v", err)
	}
	l, err := data.Open(into)
	if err != nil || !strings.Contains(strings.Join(l.Notices(), ""), "marts, questions of s3://bucket/lakes/one only") {
		t.Errorf("a reader: %v", err)
	}
	change(t, from, bank("x", "a=5"))
	if _, err := pushLake(t.Context(), f.bucket(1), from, PushOptions{Remove: []string{bank("y").stem()}}); err != nil {
		t.Fatal(err)
	}
	if done := pull(t, f.bucket(1), into); done.Files != 1 || partRows(t, into) != "xa=5" {
		t.Errorf("brought up to date: %+v, %s", done, partRows(t, into))
	}
	if done := pull(t, f.bucket(1), into, AllTables); done.Files != 3 || rowsIn(t, into) != "pa=correct xa=5" {
		t.Errorf("made whole: %+v, %s", done, rowsIn(t, into))
	}
	change(t, into, bank("z", "c=1"))
	if _, err := pullLake(t.Context(), f.bucket(1), into, PullOptions{Tables: []string{"questions"}}); err == nil || !strings.Contains(err.Error(), "units of its own") {
		t.Errorf("some tables into a whole lake: %v", err)
	}
	if _, err := pullLake(t.Context(), f.bucket(1), into, PullOptions{Tables: []string{"question"}}); err == nil || !strings.Contains(err.Error(), `no table "question"`) {
		t.Errorf("a table that there is not: %v", err)
	}
}

// The answer to the request that commits can be lost, with the request sent again: the push knows its own commit.
func TestCommitWithoutAnAnswer(t *testing.T) {
	t.Parallel()
	for _, tries := range []int{1, 3} {
		f := newFake(t)
		dir := newLake(t, bank("x", "a=1"))
		lost := false
		f.intercept(func(_ int, r *http.Request) verdict {
			if r.Method == http.MethodPut && strings.HasSuffix(r.URL.Path, commitName) && !lost {
				lost = true
				return unheard
			}
			return answered
		})
		if done := push(t, f.bucket(tries), dir); done.Commit != 1 || !lost {
			t.Errorf("%d tries: %+v", tries, done)
		}
	}
}

// A network that fails costs time alone.
func TestFailingNetwork(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	dir := newLake(t, bank("x", "a=1"), bank("y", "a=1"), score("p", "a=correct"))
	var mu sync.Mutex
	draw := rand.New(rand.NewPCG(1, 2))
	f.intercept(func(int, *http.Request) verdict {
		mu.Lock()
		defer mu.Unlock()
		return []verdict{answered, answered, answered, ignored, unheard, busy, cut}[draw.IntN(7)]
	})
	b := f.bucket(12)
	b.part = 2_000
	push(t, b, dir)
	into := filepath.Join(t.TempDir(), "lake")
	pull(t, f.bucket(12), into)
	if got, want := rowsIn(t, into), rowsIn(t, dir); got != want {
		t.Errorf("rows %s, want %s", got, want)
	}
	// What has arrived of a file does not travel again.
	var ranges atomic.Int64
	f.intercept(func(_ int, r *http.Request) verdict {
		if r.Header.Get("Range") != "" {
			ranges.Add(1)
			return answered
		}
		return cut
	})
	want := digestOf(f.state()["lakes/one/"+commitName].content)
	var got strings.Builder
	if err := f.bucket(1).fetch(t.Context(), commitName, want, &got); err != nil || ranges.Load() != 1 || digestOf([]byte(got.String())) != want {
		t.Errorf("%v, %d ranges", err, ranges.Load())
	}
}

// Nothing that storage says reaches a lake unless it is what was pushed.
func TestDamageInStorage(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	dir := newLake(t, bank("x", "a=1"))
	push(t, f.bucket(1), dir)
	stored := f.state()
	for name, o := range stored {
		for what, content := range map[string][]byte{"changed": append([]byte("x"), o.content[1:]...), "short": o.content[:len(o.content)/2], "empty": {}, "gone": nil} {
			f.restore(stored)
			if f.objects[name] = (object{content, o.written}); content == nil {
				delete(f.objects, name)
			}
			into := filepath.Join(t.TempDir(), "lake")
			_, err := pullLake(t.Context(), f.bucket(1), into, PullOptions{})
			gone := what == "gone" && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrNoLake))
			if !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrNewer) && !gone {
				t.Errorf("%s %s: %v", name, what, err)
			}
			if got := rowsIn(t, into); got != "" {
				t.Errorf("%s %s: the lake has %s", name, what, got)
			}
		}
	}
	// On the way, too.
	f.restore(stored)
	f.intercept(func(_ int, r *http.Request) verdict {
		if strings.HasSuffix(r.URL.Path, ".parquet") {
			return corrupted
		}
		return answered
	})
	if _, err := pullLake(t.Context(), f.bucket(1), filepath.Join(t.TempDir(), "lake"), PullOptions{}); !errors.Is(err, ErrDamaged) {
		t.Errorf("damaged on the way: %v", err)
	}
	// A file of the lake that is damaged does not travel.
	file := filepath.Join(dir, "questions", bank("x").stem()+".parquet")
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	content[len(content)/2] ^= 1
	if err := os.WriteFile(file, content, 0o666); err != nil {
		t.Fatal(err)
	}
	empty := newFake(t)
	if _, err := pushLake(t.Context(), empty.bucket(1), dir, PushOptions{}); err == nil || !strings.Contains(err.Error(), "is not the file that was committed") {
		t.Errorf("a damaged lake: %v", err)
	}
}

// A server that takes no notice of conditions is told at the first push.
func TestCarelessServer(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.careless = true
	_, err := pushLake(t.Context(), f.bucket(1), newLake(t, bank("x", "a=1")), PushOptions{})
	var hint *data.HintError
	if err == nil || !strings.Contains(err.Error(), "ignores conditions") || !errors.As(err, &hint) || !strings.Contains(hint.Hint, "If-None-Match") {
		t.Errorf("pushed: %v", err)
	}
}

// Sweeping takes what no commit names and is old, and spares what is young, named by the commit or a former one, or not captionlake's.
func TestSweep(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	began := time.Now().Add(-3 * grace)
	f.now = func() time.Time { return began }
	dir := newLake(t, bank("x", "a=0"))
	for i := range mostFormer + 3 {
		change(t, dir, bank("x", fmt.Sprintf("a=%d", i)))
		push(t, f.bucket(1), dir)
	}
	const foreign, another = "lakes/one/notes.txt", "lakes/other/questions/x.parquet"
	f.objects[foreign], f.objects[another] = object{[]byte("mine"), began}, object{[]byte("theirs"), began}
	// A push that was killed has left a file, and parts of another.
	change(t, dir, bank("y", "a=1"))
	for at := range 8 {
		ctx, _ := killed(t, f, at+1, ignored)
		b := f.bucket(1)
		b.part = 1_500
		_, _ = pushLake(ctx, b, dir, PushOptions{})
		f.intercept(nil)
	}
	left := len(f.state())
	f.now = func() time.Time { return began.Add(grace - time.Hour) }
	done, err := f.bucket(1).sweep(t.Context(), grace)
	if err != nil || done.Objects > 0 || done.Young == 0 || len(f.state()) != left {
		t.Errorf("young: %+v, %v", done, err)
	}
	f.now = func() time.Time { return began.Add(grace + time.Hour) }
	done, err = f.bucket(1).sweep(t.Context(), grace)
	if err != nil || done.Objects < 6 || done.Bytes == 0 || done.Young > 0 || len(f.state()) != left-done.Objects || len(f.keys) > 0 {
		t.Errorf("old: %+v, %v, %d uploads", done, err, len(f.keys))
	}
	for _, name := range []string{foreign, another} {
		if _, there := f.state()[name]; !there {
			t.Errorf("%s is gone", name)
		}
	}
	if got := pulled(t, f); got != fmt.Sprintf("xa=%d", mostFormer+2) {
		t.Errorf("readers see %s", got)
	}
	h, err := f.bucket(1).head(t.Context())
	if err != nil || len(h.Former) != mostFormer {
		t.Fatalf("%d former commits, %v", len(h.Former), err)
	}
	for _, p := range h.Former { // Who reads one finds all of it.
		s, err := f.bucket(1).state(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range s.files() {
			if _, there := f.state()["lakes/one/"+file.Name]; !there {
				t.Errorf("%s of commit %d is gone", file.Name, p.Number)
			}
		}
	}
}

// A push does not rely on what a sweep may take: what no commit names and is old travels again.
func TestOldLeftoversTravelAgain(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	dir := newLake(t, bank("x", "a=1"))
	push(t, f.bucket(1), dir)
	for name, o := range f.objects {
		if strings.HasSuffix(name, ".json") {
			delete(f.objects, name)
			continue
		}
		o.written = time.Now().Add(-grace * 3 / 4)
		f.objects[name] = o
	}
	if done := push(t, f.bucket(1), dir); done.Files != 2 {
		t.Errorf("pushed %+v", done)
	}
}

// A reader whose files are swept in the middle, because there are many later commits, takes the last one.
func TestReaderOfAStateThatIsSwept(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	dir := newLake(t, bank("x", "a=1"))
	push(t, f.bucket(1), dir)
	swept := false
	f.intercept(func(_ int, r *http.Request) verdict {
		if swept || !strings.Contains(r.URL.Path, "/questions/") {
			return answered
		}
		swept = true
		f.intercept(nil)
		change(t, dir, bank("x", "a=2"))
		push(t, f.bucket(1), dir)
		f.mu.Lock()
		delete(f.objects, strings.TrimPrefix(r.URL.Path, "/bucket/"))
		f.mu.Unlock()
		return answered
	})
	if got := pulled(t, f); got != "xa=2" || !swept {
		t.Errorf("readers see %s", got)
	}
}

func TestAddress(t *testing.T) {
	for text, want := range map[string]string{
		"s3://bucket": "s3://bucket", "s3://bucket/": "s3://bucket", "s3://my.bucket-1/a/b c/": "s3://my.bucket-1/a/b c",
		"bucket/lake": "", "s3://": "", "s3://Bucket/x": "", "s3://b/x": "", "s3://bucket/a//b": "", "s3://bucket/../x": "", "s3://bucket/./x": "",
		"s3://AKIA:secret@bucket/x": "", "s3://bucket/a\nb": "", "s3://bucket/\xff": "", "s3://bucket/" + strings.Repeat("x", 600): "",
	} {
		a, err := ParseAddress(text)
		if (err == nil) != (want != "") || err == nil && a.String() != want {
			t.Errorf("%q: %v, %v", text, a, err)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%q is repeated: %v", text, err)
		}
	}
}

// A pushed file's name gives its unit back, and no other name does.
func TestUnitOf(t *testing.T) {
	sum := digestOf([]byte("x"))
	for name, want := range map[string]string{
		ObjectName("questions", "ingest-bank-1.2-0123abcd", sum):       "ingest-bank-1.2-0123abcd",
		ObjectName("answers", "ingest-bank-0123abcd", sum):             "",
		"questions/ingest-bank-0123abcd.parquet":                       "",
		"questions/../ingest-bank-0123abcd." + sum.SHA256 + ".parquet": "",
		"questions/ingest-bank-0123abcd.abc.parquet":                   "",
		"": "",
	} {
		if got := UnitOf("questions", name); got != want {
			t.Errorf("%s is of the unit %q, want %q", name, got, want)
		}
	}
}

// Errors say what to do, and nothing secret.
func TestErrorsOfRequests(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	dir := newLake(t, bank("x", "a=1"))
	wrong := f.bucket(1)
	wrong.Bucket = "other"
	gone := f.bucket(1)
	denied := newFake(t)
	denied.intercept(func(int, *http.Request) verdict { return busy })
	for name, b := range map[string]*bucket{"make the bucket first": wrong, "captionlake push": gone, "run the same command again": denied.bucket(1)} {
		_, err := pullLake(t.Context(), b, filepath.Join(t.TempDir(), "lake"), PullOptions{})
		var hint *data.HintError
		if !errors.As(err, &hint) || !strings.Contains(hint.Hint, name) {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil && strings.Contains(err.Error()+fmt.Sprintf("%+v", err), "very secret") {
			t.Errorf("the error has the key: %v", err)
		}
	}
	off := newFake(t)
	b := off.bucket(1)
	off.Close()
	_, err := pushLake(t.Context(), b, dir, PushOptions{})
	var hint *data.HintError
	if !errors.As(err, &hint) || !strings.Contains(hint.Hint, "AWS_ENDPOINT_URL") {
		t.Errorf("nobody there: %v", err)
	}
}

// validState is a manifest and a commit as a push writes them.
func validState(t testing.TB) (manifest, commit []byte) {
	f := newFake(t)
	dir := newLake(t, bank("x", "a=1"), unit{"ingest/images", "i", []string{"one=picture"}})
	mart(t, dir, "a mart")
	push(t, f.bucket(1), dir)
	change(t, dir, bank("x", "a=2"))
	push(t, f.bucket(1), dir)
	b := f.bucket(1)
	h, err := b.head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	stored := f.state()
	return stored["lakes/one/"+manifestName(h.Manifest)].content, stored["lakes/one/"+commitName].content
}

// Whatever a manifest says, what is read from it leads nowhere but into the lake and below the address, and is written as it was read.
func FuzzManifest(f *testing.F) {
	manifest, _ := validState(f)
	f.Add(manifest)
	for _, hostile := range []string{"../../etc/passwd", "/etc/passwd", `questions/..\\x.parquet`, "questions/a/b.parquet"} {
		f.Add([]byte(strings.ReplaceAll(string(manifest), "questions/", hostile)))
		f.Add([]byte(strings.ReplaceAll(string(manifest), bank("x").stem(), hostile)))
		f.Add([]byte(strings.ReplaceAll(string(manifest), `"mart_0"`, `"`+hostile+`"`)))
	}
	f.Add([]byte(`{"layout":2}`))
	f.Add([]byte(`{"layout":1,"units":null,"files":null}`))
	f.Fuzz(func(t *testing.T, content []byte) {
		s, err := decodeManifest(content)
		if err != nil {
			return
		}
		for _, file := range s.files() {
			for _, name := range []string{file.Name, file.inLake()} {
				if !filepath.IsLocal(name) || strings.Count(name, "/") != 1 || strings.ContainsAny(name, "\\\x00\n") {
					t.Fatalf("the name %q", name)
				}
			}
			if !ours.MatchString(file.Name) {
				t.Fatalf("%q would never be swept", file.Name)
			}
		}
		again, err := s.encode()
		if err != nil {
			t.Fatal(err)
		}
		if back, err := decodeManifest(again); err != nil || back.rows() != s.rows() {
			t.Fatalf("written anew: %v", err)
		}
	})
}

func FuzzCommit(f *testing.F) {
	_, commit := validState(f)
	f.Add(commit)
	f.Add([]byte(`{"layout":1,"number":1}`))
	f.Fuzz(func(t *testing.T, content []byte) {
		c, err := decodeCommit(content)
		if err != nil {
			return
		}
		for _, p := range append(c.Former, c.pointer) {
			if name := manifestName(p.Manifest); !filepath.IsLocal(name) || strings.Count(name, "/") != 1 || p.Number < 1 {
				t.Fatalf("%+v", p)
			}
		}
	})
}
