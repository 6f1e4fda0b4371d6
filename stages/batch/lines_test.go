package batch

import (
	"testing"

	"github.com/captionlake/captionlake/stages/llm"
)

// The lines that vllm run-batch of vLLM 0.32 wrote for requests of every end, recorded as they are, are read as what they
// are. The requests were, with tiny models: {"custom_id": NAME, "method": "POST", "url": "/v1/chat/completions", "body": {…}}.
func TestBatchLinesOfVLLM(t *testing.T) {
	want := map[string]llm.Class{
		"choice": "", "length": "",
		"unknown model":                llm.ClassNotFound,
		"max_tokens above the context": llm.ClassRefused,
		"prompt above the context":     llm.ClassContextLength,
		"temperature":                  llm.ClassRefused,
	}
	states := map[string]string{"choice": llm.StateOK, "length": llm.StateTruncated}
	n := 0
	for line, err := range batchLines("testdata/vllm-0.32.0.replies.jsonl") {
		if err != nil || line.fault != "" {
			t.Fatalf("%v %s", err, line.fault)
		}
		n++
		class, known := want[line.CustomID]
		if !known {
			t.Errorf("%s is not among the requests", line.CustomID)
		}
		reply, err := line.reply(llm.Request{Sampling: llm.Greedy(8)})
		if llm.ClassOf(err) != class || class == "" && (err != nil || reply.State != states[line.CustomID]) {
			t.Errorf("%s: %+v %v, want %q", line.CustomID, reply, err, class)
		}
	}
	if n != len(want) {
		t.Errorf("%d lines for %d requests", n, len(want))
	}
}
