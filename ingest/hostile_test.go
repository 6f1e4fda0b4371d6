package ingest

import (
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/captionlake/captionlake/data/laketest"
)

// Text that nests without end costs little to be told from every format, and to be refused by each that is asked to
// read it all the same. Bytes are counted as they are allocated.
func TestMemoryOfNestedText(t *testing.T) {
	for _, name := range []string{"x.json", "x.yaml", "2026_samples_x.jsonl"} {
		for _, piece := range []string{"[", `{"a":`, `{"nat_001": [`, "- ", "{a: "} {
			content := []byte(strings.Repeat(piece, 200_000/len(piece)))
			s := Source{FS: fstest.MapFS{name: {Data: content}}, Name: name, Path: name}
			lake := laketest.New(t)
			for _, format := range append([]string{""}, formatNames()...) {
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				if _, err := Load(t.Context(), lake, s, Options{Format: format, Domain: "Natural", Captioner: "m", Reader: "r", Prompt: "Simple"}); err == nil {
					t.Errorf("%s of %q is read as %q", name, piece, format)
				}
				runtime.ReadMemStats(&after)
				if bytes := after.TotalAlloc - before.TotalAlloc; bytes > 100<<20 {
					t.Errorf("%s of %q as %q: %d bytes were allocated for %d", name, piece, format, bytes, len(content))
				}
			}
		}
	}
}
