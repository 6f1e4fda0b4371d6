package engine

import (
	"testing"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/llm"
)

// A unit that would ask again under other settings is refused before anything is asked, also when
// its first item is new.
func TestRefusedBeforeAnyRequest(t *testing.T) {
	l := laketest.New(t)
	f := &scriptedCaller{reply: func(text string, _ int) (llm.Reply, error) {
		return said("re " + text), nil
	}}
	run := func(most int, items ...string) error {
		u := changed(withRows(testUnit("unit", items)), func(r *llm.Request) { r.Sampling.MaxTokens = most })
		_, err := runnerOf(l, f, u).Run(t.Context())
		return err
	}
	must.Succeed(t, run(4, "a", "b"))
	asked := f.count()
	expect.Failure(t, run(8, "new", "a", "b"),
		"2 items have replies that were asked for under other settings (max_tokens: 4 → 8)")
	expect.Equal(t, f.count(), asked)
	must.Succeed(t, run(4, "new", "a", "b"))
	expect.Equal(t, f.count(), asked+1)
}
