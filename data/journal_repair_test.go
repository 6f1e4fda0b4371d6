package data

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/captionlake/captionlake/data/journal"
	"github.com/captionlake/captionlake/data/must"
)

// putJournal writes a journal of n calls, with lines of one length, and returns its bytes.
func putJournal(t testing.TB, l *Lake, unit string, n int) []byte {
	t.Helper()
	j := must.Get(OpenJournal[Call](l, unit))(t)
	for i := range n {
		// Replies that look like lines are text all the same.
		must.Succeed(t, j.Append(Call{RequestHash: fmt.Sprintf("%04d", i), Text: "\",\"crc32c\":\"00000000\"}\n"}))
	}
	must.Succeed(t, j.Close())
	return must.Read(t, l.Path(j.name))
}

func callHashes(t testing.TB, l *Lake, unit string) []string {
	t.Helper()
	var hashes []string
	for _, row := range collect(t, JournalRows[Call](l, unit)) {
		hashes = append(hashes, row.RequestHash)
	}
	return hashes
}

// A damaged line costs itself, and never in silence: the last one is cut off with a notice and a
// copy, any other is an error, after which the others can be kept.
func TestDamagedLinesOfAJournal(t *testing.T) {
	t.Parallel()
	l := newLake(t)
	told := 0
	l.waiter.Tell = func(string) { told++ }
	const unit, n = "j", 8
	content := putJournal(t, l, unit, n)
	size := len(content) / n
	for line := range n {
		flipped := slices.Clone(content)
		flipped[line*size+20] ^= 1
		name := l.Path(journalDir + "/" + unit + journalSuffix)
		must.Write(t, name, flipped)
		if line < n-1 {
			_, err := OpenJournal[Call](l, unit)
			hinted(t, err, "", journal.ErrDamaged, fmt.Sprintf("%s:%d: ", name, line+1))
			must.Equal(t, string(must.Read(t, name)), string(flipped), line+1)
		}
		done, err := RepairJournals(l)
		if want := (Repair{unit, n - 1, 1, int64(size)}); err != nil || len(done) != 1 || done[0] != want {
			t.Fatalf("line %d: %+v, %v", line+1, done, err)
		}
		if got := callHashes(t, l, unit); len(got) != n-1 || slices.Contains(got, fmt.Sprintf("%04d", line)) {
			t.Fatalf("line %d: %v is left", line+1, got)
		}
		if again, err := RepairJournals(l); err != nil || len(again) > 0 || told != line+1 {
			t.Fatalf("line %d: %+v %v", line+1, again, err)
		}
		names := must.Get(CutOff(l))(t)
		copied, err := os.ReadFile(l.Path(journalDir + "/" + names[line] + cutSuffix))
		if err != nil || len(names) != line+1 || string(copied) != string(flipped[line*size:(line+1)*size]) {
			t.Fatalf("line %d: the copy is not what was cut out (%v)", line+1, err)
		}
	}
}
