package data

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/captionlake/captionlake/data/must"
)

// Two processes write units of their own and are killed at random moments, one while the other goes
// on: at each look the lake is whole, and has what they were told was committed.
func TestKillOneOfTwoWriters(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "lake")
	rounds := 25
	switch {
	case testing.Short():
		rounds = 5
	case os.Getenv("CAPTIONLAKE_SLOW") != "":
		rounds = 300
	}
	random := rand.New(rand.NewPCG(3, 4))
	l := must.Get(Create(dir, "looking on"))(t)
	defer l.Close()
	writers := []*writingProcess{startWriter(t, dir, "a"), startWriter(t, dir, "b")}
	for range rounds {
		time.Sleep(time.Duration(random.IntN(20_000)) * time.Microsecond)
		i := random.IntN(len(writers))
		w := writers[i]
		w.kill(t)
		still, release, err := l.Snapshot()
		must.Succeed(t, err)
		for _, w := range writers {
			checkWholeGeneration(t, still, w.unit)
		}
		generation, committed, removes, appended := -1, -1, -1, -1
		for _, line := range w.said {
			n := 0
			switch {
			case sscan(line, "committed %d", &n):
				committed = n
			case sscan(line, "removes %d", &n):
				removes = n
			case sscan(line, "appended %d", &n):
				appended = n
			}
		}
		if name := checkWholeGeneration(t, still, w.unit); name != "" {
			if !sscan(name, w.unit+"%d", &generation) {
				t.Fatalf("generation %q", name)
			}
			if generation < committed {
				t.Fatalf("generation %d is there, %d was committed", generation, committed)
			}
		} else if committed >= 0 && removes != committed {
			t.Fatalf("the unit is gone; committed %d, removed %d", committed, removes)
		}
		if replies := len(callHashes(t, l, killedJournal(w.unit))); replies <= appended {
			t.Fatalf("%d replies are there, %d were recorded", replies, appended+1)
		}
		must.Succeed(t, release())
		must.Succeed(t, l.store.Remove(journalDir+"/"+killedJournal(w.unit)+journalSuffix))
		writers[i] = startWriter(t, dir, w.unit)
	}
	for _, w := range writers {
		w.kill(t)
	}
	sound(t, l)
}

func sscan(line, format string, n *int) bool {
	_, err := fmt.Sscanf(line, format, n)
	return err == nil
}

// count adds one to the only row of a unit, again and again, and waits while others do.
func count(dir, _ string) error {
	l, err := Create(dir, "counting")
	if err != nil {
		return err
	}
	fmt.Println("ready")
	u := Unit{Stage: "test", Name: counter, Provenance: ProvenanceMeasured}
	for {
		tx, err := l.Begin(u)
		if errors.Is(err, ErrLocked) {
			continue
		}
		if err != nil {
			return err
		}
		var row Question
		for q, err := range UnitRows(l, Questions, u) {
			if err != nil {
				return err
			}
			row = q
		}
		row.QuestionID = "x"
		row.AnswerIndex++
		tx.SetFingerprint(fmt.Sprint(row.AnswerIndex))
		w, err := NewRowWriter(tx, Questions)
		if err == nil {
			err = errors.Join(w.Write(row), tx.Commit())
		}
		if err != nil {
			return err
		}
		fmt.Println("counted")
	}
}

// Processes that want the same unit have it one after the other: none overwrites what another has
// read and written meanwhile, whenever one is killed.
func TestTheSameUnitAtOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "lake")
	rounds := 10
	if os.Getenv("CAPTIONLAKE_SLOW") != "" {
		rounds = 150
	}
	random := rand.New(rand.NewPCG(5, 6))
	writers := []*writingProcess{startWriter(t, dir, counter), startWriter(t, dir, counter),
		startWriter(t, dir, counter)}
	counted, killed := 0, 0
	end := func(w *writingProcess) {
		w.kill(t)
		killed++
		counted += len(w.said)
	}
	for range rounds {
		time.Sleep(time.Duration(10_000+random.IntN(30_000)) * time.Microsecond)
		i := random.IntN(len(writers))
		end(writers[i])
		writers[i] = startWriter(t, dir, counter)
	}
	for _, w := range writers {
		end(w)
	}
	l := must.Get(Open(dir))(t)
	rows, runs := allRows(t, l, Questions), allRows(t, l, Runs)
	if len(rows) != 1 || int(rows[0].AnswerIndex) < counted || int(rows[0].AnswerIndex) > counted+killed ||
		len(runs) != int(rows[0].AnswerIndex) {
		t.Errorf("%d rows, counted to %v in %d executions; %d were told, %d processes killed", len(rows), rows,
			len(runs), counted, killed)
	}
}
