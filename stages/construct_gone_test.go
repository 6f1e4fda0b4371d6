package stages

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/config"
)

// withTaxonomy replaces the taxonomy of factsLake.
func withTaxonomy(t testing.TB, l *data.Lake, nodes []data.TaxonomyNode) {
	t.Helper()
	tx := must.Get(l.Begin(data.Unit{Stage: "test", Name: "taxonomy", Provenance: data.ProvenanceSimulated}))(t)
	defer tx.Abort()
	w := must.Get(data.NewRowWriter(tx, data.Taxonomy))(t)
	must.Succeed(t, w.Write(nodes...))
	must.Succeed(t, tx.Commit())
}

// An edited taxonomy: what is about a node that is gone is named, asked nothing more, and left out;
// a new node is asked about, and nothing is asked again about the others, also not when the node
// comes back.
func TestEditedTaxonomy(t *testing.T) {
	must.Slow(t)
	l := factsLake(t)
	var all, natural []data.TaxonomyNode
	for _, n := range laketest.All(t, l, data.Taxonomy) {
		if n.Category == "Object Attributes" && n.Subcategory == "Colour" || n.Level != 2 {
			continue // These are of the sample set's own unit.
		}
		all = append(all, n)
		if n.Domain == "Natural" {
			natural = append(natural, n)
		}
	}
	c := constructing(serve(t, l))
	track := config.Choice{Stage: constructTrack, Domains: []string{"Natural"}}
	lost, added := natural[0], natural[2]
	without := func(node data.TaxonomyNode) []data.TaxonomyNode {
		return slices.DeleteFunc(slices.Clone(all), func(n data.TaxonomyNode) bool {
			return n.Domain == node.Domain && n.Category == node.Category && n.Subcategory == node.Subcategory
		})
	}
	about := func(c data.Candidate, n data.TaxonomyNode) bool {
		return c.Category == n.Category && c.Subcategory == n.Subcategory
	}
	withTaxonomy(t, l, without(added))
	mustRun(t, l, c, track)
	before := map[string]data.Candidate{}
	gone := 0
	for _, row := range laketest.All(t, l, data.Candidates) {
		before[row.CandidateID] = row
		if about(row, lost) {
			gone++
		}
	}
	calls := callsIn(t, l)
	if gone == 0 {
		t.Fatal("no candidate is about the node")
	}

	withTaxonomy(t, l, without(lost))
	reports := mustRun(t, l, c, config.Choice{Stage: "blind", Domains: []string{"Natural"}})
	if want := "are about nodes that are no longer in the taxonomy: Natural: " + lost.Category + " > " +
		lost.Subcategory; len(reports) != 1 || !strings.Contains(reports[0].Note, want) {
		t.Errorf("%+v, want the note %q", reports, want)
	}
	expect.Equal(t, callsIn(t, l), calls)
	for _, row := range laketest.All(t, l, data.BlindTrials) {
		if about(before[row.CandidateID], lost) {
			t.Fatalf("%+v is about a node that is gone", row)
		}
	}

	reports = mustRun(t, l, c, track)
	notes := 0
	for _, r := range reports {
		notes += strings.Count(r.Note, "no longer in the taxonomy")
	}
	if notes != 1 || !strings.Contains(reports[0].Note, "no longer in the taxonomy") {
		t.Errorf("the candidates are named %d times: %+v", notes, reports)
	}
	after := map[string]data.Candidate{}
	for _, row := range laketest.All(t, l, data.Candidates) {
		after[row.CandidateID] = row
		if about(row, lost) {
			t.Fatalf("%+v is about a node that is gone", row)
		}
		if _, known := before[row.CandidateID]; known == about(row, added) {
			t.Fatalf("%+v: known before: %v", row, known)
		}
	}
	byStage := map[string]int{}
	for _, call := range laketest.All(t, l, data.Calls) {
		switch call.Stage {
		case "generate":
			if strings.HasSuffix(call.Subject, "/"+added.Category+"/"+added.Subcategory+"/") {
				byStage["generate"]++
			}
		case "blind", "embed":
			candidate, _, _ := strings.Cut(call.Subject, " ") // of a blind trial its number follows
			if c, known := after[candidate]; known && about(c, added) {
				byStage[call.Stage]++
			}
		}
	}
	asked := map[string]int{}
	for _, r := range reports {
		asked[r.Stage] += r.Planned - r.Recorded
	}
	delete(asked, "validate") // Another candidate may stand for a group that the new node joins.
	for _, stage := range []string{"deduplicate", "route"} {
		delete(asked, stage)
	}
	if diff := cmp.Diff(byStage, asked); diff != "" || byStage["generate"] == 0 || byStage["blind"] == 0 ||
		byStage["embed"] == 0 {
		t.Errorf("calls about the new node, and calls that were made (-about +made):\n%s", diff)
	}

	withTaxonomy(t, l, without(added))
	calls = callsIn(t, l)
	mustRun(t, l, c, track)
	again := map[string]data.Candidate{}
	for _, row := range laketest.All(t, l, data.Candidates) {
		again[row.CandidateID] = row
	}
	expect.Equal(t, again, before, "the node is back, its candidates are not what they were")
	expect.Equal(t, callsIn(t, l), calls)
}
