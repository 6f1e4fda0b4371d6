package engine

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/llm"
	"github.com/captionlake/captionlake/stages/preflight"
)

// A server that answers {} to everything ends the run after a few calls; single calls without a reply are recorded, and the run goes on.
func TestAServerWithoutRepliesEndsTheRun(t *testing.T) {
	for _, c := range []struct {
		bad  int // every so manyth item has no reply
		ends bool
	}{{1, true}, {10, false}} {
		l := laketest.New(t)
		f := &scriptedCaller{reply: func(text string, _ int) (llm.Reply, error) {
			var n int
			if _, err := fmt.Sscanf(text, "item %d", &n); err != nil || n%c.bad != 0 {
				return llm.Reply{State: llm.StateOK, Text: "A"}, err
			}
			return llm.Reply{State: llm.StateFailed}, &llm.CallError{Class: llm.ClassEmpty, Message: "the reply has no choice"}
		}}
		var items []string
		for i := range 100 {
			items = append(items, fmt.Sprint("item ", i))
		}
		u := withRows(testUnit("unit", items))
		r := New(l, []Stage{{Name: "test", Units: func(*Scope) ([]AnyUnit, error) { return []AnyUnit{u}, nil }}},
			&config.Config{Endpoints: []config.Endpoint{{Name: "test", Replicas: []string{"http://127.0.0.1:1/v1"}}}}, config.Choice{})
		r.Connect = func(config.Endpoint) (preflight.Client, error) { return quietClient{f}, nil }
		_, err := r.Run(t.Context())
		if !c.ends {
			if err != nil || f.count() != 100 {
				t.Errorf("%d calls, %v", f.count(), err)
			}
			continue
		}
		var hint *data.HintError
		if err == nil || !strings.Contains(err.Error(), "endpoint test has brought no reply to 8 calls in a row: empty: the reply has no choice") || !errors.As(err, &hint) {
			t.Errorf("%v", err)
		}
		if f.count() == len(items) { // How many are asked while the eighth failure is noted depends on the machine.
			t.Error("all items were asked")
		}
	}
}
