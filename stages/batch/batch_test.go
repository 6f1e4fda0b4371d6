package batch

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

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
		must.Succeed(t, os.WriteFile(path, line, 0o666))
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
