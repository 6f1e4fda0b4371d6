package data

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/must"
)

func commitRows[T any](t testing.TB, l *Lake, stage, name string, table Table[T], rows ...T) string {
	t.Helper()
	u := Unit{Stage: stage, Name: name, Fingerprint: "f", Provenance: ProvenanceMeasured}
	writeUnit(t, l, u, table, rows...)
	return u.FileStem()
}

// What came from a unit goes with it, through every step; what has other rows too is kept and counted, and so are calls
// and what was loaded.
func TestDescendantsGoWithTheirUnit(t *testing.T) {
	must.Slow(t)
	t.Parallel()
	all := newLake(t)
	stems, names := map[string]string{}, map[string]string{}
	put := func(name, stem string) { stems[name], names[stem] = stem, name }
	put("bank", commitRows(t, all, "ingest/bank", "bank", Questions, Question{QuestionID: "i/1"}))
	put("other", commitRows(t, all, "ingest/bank", "other", Questions, Question{QuestionID: "k/1"}))
	put("captioning", commitRows(t, all, "caption", "calls", Calls, Call{RequestHash: "c1"}))
	put("made", commitRows(t, all, "captions", "made", Captions, Caption{ImageID: "i", Captioner: "m", Prompt: "p", RequestHash: "c1"}))
	put("loaded", commitRows(t, all, "ingest/captions", "loaded", Captions, Caption{ImageID: "k", Captioner: "m", Prompt: "p"}))
	put("answering", commitRows(t, all, "answer", "calls", Calls, Call{RequestHash: "a1"}, Call{RequestHash: "a2"}, Call{RequestHash: "a3"}, Call{RequestHash: "a4"}))
	put("one", commitRows(t, all, "score", "one", Answers, Answer{QuestionID: "i/1", ImageID: "i", Evidence: "caption", Captioner: "m", Prompt: "p", RequestHash: "a1"}))
	put("both", commitRows(t, all, "score", "both", Answers, Answer{QuestionID: "i/1", ImageID: "i", Evidence: "none", RequestHash: "a2"},
		Answer{QuestionID: "k/1", ImageID: "k", Evidence: "none", RequestHash: "a3"}))
	put("results", commitRows(t, all, "ingest/results", "results", Answers, Answer{QuestionID: "i/1", ImageID: "i", Evidence: "caption", Captioner: "x", RequestHash: "r1"}))
	put("annotations", commitRows(t, all, "ingest/annotations", "annotations", Annotations, Annotation{Benchmark: "capability", SampleID: "s", Dimension: "d"}))
	put("media", commitRows(t, all, "captions", "media", Captions, Caption{ImageID: "s", Captioner: "m", Prompt: "capability", RequestHash: "c2"}))
	put("judging", commitRows(t, all, "judge", "calls", Calls, Call{RequestHash: "j1"}))
	put("judged", commitRows(t, all, "judgments", "judged", Judgments, Judgment{Benchmark: "capability", Captioner: "m", SampleID: "s", Dimension: "d", RequestHash: "j1"}))
	put("asked", commitRows(t, all, "element_answers", "asked", ElementAnswers, ElementAnswer{Benchmark: "capability", Model: "m", SampleID: "s", Dimension: "d", RequestHash: "e1"}))
	put("paired", commitRows(t, all, "captions", "paired", Captions, Caption{ImageID: "p", Captioner: "m", Prompt: "p", RequestHash: "c3"},
		Caption{ImageID: "p", Captioner: "n", Prompt: "p", RequestHash: "c4"}))
	put("pairs", commitRows(t, all, "arena", "pairs", Battles, Battle{BattleID: "b1", ImageID: "p", CaptionerA: "x", CaptionerB: "n", Prompt: "p"}))
	put("list", commitRows(t, all, "ingest/arena", "list", Battles, Battle{BattleID: "b2", ImageID: "p", CaptionerA: "m", CaptionerB: "n"}))
	put("battling", commitRows(t, all, "battle", "calls", Calls, Call{RequestHash: "v1"}))
	put("metric", commitRows(t, all, "metric", "metric", Votes, Vote{BattleID: "b1", Judge: "output-length"}))
	put("two", commitRows(t, all, "battle", "two", Votes, Vote{BattleID: "b1", Judge: "m", RequestHash: "v2"}, Vote{BattleID: "b2", Judge: "m", RequestHash: "v1"}))
	// A unit with the same requests, one of them of another repetition.
	put("answering again", commitRows(t, all, "answer", "calls again", Calls, Call{RequestHash: "a1"}, Call{RequestHash: "a4", Repeat: 1}))
	put("repeated", commitRows(t, all, "score", "repeated", Answers, Answer{QuestionID: "x/1", ImageID: "x", Evidence: "none", Repeat: 1, RequestHash: "a4"}))
	put("scores", commitRows(t, all, "ingest/metric", "scores", Votes, Vote{BattleID: "b2", Judge: "spice"}))
	for name, c := range map[string]struct {
		remove string
		want   []string
	}{
		"bank":          {"bank", []string{"answers both 1/2 questions", "answers one 1/1 questions"}},
		"other bank":    {"other", []string{"answers both 1/2 questions"}},
		"caption calls": {"captioning", []string{"captions made 1/1 calls", "answers one 1/1 captions"}},
		"answer calls":  {"answering", []string{"answers both 2/2 calls"}},
		"shared calls":  {"answering again", []string{"answers repeated 1/1 calls"}},
		"captions":      {"made", []string{"answers one 1/1 captions"}},
		"annotations":   {"annotations", []string{"judgments judged 1/1 annotations", "element_answers asked 1/1 annotations"}},
		"media":         {"media", []string{"judgments judged 1/1 captions"}},
		"judge calls":   {"judging", []string{"judgments judged 1/1 calls"}},
		"answers":       {"one", nil},
		"paired":        {"paired", []string{"battles pairs 1/1 captions", "votes two 1/2 battles", "votes metric 1/1 battles"}},
		"other list":    {"list", []string{"votes two 1/2 battles", "votes scores 1/1 battles"}},
		"battle calls":  {"battling", []string{"votes two 1/2 calls"}},
	} {
		t.Run(name, func(t *testing.T) {
			l := copyOf(t, all)
			before := len(allRows(t, l, Calls))

			show := func(descendants []Descendant) []string {
				var got []string
				for _, d := range descendants {
					got = append(got, fmt.Sprintf("%s %s %d/%d %s", d.Table, names[d.Unit], d.Rows, d.Of, d.Why))
				}
				return got
			}
			would, err := WouldRemove(l, stems[c.remove])
			if err != nil || !slices.Equal(show(would), c.want) {
				t.Fatalf("would remove %q, want %q, %v", show(would), c.want, err)
			}
			descendants, err := l.RemoveAll(stems[c.remove])
			if err != nil || !slices.Equal(show(descendants), c.want) {
				t.Fatalf("removed %q, want %q, %v", show(descendants), c.want, err)
			}
			gone := map[string]bool{stems[c.remove]: true}
			for _, d := range descendants {
				gone[d.Unit] = gone[d.Unit] || d.Whole()
			}
			for name, stem := range stems {
				if err := mustHold(l, stem); (err != nil) != gone[stem] {
					t.Errorf("%s: gone %v, %v", name, gone[stem], err)
				}
			}
			if c.remove != "captioning" && !strings.HasPrefix(c.remove, "answering") && c.remove != "judging" && c.remove != "battling" && len(allRows(t, l, Calls)) != before {
				t.Error("calls were removed")
			}
			if check, err := l.Check(CheckPictures, nil); err != nil || len(check.Faults) > 0 {
				t.Errorf("%+v %v", check.Faults, err)
			}
		})
	}
}

// What was found out about candidates goes with them, and so do the questions of a bank that was made of them, with their
// answers. What people did stays and is told.
func TestDescendantsOfConstruction(t *testing.T) {
	must.Slow(t)
	t.Parallel()
	rest := []string{"blind_trials trials 1/2 candidates", "embeddings vectors 1/1 candidates", "question_groups groups 1/1 candidates", "validations validated 1/1 candidates",
		"routes routed 1/1 candidates", "questions bank 1/1 candidates", "quality_samples drawn 1/1 candidates", "quality_ratings rated 1/1 candidates kept",
		"reviews reviewed 1/2 candidates kept", "answers one 1/1 questions"}
	whole := newLake(t)
	stems, names := map[string]string{}, map[string]string{}
	put := func(name, stem string) { stems[name], names[stem] = stem, name }
	id := "i/1"
	put("pictures", commitRows(t, whole, "ingest/images", "pictures", Images, Image{ImageID: "i"}))
	put("taxonomy", commitRows(t, whole, "ingest/taxonomy", "taxonomy", Taxonomy, TaxonomyNode{Domain: "d", Category: "c"}))
	put("generating", commitRows(t, whole, "generate", "calls", Calls, Call{RequestHash: "g1"}))
	put("made", commitRows(t, whole, "candidates", "made", Candidates, Candidate{CandidateID: id, ImageID: "i", RequestHash: "g1"}))
	put("others", commitRows(t, whole, "candidates", "others", Candidates, Candidate{CandidateID: "k/1", ImageID: "k", RequestHash: "g2"}))
	put("guessing", commitRows(t, whole, "blind", "calls", Calls, Call{RequestHash: "b1"}))
	put("trials", commitRows(t, whole, "blind_trials", "trials", BlindTrials, BlindTrial{CandidateID: id, RequestHash: "b1"}, BlindTrial{CandidateID: "k/1", RequestHash: "b2"}))
	put("encoding", commitRows(t, whole, "embed", "calls", Calls, Call{RequestHash: "e1"}))
	put("vectors", commitRows(t, whole, "embeddings", "vectors", Embeddings, Embedding{CandidateID: id, RequestHash: "e1"}))
	put("groups", commitRows(t, whole, "question_groups", "groups", QuestionGroups, QuestionGroup{CandidateID: id, ImageID: "i"}))
	put("validating", commitRows(t, whole, "validate", "calls", Calls, Call{RequestHash: "v1"}))
	put("validated", commitRows(t, whole, "validations", "validated", Validations, Validation{CandidateID: id, RequestHash: "v1"}))
	put("routed", commitRows(t, whole, "routes", "routed", Routes, Route{CandidateID: id}))
	put("reviewed", commitRows(t, whole, "review", "anna", Reviews, Review{CandidateID: id, Reviewer: "anna"}, Review{CandidateID: "k/1", Reviewer: "anna"}))
	put("bank", commitRows(t, whole, "bank", "d", Questions, Question{QuestionID: "i/q", ImageID: "i", CandidateID: &id}))
	put("loaded", commitRows(t, whole, "ingest/bank", "loaded", Questions, Question{QuestionID: "x/q", ImageID: "x"}))
	put("drawn", commitRows(t, whole, "quality_samples", "drawn", QualitySamples, QualitySample{CandidateID: id}))
	put("drawn elsewhere", commitRows(t, whole, "quality_samples", "elsewhere", QualitySamples, QualitySample{CandidateID: "x/q", Stage: "post_quality"}))
	put("rated", commitRows(t, whole, "ratings", "anna", QualityRatings, QualityRating{CandidateID: id, Reviewer: "anna"}))
	put("one", commitRows(t, whole, "score", "one", Answers, Answer{QuestionID: "i/q", ImageID: "i", Evidence: "none", RequestHash: "a1"}))
	for name, c := range map[string]struct {
		remove string
		want   []string
	}{
		"pictures":         {"pictures", append([]string{"candidates made 1/1 images"}, rest...)},
		"generator calls":  {"generating", append([]string{"candidates made 1/1 calls"}, rest...)},
		"candidates":       {"made", rest},
		"blind calls":      {"guessing", []string{"blind_trials trials 1/2 calls"}},
		"vector calls":     {"encoding", []string{"embeddings vectors 1/1 calls", "question_groups groups 1/1 embeddings"}},
		"validator calls":  {"validating", []string{"validations validated 1/1 calls", "routes routed 1/1 validations"}},
		"bank":             {"bank", []string{"answers one 1/1 questions"}},
		"loaded bank":      {"loaded", []string{"quality_samples drawn elsewhere 1/1 questions"}},
		"reviews":          {"reviewed", nil},
		"taxonomy":         {"taxonomy", nil},
		"other candidates": {"others", []string{"blind_trials trials 1/2 candidates", "reviews reviewed 1/2 candidates kept"}},
	} {
		t.Run(name, func(t *testing.T) {
			l := copyOf(t, whole)
			var got []string
			descendants, err := l.RemoveAll(stems[c.remove])
			gone := map[string]bool{stems[c.remove]: true}
			for _, d := range descendants {
				line := fmt.Sprintf("%s %s %d/%d %s", d.Table, names[d.Unit], d.Rows, d.Of, d.Why)
				if d.Human {
					line += " kept"
				}
				got = append(got, line)
				gone[d.Unit] = gone[d.Unit] || d.Whole()
			}
			if err != nil || !slices.Equal(got, c.want) {
				t.Fatalf("removed %q, want %q, %v", got, c.want, err)
			}
			for name, stem := range stems {
				if err := mustHold(l, stem); (err != nil) != gone[stem] {
					t.Errorf("%s: gone %v, %v", name, gone[stem], err)
				}
			}
		})
	}
}
