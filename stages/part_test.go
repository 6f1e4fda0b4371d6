package stages

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/llm"
	"github.com/captionlake/captionlake/stages/stub"
)

// inParts makes parts small for one test.
func inParts(t *testing.T, tasks int) {
	before := partTasks
	partTasks = tasks
	t.Cleanup(func() { partTasks = before })
}

func TestPartsHoldWholeGroups(t *testing.T) {
	inParts(t, 3)
	w := testWork("cut", []string{"a", "b"}, []string{"c", "a"}, []string{"d"}, []string{"e", "f", "g", "h"}, []string{"i"})
	var cut, left []string
	for p, err := range parts(w) {
		if err != nil {
			t.Fatal(err)
		}
		var subjects []string
		for _, task := range p.tasks {
			subjects = append(subjects, task.subject)
		}
		cut = append(cut, strings.Join(subjects, ""))
		if len(cut) == 2 {
			continue // Groups that nobody walks through must not come up in the next part.
		}
		var s Summary
		for group, err := range p.pending(standing{}, false, &s) {
			if err != nil {
				t.Fatal(err)
			}
			for _, task := range group.Tasks {
				if task.hash != task.Request.Hash() {
					t.Errorf("%s has the hash of another request", task.Subject)
				}
				left = append(left, group.Affinity+task.Subject)
			}
		}
	}
	// At three tasks or more a part ends. The second a has the request of the first and is left out; the part of d to h
	// is the one not walked through.
	if !slices.Equal(cut, []string{"abca", "defgh", "i"}) || !slices.Equal(left, []string{"0a", "0b", "1c", "4i"}) {
		t.Fatalf("%q %q", cut, left)
	}
}

// Requests that two parts have in common are asked once, and every task finds its reply, in the plan's order.
func TestEngineAsksOnceAcrossParts(t *testing.T) {
	inParts(t, 2)
	l := newLake(t)
	f := &fakeCaller{}
	w := testWork("parts", []string{"a", "b"}, []string{"b", "c"}, []string{"a", "d", "e"}, []string{"f"})
	s, err := engine(l, f).Run(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	asked := slices.Clone(f.asked)
	slices.Sort(asked)
	if !slices.Equal(asked, []string{"a", "b", "c", "d", "e", "f"}) || s.Answered != 6 || s.Recorded != 2 {
		t.Fatalf("%+v, asked %q", s, f.asked)
	}
	var found []string
	for r, err := range replies(l, w) {
		if err != nil || !r.ok {
			t.Fatalf("%+v %v", r, err)
		}
		found = append(found, r.subject+": "+r.call.Reply)
	}
	if want := []string{"a: re a", "b: re b", "b: re b", "c: re c", "a: re a", "d: re d", "e: re e", "f: re f"}; !slices.Equal(found, want) {
		t.Fatalf("%q", found)
	}
}

// A reply in the journal replaces the failed one of the unit's file.
func TestStandingTakesTheBestRecord(t *testing.T) {
	l := newLake(t)
	f := &fakeCaller{reply: func(text string, _ int) (llm.Reply, error) {
		if text == "bad" {
			return llm.Reply{Attempts: 1}, &llm.CallError{Class: llm.ClassServer, Status: 500}
		}
		return llm.Reply{State: llm.StateOK, Text: "fine"}, nil
	}}
	w := testWork("standing", []string{"good", "bad", "new"})
	if _, err := engine(l, f).Run(t.Context(), testWork("standing", []string{"good", "bad"})); err != nil {
		t.Fatal(err)
	}
	log, err := engine(l, f).open(w)
	if err != nil {
		t.Fatal(err)
	}
	defer log.journal.Close()
	look := func(want string) {
		t.Helper()
		for p, err := range parts(w) {
			if err != nil {
				t.Fatal(err)
			}
			known, err := standingOf(l, w, p)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, task := range p.tasks {
				q, recorded := known[task.key]
				got = append(got, fmt.Sprint(task.subject, " ", recorded, " ", q == whole))
			}
			if text := strings.Join(got, ", "); text != want {
				t.Errorf("%s, want %s", text, want)
			}
		}
	}
	look("good true true, bad true false, new false false")
	retried := calls(t, l)["bad"]
	retried.State = llm.StateOK
	if err := log.journal.Append(retried); err != nil {
		t.Fatal(err)
	}
	look("good true true, bad true true, new false false")
}

// However the plan is cut, a run gives the same answers, and a second run finds nothing to do.
func TestAnswersDoNotDependOnParts(t *testing.T) {
	const images, questions = 20, 400
	var want []string
	for _, tasks := range []int{partTasks, 130, 1} {
		inParts(t, tasks)
		l := newLake(t)
		if err := fillSynthetic(l, images, questions); err != nil {
			t.Fatal(err)
		}
		c := rehearsal(serve(t, nil, stub.Options{}, nil))
		mustRun(t, l, c, Choice{Stage: AnswerStage})
		lines := answerLines(t, l)
		if want == nil {
			want = lines
		}
		if len(lines) != 2*questions || !slices.Equal(lines, want) {
			t.Fatalf("in parts of %d: %d answers, or different ones", tasks, len(lines))
		}
		noDoubleCalls(t, l)
		before := allRows(t, l, data.Runs)
		for _, r := range mustRun(t, l, c, Choice{Stage: AnswerStage}) {
			if r.Answered != 0 || r.Rows != 2*questions {
				t.Errorf("in parts of %d, the second time: %+v", tasks, r)
			}
		}
		if after := allRows(t, l, data.Runs); len(after) != len(before) {
			t.Errorf("in parts of %d, the second time: %d runs after %d", tasks, len(after), len(before))
		}
	}
}
