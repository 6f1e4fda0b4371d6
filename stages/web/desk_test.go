package web

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

const journalName = "test-00000000"

type deskTest struct {
	*testing.T
	*Desk[string]
	lake *data.Lake
	at   time.Time
}

func newDesk(t *testing.T, items ...Item) *deskTest {
	t.Helper()
	lake, err := data.Create(t.TempDir(), "test")
	must.Succeed(t, err)
	t.Cleanup(func() { _ = lake.Close() })
	d := &deskTest{T: t, lake: lake, at: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	if d.Desk, err = NewDesk[string](lake, journalName, items, nil, false,
		func() time.Time { return d.at }); err != nil {
		t.Fatal(err)
	}
	return d
}

func (d *deskTest) pass(seconds int) { d.at = d.at.Add(time.Duration(seconds) * time.Second) }

func (d *deskTest) wantNext(person, item string, waiting bool) {
	d.Helper()
	if got, waits := d.Next(person); got != item || waits != waiting {
		d.Fatalf("next of %s is %q, waiting %v; want %q, %v", person, got, waits, item, waiting)
	}
}

func (d *deskTest) decide(person, item string) Decision[string] {
	d.Helper()
	return must.Get(d.Decide(person, item, Look{}, false, "yes", false))(d)
}

func TestClaimsEnd(t *testing.T) {
	t.Parallel()
	d := newDesk(t, Item{"1", 1, false}, Item{"2", 1, false})
	d.wantNext("ada", "1", false)
	d.pass(29 * 60)
	d.wantNext("bob", "2", false)
	d.pass(2 * 60)
	d.wantNext("cy", "1", false) // Ada's claim has ended, Bob's has not.
	d.wantNext("ada", "", true)  // She has lost it.
	if decision := d.decide("ada", "1"); decision.Seconds != nil {
		t.Errorf("the time of an item that is no longer shown is known: %v", *decision.Seconds)
	}
	d.pass(29 * 60)
	d.wantNext("ada", "2", false)
	d.pass(60)
	// Cy was asked before Ada decided: the decision is kept, though one would have been enough.
	expect.Equal(t, *d.decide("cy", "1").Seconds, 1800)
	if p := d.Progress(); p.Made != 1 || p.Complete != 1 {
		t.Errorf("progress %+v", p)
	}
}

// Whoever returns after the claim has ended, and finds the item still open, begins anew.
func TestComingBackBeginsAnew(t *testing.T) {
	t.Parallel()
	d := newDesk(t, Item{"1", 1, false})
	d.wantNext("ada", "1", false)
	d.pass(3600)
	d.wantNext("ada", "1", false)
	d.pass(30)
	expect.Equal(t, *d.decide("ada", "1").Seconds, 30)
}

func TestUndo(t *testing.T) {
	t.Parallel()
	d := newDesk(t, Item{"1", 1, false}, Item{"2", 1, false}, Item{"3", 1, false})
	expect.Refusal(d.Undo("ada"))(t, ErrNothing)
	d.wantNext("ada", "1", false)
	d.pass(40)
	d.decide("ada", "1")
	d.wantNext("ada", "2", false)
	d.pass(7)
	must.Get(d.Undo("ada"))(t)
	d.wantNext("ada", "1", false)
	d.wantNext("bob", "2", false)
	d.pass(3)
	if decision := d.decide("ada", "1"); *decision.Seconds != 43 { // 40 of the first look and 3 of the second
		t.Errorf("%v seconds", *decision.Seconds)
	}
	expect.Refusal(d.Decide("ada", "1", Look{}, false, "no", false))(t, ErrDecided)
	expect.Refusal(d.Decide("ada", "4", Look{}, false, "no", false))(t, ErrUnknownItem)
	d.wantNext("ada", "3", false)
	if c := d.Of("ada"); c.Decided != 1 || c.Skipped != 0 || c.Quick != 0 {
		t.Errorf("counts %+v", c)
	}
}

// A skipped item goes to others, and is not shown again to whoever skipped it. Time in which the
// page was hidden is left out.
func TestSkipAndAway(t *testing.T) {
	t.Parallel()
	d := newDesk(t, Item{"1", 1, false})
	d.wantNext("ada", "1", false)
	must.Get(d.Decide("ada", "1", Look{}, true, "", false))(t)
	d.wantNext("ada", "", false)
	d.wantNext("bob", "1", false)
	d.pass(60)
	decision, err := d.Decide("bob", "1", Look{Away: 56 * time.Second}, false, "", false)
	if err != nil || *decision.Seconds != 4 {
		t.Errorf("%v, error %v", decision.Seconds, err)
	}
	for name, want := range map[string][3]int{"ada": {0, 1, 0}, "bob": {1, 0, 1}, "nobody": {}} {
		c := d.Of(name)
		expect.Equal(t, [3]int{c.Decided, c.Skipped, c.Quick}, want, name)
	}
}

// A person may ask for an item, decided or not, that nobody has before them.
func TestChosenItems(t *testing.T) {
	t.Parallel()
	d := newDesk(t, Item{"1", 1, false}, Item{"2", 1, false}, Item{"3", 1, false})
	look := func(person, item string) {
		t.Helper()
		if holder, err := d.Open(person, item); holder != "" || err != nil {
			t.Fatalf("%s opens %s: holder %q, error %v", person, item, holder, err)
		}
	}
	look("ada", "2")
	d.pass(10)
	d.wantNext("bob", "1", false)
	look("ada", "3") // The other is released, and its time is kept.
	if holder, err := d.Open("bob", "3"); holder != "ada" || err != nil {
		t.Errorf("an item of another: holder %q, error %v", holder, err)
	}
	expect.Refusal(d.Open("bob", "4"))(t, ErrUnknownItem)
	if holder, err := d.Open("ada", "2"); holder != "" || err != nil {
		t.Errorf("an item of nobody: holder %q, error %v", holder, err)
	}
	d.pass(5)
	expect.Equal(t, *d.decide("ada", "2").Seconds, 15)
	if _, err := d.Open("bob", "2"); err != nil { // Bob has a look at what is decided.
		t.Error(err)
	}
	if d.Holder("ada", "2") != "bob" || d.Holder("ada", "1") != "" || d.Holder("bob", "2") != "" {
		t.Error("another person has item 1, or Bob does not have item 2")
	}
	d.decide("bob", "2")
	if made := d.Decisions(); len(made) != 1 || len(made["2"]) != 2 || made["2"][0].Person != "ada" ||
		made["2"][1].Person != "bob" {
		t.Errorf("decisions %+v", made)
	}
	if p := d.Progress(); p.Made != 1 || p.Complete != 1 {
		t.Errorf("progress %+v", p)
	}
}

// A revision replaces what the person had decided, and undo brings that back, in memory and on
// disk.
func TestRevise(t *testing.T) {
	t.Parallel()
	d := newDesk(t, Item{"1", 1, false}, Item{"2", 1, false})
	revise := func(item, value string) {
		t.Helper()
		must.Get(d.Decide("ada", item, Look{}, false, value, true))(t)
		d.pass(1)
	}
	said := func(want string) {
		t.Helper()
		about := d.Decisions()["1"]
		if c := d.Of("ada"); len(about) != 1 || about[0].Value != want || c.Decided != 2 {
			t.Errorf("about item 1: %+v, counts %+v; want %s", about, c, want)
		}
	}
	revise("1", "first")
	revise("2", "other")
	revise("1", "second")
	revise("1", "third")
	said("third")
	if p := d.Progress(); p.Made != 2 || p.Complete != 2 {
		t.Errorf("progress %+v", p)
	}
	for _, want := range []string{"second", "first"} {
		must.Get(d.Undo("ada"))(t)
		said(want)
	}
	if last := d.Last("ada"); last.Item != "2" {
		t.Errorf("the last decision is about %s", last.Item)
	}
	must.Succeed(t, d.Close())
	latest := map[string]Decision[string]{}
	for decision, err := range data.JournalRows[Decision[string]](d.lake, journalName) {
		must.Succeed(t, err)
		latest[decision.Item] = decision
	}
	if latest["1"].Value != "first" || latest["1"].Undone || latest["2"].Value != "other" {
		t.Errorf("on disk: %+v", latest)
	}
}

// Many people at once: each item gets as many decisions as it needs, each person one for an item,
// and all are on disk.
func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	var items []Item
	needed := 0
	for i := range 120 {
		items = append(items, Item{fmt.Sprint(i), 1 + i%2, false})
		needed += 1 + i%2
	}
	d := newDesk(t, items...)
	var all sync.WaitGroup
	for p := range 8 {
		all.Go(func() {
			name := fmt.Sprint("person ", p)
			for {
				item, waiting := d.Next(name)
				if waiting {
					time.Sleep(time.Millisecond)
					continue
				}
				if item == "" {
					return
				}
				if _, err := d.Decide(name, item, Look{}, false, name, false); err != nil {
					t.Error(err)
					return
				}
				if len(item) == 2 && item[1] == '7' {
					if _, err := d.Undo(name); err != nil {
						t.Error(err)
					}
					if _, err := d.Decide(name, item, Look{}, false, name, false); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	all.Wait()
	if p := d.Progress(); p.Made != needed || p.Complete != len(items) {
		t.Fatalf("progress %+v, needed %d", p, needed)
	}
	must.Succeed(t, d.Close())
	byItem := map[string]map[string]bool{}
	for decision, err := range data.JournalRows[Decision[string]](d.lake, journalName) {
		must.Succeed(t, err)
		if byItem[decision.Item] == nil {
			byItem[decision.Item] = map[string]bool{}
		}
		byItem[decision.Item][decision.Person] = !decision.Undone
	}
	for _, item := range items {
		expect.Equal(t, len(byItem[item.ID]), item.Need, item.ID, byItem[item.ID])
	}
}

// A decision that cannot be written is not taken, and nothing says that it was.
func TestAFullDisk(t *testing.T) {
	t.Parallel()
	d := newDesk(t, Item{"1", 1, false})
	d.wantNext("ada", "1", false)
	if err := d.Close(); err != nil { // The journal takes no more.
		t.Fatal(err)
	}
	if _, err := d.Decide("ada", "1", Look{}, false, "yes", false); err == nil {
		t.Fatal("the decision was taken")
	}
	d.wantNext("ada", "1", false)
	expect.Equal(t, d.Progress().Made, 0)
}
