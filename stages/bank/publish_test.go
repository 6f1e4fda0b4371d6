package bank

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

// Two images of one picture are said: what it shows counts twice.
func TestPublishSaysCopies(t *testing.T) {
	t.Parallel()
	l, b := laketest.New(t), kitchen()
	for i := range b.images {
		b.images[i].Path, b.images[i].SHA256 = "pictures/same.png", "aa"
	}
	b.fill(t, l)
	p := must.Get(Publish(l, PublishOptions{Domain: "kitchen"}))(t)
	expect.Equal(t, p.Copies, []string{"pot"})
}

func TestPublish(t *testing.T) {
	t.Parallel()
	l, b := laketest.New(t), kitchen()
	b.fill(t, l)
	p := must.Get(Publish(l, PublishOptions{Domain: "kitchen"}))(t)
	want := &PublishReport{
		Unit: p.Unit, Domain: "Kitchen", Questions: 6, Images: 2, By: map[string]int{"accept": 4, "keep": 1, "fix": 1},
		Left:         map[string]int{malformed: 1, known: 1, duplicate: 1, "dropped": 1, unpictured: 1},
		Waiting:      map[string]int{},
		UnknownNodes: []string{"Attic / sub / "}, Copies: []string{}, New: true, Added: 6, Changes: []Change{},
		Stale: []Stale{},
	}
	expect.Equal(t, p, want)
	questions := rowsOf(t, l, data.Questions)
	slices.SortFunc(questions, func(a, b data.Question) int { return int(a.Ordinal - b.Ordinal) })
	var order []string
	for i, q := range questions {
		order = append(order, *q.CandidateID)
		if int(q.Ordinal) != i || q.Domain != "Kitchen" || q.OrderRule != captionqa.OrderFullBank ||
			q.Subcategory != "sub" {
			t.Errorf("%+v", q)
		}
	}
	// By item, and within it by the place of the node in the taxonomy: Tools, Food, and last what
	// the taxonomy does not have.
	expect.Equal(t, order, []string{"pan/2", "pan/3", "pan/4", "pan/1", "pot/2", "pot/1"}, "the bank is in the order")
	// The question that a reviewer fixed: its text and key are the reviewer's, and random.Random(0)
	// deals orders of 3 (two options and the cannot option), 2 (yes or no), and then 4.
	stream := captionqa.NewOrderStream(0)
	first, second, third := stream.Next(3), stream.Next(2), stream.Next(4)
	id := "pan/4"
	fixed := data.Question{
		QuestionID: captionqa.QuestionID("pan", "How many lids are there?", []string{"one", "two", "three"}),
		ImageID:    "pan", Domain: "Kitchen", Category: "Tools",
		Subcategory: "sub", Ordinal: 2, Question: "How many lids are there?", Options: []string{"one", "two", "three"},
		AnswerIndex: 1,
		OptionOrder: third, OrderRule: captionqa.OrderFullBank, Source: "candidates of Kitchen", CandidateID: &id,
	}
	if diff := cmp.Diff(fixed, questions[2]); diff != "" || !questions[1].YesNo ||
		!slices.Equal(questions[0].OptionOrder, first) || !slices.Equal(questions[1].OptionOrder, second) {
		t.Errorf("orders %v and %v (-want +got):\n%s", questions[0].OptionOrder, questions[1].OptionOrder, diff)
	}

	before := rowsOf(t, l, data.Runs)
	again, err := Publish(l, PublishOptions{Domain: "Kitchen"})
	if err != nil || again.New || again.Added != 0 || len(again.Changes) != 0 ||
		len(rowsOf(t, l, data.Runs)) != len(before) {
		t.Errorf("again: %+v, %v", again, err)
	}
}

// Reviews that change replace the bank whole, and what hung on the earlier questions is named.
func TestPublishAgain(t *testing.T) {
	t.Parallel()
	l, b := laketest.New(t), kitchen()
	b.fill(t, l)
	must.Get(Publish(l, PublishOptions{Domain: "Kitchen"}))(t)
	ids := map[string]string{}
	var answers []data.Answer
	for _, q := range rowsOf(t, l, data.Questions) {
		ids[*q.CandidateID] = q.QuestionID
		for _, captioner := range []string{"c", "d"} {
			answers = append(answers,
				data.Answer{Protocol: "p", Reader: "r", Evidence: "caption", Captioner: captioner, Prompt: "Simple",
					QuestionID: q.QuestionID, Provenance: data.ProvenanceMeasured})
		}
	}
	put(t, l, data.Answers, answers)

	zero := int32(0)
	b.review("pan/3", "drop", 9, nil)
	b.review("pan/4", "fix", 9, func(r *data.Review) {
		r.Question, r.Options, r.AnswerIndex = "How many lids are there?", []string{"one", "two", "three"}, &zero
	})
	b.review("pan/1", "fix", 9, func(r *data.Review) { r.Question = "What is fried in the pan?" })
	b.review("pan/5", "keep", 9, nil)
	put(t, l, data.Reviews, b.reviews)
	p := must.Get(Publish(l, PublishOptions{Domain: "Kitchen"}))(t)
	want := []Change{
		{ids["pan/3"], "pan/3", "removed", ""}, {ids["pan/4"], "pan/4", "rekeyed", ""},
		{ids["pan/1"], "pan/1", "reworded",
			captionqa.QuestionID("pan", "What is fried in the pan?", []string{"egg", "fish", "rice"})},
	}
	slices.SortFunc(want,
		func(a, b Change) int { return slices.Compare([]string{a.QuestionID}, []string{b.QuestionID}) })
	if diff := cmp.Diff(want, p.Changes); diff != "" || p.Added != 1 || p.New || p.Questions != 6 {
		t.Errorf("%+v (-want +got):\n%s", p, diff)
	}
	stale := []Stale{{"p", "r", "caption", "c", "Simple", 3}, {"p", "r", "caption", "d", "Simple", 3}}
	expect.Equal(t, p.Stale, stale)
	expect.Equal(t, len(rowsOf(t, l, data.Questions)), 6, "the bank has questions")
}

func TestPublishWaits(t *testing.T) {
	t.Parallel()
	l := laketest.New(t)
	_, err := Publish(l, PublishOptions{Domain: "Kitchen"})
	laketest.Hint(t, err, "captionlake run construct", "the lake has no candidates")
	b := kitchen()
	b.reviews = b.reviews[:1]
	b.add("pot/7", "Food", "Tried?", notTried, 0, "x", "y")
	b.add("pot/8", "Food", "Grouped?", notGrouped, 0, "x", "y")
	b.add("pot/9", "Food", "Routed?", "not_routed", 0, "x", "y")
	b.fill(t, l)
	_, err = Publish(l, PublishOptions{Domain: "Kitchen"})
	laketest.Hint(t, err,
		"captionlake bank review and captionlake run construct, or publish the others with --partial",
		"in the domain Kitchen: 1 for the blind test, 1 for the search for duplicates, "+
			"1 for the validators, 2 for a person")
	if !errors.Is(err, errWaiting) || len(rowsOf(t, l, data.Questions)) != 0 {
		t.Errorf("%v", err)
	}
	p, err := Publish(l, PublishOptions{Domain: "Kitchen", Partial: true})
	if err != nil || p.Questions != 5 || p.Waiting["captionlake bank review"] != 2 ||
		p.Waiting["captionlake run construct"] != 3 {
		t.Errorf("%+v, %v", p, err)
	}
	_, err = Publish(l, PublishOptions{Domain: "garden"})
	laketest.Hint(t, err, "captionlake run construct",
		`the domain "garden" has no candidates; these have some: Kitchen`)
}

// What reviewers made of two candidates can be one question, or one that the protocol cannot ask.
func TestPublishLeavesOut(t *testing.T) {
	t.Parallel()
	l, b := laketest.New(t), kitchen()
	b.review("pan/3", "fix", 9,
		func(r *data.Review) { r.Question, r.Options = "What is held?", []string{"knife", "spoon"} })
	b.review("pan/4", "fix", 9, func(r *data.Review) { r.Options = []string{"one", captionqa.CannotOption} })
	var many []string
	for i := range 26 {
		many = append(many, fmt.Sprint("option ", i))
	}
	b.review("pan/1", "fix", 9, func(r *data.Review) { r.Options = many })
	b.fill(t, l)
	p, err := Publish(l, PublishOptions{Domain: "Kitchen"})
	if err != nil || p.Questions != 3 || p.Left[sameQuestion] != 1 || p.Left[unaskable] != 2 {
		t.Errorf("%+v, %v", p, err)
	}
	// Simulated decisions make a simulated bank.
	b.review("pan/2", "keep", 1, func(r *data.Review) { r.Provenance = data.ProvenanceSimulated })
	put(t, l, data.Reviews, b.reviews)
	if p, err = Publish(l, PublishOptions{Domain: "Kitchen"}); err != nil || !p.Simulated {
		t.Errorf("%+v, %v", p, err)
	}
	for i := range b.reviews {
		b.reviews[i].Decision = "drop"
	}
	for _, id := range []string{"pan/2", "pot/1", "pot/2"} {
		b.review(id, "drop", 10, nil)
	}
	put(t, l, data.Reviews, b.reviews)
	_, err = Publish(l, PublishOptions{Domain: "Kitchen"})
	laketest.Hint(t, err, "construct_funnel", "no candidate of the domain Kitchen is accepted or kept")
}
