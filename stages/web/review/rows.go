package review

import (
	"crypto/sha256"
	"fmt"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/construct"
	"github.com/captionlake/captionlake/stages/web"
)

// content is the page's part of a decision: a review or a rating.
type content struct {
	Decision  string   `json:"decision,omitempty"` // of a review, as tables have it
	Question  string   `json:"question,omitempty"` // after a fix, with Options and Key
	Options   []string `json:"options,omitempty"`
	Key       *int32   `json:"key,omitempty"`
	Right     bool     `json:"right,omitempty"`     // of a rating
	Stage     string   `json:"stage,omitempty"`     // of the drawn question
	Candidate string   `json:"candidate,omitempty"` // of the drawn question
	Note      string   `json:"note,omitempty"`
}

type decision = web.Decision[content]

// Protocols of the units name what people are asked to do, with a version.
const (
	protocolReview = "construct/review/1"
	protocolRate   = "construct/rate/1"
)

// reviews makes rows of people's decisions on candidates. A skipped candidate has no row: it is
// left to others.
var reviews = web.Ledger[content, data.Review]{
	Table: data.Reviews, Stage: "review", Protocol: protocolReview, Source: "review page",
	Row: func(d decision) (data.Review, bool) {
		v := d.Value
		return data.Review{
			CandidateID: d.Item, Reviewer: d.Person, Decision: v.Decision, Question: v.Question, Options: v.Options,
			AnswerIndex: v.Key, Note: v.Note,
			Seconds: d.Seconds, ReviewedAt: &d.At,
		}, !d.Skipped
	},
	Decision: func(r data.Review) decision {
		return decision{Person: r.Reviewer, Item: r.CandidateID, At: web.TimeOf(r.ReviewedAt),
			Seconds: r.Seconds, Value: content{
				Decision: r.Decision, Question: r.Question, Options: r.Options, Key: r.AnswerIndex, Note: r.Note,
			}, Simulated: r.Provenance == data.ProvenanceSimulated}
	},
}

// ratings makes rows of people's ratings of drawn questions.
var ratings = web.Ledger[content, data.QualityRating]{
	Table: data.QualityRatings, Stage: "rate", Protocol: protocolRate, Source: "review page",
	Row: func(d decision) (data.QualityRating, bool) {
		v := d.Value
		return data.QualityRating{
			Stage: v.Stage, CandidateID: v.Candidate, Reviewer: d.Person, IsRight: v.Right, Note: v.Note,
			Seconds: d.Seconds, RatedAt: &d.At,
		}, !d.Skipped
	},
	Decision: func(r data.QualityRating) decision {
		return decision{Person: r.Reviewer, Item: drawnID(r.Stage, r.CandidateID),
			At: web.TimeOf(r.RatedAt), Seconds: r.Seconds, Value: content{
				Right: r.IsRight, Stage: r.Stage, Candidate: r.CandidateID, Note: r.Note,
			}, Simulated: r.Provenance == data.ProvenanceSimulated}
	},
}

// drawnID names a drawn question on the page without revealing its stage.
func drawnID(stage, candidate string) string {
	sum := sha256.Sum256([]byte(stage + "\x00" + candidate))
	return fmt.Sprintf("%x", sum[:8])
}

// forFinal is a decision as construct.Final reads it.
func forFinal(d decision) construct.Decision {
	c := construct.Decision{Reviewer: d.Person, Decision: d.Value.Decision, Question: d.Value.Question,
		Options: d.Value.Options, At: d.At}
	if d.Value.Key != nil {
		c.Answer = new(int(*d.Value.Key))
	}
	return c
}
