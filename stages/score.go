package stages

import (
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/stages/llm"
)

// ScoreStage is the name of the stage that parses and scores replies. It asks nothing: answers are a pure function of
// calls, questions and the protocol.
const ScoreStage = "score"

// parsersOf are the protocols under which the replies of a protocol are read: its own, and for captionqa/upstream the
// strict parser as well.
func parsersOf(protocol string) []string {
	if protocol == captionqa.ProtocolUpstream {
		return []string{protocol, captionqa.ProtocolStrict}
	}
	return []string{protocol}
}

// Score parses and scores the recorded replies of a job into answers, under every protocol that reads them, and returns
// their number. Questions without a recorded call give no row; failed calls give rows with the outcome failed.
func Score(l *data.Lake, j AnswerJob) (int, error) {
	j.all = true
	w, err := AnswerWork(l, j)
	if err != nil {
		return 0, err
	}
	said, err := replyDigest(l, w)
	if err != nil {
		return 0, err
	}
	bank, err := l.State(data.Questions) // A corrected key changes scores and no request.
	if err != nil {
		return 0, err
	}
	parsers := parsersOf(j.Protocol)
	var units []data.Unit
	for _, parser := range parsers {
		units = append(units, data.Unit{
			Stage: ScoreStage, Name: conditions(parser, j.unit()), Protocol: parser, Source: "calls", Provenance: w.Provenance,
			Fingerprint: data.Fingerprint(said, bank, parser),
		})
	}
	return writeUnits(l, units, data.Answers, func(write func(i int, a data.Answer) error) error {
		return scoreReplies(l, j, w, parsers, write)
	})
}

// scoreReplies writes the answers that the replies to a plan give under each protocol.
func scoreReplies(l *data.Lake, j AnswerJob, w Work, parsers []string, write func(parser int, a data.Answer) error) error {
	captioner := j.Captioner
	if j.Evidence == EvidenceImage {
		captioner = j.Reader.ID // The model that looked.
	}
	evidence, err := evidenceFor(l, j)
	if err != nil {
		return err
	}
	next, stop := iter.Pull2(replies(l, w))
	defer stop()
	for questions, err := range j.questions(l, evidence) {
		if err != nil {
			return err
		}
		var read *string // the caption, by its digest
		if j.Evidence == EvidenceCaption {
			read = textDigest(evidence[questions[0].ImageID].caption)
		}
		for i := range questions {
			q := &questions[i]
			r, err, _ := next()
			if err != nil {
				return err
			}
			if !r.ok {
				continue
			}
			for k, parser := range parsers {
				a, err := scoreAnswer(q, j.Evidence, parser, &r.call)
				if err != nil {
					return err
				}
				a.Protocol, a.Reader, a.Evidence, a.Captioner, a.Prompt = parser, j.Reader.ID, j.Evidence, captioner, j.Prompt
				a.Repeat, a.Provenance, a.CaptionDigest = int32(j.Repeat), w.Provenance, read
				if err := write(k, a); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// textDigest is the digest by which a row names the text that it came from; see the macro text_digest.
func textDigest(text string) *string {
	sum := md5.Sum([]byte(text))
	digest := hex.EncodeToString(sum[:])
	return &digest
}

// scoreAnswer parses one reply and scores it (CaptionQA section 3.4).
func scoreAnswer(q *data.Question, evidence, parser string, call *data.Call) (data.Answer, error) {
	options := offered(q, evidence)
	a := data.Answer{
		QuestionID: q.QuestionID, ImageID: q.ImageID, Domain: q.Domain, Category: q.Category, Subcategory: q.Subcategory,
		Options: int32(len(q.Options)), OffersCannot: len(options) > len(q.Options), RequestHash: call.RequestHash,
	}
	outcome := captionqa.Failed
	if call.State != llm.StateFailed {
		order, err := presentedOrder(q, evidence)
		if err != nil {
			return a, err
		}
		presented, err := captionqa.Present(options, order)
		if err != nil {
			return a, err
		}
		position, ok, err := parse(parser, call, presented, &a)
		if err != nil {
			return a, fmt.Errorf("question %s: %w", q.QuestionID, err)
		}
		choice := -1
		if ok {
			choice = int(order[position])
		}
		outcome = captionqa.Decide(options, choice, int(q.AnswerIndex))
		if choice >= 0 && choice < len(q.Options) {
			index := int32(choice)
			a.ChoiceIndex = &index
		}
	}
	a.Outcome, a.Score = string(outcome), captionqa.Score(outcome, len(q.Options))
	return a, nil
}

// parse finds the presented position that a reply chose.
func parse(parser string, call *data.Call, presented []string, a *data.Answer) (position int, ok bool, err error) {
	switch parser {
	case captionqa.ProtocolStrict:
		position, ok = captionqa.ParseStrict(call.Reply, presented)
	case captionqa.ProtocolProbabilities:
		a.Probabilities, err = letterProbabilities(call.Logprobs, len(presented))
		if err != nil {
			return 0, false, err
		}
		position, ok = likeliest(a.Probabilities)
	default:
		position, ok = captionqa.ParseUpstream(call.Reply, len(presented))
	}
	return position, ok, nil
}

// letterProbabilities sums, for each presented option, the probabilities of the first token's candidates that are its
// letter, white space and case aside. What a server does not list counts as 0, so the sum is at most 1.
func letterProbabilities(logprobs string, options int) ([]float64, error) {
	if logprobs == "" {
		return nil, nil
	}
	var tokens []llm.TokenLogprob
	if err := json.Unmarshal([]byte(logprobs), &tokens); err != nil {
		return nil, fmt.Errorf("unreadable log-probabilities: %w", err)
	}
	if len(tokens) == 0 {
		return nil, nil
	}
	candidates := tokens[0].Top
	if len(candidates) == 0 {
		candidates = []llm.Logprob{{Token: tokens[0].Token, Logprob: tokens[0].Logprob}}
	}
	sums := make([]float64, options)
	for _, c := range candidates {
		letter := strings.ToUpper(strings.TrimSpace(c.Token))
		if len(letter) == 1 && letter[0] >= 'A' && int(letter[0]-'A') < options {
			sums[letter[0]-'A'] += math.Exp(c.Logprob)
		}
	}
	return sums, nil
}

// likeliest is the position of the largest probability, the first of equal ones; false when all are 0.
func likeliest(probabilities []float64) (position int, ok bool) {
	for i, p := range probabilities {
		if p > 0 && (!ok || p > probabilities[position]) {
			position, ok = i, true
		}
	}
	return position, ok
}
