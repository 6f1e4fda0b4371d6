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
				if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 100<<20 {
					t.Errorf("%s of %q as %q: %d bytes were allocated for %d", name, piece, format, allocated, len(content))
				}
			}
		}
	}
}

// A few bytes may claim gigabytes, and a text may be of any length: both are refused where they are, before memory is taken for them.
func TestMemoryOfClaims(t *testing.T) {
	const cell = "a text of 1572864 bytes, and one has at most 1048576: shorten it or take it out"
	long := strings.Repeat("x", 3<<19)
	for name, c := range map[string]struct{ file, content, want string }{
		"footer":              {"x.parquet", "PAR1\xff\xff\xff\xffPAR1", "the footer claims 4294967295 bytes of a file of 12"},
		"commas":              {"x.csv", "model,benchmark,score\n" + strings.Repeat(",", 8<<20), "x.csv:2:1: the record has more than 2097152 bytes"},
		"a quote left open":   {"x.csv", "model,benchmark,score\na,MMMU,1\n\"" + strings.Repeat("a\n", 2<<20), "x.csv:3:1: the record has more than 2097152 bytes"},
		"cell":                {"x.csv", "model,benchmark,score\n" + long + ",MMMU,1", "x.csv:2:1: " + cell},
		"caption":             {"x.json", `{"nat_001": "` + long + `"}`, "x.json:1:13: " + cell},
		"caption without end": {"x.json", `{"nat_001": "` + strings.Repeat("x", 70<<20), "x.json:1:11: a value has more than 67108864 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := Load(t.Context(), laketest.New(t), textSource(c.file, c.content), Options{Captioner: "m", Prompt: "Simple", Reader: "r"})
			runtime.ReadMemStats(&after)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an error about %q", err, c.want)
			}
			if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 500<<20 {
				t.Errorf("%d bytes were allocated for %d", allocated, len(c.content))
			}
		})
	}
}
