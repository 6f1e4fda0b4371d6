package ingest

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/ingest/file"
)

// What a small or hostile file would take memory for is refused by name before the memory is taken.
func TestForeignFilesAreBounded(t *testing.T) {
	for name, want := range map[string]struct{ content, says string }{
		"commas.csv":  {"image,caption\n" + strings.Repeat(",", 3<<20), "commas.csv:2: not as the header says"},
		"quoted.csv":  {"image,caption\na,\"" + strings.Repeat("\n,\"\",", 1<<20), "quoted.csv"},
		"string.json": {`{"a":"` + strings.Repeat("a", file.MaxItem) + `"}`, "string.json"},
		"values.json": {`[{"image":"a","caption":[` + strings.Repeat("0,", 1<<21) + `0]}]`, "values.json"},
	} {
		path := filepath.Join(t.TempDir(), name)
		must.Succeed(t, os.WriteFile(path, []byte(want.content), 0o600))
		o := Options{Captioner: "m", Prompt: "Simple", Domain: "Photos"}
		if _, _, err := loadPaths(t.Context(), laketest.New(t), []string{path}, o); err == nil ||
			!strings.Contains(err.Error(), want.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, head := range map[string]string{"large.json": `{"a": "b"`, "large.png": "\x89PNG\r\n\x1a\n"} {
		path := filepath.Join(t.TempDir(), name)
		must.Succeed(t, os.WriteFile(path, []byte(head), 0o600))
		must.Succeed(t, os.Truncate(path, file.MaxItem+1))
		if _, _, err := loadPaths(t.Context(), laketest.New(t), []string{path},
			Options{Captioner: "m", Domain: "Photos"}); err == nil {
			t.Errorf("%s was loaded", name)
		}
	}
}

// A command that is interrupted stops within a file, however long the file is.
func TestInterruptedWithinAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sparse.csv")
	must.Succeed(t, os.WriteFile(path, []byte("model,benchmark,score\n"), 0o600))
	must.Succeed(t, os.Truncate(path, 1<<40))
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	within(t, func() {
		_, _, err := loadPaths(ctx, laketest.New(t), []string{path}, Options{Format: "benchmark-scores"})
		expect.Failure(t, err, context.DeadlineExceeded)
	})
}
