package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/must"
)

// ingest and status name the candidates whose node is gone, and remove what goes with them and what people did.
func TestGoneNodesAndRemovalAreTold(t *testing.T) {
	dir := t.TempDir() + "/lake"
	l := must.Get(data.Create(dir, "test"))(t)
	commit := func(stage string, write func(*data.Tx) error) string {
		u := data.Unit{Stage: stage, Name: "kitchen", Provenance: data.ProvenanceMeasured}
		tx := must.Get(l.Begin(u))(t)
		defer tx.Abort()
		must.Succeed(t, write(tx))
		must.Succeed(t, tx.Commit())
		return u.FileStem()
	}
	commit("ingest/taxonomy", func(tx *data.Tx) error {
		return writeRows(tx, data.Taxonomy,
			data.TaxonomyNode{Domain: "kitchen", Category: "Objects", Subcategory: "Number", Level: 2,
				Examples: []string{}})
	})
	made := commit("candidates", func(tx *data.Tx) error {
		return writeRows(tx, data.Candidates,
			data.Candidate{CandidateID: "i/1", ImageID: "i", Domain: "kitchen", Category: "Objects",
				Subcategory: "Number", Options: []string{}},
			data.Candidate{CandidateID: "i/2", ImageID: "i", Domain: "kitchen", Category: "Objects",
				Subcategory: "Colour", Options: []string{}},
			data.Candidate{CandidateID: "i/3", ImageID: "i", Domain: "kitchen", Category: "Objects",
				Subcategory: "Colour", Options: []string{}})
	})
	routed := commit("routes", func(tx *data.Tx) error {
		return writeRows(tx, data.Routes, data.Route{CandidateID: "i/2", Route: "review"})
	})
	reviewed := commit("review", func(tx *data.Tx) error {
		return writeRows(tx, data.Reviews,
			data.Review{CandidateID: "i/2", Reviewer: "anna", Decision: "keep", Options: []string{}},
			data.Review{CandidateID: "i/2", Reviewer: "bert", Decision: "keep", Options: []string{}})
	})
	must.Succeed(t, l.Close())
	more := filepath.Join(t.TempDir(), "more.yaml")
	must.Write(t, more, "Objects:\n  Number:\n")
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"ingest", "--as", "taxonomy", "--domain", "kitchen", more}, []string{"Objects > Colour (2)"}},
		{[]string{"status"},
			[]string{"Note: 2 candidates are about nodes that are no longer in the taxonomy: kitchen: Objects > Colour (2); people decided on 1 of them, " +
				"and these decisions are kept; run construct leaves them out, and repeats no request if the nodes come back\n"}},
		{[]string{"--json", "status"}, []string{`"gone_nodes"`, `"subcategory": "Colour"`}},
		{[]string{"remove", made},
			[]string{"removed " + routed + ": all 1 rows of routes came from its candidates\n",
				"removed " + made + "\n",
				"kept " + reviewed + ": people made it, and it goes only by its own name; 2 of its 2 rows of reviews are about candidates that go, and count again when these are back\n"}},
	} {
		var stdout, stderr bytes.Buffer
		code := run(append([]string{"--lake", dir}, c.args...), strings.NewReader(""), &stdout, &stderr)
		for _, want := range c.want {
			if code != 0 || !strings.Contains(stdout.String(), want) {
				t.Errorf("%q: %d\n%s%s\nwant %s", c.args, code, stdout.String(), stderr.String(), want)
			}
		}
	}
}

func writeRows[T any](tx *data.Tx, table data.Table[T], rows ...T) error {
	w, err := data.NewRowWriter(tx, table)
	if err != nil {
		return err
	}
	return w.Write(rows...)
}
