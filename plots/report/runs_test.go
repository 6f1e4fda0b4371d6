package report

import (
	"slices"
	"strings"
	"testing"
)

// A mart's base tables are those of the marts that it is built from, too.
func TestBaseTables(t *testing.T) {
	marts := map[string]Mart{
		"sums":  {Inputs: "answers=1 questions=2"},
		"board": {Inputs: "sums=3 published=4"},
		"alone": {},
	}
	for mart, want := range map[string][]string{"board": {"answers", "published", "questions"}, "sums": {"answers", "questions"}, "alone": nil} {
		if got := BaseTables(mart, marts); !slices.Equal(got, want) {
			t.Errorf("%s comes from %q, want %q", mart, got, want)
		}
	}
}

// The runs behind the report's marts are in the manifest, in the order of their times; runs that wrote other tables are not.
func TestReportNamesRuns(t *testing.T) {
	r := build(t, small(t), Options{})
	var ids []string
	for _, run := range r.Runs {
		ids = append(ids, run.ID)
	}
	if want := []string{"run-1", "run-2"}; !slices.Equal(ids, want) {
		t.Errorf("the report names the runs %q, want %q", ids, want)
	}
	for _, m := range r.Marts {
		if want := []string{"answers"}; !slices.Equal(m.Tables, want) {
			t.Errorf("mart %s comes from %q, want %q", m.Name, m.Tables, want)
		}
	}
}

func TestRunsAreGrouped(t *testing.T) {
	var runs []Run
	for _, s := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "a"} {
		runs = append(runs, Run{ID: "run-" + s, Stage: "ingest/captions", Source: s, Tables: []string{"captions"}, Rows: 2})
	}
	groups := GroupRuns(append(runs, Run{ID: "other", Stage: "answer", Tables: []string{"answers", "calls"}, Rows: 3}))
	if len(groups) != 2 || groups[0].Stage != "answer" || groups[0].Rows != 3 {
		t.Fatalf("the groups are %+v", groups)
	}
	// Eight sources, of which the first six are listed.
	if g := groups[1]; g.Rows != 18 || len(g.Runs) != 9 || strings.Join(g.Sources, "") != "abcdef" || g.MoreSources != 2 {
		t.Errorf("the second group is %+v", g)
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
