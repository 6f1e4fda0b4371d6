package simulate

import (
	"math"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

// publish gives a lake the figures of two captioners, the gap of one, and one subcategory in each
// domain.
func publish(t *testing.T, lake *data.Lake) {
	t.Helper()
	figure := func(item, model, prompt, domain, metric string, value float64) data.Published {
		return data.Published{Benchmark: data.BenchmarkCaptionQA, Source: "paper", Item: item, Model: model,
			ModelID: model, Prompt: prompt, Domain: domain, Metric: metric, Value: value}
	}
	var figures []data.Published
	var nodes []data.TaxonomyNode
	for _, d := range data.CaptionQA().Domains {
		nodes = append(nodes,
			data.TaxonomyNode{Domain: d.Name, Category: "Category", Subcategory: "Subcategory", Level: 2})
		figures = append(figures,
			figure("Table 1", "", "", d.Name, "questions", 7000), figure("Table 1", "", "", d.Name, "images", 150),
			figure("Table 4", "weak", "", d.Name, "utility_gap", 20))
		for _, prompt := range captionqa.TablePrompts() {
			figures = append(figures,
				figure("Table 12", "strong", prompt, d.Name, "accuracy", 80), figure("Table 12", "strong", prompt,
					d.Name, "cannot_rate_offered", 15),
				figure("Table 12", "weak", prompt, d.Name, "accuracy", 40.5), figure("Table 12", "weak", prompt, d.Name,
					"cannot_rate_offered", 50))
		}
	}
	published := data.Unit{Stage: "ingest/published", Name: "figures", Fingerprint: "f",
		Provenance: data.ProvenancePublished}
	must.Get(data.Put(lake, published, data.PublishedFigures, figures...))(t)
	published.Name = "taxonomy"
	must.Get(data.Put(lake, published, data.Taxonomy, nodes...))(t)
}

// Accuracy and cannot-rate of each model, prompt and domain are the published ones; so is the gap.
// The errors of one picture's questions go together. The same seed gives the same rows, and a
// second run writes none.
func TestAnswersHaveThePublishedFigures(t *testing.T) {
	lake := laketest.New(t)
	publish(t, lake)
	o := Options{Seed: 5, Scale: 0.5, Prompts: []string{captionqa.PromptSimple}}
	first, err := Run(t.Context(), lake, o)
	// 75 pictures and 3,500 questions in each of four domains; two captioners and one model that sees
	// pictures.
	if err != nil || first.Units != 5 || first.Written != 5 || first.Rows != 4*(75+3500)+3*4*3500 {
		t.Fatalf("%+v %v", first, err)
	}
	type key struct{ captioner, evidence, domain string }
	type sums struct{ n, correct, offered, cannot float64 }
	counts, images := map[key]sums{}, map[string][2]float64{}
	var rows []data.Answer
	for a, err := range data.Select(lake, data.Answers, nil) {
		must.Succeed(t, err)
		rows = append(rows, a)
		k := key{a.Captioner, a.Evidence, a.Domain}
		s := counts[k]
		s.n++
		if a.Outcome == string(captionqa.Correct) {
			s.correct++
		}
		if a.OffersCannot {
			s.offered++
		}
		if a.Outcome == string(captionqa.Cannot) {
			s.cannot++
		}
		counts[k] = s
		if a.Provenance != data.ProvenanceSimulated || a.Outcome == string(captionqa.Cannot) && !a.OffersCannot ||
			(a.ChoiceIndex == nil) != (a.Outcome == string(captionqa.Cannot)) {
			t.Fatalf("%+v", a)
		}
		if a.Captioner == "strong" && a.Domain == "Natural" {
			i := images[a.ImageID]
			i[0]++
			i[1] += 0.8
			if a.Outcome == string(captionqa.Correct) {
				i[1]--
			}
			images[a.ImageID] = i
		}
	}
	expect.Equal(t, len(counts), 12)
	for k, got := range counts {
		accuracy, cannot := 0.8, 0.15
		switch {
		case k.evidence == captionqa.EvidenceImage:
			accuracy, cannot = 0.605, 0
		case k.captioner == "weak":
			accuracy, cannot = 0.405, 0.5
		}
		if got.n != 3500 || math.Abs(got.correct-accuracy*got.n) > 0.51 ||
			math.Abs(got.cannot-cannot*got.offered) > 0.51 {
			t.Errorf("%v: %+v", k, got)
		}
	}
	variance := 0.0
	for _, i := range images {
		variance += i[1] * i[1]
	}
	expect.Between(t, math.Sqrt(variance/(3500*0.8*0.2)), 1.1, 3, "clustered over naive standard error")
	again, err := Run(t.Context(), lake, o)
	if err != nil || again.Written != 0 || again.Rows != 0 || again.Units != 5 {
		t.Errorf("%+v %v", again, err)
	}
	s := &simulation{lake: lake, options: o}
	must.Succeed(t, put(t.Context(), s, s.unitOf("questions", ""), data.Questions, func(func(data.Question) bool) {
		t.Error("rows of a unit that exists are made")
	}))
	other := laketest.New(t)
	publish(t, other)
	must.Get(Run(t.Context(), other, o))(t)
	i := 0
	for a, err := range data.Select(other, data.Answers, nil) {
		must.Succeed(t, err)
		must.Equal(t, a, rows[i], "with the same seed")
		i++
	}
}

// A printed cannot-rate that contradicts its score gives way to it: 500 of 1,000 answers right and
// a score of 58 are 80 points of credit, which 80 / 0.308 = 260 cannot answers earn. A cell that no
// table has is that with the nearest score.
func TestScoresBeforeCannotRates(t *testing.T) {
	ref := &reference{figures: map[figure]float64{}}
	for model, c := range map[string]cell{"far": {90, 88, 8.3}, "near": {58.2, 50, 33.3}, "odd": {58, 50, 5},
		"lacking": {score: 58.5}} {
		for metric, value := range map[string]float64{"score": c.score, "accuracy": c.accuracy,
			"cannot_rate_offered": c.cannot} {
			ref.figures[figure{metric, model, captionqa.PromptSimple, "Natural"}] = value
		}
	}
	s := &simulation{ref: ref}
	d := &domain{name: "Natural", questions: 1000, offered: 800}
	for model, want := range map[string][2]int{"far": {880, 66}, "near": {500, 266}, "odd": {500, 260},
		"lacking": {500, 266}} {
		if correct, cannot := s.counts(unit{model, captionqa.PromptSimple}, d); correct != want[0] ||
			cannot != want[1] {
			t.Errorf("%s has %d correct and %d cannot answers, want %v", model, correct, cannot, want)
		}
	}
}

func TestOptions(t *testing.T) {
	for _, o := range []Options{{}, {Scale: -1}, {Scale: math.NaN()}, {Scale: 1e9},
		{Scale: 1, Prompts: []string{"Haiku"}}} {
		if _, err := o.complete(); err == nil {
			t.Errorf("options %+v are taken", o)
		}
	}
	if _, err := Run(t.Context(), laketest.New(t), Options{Scale: 1}); err == nil {
		t.Error("a lake without published figures is simulated")
	}
}
