package ingest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/captionlake/captionlake/data/captionqa"
)

// Faults of the text itself are all reported, each with its place.
func TestJSONReaderFaults(t *testing.T) {
	t.Parallel()
	const content = "{\"a\": \"é\xe2\x82€\",\n \"b\": [1, {\"c\": null, \"c\": \"\xff\xff\"}],\n \"b\": \"\\ud83d\\ude00 \\udc00\"} \xe2"
	var got []string
	r := newJSONReader([]byte(content), func(line, col int, format string, args ...any) {
		got = append(got, fmt.Sprintf("%d:%d: %s", line, col, fmt.Sprintf(format, args...)[:16]))
	})
	if err := r.entries(captionqa.ItemName, func(string, pos, node) error { return nil }); err != errFaulted {
		t.Errorf("got error %v", err)
	}
	want := []string{"1:10: bytes that are n", "2:23: the key \"c\" was ", "2:29: bytes that are n", "3:2: the key \"b\" was ", "3:7: the string holds", "3:30: the file goes on"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
