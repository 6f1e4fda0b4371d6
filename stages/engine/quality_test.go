package engine

import (
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/stages/llm"
)

// A protocol that reads the first tokens of a reply gets all that it asked for when the reply ends at its largest length:
// also from calls that were recorded as truncated once. A reply that is shorter than was asked stays truncated.
func TestFirstTokensAreWhole(t *testing.T) {
	l := laketest.New(t)
	first := func(w *Unit[entry]) *Unit[entry] {
		plan := w.Request
		w.Request = func(e entry) (llm.Request, error) {
			r, err := plan(e)
			r.FirstTokens = true
			return r, err
		}
		return w
	}
	w := testUnit("one", []string{"full", "short"})
	f := &scriptedCaller{reply: func(text string, _ int) (llm.Reply, error) {
		return llm.Reply{State: llm.StateTruncated, Text: "A", FinishReason: "length", CompletionTokens: map[string]int64{"full": 4, "short": 3}[text]}, nil
	}}
	e := engine(l, f)
	if _, err := e.Run(t.Context(), w); err != nil {
		t.Fatal(err)
	}
	e.RetryFailed = true
	for range 2 {
		s, err := e.Run(t.Context(), first(w))
		if err != nil || s.Planned != 2 || s.Answered != 1 || s.Recorded != 1 || s.RecordedFailed != 0 {
			t.Errorf("%+v %v", s, err)
		}
	}
	if strings.Join(f.asked[2:], " ") != "short short" {
		t.Errorf("asked %v", f.asked)
	}
}

// Better replaces worse, and never the other way round: in a run, in a batch, and among the calls of several units.
func TestCutOffReplyOutlivesAFailure(t *testing.T) {
	l := laketest.New(t)
	w := testUnit("one", []string{"a", "b"})
	f := &scriptedCaller{reply: func(text string, n int) (llm.Reply, error) {
		switch {
		case n == 1:
			return llm.Reply{State: llm.StateTruncated, Text: "half", FinishReason: "length"}, nil
		case n == 2:
			return llm.Reply{State: llm.StateFailed}, &llm.CallError{Class: llm.ClassServer, Message: "boom"}
		}
		return llm.Reply{State: llm.StateOK, Text: "all"}, nil
	}}
	e := engine(l, f)
	e.RetryFailed = true
	for i, want := range []string{"truncated half", "truncated half", "ok all"} {
		s, err := e.Run(t.Context(), w)
		if err != nil || s.Answered != 2 || s.Failed != 2*(i%2) {
			t.Fatalf("%+v %v", s, err)
		}
		for _, c := range calls(t, l) {
			if got := c.State + " " + c.Text; got != want {
				t.Errorf("run %d: %s, want %s", i+1, got, want)
			}
		}
	}
}
