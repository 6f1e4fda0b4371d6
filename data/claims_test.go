package data

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

// A request is claimed by one process at a time, until it is given up or the process ends.
func TestClaims(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("locks of parts of a file are used on Linux alone")
	}
	one := newLake(t)
	two := another(t, one)
	mine, theirs := must.Get(one.Claims())(t), must.Get(two.Claims())(t)
	defer theirs.Close()
	key, other := [16]byte{3, 1, 2}, [16]byte{3, 1, 2, 0, 0, 0, 0, 2}
	take := func(c Claims, key [16]byte, want bool) {
		t.Helper()
		if taken, err := c.Take(key); taken != want || err != nil {
			t.Errorf("taken: %v, %v", taken, err)
		}
	}
	take(mine, key, true)
	take(theirs, key, false)
	take(theirs, other, true)
	must.Succeed(t, mine.Drop(key))
	take(theirs, key, true)
	take(mine, key, false)
	take(mine, [16]byte{4}, true)
	must.Succeed(t, mine.Close())
	take(theirs, [16]byte{4}, true)
}

// Rows of a journal are read once while others append to it, also when it was deleted and begun
// anew.
func TestJournalRowsFromAPlace(t *testing.T) {
	l := newLake(t)
	place := int64(0)
	add := func(j *Journal[Call], hashes ...string) {
		t.Helper()
		for _, hash := range hashes {
			must.Succeed(t, j.Append(Call{RequestHash: hash}))
		}
	}
	next := func(want ...string) {
		t.Helper()
		var got []string
		for _, c := range collect(t, JournalRowsFrom[Call](l, "unit", &place)) {
			got = append(got, c.RequestHash)
		}
		expect.Equal(t, got, want)
	}
	next()
	j := must.Get(OpenJournal[Call](l, "unit"))(t)
	add(j, "a", "b")
	next("a", "b")
	next()
	add(j, "c")
	next("c")
	must.Succeed(t, j.Delete())
	next()
	j = must.Get(OpenJournal[Call](l, "unit"))(t)
	add(j, "d")
	next("d")
	must.Succeed(t, j.Delete())
	j = must.Get(OpenJournal[Call](l, "unit"))(t)
	for i := range 20 { // longer than the part that was read
		add(j, fmt.Sprint("a long hash ", i))
	}
	expect.Equal(t, len(collect(t, JournalRowsFrom[Call](l, "unit", &place))), 20, "rows of another journal")
	must.Succeed(t, j.Close())
}
