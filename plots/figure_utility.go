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
	"gonum.org/v1/plot/vg/draw"

	"github.com/captionlake/captionlake/data"
)

var utilityFigure = Figure{
	Name:  "utility_per_word",
	Title: "What captions are worth for their length",
	Paper: "CaptionQA, Section 5.2 and Figure 13",
	Needs: []string{"utility_per_word"},
	draw:  drawUtility,
}

func drawUtility(ts Tables, domains domainSet, on Page) (*Drawing, error) {
	from := ts.Read("utility_per_word")
	// Scores and captions can be of different kinds: the worth of simulated captions is not that of the captions that were scored.
	scores, captions := from.Text("provenance"), from.Text("caption_provenance")
	from = from.Pick(func(i int) bool {
		return (scores[i] == data.ProvenanceSimulated) == (captions[i] == data.ProvenanceSimulated)
	}, "has no captions of the same kind as the scores")
	provenance, prompts := from.provenance(), promptOrder(from.Text("prompt"))
	if from.Err != nil {
		return nil, from.Err
	}
	all, err := from.Table.domainsOf()
	if errors.Is(err, ErrNoRows) {
		all, err = from.Table.Distinct("domain") // printed lengths are means over all domains
	}
	models, total := fewModels(on, from)
	if err := cmp.Or(err, from.Err); err != nil {
		return nil, err
	}
	var few []string
	for _, m := range models {
		few = append(few, m.name)
	}
	looks := map[string]Look{}
	var panels []*plot.Plot
	var lines []*Lines
	for _, d := range all {
		part := from.Where("domain", d)
		series, err := utilitySeries(part, prompts)
		if err != nil {
			return nil, err
		}
		for i, s := range series {
			if !slices.Contains(few, s.Name) {
				series[i].Look = Look{Color: gridInk}
			}
		}
		slices.SortStableFunc(series, func(a, b LineSeries) int { // the lines of others are behind
			return boolOrder(slices.Contains(few, a.Name), slices.Contains(few, b.Name))
		})
		l, err := NewLines(series)
		if err != nil {
			return nil, fmt.Errorf("domain %s: %w", d, err)
		}
		l.Markers = true
		for _, s := range series {
			looks[s.Name] = s.Look
		}
		p := newPlot()
		panelTitle(p, d, domains.text(d))
		p.Add(horizontalGrid{}, l)
		if len(series) == 1 { // a lone line leaves room for the names of its points
			named, err := promptPoints(on, part, series[0])
			if err != nil {
				return nil, fmt.Errorf("domain %s: %w", d, err)
			}
			p.Add(named)
		}
		p.X.Label.Text, p.Y.Label.Text = "words per caption (logarithmic)", "score, %"
		panels, lines = append(panels, p), append(lines, l)
	}
	oneScale(panels, lines, false)
	pairs := pairChart{200, panels}
	var keys []Key
	for _, name := range few {
		if l, ok := looks[name]; ok {
			keys = append(keys, Key{Name: name, Look: Look{Color: l.Color, Dashes: l.Dashes}, Line: true})
		}
	}
	if total > len(few) {
		keys = append(keys, Key{Name: "other captioners", Look: Look{Color: gridInk}, Line: true})
	}
	if total > 1 {
		for _, prompt := range prompts {
			keys = append(keys, Key{Name: prompt + " prompt", Look: Look{Color: ink, Shape: promptShape(prompt, prompts)}})
		}
	}
	return &Drawing{
		Subtitle:   "CaptionQA score against the mean number of words of the captions. A line joins the prompts of one captioner by growing length." + chosenWords(total, fmt.Sprintf("%d captioners by mean score; the others are grey", total)),
		Source:     "mart utility_per_word.",
		Provenance: provenance, Keys: keys,
		Height: pairs.height(on), Body: pairs.draw,
	}, nil
}

// fewModels are the captioners whose lines have colours, chosen by their mean score, in the page's order or by name, and how many captioners
// there are.
func fewModels(on Page, from *Reading) (few []modelRows, total int) {
	models, scores := from.models(), from.Numbers("score")
	if from.Err != nil {
		return nil, 0
	}
	slices.SortStableFunc(models, func(a, b modelRows) int {
		return cmp.Compare(meanOf(pick(scores, b.rows)).Value, meanOf(pick(scores, a.rows)).Value)
	})
	return arranged(on, chosen(models), modelRows.modelID, func(a, b modelRows) int { return strings.Compare(a.name, b.name) }), len(models)
}

// utilitySeries returns a line per captioner, its prompts by growing length. Two prompts of one length are one point, the first; empty
// captions have no place on a logarithmic axis.
func utilitySeries(from *Reading, prompts []string) ([]LineSeries, error) {
	models, words, scores, written := from.models(), from.Floats("mean_words"), from.Floats("score"), from.Text("prompt")
	if from.Err != nil {
		return nil, from.Err
	}
	var series []LineSeries
	for _, m := range models {
		s := LineSeries{Name: m.name, Look: m.look}
		if m.id == "" { // the mean over the captioners is no model with a colour of its own
			s.Look = Look{Color: ink, Shape: draw.CircleGlyph{}}
		}
		for _, i := range m.rows {
			if words[i] > 0 {
				s.Points = append(s.Points, LinePoint{X: words[i], Y: Number{scores[i], true}, Shape: promptShape(written[i], prompts)})
			}
		}
		slices.SortStableFunc(s.Points, func(a, b LinePoint) int { return cmp.Compare(a.X, b.X) })
		s.Points = slices.CompactFunc(s.Points, func(a, b LinePoint) bool { return a.X == b.X })
		if len(s.Points) > 0 {
			series = append(series, s)
		}
	}
	return series, nil
}

// promptPoints returns the points of a single captioner, named after their prompts and scores. Points that are not seen keep the names
// off the line between them.
func promptPoints(on Page, from *Reading, line LineSeries) (*Scatter, error) {
	names, words, scores := from.Text("prompt"), from.Floats("mean_words"), from.Floats("score")
	if from.Err != nil {
		return nil, from.Err
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

// logTicks ticks a logarithmic axis at 1, 2 and 5 times the powers of ten; where it is sparse, at the powers alone are numbers.
type logTicks struct{ sparse bool }

// Ticks implements [plot.Ticker].
func (l logTicks) Ticks(low, high float64) []plot.Tick {
	var out []plot.Tick
	for base := math.Pow(10, math.Floor(math.Log10(low))); base <= high; base *= 10 {
		for _, m := range []float64{1, 2, 5} {
			t := plot.Tick{Value: m * base}
			if !l.sparse || m == 1 {
				t.Label = fmt.Sprintf("%.4g", t.Value)
			}
			if t.Value >= low && t.Value <= high {
				out = append(out, t)
			}
		}
	}
	return out
}
