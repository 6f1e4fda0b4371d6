package data

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// killedWriter makes this test binary a writer that commits generation after generation of one unit, and removes every third, until it is
// killed. Every generation has as many captions as questions, all of them naming it.
const killedWriter = "CAPTIONLAKE_TEST_KILLED_WRITER"

func TestMain(m *testing.M) {
	if dir := os.Getenv(killedWriter); dir != "" {
		fmt.Fprintln(os.Stderr, writeGenerations(dir))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func writeGenerations(dir string) error {
	l, err := Create(dir, "killed writer")
	if err != nil {
		return err
	}
	journal, err := OpenJournal[Call](l, killedJournal)
	if err != nil {
		return err
	}
	fmt.Println("ready")
	for generation := 0; ; generation++ {
		if err := journal.Append(Call{RequestHash: "generation", Reply: strings.Repeat("x", generation*100)}); err != nil {
			return err
		}
		if err := writeGeneration(l, fmt.Sprint(generation)); err != nil {
			return err
		}
		if generation%3 == 2 {
			if err := l.Remove(generations.FileStem()); err != nil {
				return err
			}
		}
	}
}

// generations is the unit that the killed writer commits and removes, and killedJournal the journal that it appends to.
var generations = Unit{Stage: "test", Name: "generations", Provenance: ProvenanceSimulated}

const killedJournal = "killed"

func writeGeneration(l *Lake, name string) error {
	unit := generations
	unit.Fingerprint = name
	tx, err := l.Begin(unit)
	if err != nil {
		return err
	}
	defer tx.Abort()
	captions, err := NewRowWriter(tx, Captions)
	if err != nil {
		return err
	}
	questions, err := NewRowWriter(tx, Questions)
	if err != nil {
		return err
	}
	if _, err := tx.AddPicture([]byte(name), "png"); err != nil {
		return err
	}
	for i := range 200 {
		id := fmt.Sprintf("%04d", i)
		if err := captions.Write(Caption{ImageID: id, Captioner: name, Caption: strings.Repeat(name, 50)}); err != nil {
			return err
		}
		if err := questions.Write(Question{QuestionID: id, Source: name}); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// Killed at any moment, the writer leaves a lake that opens and holds one whole generation.
func TestKillLeavesWholeUnits(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "lake")
	kills := 40
	switch {
	case testing.Short():
		kills = 5
	case os.Getenv("CAPTIONLAKE_SLOW") != "":
		kills = 100
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range kills {
		cmd := exec.Command(os.Args[0], "-test.run=^$")
		cmd.Env = append(os.Environ(), killedWriter+"="+dir)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		var stderr strings.Builder
		cmd.Stderr = &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Read(make([]byte, 6)); err != nil {
			t.Fatalf("the writer did not start: %v %s", err, stderr.String())
		}
		time.Sleep(time.Duration(random.IntN(30_000)) * time.Microsecond)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // It was killed: the error says so.
		checkWholeGeneration(t, dir)
	}
}

func checkWholeGeneration(t *testing.T, dir string) {
	t.Helper()
	l, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if check, err := l.Verify(nil); err != nil || len(check.Faults) > 0 {
		t.Fatalf("the files are not as recorded: %+v %v", check, err)
	}
	for call, err := range JournalRows[Call](l, killedJournal) {
		if err != nil || call.RequestHash != "generation" {
			t.Fatalf("the journal has %+v, %v", call, err)
		}
	}
	captions, questions, runs := allRows(t, l, Captions), allRows(t, l, Questions), allRows(t, l, Runs)
	if len(runs) == 0 && len(captions) == 0 && len(questions) == 0 {
		return // Killed before the first commit.
	}
	if len(captions) != 200 || len(questions) != 200 {
		t.Fatalf("%d captions and %d questions", len(captions), len(questions))
	}
	generation := captions[0].Captioner
	for i := range captions {
		if captions[i].Captioner != generation || questions[i].Source != generation {
			t.Fatalf("generations are mixed: caption %s, question %s, first %s", captions[i].Captioner, questions[i].Source, generation)
		}
	}
	found := false
	for _, r := range runs {
		found = found || r.Fingerprint == generation
	}
	if !found {
		t.Fatalf("no run tells of generation %s", generation)
	}
	pictures, err := l.store.List("pictures")
	if err != nil || len(pictures) == 0 {
		t.Fatalf("pictures: %v %v", pictures, err)
	}
}
