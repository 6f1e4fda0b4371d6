package report

import (
	"slices"
	"strings"
	"testing"
)

// A mart's base tables are those of the marts that it is built from, too.
func TestBaseTables(t *testing.T) {
	marts := map[string]Mart{
		"sums":  {Name: "sums", Inputs: "answers=1 questions=2"},
		"board": {Name: "board", Inputs: "sums=3 published=4 answers=1"},
		"alone": {Name: "alone"},
	}
	for mart, want := range map[string][]string{"board": {"answers", "published", "questions"}, "sums": {"answers", "questions"}, "alone": nil} {
		if got := baseTables(mart, marts); !slices.Equal(got, want) {
			t.Errorf("%s comes from %q, want %q", mart, got, want)
		}
	}
}

// The document of all tables takes in each .tex file of the report once, and nothing else.
func TestDocumentOfAllTables(t *testing.T) {
	r := build(t, small(t), Options{})
	document := content(t, r, documentName)
	for _, f := range r.Files() {
		if strings.HasSuffix(f.Name, ".tex") && f.Name != documentName && strings.Count(document, "\\input{"+f.Name+"}\\clearpage\n") != 1 {
			t.Errorf("the document does not take in %s once", f.Name)
		}
	}
	// A letter that pdfLaTeX lacks gets a stand-in; the report's names have one.
	if !strings.Contains(document, "  \\unlessknown{6A21}{模}\n") || strings.Contains(document, "unlessknown{00E9}") {
		t.Errorf("the document does not provide for letters that are not Latin:\n%s", document)
	}
	if n := strings.Count(document, "\\input{"); n != strings.Count(document, "\\input{tables/")+strings.Count(document, "\\input{figures/") || n == 0 {
		t.Errorf("the document takes in %d files", n)
	}
}
