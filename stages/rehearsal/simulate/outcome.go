package simulate

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/captionlake/captionlake/data/captionqa"
)

// uneven says how much models agree on some questions more than on others: standard deviation of the logarithm of a
// question's noise.
const uneven = 0.4

// The parts of a model's deviation: the picture's caption as a whole, what the model sees in the picture under every
// prompt, and the single caption. Their squares sum to one. The first makes the errors of one picture's questions go
// together, which is why clustered standard errors are larger than naive ones.
const (
	captionWeight = 0.30
	modelWeight   = 0.70
	singleWeight  = 0.6481
)

// reticenceWeight is the correlation of a question's reticence with its difficulty.
const reticenceWeight = 0.75

// The outcomes of one question, as small numbers.
const (
	outcomeIncorrect = iota
	outcomeCorrect
	outcomeCannot
)

var outcomeNames = [...]captionqa.Outcome{captionqa.Incorrect, captionqa.Correct, captionqa.Cannot}

// A unit is one model under one prompt; under an empty prompt the model sees the pictures.
type unit struct{ model, prompt string }

func (u unit) onImage() bool { return u.prompt == "" }

// A cell draws the outcomes of one unit in one domain.
type cell struct {
	b         *bankDomain
	questions []question
	outcomes  []uint8
	hard      []float64 // difficulty as this unit finds it
	silent    []float64 // inclination to a cannot answer
}

// outcomes draws what becomes of every question of the bank under one unit. The counts of each domain are exact.
func (s *simulation) outcomes(u unit) []uint8 {
	all := make([]uint8, len(s.bank.questions))
	for _, b := range s.bank.domains {
		c := &cell{b: b, questions: b.of(s.bank.questions), outcomes: all[b.first : b.first+b.questions]}
		c.feel(s.seed, u)
		key := cellKey{u.model, u.prompt, b.shape.name}
		if u.onImage() {
			correct := s.imageCorrect(u.model, b)
			scores := s.ref.categoryScores(b, u, float64(correct)/float64(b.questions))
			none := make([]int, len(b.categories))
			c.chooseCorrect(b.correctByCategory(correct, scores, none, none))
			continue
		}
		t := s.targets[key]
		level := (float64(t.correct) + float64(t.points)/60) / float64(b.questions)
		scores := s.ref.categoryScores(b, u, level)
		cannot, points := c.chooseCannot(t, b.cannotByCategory(t, u.prompt, scores))
		c.chooseCorrect(b.correctByCategory(t.correct, scores, cannot, points))
	}
	return all
}

// imageCorrect is the number of questions that a model of Table 4 answers correctly from the picture: its correct
// answers from Simple captions and the gap (CaptionQA section 5).
func (s *simulation) imageCorrect(model string, b *bankDomain) int {
	gap := s.ref.gaps[cellKey{model: model, domain: b.shape.name}].value
	t := s.targets[cellKey{model, captionqa.PromptSimple, b.shape.name}]
	return min(t.correct+int(math.Round(gap/100*float64(b.questions))), b.questions)
}

// feel makes the unit's own view of every question's difficulty.
func (c *cell) feel(seed uint64, u unit) {
	captions := stream(seed, "caption", u.model, u.prompt, c.b.shape.name)
	model := stream(seed, "model", u.model, c.b.shape.name)
	single := stream(seed, "single", u.model, u.prompt, c.b.shape.name)
	byImage := normals(captions, c.b.images)
	c.hard, c.silent = make([]float64, len(c.questions)), make([]float64, len(c.questions))
	rest := math.Sqrt(1 - reticenceWeight*reticenceWeight)
	for i := range c.questions {
		q := &c.questions[i]
		deviation := captionWeight*byImage[q.image] + modelWeight*model.NormFloat64() + singleWeight*single.NormFloat64()
		deviation *= c.b.shape.noise * math.Exp(uneven*q.uneven)
		c.hard[i] = q.difficulty + deviation
		c.silent[i] = reticenceWeight*q.difficulty + rest*q.reticence + deviation
	}
}

func normals(r *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = r.NormFloat64()
	}
	return x
}

// offeredByCategory lists each category's questions that offer the cannot option, the most silent first.
func (c *cell) offeredByCategory() [][]int {
	lists := make([][]int, len(c.b.categories))
	for i := range c.questions {
		if q := &c.questions[i]; !q.row.YesNo {
			lists[q.category] = append(lists[q.category], i)
		}
	}
	for _, list := range lists {
		slices.SortFunc(list, func(a, b int) int { return cmp.Or(cmp.Compare(c.silent[b], c.silent[a]), cmp.Compare(a, b)) })
	}
	return lists
}

// chooseCannot marks as cannot the most silent questions of each category, and then exchanges questions of different
// numbers of options at the margin until the points of all together are the target's. It returns the cannot answers
// and their points by category.
func (c *cell) chooseCannot(t target, counts []int) (cannot, points []int) {
	lists := c.offeredByCategory()
	sum := 0
	for category, list := range lists {
		for _, i := range list[:counts[category]] {
			c.outcomes[i] = outcomeCannot
			sum += cannotPoints[len(c.questions[i].row.Options)]
		}
	}
	c.exchange(lists, counts, t.points-sum)
	cannot, points = make([]int, len(counts)), make([]int, len(counts))
	for i, o := range c.outcomes {
		if o == outcomeCannot {
			q := &c.questions[i]
			cannot[q.category]++
			points[q.category] += cannotPoints[len(q.row.Options)]
		}
	}
	return cannot, points
}

// exchange makes the points of the cannot answers missing sixtieths larger, or smaller if missing is negative, by
// exchanging a chosen question of a category for one that was not chosen, of another number of options: those nearest
// to the margin first. Exchanges of three options for four, five sixtieths each, come first.
func (c *cell) exchange(lists [][]int, counts []int, missing int) {
	for _, pair := range [][2]int{{3, 4}, {2, 3}, {2, 4}} {
		few, many := pair[0], pair[1]
		step := cannotPoints[few] - cannotPoints[many]
		in, out := few, many // options of the question that becomes a cannot answer, and of the one that no longer is
		if missing < 0 {
			in, out = many, few
		}
		steps := max(missing, -missing) / step
		margins := make([]margin, len(lists))
		for category, list := range lists {
			margins[category] = margin{cell: c, list: list, in: in, out: out, enter: counts[category], leave: counts[category] - 1}
		}
		for ; steps > 0; steps-- {
			best, cost := -1, math.Inf(1)
			for category := range margins {
				if m := &margins[category]; m.seek() && m.cost() < cost {
					best, cost = category, m.cost()
				}
			}
			if best < 0 {
				break
			}
			margins[best].swap()
			if missing > 0 {
				missing -= step
			} else {
				missing += step
			}
		}
	}
}

// A margin walks a category's list away from the border between chosen and other questions, in both directions.
type margin struct {
	cell         *cell
	list         []int
	in, out      int
	enter, leave int // next question to become a cannot answer, and next to be one no longer
}

func (m *margin) options(position int) int {
	return len(m.cell.questions[m.list[position]].row.Options)
}

func (m *margin) chosen(position int) bool {
	return m.cell.outcomes[m.list[position]] == outcomeCannot
}

// seek moves both ends to the next questions with the right numbers of options; false when there is none left.
func (m *margin) seek() bool {
	for m.enter < len(m.list) && (m.options(m.enter) != m.in || m.chosen(m.enter)) {
		m.enter++
	}
	for m.leave >= 0 && (m.options(m.leave) != m.out || !m.chosen(m.leave)) {
		m.leave--
	}
	return m.enter < len(m.list) && m.leave >= 0
}

func (m *margin) cost() float64 {
	return m.cell.silent[m.list[m.leave]] - m.cell.silent[m.list[m.enter]]
}

func (m *margin) swap() {
	m.cell.outcomes[m.list[m.enter]], m.cell.outcomes[m.list[m.leave]] = outcomeCannot, outcomeIncorrect
}

// chooseCorrect marks as correct the least hard of each category's questions that have no cannot answer.
func (c *cell) chooseCorrect(counts []int) {
	lists := make([][]int, len(counts))
	for i, o := range c.outcomes {
		if o != outcomeCannot {
			category := c.questions[i].category
			lists[category] = append(lists[category], i)
		}
	}
	for category, list := range lists {
		slices.SortFunc(list, func(a, b int) int { return cmp.Or(cmp.Compare(c.hard[a], c.hard[b]), cmp.Compare(a, b)) })
		for _, i := range list[:counts[category]] {
			c.outcomes[i] = outcomeCorrect
		}
	}
}
