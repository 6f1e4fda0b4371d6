package plots

import (
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/must"
)

// taxonomyTable is a domain with two categories, of which one has nothing below it, and another domain.
func taxonomyTable(t *testing.T) *Table {
	t.Helper()
	return table(t, "taxonomy_nodes", []string{"domain", "category", "subcategory", "aspect", "level", "place", "n_below", "examples", "provenance"},
		[]any{"Natural", "Hallucination", "", "", 1, 6, 0, []string{}, "published"},
		[]any{"Natural", "Spatial relations of everything", "", "", 1, 1, 2, []string{}, "published"},
		[]any{"Natural", "Spatial relations of everything", "Layout", "Symmetry", 3, 3, 0, []string{"left", "right"}, "published"},
		[]any{"Natural", "Spatial relations of everything", "Layout", "Scene", 3, 4, 0, []string{}, "published"},
		[]any{"Natural", "Spatial relations of everything", "Layout", "", 2, 2, 2, []string{}, "published"},
		[]any{"Natural", "Spatial relations of everything", "Proximity", "", 2, 5, 0, []string{"near", "far"}, "published"},
		[]any{"Kitchen", "Tools", "", "", 1, 1, 0, []string{}, "published"})
}

// The tree has every category and subcategory in the order of the taxonomy, with the number of aspects.
func TestTaxonomyFigure(t *testing.T) {
	ts := Tables{"taxonomy_nodes": taxonomyTable(t)}
	labels := textsOf(t, "taxonomy", ts)
	inOrder(t, labels, "Natural: 2 categories, 2 subcategories", "Spatial relations of", "Layout (2)", "everything", "Proximity", "Hallucination")
	inOrder(t, labels, "Kitchen: 1 category, 0 subcategories", "Tools")
	d, err := taxonomyFigure.Draw(ts, Page{})
	must.Succeed(t, err)
	if err := checkPages(taxonomyFigure, ts, d); err != nil {
		t.Error(err)
	}
	orphan := table(t, "taxonomy_nodes", ts["taxonomy_nodes"].Columns(), []any{"Natural", "Spatial", "Layout", "", 2, 2, 2, []string{}, "published"})
	if _, err := taxonomyFigure.Draw(Tables{"taxonomy_nodes": orphan}, Page{}); err == nil || !strings.Contains(err.Error(), "row 1: Layout comes before its category Spatial") {
		t.Errorf("got %v", err)
	}
}
