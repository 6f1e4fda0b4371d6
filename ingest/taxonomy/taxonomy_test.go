package taxonomy

import (
	"errors"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/ingest/file"
	"github.com/captionlake/captionlake/ingest/shape"
)

// TestTaxonomyDetection leaves files alone that look alike.
func TestTaxonomyDetection(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]string{
		"captions.json": `{"nat_001": "a cat", "nat_002": "a dog"}`,
		"lists.json":    `{"nat_001": ["a cat"], "nat_002": ["a dog"]}`,
		"bank.json":     `{"nat_001.png": [{"question": "?", "choices": ["a", "b"]}]}`,
		"results.json":  `{"results": {"captionqa": {"acc,none": 0.5}}}`,
		"scalar.yaml":   "a: 1\nb: 2\n",
		"text.yaml":     "just words\n",
		"empty.json":    "",
	} {
		s := file.Source{FS: fstest.MapFS{name: {Data: []byte(content)}}, Name: name, Path: name}
		if detect(must.Get(shape.LookAt(s))(t)) {
			t.Errorf("%s is taken for a taxonomy", name)
		}
	}
}

// FuzzTaxonomy reads any bytes as JSON and as YAML: they are nodes with distinct keys or faults,
// and never a panic.
func FuzzTaxonomy(f *testing.F) {
	for _, seed := range []string{
		string(must.Get(txtar.ParseFile("../testdata/taxonomy.txtar"))(f).Files[0].Data),
		`{"a": {"b": {"c": {"d": null}}}}`, "a:\n  b: [c, 1]\n", "a: &x {b: *x}\n", "? [a]\n: b\n",
		"{}", "[", "", "a: |\n  text\n", "\"\\ud800\": {\"b\": null}", "<<: {a: b}\n", "--- a\n--- b\n",
		"!!map {a: {b: null}}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		if len(content) > 1<<12 {
			t.Skip("larger than inputs that say something new")
		}
		for _, name := range []string{"x.json", "x.yaml"} {
			j := &shape.Job{Options: shape.Options{Domain: "Any"},
				Source: file.Source{FS: fstest.MapFS{name: {Data: content}}, Name: name, Path: name}}
			detect(must.Get(shape.LookAt(j.Source))(t))
			nodes, err := read(j)
			if !errors.Is(err, file.ErrFaulted) {
				must.Succeed(t, err)
			}
			if len(nodes) == 0 && len(j.Faults.All) == 0 {
				t.Errorf("%s: neither nodes nor faults", name)
			}
			slices.SortFunc(nodes, func(a, b data.TaxonomyNode) int { return data.Taxonomy.Compare(&a, &b) })
			for i := 1; i < len(nodes) && len(j.Faults.All) == 0; i++ {
				if data.Taxonomy.Compare(&nodes[i-1], &nodes[i]) == 0 {
					t.Errorf("%s: two nodes of one key: %+v", name, nodes[i])
				}
			}
		}
	})
}
