package data

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

func TestJournalKeepsWhatItTook(t *testing.T) {
	t.Parallel()
	l := newLake(t)
	j := must.Get(OpenJournal[Call](l, "answers"))(t)
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Go(func() {
			if err := j.Append(Call{RequestHash: fmt.Sprint(i), Text: "A\nB\u2028"}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	// Rows that were appended are there for another process while the journal is open.
	rows := collect(t, JournalRows[Call](l, "answers"))
	must.Equal(t, len(rows), 64)
	expect.Equal(t, rows[0].Text, "A\nB\u2028")
	// A journal without a row is no work in flight.
	must.Succeed(t, must.Get(OpenJournal[Call](l, "idle"))(t).Close())
	must.Equal(t, must.Get(l.Journals())(t), []string{"answers"})
	expect.Equal(t, len(callHashes(t, l, "absent")), 0)
	must.Succeed(t, j.Delete())
	expect.Failure(t, j.Append(Call{}))
	must.Equal(t, len(must.Get(l.Journals())(t)), 0)
}

// Whatever length a crash leaves of the last line, the lines before it are whole, new ones follow
// them, and a copy of the cut part is kept.
func TestJournalCutsATornLineOff(t *testing.T) {
	t.Parallel()
	l := newLake(t)
	told := 0
	l.waiter.Tell = func(string) { told++ }
	content := putJournal(t, l, "j", 2)
	name := l.Path(journalDir + "/j" + journalSuffix)
	whole := len(content) / 2
	for cut := whole + 1; cut < len(content); cut += 7 {
		told = 0
		torn := content[whole:cut]
		must.Write(t, name, content[:cut])
		if got := callHashes(t, l, "j"); len(got) != 1 { // as another process reads it
			t.Fatalf("cut at %d: %q", cut, got)
		}
		j := must.Get(OpenJournal[Call](l, "j"))(t)
		must.Succeed(t, errors.Join(j.Append(Call{RequestHash: "third"}), j.Close()))
		must.Equal(t, callHashes(t, l, "j"), []string{"0000", "third"}, cut)
		aside := l.Path(journalDir + "/j.1" + cutSuffix)
		if kept, err := os.ReadFile(aside); err != nil || string(kept) != string(torn) || told != 1 {
			t.Fatalf("cut at %d: the copy is %q, %v", cut, kept, err)
		}
		must.Succeed(t, os.Remove(aside))
	}
}

// Another process reads while rows are appended: it sees whole rows in their order, and no damage.
func TestJournalIsReadWhileItGrows(t *testing.T) {
	t.Parallel()
	l := newLake(t)
	j := must.Get(OpenJournal[Call](l, "j"))(t)
	const rows = 30
	done := make(chan error)
	go func() {
		var err error
		for i := range rows {
			err = errors.Join(err, j.Append(Call{RequestHash: fmt.Sprint(i), Text: strings.Repeat("word ", 50_000)}))
		}
		done <- errors.Join(err, j.Close())
	}()
	for writing := true; writing; {
		select {
		case err := <-done:
			if writing = false; err != nil {
				t.Fatal(err)
			}
		default:
		}
		got := callHashes(t, l, "j")
		for i, hash := range got {
			must.Equal(t, hash, fmt.Sprint(i))
		}
		if !writing && len(got) != rows {
			t.Errorf("%d rows", len(got))
		}
	}
}
