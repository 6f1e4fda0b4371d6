package data

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/must"
)

// putJournal writes a journal of n calls, closed, and returns its bytes.
func putJournal(t testing.TB, l *Lake, unit string, n int) []byte {
	t.Helper()
	name, err := journalFile(unit)
	must.Succeed(t, err)
	content := []byte(recordHead)
	for i := range n {
		// Replies that look like records are text all the same.
		payload, err := json.Marshal(Call{RequestHash: fmt.Sprintf("%04d", i), Reply: recordMark})
		must.Succeed(t, err)
		content = appendRecord(content, payload)
	}
	must.Succeed(t, os.WriteFile(l.Path(name), content, 0o666))
	return content
}

func callHashes(t testing.TB, l *Lake, unit string) []string {
	t.Helper()
	rows, err := journalRows(t, l, journalDir+"/"+unit+journalSuffix)
	must.Succeed(t, err)
	var hashes []string
	for _, row := range rows {
		hashes = append(hashes, row.RequestHash)
	}
	return hashes
}

// checkFlip flips one bit of a journal of eight records on disk, opens it, and salvages it when it is refused.
func checkFlip(t testing.TB, l *Lake, content []byte, bit int) {
	t.Helper()
	const unit, n = "j", 8
	name := l.Path(journalDir + "/" + unit + journalSuffix)
	flipped := slices.Clone(content)
	flipped[bit/8] ^= 1 << (bit % 8)
	must.Succeed(t, os.WriteFile(name, flipped, 0o666))
	j, err := OpenJournal[Call](l, unit)
	var hint *HintError
	notices := l.Notices()
	switch {
	case err == nil:
		must.Succeed(t, j.Close())
		got := callHashes(t, l, unit)
		if len(got) == n && len(notices) == 0 {
			t.Fatalf("bit %d was not noticed", bit)
		}
		if len(got) != n-1 || got[n-2] != fmt.Sprintf("%04d", n-2) || len(notices) != 1 || !strings.Contains(notices[0], ".1.cut") {
			t.Fatalf("bit %d: %v is left, said: %q", bit, got, notices)
		}
	case errors.Is(err, ErrJournalDamaged) && errors.As(err, &hint):
		after, err := os.ReadFile(name)
		if err != nil || string(after) != string(flipped) {
			t.Fatalf("bit %d: a refused journal was changed (%v)", bit, err)
		}
		done, err := l.Salvage()
		if err != nil || len(done) != 1 || done[0].Places != 1 || done[0].Kept < n-1 {
			t.Fatalf("bit %d: salvaged %+v, %v", bit, done, err)
		}
		if got := callHashes(t, l, unit); len(got) != done[0].Kept {
			t.Fatalf("bit %d: %v is left, %+v", bit, got, done[0])
		}
		if again, err := l.Salvage(); err != nil || len(again) > 0 {
			t.Fatalf("bit %d: %+v %v", bit, again, err)
		}
	default:
		t.Fatalf("bit %d: %v", bit, err)
	}
	l.Notices()
	names, err := l.CutOff()
	if err != nil || len(names) != 1 {
		t.Fatalf("bit %d: copies %v %v", bit, names, err)
	}
	for _, c := range names {
		copied, err := os.ReadFile(l.Path(journalDir + "/" + c + cutSuffix))
		if err != nil || len(copied) == 0 || !strings.Contains(string(flipped), string(copied)) {
			t.Fatalf("bit %d: the copy is not what was cut off (%v)", bit, err)
		}
		must.Succeed(t, l.store.Remove(journalDir+"/"+c+cutSuffix))
	}
}

// One wrong bit costs one record at most, and never in silence: the last record is cut off with a notice and a copy, any other
// is an error, after which the others can be kept.
func TestFlippedBitsOfAJournal(t *testing.T) {
	t.Parallel()
	l := newLake(t)
	content := putJournal(t, l, "j", 8)
	bits := 6
	if os.Getenv("CAPTIONLAKE_SLOW") != "" {
		bits = 500
	}
	random := rand.New(rand.NewPCG(7, 8))
	for range bits {
		checkFlip(t, l, content, random.IntN(len(content)*8))
	}
	// Every bit, in memory.
	for bit := range len(content) * 8 {
		flipped := slices.Clone(content)
		flipped[bit/8] ^= 1 << (bit % 8)
		file := memoryFile{bytes.NewReader(flipped)}
		r, read := newRecordReader(file, "j"), 0
		for r.next() {
			read++
		}
		torn := r.err == nil && read == 7 && r.end < file.Size()
		if !torn && !errors.Is(r.err, ErrJournalDamaged) {
			t.Fatalf("bit %d: %d records, %v", bit, read, r.err)
		}
		kept, parts := 0, 0
		for _, err := range l.salvageable(file, "j", func(byteRange) { parts++ }) {
			must.Succeed(t, err)
			kept++
		}
		if kept < 7 || parts != 1 {
			t.Fatalf("bit %d: %d of 8 records kept, %d places cut out", bit, kept, parts)
		}
	}
}

// The length of the tenth of 136 records is damaged: the other 135 are not lost.
func TestADamagedLengthLosesOneRecord(t *testing.T) {
	t.Parallel()
	l := newLake(t)
	content := putJournal(t, l, "j", 136)
	at := len(recordHead) + 9*(len(content)-len(recordHead))/136 + len(recordMark)
	content[at+1] ^= 0x40
	must.Succeed(t, os.WriteFile(l.Path("journal/j.journal"), content, 0o666))
	if _, err := OpenJournal[Call](l, "j"); !errors.Is(err, ErrJournalDamaged) || !strings.Contains(err.Error(), fmt.Sprintf("record at byte %d", at-len(recordMark))) {
		t.Fatalf("%v", err)
	}
	done, err := l.Salvage()
	if err != nil || len(done) != 1 || done[0].Kept != 135 || done[0].Places != 1 || done[0].Unit != "j" {
		t.Fatalf("%+v %v", done, err)
	}
	got := callHashes(t, l, "j")
	if len(got) != 135 || slices.Contains(got, "0009") || got[134] != "0135" {
		t.Errorf("%v", got)
	}
	notices := l.Notices()
	if len(notices) != 1 || !strings.Contains(notices[0], "j.1.cut") {
		t.Errorf("%q", notices)
	}
	j, err := OpenJournal[Call](l, "j")
	must.Succeed(t, err)
	must.Succeed(t, errors.Join(j.Append(Call{RequestHash: "new"}), j.Close()))
	if got := callHashes(t, l, "j"); len(got) != 136 || got[135] != "new" {
		t.Errorf("%v", got)
	}
}

// TestAJournalWithoutItsHeadIsSalvaged: nothing is to be cut out of it, and it is written anew all the same.
func TestAJournalWithoutItsHeadIsSalvaged(t *testing.T) {
	t.Parallel()
	l := newLake(t)
	content := putJournal(t, l, "j", 8)
	name := journalDir + "/j" + journalSuffix
	must.Succeed(t, os.WriteFile(l.Path(name), content[len(recordHead):], 0o666))
	if _, err := journalRows(t, l, name); !errors.Is(err, ErrJournalDamaged) {
		t.Fatalf("read with the error %v", err)
	}
	salvaged, err := l.Salvage()
	if err != nil || len(salvaged) != 1 || salvaged[0].Kept != 8 || salvaged[0].Skipped != 0 {
		t.Fatalf("%+v, %v", salvaged, err)
	}
	if hashes := callHashes(t, l, "j"); len(hashes) != 8 {
		t.Errorf("%d records are left", len(hashes))
	}
}
