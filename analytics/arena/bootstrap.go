package arena

import (
	"context"
	"math"
	"math/rand/v2"
	"sync"

	"gonum.org/v1/gonum/stat/distuv"
)

// Bootstrap fits the model again and again with random weights of the images: exponential ones, as Rubin's Bayesian bootstrap has (Annals
// of Statistics 9, 1981). Like drawing images with replacement it gives each image the mean weight 1 and the variance 1, and where n
// images tell of as many, both agree; but no battle is ever left out, so that a sample has finite estimates wherever all battles have.
func (f *Fit) Bootstrap(ctx context.Context, samples int, seed uint64) (*Draws, error) {
	n := len(f.t.names)
	d := newDraws(n, samples, f.Above, f.Groups)
	for i := range d.ratings {
		d.ratings[i] = math.NaN()
	}
	if f.Problem != "" {
		return d, nil
	}
	plan := f.plan()
	var once sync.Once
	var fault error
	inParallel(samples, func() func(int) {
		work := f.newton()
		cells := make([]cell, len(f.cells))
		params := make([]float64, f.size())
		return func(s int) {
			if ctx.Err() != nil {
				return
			}
			plan.draw(cells, rand.New(rand.NewPCG(seed, uint64(s))))
			if f.model.Weighted {
				weigh(cells)
			}
			copy(params, f.params)
			if err := work.solve(cells, params, 1e-4); err != nil {
				once.Do(func() { fault = err })
				return
			}
			for i := range n {
				if !math.IsNaN(f.Strengths[i]) {
					d.ratings[s*n+i] = params[i]
				}
			}
		}
	})
	if fault == nil {
		fault = ctx.Err()
	}
	return d, fault
}

// A plan says what a sample adds to the cells.
type plan struct {
	empty   []cell
	entries []entry // battles of images that have several, those of an image together
	single  []many  // battles of images that have no other
}

// An entry is a battle.
type entry struct {
	cell    int32
	outcome Outcome
	first   bool // of its image
}

// many are n battles of one cell and outcome, each alone on its image: their weights add up to a gamma variable of shape n, which is
// drawn at once.
type many struct {
	cell    int32
	outcome Outcome
	n       float64
}

func (f *Fit) plan() *plan {
	p := &plan{empty: make([]cell, len(f.cells))}
	single := make([][3]float64, len(f.cells))
	for i, c := range f.cells {
		p.empty[i] = cell{a: c.a, b: c.b, x: c.x}
	}
	order := f.byImage()
	for start := 0; start < len(order); {
		end := start
		image := f.battles[order[start]].Image
		from := len(p.entries)
		for ; end < len(order) && f.battles[order[end]].Image == image; end++ {
			i := order[end]
			if f.of[i] >= 0 {
				p.entries = append(p.entries, entry{f.of[i], f.battles[i].turned().Outcome, len(p.entries) == from})
			}
		}
		if len(p.entries) == from+1 {
			single[p.entries[from].cell][p.entries[from].outcome]++
			p.entries = p.entries[:from]
		}
		start = end
	}
	for c, counts := range single {
		for o, n := range counts {
			if n > 0 {
				p.single = append(p.single, many{int32(c), Outcome(o), n})
			}
		}
	}
	return p
}

func (p *plan) draw(cells []cell, random *rand.Rand) {
	copy(cells, p.empty)
	for _, m := range p.single {
		if m.n == 1 {
			cells[m.cell].counts[m.outcome] += random.ExpFloat64()
		} else {
			cells[m.cell].counts[m.outcome] += distuv.Gamma{Alpha: m.n, Beta: 1, Src: random}.Rand()
		}
	}
	weight := 0.0
	for _, e := range p.entries {
		if e.first {
			weight = random.ExpFloat64()
		}
		cells[e.cell].counts[e.outcome] += weight
	}
}
