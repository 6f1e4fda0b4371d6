package strictyaml

import (
	"errors"
	"runtime"
	"strings"
	"testing"
)

// staircase nests n mappings by indentation.
func staircase(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

func TestParse(t *testing.T) {
	t.Parallel()
	const limit = 1 << 20
	for _, c := range []struct{ name, content, want string }{
		{"empty", "", ""},
		{"nested as configurations are",
			"endpoints:\n  - name: a\n    replicas: [http://a/v1]\n    concurrency: {initial: 1, max: 2}\n", ""},
		{"brackets that are closed", strings.Repeat("- [[[[]]]]\n", 1000), ""},
		{"a text with brackets", "text: |\n" + strings.Repeat("  [ { [ ] } ]\n", 1000), ""},
		{"a ruler of dashes", "a: 1\n# " + strings.Repeat("-", 200) + "\n", ""},
		{"an indented list of a thousand", "a:\n" + strings.Repeat("  - b: 1\n    c: [2]\n", 1000), ""},
		{"a ladder up and down", strings.Repeat("-\n"+strings.ReplaceAll(staircase(30), "a:", " a:"), 10), ""},
		{"an asterisk in a text", "a: two * three & four\n", ""},
		{"an asterisk in quotes", "a: '*b'\n", ""},
		{"200 kB of brackets", strings.Repeat("[", 200_000), "1:1: values are nested more than 64 deep"},
		{"200 kB of braces", strings.Repeat("{a: ", 50_000), "1:1: values are nested"},
		{"brackets of many lines", strings.Repeat("[\n", 100_000), ": values are nested"},
		{"dashes", strings.Repeat("- ", 100_000), "1:1: values are nested"},
		{"dashes with tabs", strings.Repeat("-\t", 100_000), "1:"},
		{"question marks", strings.Repeat("? ", 100_000), "1:1: values are nested"},
		{"indentation", staircase(600), "64:64: values are nested"},
		{"long", strings.Repeat("a", limit+1), "1:1: the document has more than 1024 KiB"},
		{"an anchor", "a: &x 1\n", `1:4: "x"`},
		{"an alias", "b: 1\na: *x\n", `2:4: "*`},
		{"a merge key", "a:\n  <<: {b: 1}\n", `2:3: "<<"`},
		{"a key twice", "a: 1\na: 2\n", `2:1: the key "a" is a duplicate: keep one`},
	} {
		_, err := Parse([]byte(c.content), limit)
		var fault *Fault
		if c.want == "" && err != nil || c.want != "" &&
			(!errors.As(err, &fault) || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
}

// Refused text costs next to nothing, and text that reaches the parser costs in proportion to its
// size. Bytes are counted as they are allocated, so that the figure does not depend on the
// collector; 50 kB of brackets took 3.5 GB.
func TestMemoryOfHostileYAML(t *testing.T) {
	for _, piece := range []string{"[", "{", "{a: ", "[a,", "[[],", "- ", "-\t", "? ", "- ? ", "a: ", "a:\n", "!a ",
		"|\n", "'", `"`, "%", "--- ", "- [{a: ", "\n- ", "\n  ? - "} {
		content := []byte(strings.Repeat(piece, 50_000/len(piece)))
		bytes := allocated(func() {
			_, _ = Parse(content, 256<<10)
		})
		if most := uint64(1000 * len(content)); bytes > most {
			t.Errorf("%q: %d bytes were allocated for %d", piece, bytes, len(content))
		}
	}
}

// allocated is how many bytes f allocates in all.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// FuzzParse: what is let through nests as little as was promised, and costs the parser little.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"a: [1, {b: c}]\n", "- - - a\n", "? - a\n: b\n", "a: |\n  [[[\n", "a: &x [*x]\n",
		strings.Repeat("[", 100), staircase(80), "\ufeffa: 1\r\n\tb: 2\r", "- \t-\u0085- a"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		if len(content) > 64<<10 {
			t.Skip("longer than texts that say something new")
		}
		bytes := allocated(func() {
			_, _ = Parse(content, 64<<10)
		})
		if most := uint64(1<<20 + 4000*len(content)); bytes > most {
			t.Errorf("%d bytes were allocated for %d", bytes, len(content))
		}
	})
}
