package batch

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/llm"
)

// FuzzBatchLine feeds lines that vLLM never wrote.
func FuzzBatchLine(f *testing.F) {
	for _, seed := range []string{
		`{"custom_id":"a-r0","response":{"status_code":200,"body":{"choices":[{"message":{"content":"A"}}]}},"error":null}`,
		`{"custom_id":"a-r0","response":{"status_code":400,"body":null},"error":"text"}`,
		`{"custom_id":"a-r0","response":null,"error":{"error":{"message":"m"}}}`,
		`{"custom_id":1}`, `[]`, ``, `{"custom_id":"` + strings.Repeat("a", 64) + `-r-1"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		if len(line) > 1<<16 {
			return
		}
		path := filepath.Join(t.TempDir(), "replies")
		must.Write(t, path, line)
		for l, err := range batchLines(path) {
			if err != nil {
				t.Fatal(err) // Only a line beyond the limit cannot be read.
			}
			if l.fault != "" {
				continue
			}
			reply, err := l.reply(llm.Request{Sampling: llm.Greedy(64)})
			var call *llm.CallError
			if err != nil && !errors.As(err, &call) || err == nil && reply.State == "" {
				t.Fatalf("%+v %v", reply, err)
			}
		}
	})
}

// The lines that vllm run-batch of vLLM 0.32 wrote for requests of every end, recorded as they are,
// are read as what they are. The requests were, with tiny models: {"custom_id": NAME, "method":
// "POST", "url": "/v1/chat/completions", "body": {…}}.
func TestBatchLinesOfVLLM(t *testing.T) {
	want := map[string]llm.Class{
		"choice": "", "length": "",
		"unknown model":                llm.ClassNotFound,
		"max_tokens above the context": llm.ClassParameter,
		"prompt above the context":     llm.ClassContextLength,
		"temperature":                  llm.ClassParameter,
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
	expect.Equal(t, n, len(want), "lines for requests")
}
