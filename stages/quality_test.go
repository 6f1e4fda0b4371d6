package stages

import (
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/llm"
)

// A protocol that reads the first tokens of a reply gets all that it asked for when the reply ends at its largest length:
// also from calls that were recorded as truncated once. A reply that is shorter than was asked stays truncated.
func TestFirstTokensAreWhole(t *testing.T) {
	l := newLake(t)
	first := func(w Work) Work {
		groups := w.Groups
		w.Groups = func() iter.Seq2[Group, error] {
			return func(yield func(Group, error) bool) {
				for g, err := range groups() {
					for i := range g.Tasks {
						g.Tasks[i].Request.FirstTokens = true
					}
					if !yield(g, err) {
						return
					}
				}
			}
		}
		return w
	}
	w := testWork("one", []string{"full", "short"})
	f := &fakeCaller{reply: func(text string, _ int) (llm.Reply, error) {
		return llm.Reply{State: llm.StateTruncated, Text: "A", FinishReason: "length", CompletionTokens: map[string]int{"full": 4, "short": 3}[text]}, nil
	}}
	e := engine(l, f)
	if _, err := e.Run(t.Context(), w); err != nil {
		t.Fatal(err)
	}
	e.RetryFailed = true
	for range 2 {
		s, err := e.Run(t.Context(), first(w))
		if err != nil || s.Planned != 2 || s.Answered != 1 || s.Recorded != 1 || s.Lacking != 0 {
			t.Errorf("%+v %v", s, err)
		}
	}
	if strings.Join(f.asked[2:], " ") != "short short" {
		t.Errorf("asked %v", f.asked)
	}
}

// Better replaces worse, and never the other way round: in a run, in a batch, and among the calls of several units.
func TestCutOffReplyOutlivesAFailure(t *testing.T) {
	l := newLake(t)
	w := testWork("one", []string{"a", "b"})
	f := &fakeCaller{reply: func(text string, n int) (llm.Reply, error) {
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
			if got := c.State + " " + c.Reply; got != want {
				t.Errorf("run %d: %s, want %s", i+1, got, want)
			}
		}
	}
}

// A batch that was run under another model's name, or without the right key, has no replies: nothing is recorded, and what
// the right run brings is taken.
func TestBatchOfTheWrongNameHasNoReplies(t *testing.T) {
	var sound []string
	id := func(line string) string {
		var l batchLine
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		return l.CustomID
	}
	l, c, path, report, err := damaged(t, func(lines []string) []string {
		sound = append(sound, lines...)
		for i, line := range lines {
			lines[i] = replyLine(t, id(line), http.StatusNotFound, []byte(`{"error":{"message":"The model `+"`stub/reader-careful`"+` does not exist. Valid aliases: models/text.","type":"NotFoundError","param":"model","code":404}}`))
		}
		return lines
	})
	hinted(t, err, fmt.Sprintf("Valid aliases: models/text.; this and %d other lines are no replies", len(sound)-1), "--served-model-name stub/reader-careful")
	if report.Taken != 0 || report.Failed != 0 || report.Missing != len(sound) {
		t.Errorf("%+v", report)
	}
	for _, call := range allRows(t, l, data.Calls) {
		if call.Stage == AnswerStage {
			t.Fatalf("recorded: %+v", call)
		}
	}
	write := func(edit func(i int, line string) string) (BatchReport, error) {
		var all strings.Builder
		for i, line := range sound {
			all.WriteString(edit(i, line))
		}
		if err := os.WriteFile(path, []byte(all.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return ImportBatch(l, c, path, "", time.Now)
	}
	// Another model's replies, a failure, then a cut-off reply in its place, then what is whole.
	other := func(i int, line string) string {
		return strings.Replace(line, `"model":"stub/reader-careful"`, `"model":"stub/other"`, 1)
	}
	if _, err := write(other); err == nil || !strings.Contains(err.Error(), "stub/other") {
		t.Errorf("replies of another model: %v", err)
	}
	cut := replyLine(t, id(sound[0]), 200, []byte(`{"choices":[{"message":{"content":"A"},"finish_reason":"length"}],"usage":{"completion_tokens":2}}`))
	for i, first := range []string{
		replyLine(t, id(sound[0]), 500, []byte(`{"error":{"message":"boom"}}`)), cut, replyLine(t, id(sound[0]), 500, []byte(`"boom"`)), sound[0], cut,
	} {
		report, err := write(func(i int, line string) string {
			if i == 0 {
				return first
			}
			return line
		})
		if taken := []int{len(sound), 1, 0, 1, 0}[i]; err != nil || report.Taken != taken {
			t.Errorf("step %d: %+v %v", i, report, err)
		}
		states := map[string]int{}
		for _, call := range allRows(t, l, data.Calls) {
			if call.Stage == AnswerStage {
				states[call.State]++
			}
		}
		if want := []string{"failed", "truncated", "truncated", "ok", "ok"}[i]; states[want] == 0 || want != "ok" && states[want] != 1 || want == "ok" && len(states) != 1 {
			t.Errorf("step %d: %v, want %s", i, states, want)
		}
	}
}
