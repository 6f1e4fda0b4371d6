package data

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

// killedWriter makes this test binary a writer that commits generation after generation of a unit
// of the name that killedUnit gives, and removes every third, until it is killed. Every generation
// has as many captions as questions, all of them naming it. counter makes it one of several that
// count in the rows of one unit instead.
const (
	killedWriter = "CAPTIONLAKE_TEST_KILLED_WRITER"
	killedUnit   = "CAPTIONLAKE_TEST_KILLED_UNIT"
	counter      = "counter"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(killedWriter); dir != "" {
		write := writeGenerations
		if os.Getenv(killedUnit) == counter {
			write = count
		}
		fmt.Fprintln(os.Stderr, write(dir, os.Getenv(killedUnit)))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func writeGenerations(dir, unit string) error {
	l, err := Create(dir, "killed writer")
	if err != nil {
		return err
	}
	journal, err := OpenJournal[Call](l, killedJournal(unit))
	if err != nil {
		return err
	}
	fmt.Println("ready")
	for generation := 0; ; generation++ {
		if err := journal.Append(Call{RequestHash: "generation",
			Text: strings.Repeat("x", generation*100)}); err != nil {
			return err
		}
		fmt.Println("appended", generation)
		if err := writeGeneration(l, unit, generation); err != nil {
			return err
		}
		fmt.Println("committed", generation)
		if generation%3 == 2 {
			fmt.Println("removes", generation)
			if err := l.Remove(generations(unit).FileStem()); err != nil {
				return err
			}
		}
	}
}

// generations is the unit that a killed writer commits and removes, and killedJournal the journal
// that it appends to.
func generations(unit string) Unit {
	return Unit{Stage: "test", Name: "generations " + unit, Provenance: ProvenanceSimulated}
}

func killedJournal(unit string) string { return "killed" + unit }

func writeGeneration(l *Lake, of string, generation int) error {
	unit, name := generations(of), fmt.Sprint(of, generation)
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
		id := fmt.Sprintf("%04d%s", i, of)
		if err := captions.Write(Caption{ImageID: id, Captioner: name, Caption: strings.Repeat(name, 50)}); err != nil {
			return err
		}
		if err := questions.Write(Question{QuestionID: id, Source: name}); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// A writing process is one that a test has started.
type writingProcess struct {
	cmd    *exec.Cmd
	unit   string
	said   []string // its lines, once it has ended
	ended  chan struct{}
	stderr strings.Builder
}

func startWriter(t *testing.T, dir, unit string) *writingProcess {
	t.Helper()
	w := &writingProcess{cmd: exec.Command(os.Args[0], "-test.run=^$"), unit: unit, ended: make(chan struct{})}
	w.cmd.Env = append(os.Environ(), killedWriter+"="+dir, killedUnit+"="+unit)
	out := must.Get(w.cmd.StdoutPipe())(t)
	w.cmd.Stderr = &w.stderr
	must.Succeed(t, w.cmd.Start())
	lines := bufio.NewReader(out)
	must.Equal(t, must.Get(lines.ReadString('\n'))(t), "ready\n", w.stderr.String())
	go func() {
		defer close(w.ended)
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				return
			}
			w.said = append(w.said, strings.TrimSpace(line))
		}
	}()
	return w
}

func (w *writingProcess) kill(t *testing.T) {
	t.Helper()
	must.Succeed(t, w.cmd.Process.Kill())
	<-w.ended
	if err := w.cmd.Wait(); w.stderr.Len() > 0 { // It was killed: the error says so.
		t.Fatalf("the writer had failed before it was killed: %v %s", err, w.stderr.String())
	}
}

// checkWholeGeneration looks at the unit of one writer, and at all files of the lake where nobody
// else writes.
func checkWholeGeneration(t *testing.T, l *Lake, unit string) (generation string) {
	t.Helper()
	sound(t, l)
	for _, call := range collect(t, JournalRows[Call](l, killedJournal(unit))) {
		must.Equal(t, call.RequestHash, "generation")
	}
	captions, questions := collect(t, UnitRows(l, Captions, generations(unit))),
		collect(t, UnitRows(l, Questions, generations(unit)))
	runs := collect(t, UnitRows(l, Runs, generations(unit)))
	if len(runs) == 0 && len(captions) == 0 && len(questions) == 0 {
		return "" // Killed before the first commit.
	}
	if len(captions) != 200 || len(questions) != 200 {
		t.Fatalf("%d captions and %d questions", len(captions), len(questions))
	}
	generation = captions[0].Captioner
	for i := range captions {
		if captions[i].Captioner != generation || questions[i].Source != generation {
			t.Fatalf("generations are mixed: caption %s, question %s, first %s", captions[i].Captioner,
				questions[i].Source, generation)
		}
	}
	if !slices.ContainsFunc(runs, func(r Run) bool { return r.Fingerprint == generation }) {
		t.Fatalf("no run tells of generation %s", generation)
	}
	expect.Equal(t, len(must.Get(l.store.List("pictures"))(t)) > 0, true)
	return generation
}
