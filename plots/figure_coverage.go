package plots

import (
	"cmp"
	"errors"
	"fmt"

	"gonum.org/v1/plot/vg/draw"
)

// coverageFigure sets the gain in coverage (fewer "cannot answer") against the gain in accuracy, category by category.
func coverageFigure(s transition, paper string) Figure {
	return Figure{
		Name:  "coverage_" + s.name,
		Title: "Coverage gain against accuracy gain, " + s.String(),
		Paper: "CaptionQA, " + paper,
		Needs: []string{"coverage_accuracy", "prompt_transition_summary"},
		draw:  func(ts Tables, domains domainSet, on Page) (*Drawing, error) { return drawCoverage(ts, domains, on, s) },
	}
}

// outliersNamed is how many of the categories farthest from the common trend are named.
const outliersNamed = 8

func drawCoverage(ts Tables, domains domainSet, on Page, s transition) (*Drawing, error) {
	from, level := s.of(ts.Read("coverage_accuracy"))
	from, rate := coverageRate(from)
	provenance := from.provenance()
	labels, groups := placeNames(from, level)
	xs, ys, places := from.Floats("coverage_gain"), from.Floats("accuracy_gain"), from.Floats("place")
	xBounds, yBounds := from.Interval("coverage_gain"), from.Interval("accuracy_gain")
	if from.Err != nil {
		return nil, from.Err
	}
	whole := ts.Read("prompt_transition_summary").Where("transition", s.String()).Where("level", level)
	pearson, pearsonEnds := whole.Numbers(rate.pearson), whole.Interval(rate.pearson)
	if whole.Err != nil {
		return nil, whole.Err
	}
	points := make([]ScatterPoint, len(xs))
	sumX, sumY := 0.0, 0.0
	for i := range xs {
		points[i] = ScatterPoint{X: xs[i], Y: ys[i], Glyph: domains.look(groups[i]).glyph(2.8),
			XLow: xBounds[0][i], XHigh: xBounds[1][i], YLow: yBounds[0][i], YHigh: yBounds[1][i]}
		sumX, sumY = sumX+xs[i], sumY+ys[i]
	}
	order := ordered(len(xs), func(a, b int) int {
		return cmp.Or(cmp.Compare(places[a], places[b]), compareDomains(groups[a], groups[b]), cmp.Compare(labels[a], labels[b]))
	})
	sorted := make([]ScatterPoint, len(order)) // labels are placed in this order, the farthest from the common trend first
	for k, i := range order {
		sorted[k] = points[i]
		if k < outliersNamed {
			sorted[k].Name = fmt.Sprintf("%s (%+.1f, %+.1f)", labels[i], xs[i]+0, ys[i]+0)
		}
	}
	scatter, err := NewScatter(sorted)
	if err != nil {
		return nil, err
	}
	scatter.Diagonal = true
	p := newPlot()
	p.Add(scatter)
	p.X.Label.Text, p.Y.Label.Text = "gain in coverage, points", "gain in accuracy, points"
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = coverageRange(scatter)
	p.X.Tick.Marker, p.Y.Tick.Marker = steps(niceStep(p.X.Max-p.X.Min, 8)), steps(niceStep(p.Y.Max-p.Y.Min, 8))
	printed, derived, err := s.printed(ts, level, "pearson", "mean_coverage_gain", "mean_accuracy_gain")
	if err != nil {
		return nil, err
	}
	n := float64(len(xs))
	r := "Pearson's r is not defined"
	if pearson[0].Valid {
		r = fmt.Sprintf("Pearson's r = %.3f", pearson[0].Value)
		if pearsonEnds[0][0].Valid && pearsonEnds[1][0].Valid {
			r += fmt.Sprintf(" (95 %% interval %.3f to %.3f)", pearsonEnds[0][0].Value, pearsonEnds[1][0].Value)
		}
	}
	return &Drawing{
		Subtitle: fmt.Sprintf("Change from the %s to the %s prompt, mean over captioners, points. %s over %s; mean gain %+.1f in coverage (%s), %+.1f in accuracy. Named: the farthest from the mean distance to the diagonal.%s%s",
			s.From, s.To, r, plainLevel(level, len(xs)), sumX/n+0, rate.words, sumY/n+0, intervalNote(xBounds, yBounds), printed),
		Source:     "marts coverage_accuracy and prompt_transition_summary; CaptionQA section 14.4.",
		Provenance: provenance, Derived: derived,
		Keys:   domains.keys(on, groups, true),
		Height: on.inner() * 0.75,
		Body:   func(c draw.Canvas) { p.Draw(c) },
	}, nil
}

// A cannotRate is one of the two rates that the paper prints under the name cannot.
type cannotRate struct{ name, pearson, words string }

// cannotRates are the rates in the order in which a figure takes them: Figures 20 to 23 draw the drop of the first; of the second
// alone can it be computed from printed tables.
var cannotRates = []cannotRate{
	{"all", "pearson", "100 − share of all answers that chose \"cannot answer\""},
	{"offered", "pearson_offered", "100 − share of the answers to questions offering \"cannot answer\" that chose it, from Tables 11 to 26: not the rate of CaptionQA's figure"},
}

// coverageRate begins to read the rows of the first rate that the table has.
func coverageRate(from *Reading) (*Reading, cannotRate) {
	if from.Err != nil {
		return from, cannotRate{}
	}
	for _, rate := range cannotRates {
		if part := from.Where("rate", rate.name); !errors.Is(part.Err, ErrNoRows) {
			return part, rate
		}
	}
	return &Reading{Err: noRows("table %s has rows of neither cannot rate", from.Table.Name())}, cannotRate{}
}

// coverageRange is one range for both axes, on which the diagonal is seen whole. Where the points would take a small part of it they get
// ranges of their own, and what falls into the picture of the diagonal is drawn.
func coverageRange(s *Scatter) (xmin, xmax, ymin, ymax float64) {
	low, high, _, _ := s.DataRange()
	own := *s
	own.Diagonal = false
	xmin, xmax, ymin, ymax = own.DataRange()
	if high-low <= 3*max(xmax-xmin, ymax-ymin) {
		xmin, xmax, ymin, ymax = low, high, low, high
	}
	if xmin == xmax {
		xmin, xmax = xmin-1, xmax+1
	}
	if ymin == ymax {
		ymin, ymax = ymin-1, ymax+1
	}
	return xmin, xmax, ymin, ymax
}
