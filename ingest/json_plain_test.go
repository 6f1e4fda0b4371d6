package ingest

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// slowJSON reads a value token by token.
func slowJSON(text string, halves bool, fault faultFunc) (node, error) {
	r := newJSONReader(strings.NewReader(text), fault)
	r.halves = halves
	n, err := r.nested(0)
	if err == nil {
		err = r.end()
	}
	return n, err
}

// emptied gives lists and objects without members one form.
func emptied(n node) node {
	var items []node
	for _, item := range n.items {
		items = append(items, emptied(item))
	}
	var fields []field
	for _, f := range n.fields {
		f.value = emptied(f.value)
		fields = append(fields, f)
	}
	n.items, n.fields = items, fields
	return n
}

// The quick way to read a value and the way token by token give the same values, places and faults.
func FuzzPlainReader(f *testing.F) {
	for _, seed := range []string{
		`{"a": [1, -2.5e+3, true, false, null, "x"], "b": {}, "c": []}`, "  \n[\n {\"é\" : \"\\u00e9\\n\\\"\"},\r\n\t[[]] ]\n", `"\ud83d\ude00 \ud83d"`,
		`{"a": 1, "\u0061": 2}`, "{\"a\": \"\xff\"}", `[1,]`, `{"a" 1}`, `[1 2]`, `01`, `"a`, ``, `{} {}`, strings.Repeat("[", 70) + strings.Repeat("]", 70),
		strings.Repeat("[", 64) + strings.Repeat("]", 64), "{" + strings.Repeat(`"k": 0, `, 40) + `"z": 1}`, "\"\x01\"", "\ufeff[]", "nul", `{"a": {"b": 1, "c": [{"b": 1, "b": 2}]}}`,
	} {
		f.Add(seed, false)
		f.Add(seed, true)
	}
	f.Fuzz(func(t *testing.T, text string, halves bool) {
		if len(text) > fuzzLimit {
			t.Skip("larger than inputs that say something new")
		}
		collect := func(to *[]string) faultFunc {
			return func(line, col int, format string, args ...any) {
				*to = append(*to, fmt.Sprintf("%d:%d: ", line, col)+fmt.Sprintf(format, args...))
			}
		}
		var wantFaults []string
		want, wantErr := slowJSON(text, halves, collect(&wantFaults))
		check := func(way string, got node, err error, faults []string) {
			if (err == nil) != (wantErr == nil) || !reflect.DeepEqual(faults, wantFaults) {
				t.Fatalf("%s: error %v and faults %q, want %v and %q", way, err, faults, wantErr, wantFaults)
			}
			if err == nil && !reflect.DeepEqual(emptied(got), emptied(want)) {
				t.Fatalf("%s: %+v, want %+v", way, got, want)
			}
		}
		var faults []string
		r := newJSONReader(strings.NewReader(text), collect(&faults))
		r.halves = halves
		got, err := r.whole()
		check("as a file", got, err, faults)
		if strings.HasPrefix(text, byteOrderMark) || strings.ContainsAny(text, "\n") {
			return // no line
		}
		faults = nil
		got, err = readJSONLine(&plainReader{}, []byte(text), 1, halves, collect(&faults))
		check("as a line", got, err, faults)
	})
}

// Values of a file are read the quick way: a change that sends them all the slow way keeps every answer and costs half of the speed.
func TestPlainReaderTakesResults(t *testing.T) {
	t.Parallel()
	var p plainReader
	text := officialResults(50, 5)
	n, ok := p.read([]byte(text), pos{1, 1}, 0, false)
	if !ok || len(n.fields) != 5 || len(n.fields[0].value.items) != 10 || n.fields[4].at.line < 400 {
		t.Fatalf("read %t, %d images", ok, len(n.fields))
	}
}
