package main

import (
	"path/filepath"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

// ingest and status name the candidates about removed nodes. remove names the rows that are removed
// with candidates, and the people's decisions that stay.
func TestGoneNodesAndRemovalAreTold(t *testing.T) {
	dir := t.TempDir() + "/lake"
	l := must.Get(data.Create(dir, "test"))(t)
	unit := func(stage string) data.Unit {
		return data.Unit{Stage: stage, Name: "kitchen", Provenance: data.ProvenanceMeasured}
	}
	candidate := func(id, subcategory string) data.Candidate {
		return data.Candidate{CandidateID: id, ImageID: "i", Domain: "kitchen", Category: "Objects",
			Subcategory: subcategory, Options: []string{}}
	}
	review := data.Review{CandidateID: "i/2", Reviewer: "anna", Decision: "keep", Options: []string{}}
	second := review
	second.Reviewer = "bert"
	made, routed, reviewed := unit("candidates"), unit("routes"), unit("review")
	must.Get(data.Put(l, unit("ingest/taxonomy"), data.Taxonomy, data.TaxonomyNode{Domain: "kitchen",
		Category: "Objects", Subcategory: "Number", Level: 2, Examples: []string{}}))(t)
	must.Get(data.Put(l, made, data.Candidates, candidate("i/1", "Number"), candidate("i/2", "Colour"),
		candidate("i/3", "Colour")))(t)
	must.Get(data.Put(l, routed, data.Routes, data.Route{CandidateID: "i/2", Route: "review"}))(t)
	must.Get(data.Put(l, reviewed, data.Reviews, review, second))(t)
	must.Succeed(t, l.Close())
	more := filepath.Join(t.TempDir(), "more.yaml")
	must.Write(t, more, "Objects:\n  Number:\n")
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"ingest", "--as", "taxonomy", "--domain", "kitchen", more}, []string{"Objects > Colour (2)"}},
		{[]string{"status"},
			[]string{"Note: 2 candidates are about nodes that are no longer in the taxonomy: kitchen: Objects > Colour (2); " +
				"people decided on 1 of them, " +
				"and these decisions are kept; run construct leaves them out, and repeats no request if the nodes come back\n"}},
		{[]string{"--json", "status"}, []string{`"gone_nodes"`, `"subcategory": "Colour"`}},
		{[]string{"remove", made.FileStem()},
			[]string{"removed " + routed.FileStem() + ": all 1 rows of routes came from its candidates\n",
				"removed " + made.FileStem() + "\n",
				"kept " + reviewed.FileStem() + ": people made it, so it is removed only if you name it; " +
					"2 of its 2 rows of reviews are about removed candidates, and count again when these are back\n"}},
	} {
		expect.Contains(t, command(t, append([]string{"--lake", dir}, c.args...)...), c.want...)
	}
}
