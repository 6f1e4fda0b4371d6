package plots

import (
	"cmp"
	"errors"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

var lengthsFigure = Figure{
	Name:  "caption_lengths",
	Title: "How long captions are, by prompt",
	Paper: "CaptionQA, Figure 13",
	Needs: []string{"caption_lengths"},
	draw:  drawLengths,
}

// How the means over the captioners are named: that of the captions of the lake, and that which a paper states.
const (
	meanOfAll   = "Mean of the captioners"
	statedOfAll = "All captioners, stated"
)

func drawLengths(ts Tables) (*Drawing, error) {
	t, err := ts.Get("caption_lengths")
	if err != nil {
		return nil, err
	}
	if t, err = t.Where("domain", "Overall"); err != nil {
		return nil, err
	}
	provenance, err := t.Provenance()
	if err != nil {
		return nil, err
	}
	ids, err := t.Strings("model_id")
	if err != nil {
		return nil, err
	}
	models, err := t.OptionalStrings("model")
	if err != nil {
		return nil, err
	}
	origins := make([]string, t.Len())
	if t.Has("origin") {
		if origins, err = t.Strings("origin"); err != nil {
			return nil, err
		}
	}
	found, err := t.Strings("prompt")
	if err != nil {
		return nil, err
	}
	words, err := t.Floats("mean_words")
	if err != nil {
		return nil, err
	}
	bounds, err := interval(t, "mean_words")
	if err != nil {
		return nil, err
	}
	names := modelNames(ids, models, nil)
	rowOf := map[[2]string]int{}
	longest := map[string]float64{}
	var order []string
	for i, id := range ids {
		if id == "" {
			names[i] = meanOfAll
			if origins[i] == "published" {
				names[i] = statedOfAll
			}
		}
		k := [2]string{names[i], found[i]}
		if _, ok := rowOf[k]; ok {
			return nil, t.fault("mean_words", i, "a second length of %s under the %s prompt", names[i], found[i])
		}
		rowOf[k] = i
		if _, ok := longest[names[i]]; !ok {
			order = append(order, names[i])
		}
		longest[names[i]] = max(longest[names[i]], words[i])
	}
	slices.SortFunc(order, func(a, b string) int {
		return cmp.Or(-boolOrder(isMean(a), isMean(b)), cmp.Compare(longest[b], longest[a]), strings.Compare(a, b))
	})
	var panels []*plot.Plot
	high := 0.0
	for k, prompt := range promptOrder(found) {
		bars := make([][]Bar, len(order))
		has := false
		for r, n := range order {
			i, ok := rowOf[[2]string{n, prompt}]
			if !ok {
				bars[r] = []Bar{{}}
				continue
			}
			has = true
			c := palette[k%len(palette)]
			if isMean(n) {
				c = ink
			}
			bars[r] = []Bar{{Segments: []Segment{{words[i], c}}, Low: bounds[0][i], High: bounds[1][i], Label: fmt.Sprintf("%.0f", words[i])}}
		}
		if !has {
			continue
		}
		p, err := barPanel(bars, 0.3, 4)
		if err != nil {
			return nil, fmt.Errorf("prompt %s: %w", prompt, err)
		}
		panelTitle(p, prompt, ink)
		high = max(high, p.X.Max)
		panels = append(panels, p)
	}
	for _, p := range panels {
		p.X.Min, p.X.Max = 0, high
		p.X.Tick.Marker = steps(niceStep(high, 3))
	}
	labels := make([]rowLabel, len(order))
	for i, n := range order {
		labels[i] = rowLabel{n, ink}
	}
	return &Drawing{
		Subtitle:   "Mean number of words of a caption; domains, and in the first row captioners, have the same weight each.",
		Source:     "mart caption_lengths.",
		Provenance: provenance,
		Width:      fullWidth, Height: vg.Length(len(order))*15 + 120,
		Body: func(c draw.Canvas) { rowPanels(c, labels, 130, panels...) },
	}, nil
}

// isMean tells whether a row is a mean over captioners.
func isMean(name string) bool { return name == meanOfAll || name == statedOfAll }

// promptOrder returns the prompts that occur, the paper's four first.
func promptOrder(found []string) []string {
	rank := func(p string) int {
		if i := slices.Index(prompts, p); i >= 0 {
			return i
		}
		return len(prompts)
	}
	out := slices.Clone(found)
	slices.SortFunc(out, func(a, b string) int { return cmp.Or(cmp.Compare(rank(a), rank(b)), strings.Compare(a, b)) })
	return slices.Compact(out)
}

var utilityFigure = Figure{
	Name:  "utility_per_word",
	Title: "What captions are worth for their length",
	Paper: "CaptionQA, Section 5.2 and Figure 13",
	Needs: []string{"utility_per_word"},
	draw:  drawUtility,
}

func drawUtility(ts Tables) (*Drawing, error) {
	t, err := ts.Get("utility_per_word")
	if err != nil {
		return nil, err
	}
	// Scores and captions can be of different kinds: the worth of simulated captions is not that of the captions that were scored.
	scores, err := t.Strings("provenance")
	if err != nil {
		return nil, err
	}
	captions, err := t.Strings("caption_provenance")
	if err != nil {
		return nil, err
	}
	t = t.Pick(func(i int) bool { return (scores[i] == "simulated") == (captions[i] == "simulated") })
	if t.Len() == 0 {
		return nil, noRows("table %s has no captions of the same kind as the scores", t.Name())
	}
	provenance, err := t.Provenance()
	if err != nil {
		return nil, err
	}
	all, err := t.domainsOf()
	if errors.Is(err, ErrNoRows) {
		all, err = t.Distinct("domain") // printed lengths are means over all domains
	}
	if err != nil {
		return nil, err
	}
	var panels []*plot.Plot
	var keys []Key
	named := map[string]bool{}
	for _, d := range all {
		part, err := t.Where("domain", d)
		if err != nil {
			return nil, err
		}
		series, err := utilitySeries(part)
		if err != nil {
			return nil, err
		}
		l, err := NewLines(series)
		if err != nil {
			return nil, fmt.Errorf("domain %s: %w", d, err)
		}
		l.Markers = true
		for _, s := range series {
			if !named[s.Name] {
				named[s.Name] = true
				keys = append(keys, Key{Name: s.Name, Look: s.Look, Line: true})
			}
		}
		xmin, xmax, ymin, ymax := l.DataRange()
		p := newPlot()
		panelTitle(p, d, deepDomainColor(d))
		p.Add(horizontalGrid{}, l)
		if len(series) == 1 { // a lone line leaves room for the names of its points
			named, err := promptPoints(part, series[0])
			if err != nil {
				return nil, fmt.Errorf("domain %s: %w", d, err)
			}
			p.Add(named)
		}
		p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, wordTicks{}
		p.X.Min, p.X.Max = xmin/1.15, xmax*1.15
		if ymin == ymax {
			ymin, ymax = ymin-1, ymax+1
		}
		step := niceStep(ymax-ymin, 6)
		p.Y.Min, p.Y.Max = math.Floor(ymin/step)*step, math.Ceil(ymax/step)*step
		p.Y.Tick.Marker = steps(step)
		p.X.Label.Text, p.Y.Label.Text = "words per caption (logarithmic)", "score, %"
		panels = append(panels, p)
	}
	rows := (len(panels) + 1) / 2
	slices.SortStableFunc(keys, func(a, b Key) int { return strings.Compare(a.Name, b.Name) })
	return &Drawing{
		Subtitle:   "CaptionQA score against the mean number of words of the captions. A line joins the prompts of one captioner by growing length.",
		Source:     "mart utility_per_word.",
		Provenance: provenance, Keys: keys,
		Width: fullWidth, Height: 120 + vg.Length(rows)*200 + vg.Length((len(keys)+3)/4)*11,
		Body: func(c draw.Canvas) {
			for i, cell := range cells(c, min(2, len(panels)), rows, 14) {
				if i < len(panels) {
					panels[i].Draw(cell)
				}
			}
		},
	}, nil
}

// utilitySeries returns a line per captioner, its prompts by growing length. Two prompts of one length are one point, the first.
func utilitySeries(t *Table) ([]LineSeries, error) {
	names, err := rowNames(t)
	if err != nil {
		return nil, err
	}
	ids, err := t.Strings("model_id")
	if err != nil {
		return nil, err
	}
	words, err := t.Floats("mean_words")
	if err != nil {
		return nil, err
	}
	scores, err := t.Floats("score")
	if err != nil {
		return nil, err
	}
	var series []LineSeries
	var owners []string
	at := map[string]int{}
	for i, n := range names {
		if !(words[i] > 0) {
			continue // empty captions have no place on a logarithmic axis
		}
		k, ok := at[n]
		if !ok {
			k = len(series)
			at[n] = k
			series, owners = append(series, LineSeries{Name: n}), append(owners, ids[i])
		}
		series[k].Points = append(series[k].Points, LinePoint{X: words[i], Y: Number{scores[i], true}})
	}
	for i, l := range Looks(owners) {
		if owners[i] == "" { // the mean over the captioners is no model with a colour of its own
			l = Look{Color: ink, Shape: draw.CircleGlyph{}}
		}
		series[i].Look = l
		slices.SortStableFunc(series[i].Points, func(a, b LinePoint) int { return cmp.Compare(a.X, b.X) })
		series[i].Points = slices.CompactFunc(series[i].Points, func(a, b LinePoint) bool { return a.X == b.X })
	}
	return series, nil
}

// promptPoints returns the points of a single captioner, named after their prompts and scores. Points that are not seen keep the names
// off the line between them.
func promptPoints(t *Table, line LineSeries) (*Scatter, error) {
	names, err := t.Strings("prompt")
	if err != nil {
		return nil, err
	}
	words, err := t.Floats("mean_words")
	if err != nil {
		return nil, err
	}
	scores, err := t.Floats("score")
	if err != nil {
		return nil, err
	}
	var points []ScatterPoint
	for i, n := range names {
		if words[i] > 0 {
			points = append(points, ScatterPoint{X: words[i], Y: scores[i], Name: fmt.Sprintf("%s (%.1f)", n, scores[i]), Glyph: filled(line.Look.Color)})
		}
	}
	const between = 40
	unseen := draw.GlyphStyle{Color: color.Transparent, Shape: draw.CircleGlyph{}}
	for i, b := range line.Points[1:] {
		a := line.Points[i]
		for k := 1; k < between; k++ {
			share := float64(k) / between // of the way on paper, where the words are on a logarithmic axis
			points = append(points, ScatterPoint{X: a.X * math.Pow(b.X/a.X, share), Y: a.Y.Value + (b.Y.Value-a.Y.Value)*share, Glyph: unseen})
		}
	}
	return NewScatter(points)
}

// wordTicks ticks a logarithmic axis at 1, 2 and 5 times the powers of ten.
type wordTicks struct{}

// Ticks implements [plot.Ticker].
func (wordTicks) Ticks(low, high float64) []plot.Tick {
	var out []plot.Tick
	for base := math.Pow(10, math.Floor(math.Log10(low))); base <= high; base *= 10 {
		for _, m := range []float64{1, 2, 5} {
			if v := m * base; v >= low && v <= high {
				out = append(out, plot.Tick{Value: v, Label: fmt.Sprintf("%.4g", v)})
			}
		}
	}
	return out
}
