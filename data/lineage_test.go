package data

import (
	"fmt"
	"slices"
	"testing"

	"github.com/captionlake/captionlake/data/must"
)

func commitRows[T any](t testing.TB, l *Lake, stage, name string, table Table[T], rows ...T) string {
	t.Helper()
	u := Unit{Stage: stage, Name: name, Fingerprint: "f", Provenance: ProvenanceMeasured}
	writeUnit(t, l, u, table, rows...)
	return u.FileStem()
}

// A family is a lake with units that came from one another, each under a name of its own.
type family struct {
	*Lake
	stems, names map[string]string // stems by name, and the other way round
}

func newFamily(t *testing.T) family {
	return family{newLake(t), map[string]string{}, map[string]string{}}
}

func put[T any](t *testing.T, f family, stage, name string, table Table[T], rows ...T) {
	stem := commitRows(t, f.Lake, stage, name, table, rows...)
	f.stems[name], f.names[stem] = stem, name
}

// removes fails unless a unit goes with these descendants, as was told before, and nothing else
// does.
func (f family) removes(t *testing.T, remove string, want []string) {
	l := copyOf(t, f.Lake)
	show := func(descendants []Descendant) (all []string) {
		for _, d := range descendants {
			line := fmt.Sprintf("%s %s %d/%d %s", d.Table, f.names[d.Unit], d.Rows, d.Of, d.Why)
			if d.Human {
				line += " kept"
			}
			all = append(all, line)
		}
		return all
	}
	would, err := WouldRemove(l, f.stems[remove])
	if err != nil || !slices.Equal(show(would), want) {
		t.Fatalf("would remove %q, want %q, %v", show(would), want, err)
	}
	descendants, err := l.RemoveAll(f.stems[remove])
	if err != nil || !slices.Equal(show(descendants), want) {
		t.Fatalf("removed %q, want %q, %v", show(descendants), want, err)
	}
	gone := map[string]bool{f.stems[remove]: true}
	for _, d := range descendants {
		gone[d.Unit] = gone[d.Unit] || d.Whole()
	}
	for name, stem := range f.stems {
		if err := requireUnit(l, stem); (err != nil) != gone[stem] {
			t.Errorf("%s: gone %v, %v", name, gone[stem], err)
		}
	}
	sound(t, l)
}

// What came from a unit goes with it, through every step; what has other rows too is kept and
// counted, and so are calls and what was loaded.
func TestDescendantsGoWithTheirUnit(t *testing.T) {
	must.Slow(t)
	t.Parallel()
	f := newFamily(t)
	put(t, f, "ingest/bank", "bank", Questions, Question{QuestionID: "i/1"})
	put(t, f, "ingest/bank", "other", Questions, Question{QuestionID: "k/1"})
	put(t, f, "caption", "captioning", Calls, Call{RequestHash: "c1"})
	put(t, f, "captions", "made", Captions, Caption{ImageID: "i", Captioner: "m", Prompt: "p", RequestHash: "c1"})
	put(t, f, "ingest/captions", "loaded", Captions, Caption{ImageID: "k", Captioner: "m", Prompt: "p"})
	put(t, f, "answer", "answering", Calls, Call{RequestHash: "a1"}, Call{RequestHash: "a2"}, Call{RequestHash: "a3"},
		Call{RequestHash: "a4"})
	put(t, f, "score", "one", Answers,
		Answer{QuestionID: "i/1", ImageID: "i", Evidence: "caption", Captioner: "m", Prompt: "p", RequestHash: "a1"})
	put(t, f, "score", "both", Answers, Answer{QuestionID: "i/1", ImageID: "i", Evidence: "none", RequestHash: "a2"},
		Answer{QuestionID: "k/1", ImageID: "k", Evidence: "none", RequestHash: "a3"})
	put(t, f, "ingest/results", "results", Answers,
		Answer{QuestionID: "i/1", ImageID: "i", Evidence: "caption", Captioner: "x", RequestHash: "r1"})
	put(t, f, "ingest/annotations", "annotations", Annotations,
		Annotation{Benchmark: "capability", SampleID: "s", Dimension: "d"})
	put(t, f, "captions", "media", Captions,
		Caption{ImageID: "s", Captioner: "m", Prompt: "capability", RequestHash: "c2"})
	put(t, f, "judge", "judging", Calls, Call{RequestHash: "j1"})
	put(t, f, "judgments", "judged", Judgments,
		Judgment{Benchmark: "capability", Captioner: "m", SampleID: "s", Dimension: "d", RequestHash: "j1"})
	put(t, f, "element_answers", "asked", ElementAnswers,
		ElementAnswer{Benchmark: "capability", Model: "m", SampleID: "s", Dimension: "d", RequestHash: "e1"})
	put(t, f, "captions", "paired", Captions, Caption{ImageID: "p", Captioner: "m", Prompt: "p", RequestHash: "c3"},
		Caption{ImageID: "p", Captioner: "n", Prompt: "p", RequestHash: "c4"})
	put(t, f, "arena", "pairs", Battles,
		Battle{BattleID: "b1", ImageID: "p", CaptionerA: "x", CaptionerB: "n", Prompt: "p"})
	put(t, f, "ingest/arena", "list", Battles, Battle{BattleID: "b2", ImageID: "p", CaptionerA: "m", CaptionerB: "n"})
	put(t, f, "battle", "battling", Calls, Call{RequestHash: "v1"})
	put(t, f, "metric", "metric", Votes, Vote{BattleID: "b1", Judge: "output-length"})
	put(t, f, "battle", "two", Votes, Vote{BattleID: "b1", Judge: "m", RequestHash: "v2"},
		Vote{BattleID: "b2", Judge: "m", RequestHash: "v1"})
	// A unit with the same requests, one of them of another repetition.
	put(t, f, "answer", "answering again", Calls, Call{RequestHash: "a1"}, Call{RequestHash: "a4", Repeat: 1})
	put(t, f, "score", "repeated", Answers,
		Answer{QuestionID: "x/1", ImageID: "x", Evidence: "none", Repeat: 1, RequestHash: "a4"})
	put(t, f, "ingest/metric", "scores", Votes, Vote{BattleID: "b2", Judge: "spice"})
	for remove, want := range map[string][]string{
		"bank":            {"answers both 1/2 questions", "answers one 1/1 questions"},
		"other":           {"answers both 1/2 questions"},
		"captioning":      {"captions made 1/1 calls", "answers one 1/1 captions"},
		"answering":       {"answers both 2/2 calls"},
		"answering again": {"answers repeated 1/1 calls"},
		"made":            {"answers one 1/1 captions"},
		"annotations":     {"judgments judged 1/1 annotations", "element_answers asked 1/1 annotations"},
		"media":           {"judgments judged 1/1 captions"},
		"judging":         {"judgments judged 1/1 calls"},
		"one":             nil,
		"paired":          {"battles pairs 1/1 captions", "votes two 1/2 battles", "votes metric 1/1 battles"},
		"list":            {"votes two 1/2 battles", "votes scores 1/1 battles"},
		"battling":        {"votes two 1/2 calls"},
	} {
		t.Run(remove, func(t *testing.T) { f.removes(t, remove, want) })
	}
}

// Results about candidates go with them, and so do the questions of a bank that was made of them,
// with their answers. The work of people stays and is told.
func TestDescendantsOfConstruction(t *testing.T) {
	must.Slow(t)
	t.Parallel()
	rest := []string{"blind_trials trials 1/2 candidates", "embeddings vectors 1/1 candidates",
		"question_groups groups 1/1 candidates", "validations validated 1/1 candidates",
		"routes routed 1/1 candidates", "questions bank 1/1 candidates", "quality_samples drawn 1/1 candidates",
		"quality_ratings rated 1/1 candidates kept",
		"reviews reviewed 1/2 candidates kept", "answers one 1/1 questions"}
	f := newFamily(t)
	id := "i/1"
	put(t, f, "ingest/images", "pictures", Images, Image{ImageID: "i"})
	put(t, f, "ingest/taxonomy", "taxonomy", Taxonomy, TaxonomyNode{Domain: "d", Category: "c"})
	put(t, f, "generate", "generating", Calls, Call{RequestHash: "g1"})
	put(t, f, "candidates", "made", Candidates, Candidate{CandidateID: id, ImageID: "i", RequestHash: "g1"})
	put(t, f, "candidates", "others", Candidates, Candidate{CandidateID: "k/1", ImageID: "k", RequestHash: "g2"})
	put(t, f, "blind", "guessing", Calls, Call{RequestHash: "b1"})
	put(t, f, "blind_trials", "trials", BlindTrials, BlindTrial{CandidateID: id, RequestHash: "b1"},
		BlindTrial{CandidateID: "k/1", RequestHash: "b2"})
	put(t, f, "embed", "encoding", Calls, Call{RequestHash: "e1"})
	put(t, f, "embeddings", "vectors", Embeddings, Embedding{CandidateID: id, RequestHash: "e1"})
	put(t, f, "question_groups", "groups", QuestionGroups, QuestionGroup{CandidateID: id, ImageID: "i"})
	put(t, f, "validate", "validating", Calls, Call{RequestHash: "v1"})
	put(t, f, "validations", "validated", Validations, Validation{CandidateID: id, RequestHash: "v1"})
	put(t, f, "routes", "routed", Routes, Route{CandidateID: id})
	put(t, f, "review", "reviewed", Reviews, Review{CandidateID: id, Reviewer: "anna"},
		Review{CandidateID: "k/1", Reviewer: "anna"})
	put(t, f, "bank", "bank", Questions, Question{QuestionID: "i/q", ImageID: "i", CandidateID: &id})
	put(t, f, "ingest/bank", "loaded", Questions, Question{QuestionID: "x/q", ImageID: "x"})
	put(t, f, "quality_samples", "drawn", QualitySamples, QualitySample{CandidateID: id})
	put(t, f, "quality_samples", "drawn elsewhere", QualitySamples,
		QualitySample{CandidateID: "x/q", Stage: "post_quality"})
	put(t, f, "ratings", "rated", QualityRatings, QualityRating{CandidateID: id, Reviewer: "anna"})
	put(t, f, "score", "one", Answers, Answer{QuestionID: "i/q", ImageID: "i", Evidence: "none", RequestHash: "a1"})
	for remove, want := range map[string][]string{
		"pictures":   append([]string{"candidates made 1/1 images"}, rest...),
		"generating": append([]string{"candidates made 1/1 calls"}, rest...),
		"made":       rest,
		"guessing":   {"blind_trials trials 1/2 calls"},
		"encoding":   {"embeddings vectors 1/1 calls", "question_groups groups 1/1 embeddings"},
		"validating": {"validations validated 1/1 calls", "routes routed 1/1 validations"},
		"bank":       {"answers one 1/1 questions"},
		"loaded":     {"quality_samples drawn elsewhere 1/1 questions"},
		"reviewed":   nil,
		"taxonomy":   nil,
		"others":     {"blind_trials trials 1/2 candidates", "reviews reviewed 1/2 candidates kept"},
	} {
		t.Run(remove, func(t *testing.T) { f.removes(t, remove, want) })
	}
}
