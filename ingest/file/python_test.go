package file

import (
	"bytes"
	"encoding/json"
	"testing"
)

// FuzzPython replaces Python's numbers in two pieces: the text keeps its length, and JSON that has
// none of them is not changed.
func FuzzPython(f *testing.F) {
	for _, seed := range []string{`{"a": NaN, "b": "NaN \" Infinity", "c": [-Infinity, Infinity]}`, "NaN", `"NaN`,
		"{\n\"a\": NaN\n}", ""} {
		for at := range len(seed) + 1 {
			f.Add([]byte(seed), at)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, at int) {
		got, p := bytes.Clone(text), &python{}
		at = min(max(at, 0), len(text))
		p.replace(got[:at])
		p.replace(got[at:])
		if json.Valid(text) && !bytes.Equal(got, text) {
			t.Fatalf("%q became %q", text, got)
		}
		if bytes.Count(got, []byte("\n")) > bytes.Count(text, []byte("\n")) {
			t.Fatalf("%q became %q", text, got)
		}
	})
}
