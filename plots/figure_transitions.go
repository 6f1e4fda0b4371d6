package plots

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
)

// transition is a step from one caption prompt to another, with the place in the paper of what it gains and its part in names.
type transition struct {
	captionqa.PromptStep
	paper, name string
}

// transitions are the steps that the paper looks at, each with its figure of gains and its figure of coverage against accuracy.
var (
	shortToSimple = transition{captionqa.PromptStep{From: captionqa.PromptShort, To: captionqa.PromptSimple}, "Figure 17", "short_to_simple"}
	simpleToLong  = transition{captionqa.PromptStep{From: captionqa.PromptSimple, To: captionqa.PromptLong}, "Figure 18", "simple_to_long"}
	longToHinted  = transition{captionqa.PromptStep{From: captionqa.PromptLong, To: captionqa.PromptTaxonomyHinted}, "Figure 19", "long_to_hinted"}
	shortToLong   = transition{captionqa.PromptStep{From: captionqa.PromptShort, To: captionqa.PromptLong}, "Section 14.3", "short_to_long"}
)

// of begins to read the rows of the step on the level that is drawn.
func (s transition) of(from *Reading) (*Reading, string) {
	if from = from.Where("transition", s.String()); from.Err != nil {
		return from, ""
	}
	for _, level := range []string{"category", "domain"} { // printed figures tell the prompts apart by domain only
		if part := from.Where("level", level); !errors.Is(part.Err, ErrNoRows) {
			return part, level
		}
	}
	return &Reading{Err: noRows("table %s has neither categories nor domains for %s", from.Table.Name(), s)}, ""
}

// printedFigures are what the paper prints of a transition over its categories, by column of prompt_transition_summary.
var printedFigures = map[string]string{
	"pearson": "r = %g", "mean_coverage_gain": "a mean gain of %+g in coverage", "mean_accuracy_gain": "a mean gain of %+g in accuracy", "n_losing": "%g that lose",
}

// printed words what the paper prints of the step where the figure is computed from the domains of its tables (derived): the two are means
// over different rows, and neither may be taken for the other.
func (s transition) printed(ts Tables, level string, columns ...string) (sentence string, derived bool, err error) {
	from := ts.Read("prompt_transition_summary")
	if !from.Has("origin") || level != "domain" {
		return "", false, from.Err
	}
	if from = from.Where("origin", data.ProvenancePublished); errors.Is(from.Err, ErrNoRows) {
		return "", false, nil
	}
	if from = from.Where("level", "category").Where("transition", s.String()); errors.Is(from.Err, ErrNoRows) {
		return "", true, nil
	}
	var words []string
	for _, c := range columns {
		if values := from.Numbers(c); from.Err == nil && values[0].Valid {
			words = append(words, fmt.Sprintf(printedFigures[c], values[0].Value))
		}
	}
	if len(words) == 0 || from.Err != nil {
		return "", true, from.Err
	}
	return " The paper prints, over its categories, " + strings.Join(words, ", ") + ".", true, nil
}

// plainLevel words a level for people.
func plainLevel(level string, n int) string {
	if level == "domain" {
		return plural(n, "domain", "domains")
	}
	return plural(n, "category", "categories")
}

// placeNames returns what the rows of a level are called, and their domains.
func placeNames(from *Reading, level string) (names, groups []string) {
	groups = from.Text("domain")
	if level == "domain" {
		return slices.Clone(groups), groups
	}
	for _, name := range from.TextOrNone("category") {
		names = append(names, cmp.Or(name, "(no category)"))
	}
	return names, groups
}

// transitionFigure shows what a step gains in every category, the greatest gain first.
func transitionFigure(s transition) Figure {
	return Figure{
		Name:  "transition_" + s.name,
		Title: "What the step from the " + s.From + " to the " + s.To + " prompt gains",
		Paper: "CaptionQA, " + s.paper,
		Needs: []string{"prompt_transitions", "prompt_transition_summary"},
		draw: func(ts Tables, domains domainSet, on Page) (*Drawing, error) {
			return drawTransition(ts, domains, on, s)
		},
	}
}

// gain is a category's gain in points with an optional interval.
type gain struct {
	label, domain string
	value         float64
	low, high     Number
	share         Number // of the gain to the Long prompt
	shareLow      Number
	shareHigh     Number
}

// readGains returns the categories of a step with one row each, the level that they are of, and what the rows are made of.
func readGains(ts Tables, on Page, s transition) (out []gain, level string, provenance []string, err error) {
	from, level := s.of(ts.Read("prompt_transitions"))
	provenance = from.provenance()
	labels, groups := placeNames(from, level)
	values, bounds := from.Floats("accuracy_gain"), from.Interval("accuracy_gain")
	shares, ends := from.Numbers("share_of_long"), from.Interval("share_of_long")
	if from.Err != nil {
		return nil, "", nil, from.Err
	}
	seen := map[[2]string]bool{}
	for i, l := range labels {
		k := [2]string{groups[i], l}
		if seen[k] {
			return nil, "", nil, from.Table.fault("category", i, "a second row for %s of %s", l, groups[i])
		}
		seen[k] = true
		out = append(out, gain{label: l, domain: groups[i], value: values[i], low: within100(bounds[0][i]), high: within100(bounds[1][i]),
			share: shares[i], shareLow: ends[0][i], shareHigh: ends[1][i]})
	}
	return out, level, provenance, nil
}

// within100 ends an interval of a difference of percentages where no difference can lie: t intervals over two or three images pass it.
func within100(n Number) Number {
	n.Value = min(max(n.Value, -100), 100)
	return n
}

func drawTransition(ts Tables, domains domainSet, on Page, s transition) (*Drawing, error) {
	gains, level, provenance, err := readGains(ts, on, s)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(gains, func(a, b gain) int {
		return cmp.Or(cmp.Compare(b.value, a.value), compareDomains(a.domain, b.domain), strings.Compare(a.label, b.label))
	})
	labels := make([]rowLabel, len(gains))
	groups := make([][]Bar, len(gains))
	var found []string
	sum, losers, note := 0.0, 0, ""
	for i, g := range gains {
		labels[i] = rowLabel{g.label, domains.text(g.domain)}
		groups[i] = []Bar{{Segments: []Segment{{g.value, domains.bar(g.domain)}}, Low: g.low, High: g.high, Label: fmt.Sprintf("%+.1f", g.value+0)}}
		found = append(found, g.domain)
		sum += g.value
		if g.value < 0 {
			losers++
		}
		if g.low.Valid {
			note = " Lines are 95 % intervals, cut at 100 points" + shorterThanMark
		}
	}
	p, err := barPanel("", ink, newAxis("gain in accuracy, points", [2]float64{-100, 100}), groups)
	if err != nil {
		return nil, err
	}
	printed, derived, err := s.printed(ts, level, "mean_accuracy_gain", "n_losing")
	if err != nil {
		return nil, err
	}
	chart := newRowChart(labels, 210, 13, p)
	return &Drawing{
		Subtitle: fmt.Sprintf("Change of the mean accuracy over captioners, points. Mean over %s %+.1f; %s.%s%s",
			plainLevel(level, len(gains)), sum/float64(len(gains))+0, losing(losers), note, printed),
		Source:     "mart prompt_transitions; CaptionQA section 14.",
		Provenance: provenance, Derived: derived,
		Keys:   domains.keys(on, found, false),
		Height: chart.height(on), Body: chart.draw,
	}, nil
}

// losing words how many of several lose.
func losing(n int) string {
	switch n {
	case 0:
		return "none loses"
	case 1:
		return "one of them loses"
	}
	return fmt.Sprintf("%d of them lose", n)
}

var longShare = Figure{
	Name:  "share_of_long_gain",
	Title: "How much of the Long prompt's gain the Simple prompt reaches",
	Paper: "CaptionQA, Sections 5.1 and 14.3",
	Needs: []string{"prompt_transitions"},
	draw:  drawLongShare,
}

func drawLongShare(ts Tables, domains domainSet, on Page) (*Drawing, error) {
	gains, _, provenance, err := readGains(ts, on, shortToSimple)
	if err != nil {
		return nil, err
	}
	gains = slices.DeleteFunc(gains, func(g gain) bool { return !g.share.Valid })
	if len(gains) == 0 {
		return nil, noRows("table prompt_transitions has no category with answers under the Short, Simple and Long prompts")
	}
	slices.SortStableFunc(gains, func(a, b gain) int {
		return cmp.Or(cmp.Compare(b.share.Value, a.share.Value), compareDomains(a.domain, b.domain), strings.Compare(a.label, b.label))
	})
	var labels []rowLabel
	var rows []Dot
	var found []string
	for _, g := range gains {
		labels = append(labels, rowLabel{g.label, domains.text(g.domain)})
		rows = append(rows, Dot{Value: g.share, Low: g.shareLow, High: g.shareHigh, Glyph: filled(domains.bar(g.domain)), Label: fmt.Sprintf("%.1f %%", g.share.Value)})
		found = append(found, g.domain)
	}
	dots, err := NewDots(rows)
	if err != nil {
		return nil, err
	}
	scale := newAxis("share of the gain from Short to Long, %", anywhere)
	scale.include(100)
	dots.Ends = shareRange(dots)
	p := newPanel("", ink, scale, dots, marker{at: 100, vertical: true})
	lines := ""
	if slices.ContainsFunc(gains, func(g gain) bool { return g.shareLow.Valid }) {
		lines = " Lines are 95 % intervals, with arrowheads where they go on past the axis" + shorterThanMark
	}
	chart := newRowChart(labels, 210, 13, p)
	return &Drawing{
		Subtitle:   "Accuracy gained from the Short to the Simple prompt as a share of that from Short to Long (%). At 100 the longer captions of the Long prompt add nothing." + lines,
		Source:     "mart prompt_transitions.",
		Provenance: provenance,
		Keys:       domains.keys(on, found, false),
		Height:     chart.height(on), Body: chart.draw,
	}, nil
}

// shareRange is a range over the shares, and over their intervals as long as these leave the shares most of it: a share of a gain near
// zero has an interval without end.
func shareRange(d *Dots) [2]float64 {
	low, high := 100.0, 100.0
	for _, r := range d.Rows {
		if r.Value.Valid {
			low, high = min(low, r.Value.Value), max(high, r.Value.Value)
		}
	}
	return reach(low, high, 1)
}

// reach widens a range of values by what intervals may take of an axis on each side: a share of the range, and of five points at least.
func reach(low, high, share float64) [2]float64 {
	by := max(high-low, 5) * share
	return [2]float64{low - by, high + by}
}
