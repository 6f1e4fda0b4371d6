package ingest

import (
	"maps"
	"slices"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

// TestTaxonomyReconciles compares the published files with the counts of CaptionQA's Table 1 and
// with the categories of Tables 5 to 8.
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
		"Natural": {6, 22, 29, 10}, "Document": {6, 15, 36, 3}, "E-commerce": {7, 16, 49, 1},
		"Embodied AI": {6, 16, 51, 0},
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
			r.Item == "Table 1" && r.Domain == "Total" && r.Metric == "subcategories" &&
				int(r.Value) != total.subcategories:
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
		expect.Equal(t, slices.Sorted(slices.Values(names)), slices.Sorted(slices.Values(printed[domain])), domain)
	}
}
