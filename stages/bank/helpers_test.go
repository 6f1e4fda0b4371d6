package bank

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/captionlake/captionlake/analytics/ask"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/construct"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

func init() { laketest.Reader = ask.Read }

// into are the options of an export of the kitchen.
func into(dir string) ExportOptions { return ExportOptions{Domains: []string{"kitchen"}, Dir: dir} }

// testBank is what a lake knows of one domain before it is published.
type testBank struct {
	images     []data.Image
	taxonomy   []data.TaxonomyNode
	candidates []data.Candidate
	trials     []data.BlindTrial
	groups     []data.QuestionGroup
	routes     []data.Route
	reviews    []data.Review
	calls      []data.Call
}

func put[T any](t testing.TB, l *data.Lake, table data.Table[T], rows []T) {
	t.Helper()
	u := data.Unit{Stage: "test", Name: table.Name(), Provenance: data.ProvenanceMeasured,
		Fingerprint: fmt.Sprint(rows)}
	must.Get(data.Put(l, u, table, rows...))(t)
}

func (b *testBank) fill(t testing.TB, l *data.Lake) {
	t.Helper()
	if len(b.images) > 0 {
		put(t, l, data.Images, b.images)
	}
	put(t, l, data.Taxonomy, b.taxonomy)
	put(t, l, data.Candidates, b.candidates)
	put(t, l, data.BlindTrials, b.trials)
	put(t, l, data.QuestionGroups, b.groups)
	put(t, l, data.Routes, b.routes)
	put(t, l, data.Reviews, b.reviews)
	put(t, l, data.Calls, b.calls)
}

// add adds a candidate of the kitchen that came as far as far says: malformed, not_tried, known,
// not_grouped, duplicate, not_routed, or a route. A key of -1 stands for no key.
func (b *testBank) add(id, category, question, far string, key int, options ...string) {
	image, _, _ := strings.Cut(id, "/")
	c := data.Candidate{CandidateID: id, ImageID: image, Domain: "Kitchen", Category: category, Subcategory: "sub",
		Generator: "g", Question: question,
		Options: options, AnswerIndex: int32(key), RequestHash: "written", Provenance: data.ProvenanceMeasured}
	if far == malformed {
		c.Malformed = "no_key"
	}
	b.candidates = append(b.candidates, c)
	if far == malformed || far == notTried {
		return
	}
	for trial := range 10 {
		b.trials = append(b.trials,
			data.BlindTrial{CandidateID: id, Reader: "r", Trial: int32(trial), OptionOrder: []int32{},
				Hit: far == known, Provenance: data.ProvenanceMeasured})
	}
	if far == known || far == notGrouped {
		return
	}
	b.groups = append(b.groups,
		data.QuestionGroup{ImageID: image, CandidateID: id, GroupID: int32(len(b.groups)),
			Representative: far != duplicate, Similarity: 1, Provenance: data.ProvenanceMeasured})
	if far != duplicate && far != "not_routed" {
		b.routes = append(b.routes,
			data.Route{CandidateID: id, Route: far, Validators: 2, Provenance: data.ProvenanceMeasured})
	}
}

func (b *testBank) review(id, decision string, minute int, fix func(*data.Review)) {
	at := time.Date(2026, 1, 2, 3, minute, 0, 0, time.UTC)
	r := data.Review{CandidateID: id, Reviewer: fmt.Sprint("reviewer ", minute), Decision: decision,
		Options: []string{}, ReviewedAt: &at, Provenance: data.ProvenanceMeasured}
	if fix != nil {
		fix(&r)
	}
	b.reviews = append(b.reviews, r)
}

// kitchen is a bank with a candidate of every standing.
func kitchen() *testBank {
	b := &testBank{
		taxonomy: []data.TaxonomyNode{
			{Domain: "Kitchen", Category: "Tools", Level: 1, Ordinal: 0, Examples: []string{}},
			{Domain: "Kitchen", Category: "Tools", Subcategory: "sub", Level: 2, Ordinal: 1,
				Examples: []string{"a: pan", "lid"}},
			{Domain: "Kitchen", Category: "Food", Level: 1, Ordinal: 2, Examples: []string{}},
			{Domain: "Kitchen", Category: "Food", Subcategory: "sub", Level: 2, Ordinal: 3, Examples: []string{}},
		},
	}
	for _, id := range []string{"pan", "pot"} {
		b.images = append(b.images, data.Image{ImageID: id, Domain: "Kitchen", Source: id + ".png"})
	}
	b.add("pan/1", "Food", "What is fried?", "accept", 1, "egg", "fish", "rice")
	b.add("pan/2", "Tools", "What is held?", "accept", 0, "spoon", "knife")
	b.add("pan/3", "Tools", "Is it hot?", "review", 0, "yes", "no")
	b.add("pan/4", "Tools", "How many lids?", "review", 0, "one", "two")
	b.add("pan/5", "Tools", "What colour is the lid?", "discard", 0, "red", "blue")
	b.add("pan/6", "Tools", "Malformed?", malformed, -1, "red", "blue")
	b.add("pan/7", "Tools", "Known?", known, 0, "red", "blue")
	b.add("pan/8", "Tools", "Duplicate?", duplicate, 0, "red", "blue")
	b.groups[len(b.groups)-1].GroupID = b.groups[1].GroupID // with the question about the thing that is held
	b.add("pot/1", "Attic", "Where does the pot stand?", "accept", 0, "stove", "table")
	b.add("pot/2", "Food", "What is boiled?", "accept", 0, "rice", "pasta")
	b.add("cup/1", "Tools", "What is in the cup?", "accept", 0, "tea", "milk")
	b.review("pan/3", "keep", 1, nil)
	two := int32(1)
	b.review("pan/4", "fix", 1, func(r *data.Review) {
		r.Question, r.Options, r.AnswerIndex = "How many lids are there?", []string{"one", "two", "three"}, &two
	})
	b.review("pan/5", "drop", 1, nil)
	b.calls = []data.Call{{RequestHash: "written", Stage: "generate", Protocol: construct.ProtocolGenerate, Model: "g",
		Provenance: data.ProvenanceMeasured},
		{RequestHash: "of another bank", Stage: "generate", Protocol: "other", Model: "other",
			Provenance: data.ProvenanceMeasured}}
	return b
}

// rowsOf are the rows of a table in the order of its key.
func rowsOf[T any](t testing.TB, l *data.Lake, table data.Table[T]) []T {
	t.Helper()
	var rows []T
	for r, err := range data.Select(l, table, nil) {
		must.Succeed(t, err)
		rows = append(rows, r)
	}
	return rows
}
