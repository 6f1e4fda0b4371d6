package engine

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/llm"
	"github.com/captionlake/captionlake/stages/preflight"
)

// A server that answers {} to everything ends the run after a few calls; single calls without a
// reply are recorded, and the run goes on.
func TestAServerWithoutRepliesEndsTheRun(t *testing.T) {
	for _, c := range []struct {
		bad  int // every so manyth item has no reply
		ends bool
	}{{1, true}, {10, false}} {
		l := laketest.New(t)
		f := &scriptedCaller{reply: func(text string, _ int) (llm.Reply, error) {
			var n int
			if _, err := fmt.Sscanf(text, "item %d", &n); err != nil || n%c.bad != 0 {
				return said("A"), err
			}
			return llm.Reply{State: llm.StateFailed}, &llm.CallError{Class: llm.ClassEmpty,
				Message: "the reply has no choice"}
		}}
		var items []string
		for i := range 100 {
			items = append(items, fmt.Sprint("item ", i))
		}
		_, err := runnerOf(l, f, withRows(testUnit("unit", items))).Run(t.Context())
		if !c.ends {
			if err != nil || f.count() != 100 {
				t.Errorf("%d calls, %v", f.count(), err)
			}
			continue
		}
		laketest.Hint(t, err, "", "endpoint test gave no reply to 8 calls in a row: empty: the reply has no choice")
		if f.count() == len(items) { // How many are asked while the eighth failure is noted depends on the machine.
			t.Error("all items were asked")
		}
	}
}

// A protocol that reads the first tokens of a reply gets all that it asked for when the reply ends
// at its largest length: also from calls that were recorded as truncated once. A reply that is
// shorter than was asked stays truncated.
func TestFirstTokensAreWhole(t *testing.T) {
	l := laketest.New(t)
	w := testUnit("one", []string{"full", "short"})
	f := &scriptedCaller{reply: func(text string, _ int) (llm.Reply, error) {
		return llm.Reply{State: llm.StateTruncated, Text: "A", FinishReason: "length",
			CompletionTokens: map[string]int64{"full": 4, "short": 3}[text]}, nil
	}}
	e := engine(l, f)
	must.Get(e.Run(t.Context(), w))(t)
	e.RetryFailed = true
	for range 2 {
		s, err := e.Run(t.Context(), changed(w, func(r *llm.Request) { r.FirstTokens = true }))
		if err != nil || s.Planned != 2 || s.Answered != 1 || s.Recorded != 1 || s.RecordedFailed != 0 {
			t.Errorf("%+v %v", s, err)
		}
	}
	expect.Equal(t, strings.Join(f.asked[2:], " "), "short short", f.asked)
}

// Better replaces worse, and never the other way round: in a run, in a batch, and among the calls
// of several units.
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
		return said("all"), nil
	}}
	e := engine(l, f)
	e.RetryFailed = true
	for i, want := range []string{"truncated half", "truncated half", "ok all"} {
		s, err := e.Run(t.Context(), w)
		if err != nil || s.Answered != 2 || s.Failed != 2*(i%2) {
			t.Fatalf("%+v %v", s, err)
		}
		for _, c := range calls(t, l) {
			expect.Equal(t, c.State+" "+c.Text, want, i+1)
		}
	}
}

// An error ends a unit while unreadable replies are held, also if it comes while a call waits for
// room.
func TestAnErrorEndsAUnitWithHeldReplies(t *testing.T) {
	l := laketest.New(t)
	w := testUnit("one", []string{"a", "b", "c", "d", "e", "f"})
	w.Accept = func(entry, llm.Reply) error { return errors.New("unreadable") }
	f := &scriptedCaller{reply: func(text string, _ int) (llm.Reply, error) {
		if text == "d" {
			return llm.Reply{}, preflight.ErrBudget
		}
		return said("?"), nil
	}}
	if _, err := engine(l, f).Run(t.Context(), w); !errors.Is(err, preflight.ErrBudget) {
		t.Error(err)
	}
}
