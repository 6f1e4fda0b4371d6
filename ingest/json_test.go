package ingest

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/captionlake/captionlake/data/captionqa"
)

// endless makes a captions file of so many entries piece by piece.
type endless struct {
	entries, made int
	rest          string
}

func (e *endless) Read(p []byte) (int, error) {
	for e.rest == "" {
		switch {
		case e.made == 0:
			e.rest = "{"
		case e.made <= e.entries:
			e.rest = fmt.Sprintf("%s\n \"nat_%07d\": %q", strings.Repeat(",", min(1, e.made-1)), e.made, strings.Repeat("é ", 200))
		case e.made == e.entries+1:
			e.rest = "\n}"
		default:
			return 0, io.EOF
		}
		e.made++
	}
	n := copy(p, e.rest)
	e.rest = e.rest[n:]
	return n, nil
}

// Places stay right over a long file, and the reader forgets what it has passed.
func TestJSONReaderStreams(t *testing.T) {
	const entries = 20000 // 12 MB
	r := newJSONReader(&endless{entries: entries}, func(line, col int, format string, args ...any) {
		t.Errorf("%d:%d: "+format, append([]any{line, col}, args...)...)
	})
	count, widest := 0, 0
	err := r.entries(captionqa.ItemName, func(_ string, at pos, value node) error {
		count++
		// The brace is on line 1; the caption follows a space, eleven digits and letters in quotes, a colon and a space.
		if want := (pos{count + 1, 17}); value.at != want || at != (pos{count + 1, 2}) {
			t.Fatalf("entry %d is at %v and %v, want %v", count, at, value.at, want)
		}
		widest = max(widest, cap(r.lines.breaks)*8+cap(r.dec.UnreadBuffer())+cap(r.scratch))
		return nil
	})
	if err != nil || count != entries {
		t.Fatalf("%d entries, error %v", count, err)
	}
	if widest > 256<<10 {
		t.Errorf("the reader kept %d bytes", widest)
	}
}

// However the bytes arrive, the faults are the same.
func TestJSONReaderInPieces(t *testing.T) {
	t.Parallel()
	const content = "{\"a\": \"é\xe2\x82€\",\n \"b\": [1, {\"c\": null, \"c\": \"\xff\xff\"}],\n \"b\": \"\\ud83d\\ude00 \\udc00\"} \xe2"
	read := func(in io.Reader) (got string) {
		r := newJSONReader(in, func(line, col int, format string, args ...any) {
			got += fmt.Sprintf("%d:%d: %s\n", line, col, fmt.Sprintf(format, args...)[:16])
		})
		if err := r.entries(captionqa.ItemName, func(string, pos, node) error { return nil }); err != errFaulted {
			t.Errorf("got error %v", err)
		}
		return got
	}
	whole := strings.Split(read(strings.NewReader(content)), "\n")
	pieces := strings.Split(read(iotest.OneByteReader(strings.NewReader(content))), "\n")
	count := func(lines []string) map[string]int {
		m := map[string]int{}
		for _, line := range lines {
			m[line]++
		}
		return m
	}
	if a, b := count(whole), count(pieces); fmt.Sprint(a) != fmt.Sprint(b) {
		t.Errorf("whole: %v\nin pieces: %v", a, b)
	}
	for _, want := range []string{"1:10: bytes that are n", "2:23: the key \"c\" was ", "2:29: bytes that are n", "3:2: the key \"b\" was ", "3:7: the string holds", "3:30: the file goes on"} {
		if count(whole)[want] != 1 {
			t.Errorf("%q is not once among %q", want, whole)
		}
	}
}
