package engine

import (
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/llm"
	"github.com/captionlake/captionlake/stages/preflight"
)

// A unit that would ask again under other settings is refused before anything is asked, also when
// its first item is new.
func TestRefusedBeforeAnyRequest(t *testing.T) {
	l := laketest.New(t)
	f := &scriptedCaller{reply: func(text string, _ int) (llm.Reply, error) {
		return llm.Reply{State: llm.StateOK, Text: "re " + text}, nil
	}}
	c := &config.Config{Endpoints: []config.Endpoint{{Name: "test", Replicas: []string{"http://127.0.0.1:1/v1"}}}}
	run := func(most int, items ...string) error {
		u := withRows(testUnit("unit", items))
		request := u.Request
		u.Request = func(i entry) (llm.Request, error) {
			q, err := request(i)
			q.Sampling.MaxTokens = most
			return q, err
		}
		r := New(l, []Stage{{Name: "test", Units: func(*Scope) ([]AnyUnit, error) { return []AnyUnit{u}, nil }}}, c,
			config.Choice{})
		r.Connect = func(config.Endpoint) (preflight.Client, error) { return quietClient{f}, nil }
		_, err := r.Run(t.Context())
		return err
	}
	must.Succeed(t, run(4, "a", "b"))
	asked := f.count()
	if err := run(8, "new", "a", "b"); err == nil ||
		!strings.Contains(err.Error(),
			"2 items have replies that were asked for under other settings (max_tokens: 4 → 8)") {
		t.Fatal(err)
	}
	expect.Equal(t, f.count(), asked)
	must.Succeed(t, run(4, "new", "a", "b"))
	expect.Equal(t, f.count(), asked+1)
}
