package bank

import (
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/construct"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

func TestSample(t *testing.T) {
	t.Parallel()
	l, b := laketest.New(t), kitchen()
	_, err := Sample(l, SampleOptions{Domain: "Kitchen", N: 3, Seed: 1})
	laketest.Hint(t, err, "captionlake run construct", `the domain "Kitchen" has no questions, and no candidates`)
	_, err = Sample(l, SampleOptions{Domain: "Kitchen"})
	laketest.Hint(t, err, "as in the paper", "must be above 0")
	b.fill(t, l)

	// Before the bank is published there are its candidates alone: pan/1 to pan/5, pot/1, pot/2 and
	// cup/1 are distinct.
	report, err := Sample(l, SampleOptions{Domain: "kitchen", N: 4, Seed: 1})
	if err != nil || len(report) != 1 {
		t.Fatalf("%+v, %v", report, err)
	}
	// Of 8, 5 are about Tools, 2 about Food, 1 about the Attic: 4 are shared out as 2.5, 1 and 0.5.
	if s := report[0]; s.Stage != construct.StagePre || s.Population != 8 || s.Drawn != 4 || !s.Changed ||
		s.Categories["Tools"] != 3 || s.Categories["Food"] != 1 {
		t.Errorf("%+v", s)
	}
	must.Get(Publish(l, PublishOptions{Domain: "Kitchen"}))(t)
	report, err = Sample(l, SampleOptions{Domain: "Kitchen", N: 4, Seed: 1})
	if err != nil || len(report) != 2 || report[0].Changed || !report[1].Changed || report[1].Population != 6 {
		t.Fatalf("%+v, %v", report, err)
	}
	positions := map[string]int32{}
	var rated data.QualitySample
	for _, row := range rowsOf(t, l, data.QualitySamples) {
		positions[row.Stage] += 1 << row.Position
		if row.Domain != "Kitchen" || row.Seed != 1 || row.Category == "Tools" &&
			row.Population != map[string]int32{construct.StagePre: 5, construct.StagePost: 3}[row.Stage] {
			t.Errorf("%+v", row)
		}
		if row.CandidateID == "pan/4" && (row.Question == "How many lids?") != (row.Stage == construct.StagePre) {
			t.Errorf("%+v is not as it was at its stage", row)
		}
		if row.Stage == construct.StagePost {
			rated = row
		}
	}
	if positions[construct.StagePre] != 0b1111 || positions[construct.StagePost] != 0b1111 {
		t.Errorf("positions %v", positions)
	}

	// Ratings are not lost unasked: neither by another drawing nor by a question that was reworded.
	put(t, l, data.QualityRatings,
		[]data.QualityRating{{Stage: rated.Stage, CandidateID: rated.CandidateID, Reviewer: "ann", IsRight: true,
			Provenance: data.ProvenanceMeasured}})
	if report, err = Sample(l, SampleOptions{Domain: "Kitchen", N: 4, Seed: 1}); err != nil || report[1].Rated != 1 ||
		report[0].Rated != 0 {
		t.Errorf("%+v, %v", report, err)
	}
	b.review(rated.CandidateID, "fix", 30, func(r *data.Review) { r.Question = "Reworded?" })
	put(t, l, data.Reviews, b.reviews)
	must.Get(Publish(l, PublishOptions{Domain: "Kitchen"}))(t)
	_, err = Sample(l, SampleOptions{Domain: "Kitchen", N: 4, Seed: 1})
	laketest.Hint(t, err, "captionlake remove "+report[1].Unit, "drawing post_quality again would lose 1 ratings")
	must.Succeed(t, l.Remove(report[1].Unit))
	report, err = Sample(l, SampleOptions{Domain: "Kitchen", N: 4, Seed: 1})
	if err != nil || !report[1].Changed {
		t.Errorf("%+v, %v", report, err)
	}
}

// A bank that was loaded has no candidates: its questions are drawn by their own names.
func TestSampleOfLoadedBank(t *testing.T) {
	t.Parallel()
	l := laketest.New(t)
	put(t, l, data.Questions,
		[]data.Question{{QuestionID: "a/1", ImageID: "a", Domain: "Natural", Category: "c", Question: "?",
			Options: []string{"x", "y"}, OptionOrder: []int32{1, 0}, Source: "natural.parquet"}})
	report, err := Sample(l, SampleOptions{Domain: "natural", N: 50, Seed: 1})
	if err != nil || len(report) != 1 || report[0].Stage != construct.StagePost || report[0].Drawn != 1 {
		t.Fatalf("%+v, %v", report, err)
	}
	if rows := rowsOf(t, l, data.QualitySamples); len(rows) != 1 || rows[0].CandidateID != "a/1" {
		t.Errorf("%+v", rows)
	}
}
