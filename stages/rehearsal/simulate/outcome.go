package simulate

import (
	"cmp"
	"math"
	"slices"

	"github.com/captionlake/captionlake/data/captionqa"
)

// The weights of the parts of a model's deviation from a question's difficulty: the caption as a
// whole, the model's sight of the picture under every prompt, and the single answer. Their squares
// sum to one. The first part correlates the errors of one picture's questions, which makes
// clustered standard errors larger than naive ones.
const (
	captionWeight = 0.30
	modelWeight   = 0.70
	singleWeight  = 0.6481
	deviation     = 0.57 // standard deviation of the deviation; the standard deviation of the difficulties is 1
)

// A unit is the answers about one model under one prompt. With an empty prompt the model answers
// from the pictures; otherwise the reader answers from its captions.
type unit struct{ model, prompt string }

func (u unit) onImage() bool { return u.prompt == "" }

// String is the unit's name in the lake.
func (u unit) String() string {
	if u.onImage() {
		return u.model + " image"
	}
	return u.model + " " + u.prompt
}

// outcomes draws the outcome of every question of the bank for one unit. The counts of each domain
// are exact: the hardest questions that offer the cannot option get a cannot answer, and the
// easiest of the others get a correct one.
func (s *simulation) outcomes(u unit) []captionqa.Outcome {
	all := make([]captionqa.Outcome, len(s.bank.questions))
	for _, d := range s.bank.domains {
		outcomes := all[d.first : d.first+d.questions]
		hardness, order := s.hardness(u, d), make([]int, d.questions)
		for i := range order {
			order[i], outcomes[i] = i, captionqa.Incorrect
		}
		slices.SortFunc(order, func(a, b int) int {
			return cmp.Or(cmp.Compare(hardness[a], hardness[b]), cmp.Compare(a, b))
		})
		correct, cannot := s.counts(u, d)
		// The cannot answers go to the hardest questions. Each question is skipped once in three
		// times, since models answer some hard questions. The loop ends, because counts gives no more
		// cannot answers than questions that offer this option.
		silent := stream(s.options.Seed, "silent", u.String(), d.name)
		for cannot > 0 {
			for _, i := range slices.Backward(order) {
				offers := !s.bank.questions[d.first+i].row.YesNo
				if cannot > 0 && outcomes[i] == captionqa.Incorrect && offers && silent.IntN(3) > 0 {
					outcomes[i] = captionqa.Cannot
					cannot--
				}
			}
		}
		for _, i := range order { // The correct answers go to the easiest of the others.
			if correct > 0 && outcomes[i] == captionqa.Incorrect {
				outcomes[i] = captionqa.Correct
				correct--
			}
		}
	}
	return all
}

// credit is the average score of a cannot answer to the bank's questions.
const credit = 0.308

// counts are the correct and cannot answers of one unit in a domain: the whole numbers nearest to
// the printed shares. If the printed cannot-rate contradicts the printed score, by more than 2 % of
// the questions, the answers have the score. For answers from pictures, the correct answers are
// computed from the accuracy of Simple captions and the gap (CaptionQA section 5).
func (s *simulation) counts(u unit, d *domain) (correct, cannot int) {
	questions := float64(d.questions)
	if u.onImage() {
		accuracy := s.ref.cell(u.model, captionqa.PromptSimple, d.name).accuracy +
			s.ref.figures[figure{"utility_gap", u.model, "", d.name}]
		return min(int(math.Round(accuracy/100*questions)), d.questions), 0
	}
	printed := s.ref.cell(u.model, u.prompt, d.name)
	correct = int(math.Round(printed.accuracy / 100 * questions))
	silent := printed.cannot / 100 * float64(d.offered)
	implied := (printed.score - printed.accuracy) / 100 / credit * questions // cannot answers that the score implies
	contradicts := math.Abs(implied-silent) > questions/50
	if printed.score > 0 && contradicts { // The score is 0 if the paper does not print it.
		silent = implied
	}
	return correct, min(int(math.Round(silent)), d.offered, d.questions-correct)
}

// hardness is every question's difficulty for the unit.
func (s *simulation) hardness(u unit, d *domain) []float64 {
	byImage := normals(stream(s.options.Seed, "caption", u.String(), d.name), d.images)
	model := stream(s.options.Seed, "model", u.model, d.name)
	single := stream(s.options.Seed, "single", u.String(), d.name)
	hardness := make([]float64, d.questions)
	for i := range hardness {
		q := &s.bank.questions[d.first+i]
		hardness[i] = q.difficulty + deviation*(captionWeight*byImage[q.image]+
			modelWeight*model.NormFloat64()+singleWeight*single.NormFloat64())
	}
	return hardness
}
