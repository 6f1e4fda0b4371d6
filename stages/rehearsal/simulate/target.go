package simulate

import (
	"math"
	"slices"

	"github.com/captionlake/captionlake/data/captionqa"
)

// A target is what one model must reach under one prompt in one domain, in whole answers.
type target struct {
	correct int
	cannot  int
	points  int // points of the cannot answers, in sixtieths
	// contradicts says that no mix of options makes the printed cannot-rate agree with score and accuracy.
	contradicts bool
}

// targetOf turns a printed cell into counts for a bank: the number of correct answers that is nearest to the printed
// accuracy; a number of cannot answers that rounds to the printed rate, as near as possible to what score and accuracy
// ask for; and the cannot points that the score leaves. Where the rate is not printed, or no mix of two, three and four
// options reconciles it, accuracy and score are kept and the rate follows from them.
func (ref *reference) targetOf(key cellKey, b *bankDomain) target {
	c := ref.cells[key]
	n, offered := float64(b.questions), float64(b.offered())
	accuracy := c.accuracy.value
	if c.scoreOnly {
		accuracy = ref.interpolatedAccuracy(key)
	}
	t := target{correct: int(math.Round(accuracy / 100 * n))}
	ideal := max(c.score.value/100*n-float64(t.correct), 0) * 60 // sixtieths that the score leaves to cannot answers
	mean := b.meanPoints()
	t.cannot = int(math.Round(ideal / mean))
	switch {
	case c.scoreOnly:
	case c.contradicts(offered / n):
		t.contradicts = true
	default:
		half := c.cannot.half()
		least := int(math.Ceil((c.cannot.value - half) / 100 * offered))
		most := max(int(math.Floor((c.cannot.value+half)/100*offered)), least)
		t.cannot = min(max(t.cannot, least), most)
	}
	t.cannot = min(t.cannot, b.offered(), b.questions-t.correct)
	// Replacing a question of four options by one of three adds five sixtieths, so points come in steps of five.
	least := cannotPoints[4] * t.cannot
	t.points = least + 5*int(math.Round((ideal-float64(least))/5))
	return t
}

// half is half a unit of the figure's last printed digit.
func (f figure) half() float64 { return math.Pow(10, -float64(f.decimals)) / 2 }

// contradicts reports that no mix of questions with two to four options, and no rounding of the printed figures, makes
// the cannot-rate agree with score and accuracy: the points of a mean cannot answer would lie outside 0.30 to 0.55.
// offered is the share of questions that offer the option.
func (c printedCell) contradicts(offered float64) bool {
	gain, slack := c.score.value-c.accuracy.value, c.score.half()+c.accuracy.half()
	most := (c.cannot.value + c.cannot.half()) * offered * float64(cannotPoints[2]) / 60
	least := (c.cannot.value - c.cannot.half()) * offered * float64(cannotPoints[4]) / 60
	return gain-slack > most || gain+slack < least
}

// interpolatedAccuracy derives the accuracy of a cell of which only the score is printed: on the line between the two
// models of the same table whose scores are next below and next above.
func (ref *reference) interpolatedAccuracy(key cellKey) float64 {
	score := ref.cells[key].score.value
	var cells []printedCell
	for _, model := range ref.models {
		if c := ref.cells[cellKey{model, key.prompt, key.domain}]; !c.scoreOnly {
			cells = append(cells, c)
		}
	}
	slices.SortFunc(cells, func(a, b printedCell) int {
		if a.score.value < b.score.value {
			return -1
		}
		return 1
	})
	above := slices.IndexFunc(cells, func(c printedCell) bool { return c.score.value > score })
	switch above {
	case -1:
		return cells[len(cells)-1].accuracy.value
	case 0:
		return cells[0].accuracy.value
	}
	low, high := cells[above-1], cells[above]
	t := (score - low.score.value) / (high.score.value - low.score.value)
	return low.accuracy.value + t*(high.accuracy.value-low.accuracy.value)
}

func logit(p float64) float64 { return math.Log(p / (1 - p)) }

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// cannotByCategory divides a domain's cannot answers over its categories: every category has its rate of Table 9 among
// the questions that offer the option, moved by the leaning of the prompt and all by the same logit, as far as the
// category's score leaves room.
func (b *bankDomain) cannotByCategory(t target, prompt string, scores []float64) []int {
	n := len(b.categories)
	want, weight, lo, hi := make([]float64, n), make([]float64, n), make([]int, n), make([]int, n)
	mean := float64(t.points) / 60 / max(float64(t.cannot), 1)
	capacity := 0
	for i, c := range b.categories {
		// score·n = correct + mean·cannot with correct ≥ 0 and correct + cannot ≤ n bounds cannot from both.
		points := scores[i] * float64(c.questions)
		room := min(points/mean, (float64(c.questions)-points)/(1-mean))
		hi[i] = min(max(int(room), 0), c.offered)
		weight[i] = float64(c.offered)
		capacity += hi[i]
	}
	if capacity < t.cannot { // The categories' scores do not leave enough room: the domain's count goes first.
		for i, c := range b.categories {
			hi[i] = c.offered
		}
	}
	at := func(shift float64) (sum float64) {
		for i, c := range b.categories {
			want[i] = min(float64(c.offered)*logistic(logit(c.cannotRate)+leanings[prompt][c.name].cannot+shift), float64(hi[i]))
			sum += want[i]
		}
		return sum
	}
	low, high := -30.0, 30.0
	for range 100 {
		if middle := (low + high) / 2; at(middle) < float64(t.cannot) {
			low = middle
		} else {
			high = middle
		}
	}
	at(high)
	return apportion(t.cannot, want, weight, lo, hi)
}

// correctByCategory divides a domain's correct answers over its categories, so that each category's points come near
// its score. cannot and points are the category's cannot answers and their points in sixtieths.
func (b *bankDomain) correctByCategory(correct int, scores []float64, cannot, points []int) []int {
	n := len(b.categories)
	want, weight, lo, hi := make([]float64, n), make([]float64, n), make([]int, n), make([]int, n)
	for i, c := range b.categories {
		want[i] = scores[i]*float64(c.questions) - float64(points[i])/60
		weight[i], hi[i] = float64(c.questions), c.questions-cannot[i]
	}
	return apportion(correct, want, weight, lo, hi)
}

// A leaning says, in logits, what a prompt does to a category beside what it does to the domain.
type leaning struct{ score, cannot float64 }

// leanings follow what sections 14.1, 14.3 and 14.5 say of single categories: which gain most from Short to Simple,
// which lose most or nothing from Long to Taxonomy-Hinted, and which have cannot-rates above 70 % under Short. No other
// figures by category are printed for these prompts, so all else moves with the domain.
var leanings = map[string]map[string]leaning{
	captionqa.PromptShort: {
		"Textual Elements in Image":          {score: -1.15, cannot: 1.6},
		"Domain-Specific Evaluation":         {score: -0.5, cannot: 0.4},
		"Visual Appearance and Presentation": {score: 0.6, cannot: -0.6},
		"Structural Elements":                {score: 0.4, cannot: -0.1},
		"Perception":                         {cannot: 0.4},
		"Spatial":                            {score: 0.1, cannot: 0.3},
		"Hallucination":                      {score: 0.1, cannot: -0.2},
	},
	captionqa.PromptTaxonomyHinted: {
		"Domain-Specific Evaluation":         {score: -0.7, cannot: 0.7},
		"Visual Appearance and Presentation": {score: 1.0, cannot: -1.0},
		"Scene-Level Evaluation":             {score: 0.4, cannot: -0.4},
		"Structural Elements":                {score: 0.5, cannot: -0.5},
	},
}

// categoryScores are a model's scores by category, as shares of 1: those of the leaderboard under Simple, and otherwise
// the leaderboard's moved by the leanings of the prompt and then by one logit to the domain's score, which is level.
func (ref *reference) categoryScores(b *bankDomain, u unit, level float64) []float64 {
	scores := make([]float64, len(b.categories))
	for i, c := range b.categories {
		scores[i] = min(max(ref.board[b.shape.name][c.name][u.model]/100, 0.001), 0.999)
	}
	if u.prompt == captionqa.PromptSimple {
		return scores
	}
	moved := make([]float64, len(scores))
	at := func(shift float64) (mean float64) {
		for i, c := range b.categories {
			moved[i] = logistic(logit(scores[i]) + leanings[u.prompt][c.name].score + shift)
			mean += moved[i] * float64(c.questions) / float64(b.questions)
		}
		return mean
	}
	low, high := -30.0, 30.0
	for range 100 {
		if middle := (low + high) / 2; at(middle) < level {
			low = middle
		} else {
			high = middle
		}
	}
	at(high)
	return moved
}
