package ingest

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

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
	err := r.inOrder(captionqa.ItemName, func(_ string, at pos, value node) error {
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

// Values are read ahead of their use, and faults of the text and of what it says come in the order of the file all the same. Values are
// whole while they are used, and nothing is read on once no more is wanted.
func TestEntriesAreReadAhead(t *testing.T) {
	t.Parallel()
	var text, want strings.Builder
	const entries = 200
	for i := range entries {
		fmt.Fprintf(&text, "%s\n \"nat_%d\": [%d, {\"a\": %d, \"a\": [%d]}]", strings.Repeat(",", min(i, 1)), i, i, i, i)
		fmt.Fprintf(&want, "%d: the key \"a\" was given on line %d already: keep one of the two\n%d: used\n", i+2, i+2, i+2)
	}
	var got strings.Builder
	fault := func(line, _ int, format string, args ...any) {
		fmt.Fprintf(&got, "%d: %s\n", line, fmt.Sprintf(format, args...))
	}
	seen := 0
	use := func(_ string, _ pos, value node) error {
		runtime.Gosched()
		number := fmt.Sprint(seen)
		if value.items[0].text != number || value.items[1].fields[1].value.items[0].text != number {
			t.Fatalf("value %d is %+v", seen, value)
		}
		fault(value.at.line, value.at.col, "used")
		seen++
		return nil
	}
	if err := newJSONReader(strings.NewReader("{"+text.String()+"}"), fault).entries(strings.Clone, use); err != nil || seen != entries {
		t.Fatalf("%d values, error %v", seen, err)
	}
	if diff := cmp.Diff(want.String(), got.String()); diff != "" {
		t.Error(diff)
	}
	enough, uses := errors.New("enough"), 0
	err := newJSONReader(&endless{entries: entries}, fault).entries(strings.Clone, func(string, pos, node) error {
		if uses++; uses == 3 {
			return enough
		}
		return nil
	})
	if !errors.Is(err, enough) || uses != 3 {
		t.Errorf("%d values were used, error %v", uses, err)
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
