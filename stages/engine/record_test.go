package engine

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/llm"
)

// answering is a client whose one server said what it is.
type answering struct{ Client }

func (answering) Facts(context.Context) []llm.ServerFacts {
	return []llm.ServerFacts{{Endpoint: "a", Version: "1"}}
}

// The record of a run has the price at which it was asked; one without a price says nothing of it. The SQL macro price_of reads it.
func TestRecordHasThePrice(t *testing.T) {
	p := &preflight{Client: answering{}}
	for want, price := range map[string]config.Price{
		`{"price":{"input":2.5,"cached":0,"output":10},"replicas":[`: {Input: 2.5, Output: 10},
		`{"replicas":[`: {},
	} {
		got, err := json.Marshal(p.record(t.Context(), price))
		if err != nil || !strings.HasPrefix(string(got), want) {
			t.Errorf("got %s, %v, want it to begin with %s", got, err, want)
		}
	}
}
