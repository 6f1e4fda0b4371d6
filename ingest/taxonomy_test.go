package ingest

import (
	"errors"
	"maps"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

// TestTaxonomyReconciles compares the published files with the counts of CaptionQA's Table 1 and with the categories
// of Tables 5 to 8.
func TestTaxonomyReconciles(t *testing.T) {
	t.Parallel()
	l := laketest.New(t)
	must.Get(LoadReference(t.Context(), l))(t)
	type counts struct{ categories, subcategories, aspects, bare int }
	got := map[string]counts{}
	nodes := laketest.All(t, l, data.Taxonomy)
	hasAspects := map[[3]string]bool{}
	for _, n := range nodes {
		if n.Level == 3 {
			hasAspects[[3]string{n.Domain, n.Category, n.Subcategory}] = true
		}
	}
	var total counts
	for _, n := range nodes {
		c := got[n.Domain]
		switch n.Level {
		case 1:
			c.categories++
			total.categories++
		case 2:
			c.subcategories++
			total.subcategories++
			if !hasAspects[[3]string{n.Domain, n.Category, n.Subcategory}] {
				c.bare++
				total.bare++
			}
		case 3:
			c.aspects++
			total.aspects++
		}
		got[n.Domain] = c
	}
	want := map[string]counts{
		"Natural": {6, 22, 29, 10}, "Document": {6, 15, 36, 3}, "E-commerce": {7, 16, 49, 1}, "Embodied AI": {6, 16, 51, 0},
	}
	if !maps.Equal(got, want) || total != (counts{25, 69, 165, 14}) {
		t.Errorf("got %v, in all %v\nwant %v", got, total, want)
	}
	printed := map[string][]string{}
	for _, r := range laketest.All(t, l, data.PublishedFigures) {
		switch {
		case r.Metric == "subcategories_text":
			printed[r.Domain] = append(printed[r.Domain], r.Category)
		case r.Item == "Table 1" && r.Domain == "Total" && r.Metric == "top_level" && int(r.Value) != total.categories,
			r.Item == "Table 1" && r.Domain == "Total" && r.Metric == "subcategories" && int(r.Value) != total.subcategories:
			t.Errorf("Table 1 prints %s %v", r.Metric, r.Value)
		}
	}
	categories := map[string][]string{}
	for _, n := range laketest.All(t, l, data.Taxonomy) {
		if n.Level == 1 {
			categories[n.Domain] = append(categories[n.Domain], n.Category)
		}
	}
	for domain, names := range categories {
		if !slices.Equal(slices.Sorted(slices.Values(names)), slices.Sorted(slices.Values(printed[domain]))) {
			t.Errorf("%s: the file has %q, the table prints %q", domain, names, printed[domain])
		}
	}
}

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
		s := Source{FS: fstest.MapFS{name: {Data: []byte(content)}}, Name: name, Path: name}
		if detectTaxonomy(s, []byte(content)) {
			t.Errorf("%s is taken for a taxonomy", name)
		}
	}
}

// FuzzTaxonomy reads any bytes as JSON and as YAML: they are nodes with distinct keys or faults, and never a panic.
func FuzzTaxonomy(f *testing.F) {
	for _, seed := range []string{
		example(f, "taxonomy", "t.json"), `{"a": {"b": {"c": {"d": null}}}}`, "a:\n  b: [c, 1]\n", "a: &x {b: *x}\n", "? [a]\n: b\n",
		"{}", "[", "", "a: |\n  text\n", "\"\\ud800\": {\"b\": null}", "<<: {a: b}\n", "--- a\n--- b\n", "!!map {a: {b: null}}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		if len(content) > 1<<12 {
			t.Skip("larger than inputs that say something new")
		}
		for _, name := range []string{"x.json", "x.yaml"} {
			j := &Job{Source: Source{FS: fstest.MapFS{name: {Data: content}}, Name: name, Path: name}}
			detectTaxonomy(j.Source, content)
			nodes, err := readTaxonomy(j, "Any")
			if !errors.Is(err, errFaulted) {
				must.Succeed(t, err)
			}
			if len(nodes) == 0 && len(j.faults.All) == 0 {
				t.Errorf("%s: neither nodes nor faults", name)
			}
			slices.SortFunc(nodes, func(a, b data.TaxonomyNode) int { return data.Taxonomy.Compare(&a, &b) })
			for i := 1; i < len(nodes) && len(j.faults.All) == 0; i++ {
				if data.Taxonomy.Compare(&nodes[i-1], &nodes[i]) == 0 {
					t.Errorf("%s: two nodes of one key: %+v", name, nodes[i])
				}
			}
		}
	})
}
