package simulate

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"github.com/captionlake/captionlake/data/captionqa"
)

// A Report says what was simulated and how near it comes to the printed figures.
type Report struct {
	Seed    uint64   `json:"seed"`
	Scale   float64  `json:"scale"`
	Prompts []string `json:"prompts"`
	Units   int      `json:"units"`   // units of the simulation
	Written int      `json:"written"` // of these, written now; the others were there
	Rows    int64    `json:"rows"`    // rows written now
	Figures int      `json:"figures"` // printed scores, accuracies, cannot-rates and gaps that were followed
	// Exceptions are the printed figures that the simulated answers do not give at the printed digits.
	Exceptions []Exception `json:"exceptions"`
	// Difficulty is as Table 10; it is empty unless Simple was simulated.
	Difficulty []Difficulty `json:"difficulty,omitempty"`
	// Categories compare the category scores under Simple with the leaderboard; empty unless Simple was simulated.
	Categories []CategoryDeviation `json:"categories,omitempty"`

	mu      sync.Mutex
	s       *simulation
	cells   map[cellKey][]tally // by category
	correct []uint8             // models that answered each question correctly under Simple
}

// The reasons for an exception.
const (
	ReasonIndivisible   = "no whole number of questions gives this share"
	ReasonContradiction = "the printed cannot-rate contradicts the printed score and accuracy"
	ReasonOther         = "no whole numbers of answers were found that give it"
)

// An Exception is a printed figure that the simulated answers do not give at its printed digits.
type Exception struct {
	Model     string  `json:"model"`
	Prompt    string  `json:"prompt"` // empty for Table 4
	Domain    string  `json:"domain"`
	Metric    string  `json:"metric"` // score, accuracy, cannot_rate_offered or utility_gap
	Printed   float64 `json:"printed"`
	Simulated float64 `json:"simulated"`
	Reason    string  `json:"reason"`
}

// Difficulty is the distribution of a domain's questions over the bins of CaptionQA section 17, in percent: easy when at
// least 80 % of the models are correct under Simple, hard when fewer than 50 % are, medium otherwise.
type Difficulty struct {
	Domain    string  `json:"domain"`
	Easy      float64 `json:"easy"`
	Medium    float64 `json:"medium"`
	Hard      float64 `json:"hard"`
	Questions int     `json:"questions"`
}

// CategoryDeviation says how far the simulated scores of a category lie from the leaderboard's over all models, in
// points.
type CategoryDeviation struct {
	Domain    string  `json:"domain"`
	Category  string  `json:"category"`
	Questions int     `json:"questions"`
	Mean      float64 `json:"mean"`  // mean of simulated − printed
	Largest   float64 `json:"worst"` // largest absolute difference
	Model     string  `json:"model"` // the model that has it
}

// A tally counts the answers of one model, prompt and category.
type tally struct{ questions, correct, cannot, points int }

func (t tally) plus(o tally) tally {
	return tally{t.questions + o.questions, t.correct + o.correct, t.cannot + o.cannot, t.points + o.points}
}

// score is in percent.
func (t tally) score() float64 {
	return float64(60*t.correct+t.points) * 100 / float64(60*t.questions)
}

func (t tally) accuracy() float64 { return float64(t.correct) * 100 / float64(t.questions) }

func newReport(s *simulation, o Options) *Report {
	return &Report{
		Seed: o.Seed, Scale: o.Scale, Prompts: o.Prompts, Exceptions: []Exception{},
		s: s, cells: map[cellKey][]tally{}, correct: make([]uint8, len(s.bank.questions)),
	}
}

// count adds a unit. The caller sees to it that one goroutine at a time does.
func (r *Report) count(rows int64, written bool) {
	r.Units++
	r.Rows += rows
	if written {
		r.Written++
	}
}

// add counts the outcomes of a unit. Only sums are kept, so that the order of units does not matter.
func (r *Report) add(u unit, outcomes []uint8) {
	for _, b := range r.s.bank.domains {
		tallies := make([]tally, len(b.categories))
		for i, q := range b.of(r.s.bank.questions) {
			t := &tallies[q.category]
			t.questions++
			switch outcomes[b.first+i] {
			case outcomeCorrect:
				t.correct++
				if u.prompt == captionqa.PromptSimple {
					r.correct[b.first+i]++
				}
			case outcomeCannot:
				t.cannot++
				t.points += cannotPoints[len(q.row.Options)]
			}
		}
		r.cells[cellKey{u.model, u.prompt, b.shape.name}] = tallies
	}
}

func sumOf(tallies []tally) (total tally) {
	for _, t := range tallies {
		total = total.plus(t)
	}
	return total
}

// finish compares everything counted with the printed figures.
func (r *Report) finish() {
	simple := false
	for _, b := range r.s.bank.domains {
		for _, model := range r.s.ref.models {
			for _, prompt := range Prompts() {
				key := cellKey{model, prompt, b.shape.name}
				if tallies, ok := r.cells[key]; ok {
					r.compare(key, b, sumOf(tallies))
					simple = simple || prompt == captionqa.PromptSimple
				}
			}
		}
	}
	r.compareGaps()
	order := append([]string{""}, Prompts()...)
	slices.SortStableFunc(r.Exceptions, func(a, b Exception) int {
		return cmp.Or(cmp.Compare(slices.Index(order, a.Prompt), slices.Index(order, b.Prompt)), cmp.Compare(a.Model, b.Model), cmp.Compare(a.Metric, b.Metric))
	})
	if simple {
		r.difficulty()
		r.deviations()
	}
	r.s, r.cells, r.correct = nil, nil, nil
}

func (r *Report) except(key cellKey, metric string, printed figure, simulated float64, reason string) {
	r.Figures++
	if !printed.matches(simulated) {
		r.Exceptions = append(r.Exceptions, Exception{key.model, key.prompt, key.domain, metric, printed.value, simulated, reason})
	}
}

func (r *Report) compare(key cellKey, b *bankDomain, t tally) {
	printed := r.s.ref.cells[key]
	r.except(key, "score", printed.score, t.score(), ReasonOther)
	if printed.scoreOnly {
		return
	}
	r.except(key, "accuracy", printed.accuracy, t.accuracy(), reachable(printed.accuracy, t.questions))
	rate := float64(t.cannot) * 100 / float64(max(b.offered(), 1))
	reason := reachable(printed.cannot, b.offered())
	if r.s.targets[key].contradicts {
		reason = ReasonContradiction
	}
	r.except(key, "cannot_rate_offered", printed.cannot, rate, reason)
}

// reachable gives the reason why a share may be missed: that no whole number of n gives it, or another.
func reachable(f figure, n int) string {
	nearest := math.Round(f.value / 100 * float64(n))
	if f.matches(nearest * 100 / float64(max(n, 1))) {
		return ReasonOther
	}
	return ReasonIndivisible
}

func (r *Report) compareGaps() {
	for _, b := range r.s.bank.domains {
		for _, model := range r.s.ref.gapModels() {
			image, seen := r.cells[cellKey{model, "", b.shape.name}]
			caption, read := r.cells[cellKey{model, captionqa.PromptSimple, b.shape.name}]
			if !seen || !read {
				continue
			}
			key := cellKey{model: model, domain: b.shape.name}
			more := sumOf(image).correct - sumOf(caption).correct
			r.except(key, "utility_gap", r.s.ref.gaps[key], float64(more)*100/float64(b.questions), reachable(r.s.ref.gaps[key], b.questions))
		}
	}
}

func (r *Report) difficulty() {
	models := len(r.s.ref.models)
	for _, b := range r.s.bank.domains {
		easy, hard := 0, 0
		for _, n := range r.correct[b.first : b.first+b.questions] {
			switch {
			case int(n)*10 >= models*8:
				easy++
			case int(n)*2 < models:
				hard++
			}
		}
		percent := func(n int) float64 { return float64(n) * 100 / float64(b.questions) }
		r.Difficulty = append(r.Difficulty, Difficulty{b.shape.name, percent(easy), percent(b.questions - easy - hard), percent(hard), b.questions})
	}
}

func (r *Report) deviations() {
	for _, b := range r.s.bank.domains {
		for i, c := range b.categories {
			d := CategoryDeviation{Domain: b.shape.name, Category: c.name, Questions: c.questions}
			for _, model := range r.s.ref.models {
				off := r.cells[cellKey{model, captionqa.PromptSimple, b.shape.name}][i].score() - r.s.ref.board[b.shape.name][c.name][model]
				d.Mean += off / float64(len(r.s.ref.models))
				if math.Abs(off) > d.Largest {
					d.Largest, d.Model = math.Abs(off), model
				}
			}
			r.Categories = append(r.Categories, d)
		}
	}
}
