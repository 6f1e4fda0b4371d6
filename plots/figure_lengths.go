package plots

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
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

func drawLengths(ts Tables, _ domainSet, on Page) (*Drawing, error) {
	from := ts.Read("caption_lengths").Where("domain", data.DomainOverall)
	provenance, ids, models := from.provenance(), from.Text("captioner"), from.TextOrNone("captioner_name")
	origins, found := from.TextIf("origin"), from.Text("prompt")
	words, bounds := from.Floats("mean_words"), from.Interval("mean_words")
	if from.Err != nil {
		return nil, from.Err
	}
	names := modelNames(ids, models, nil)
	rowOf := map[[2]string]int{}
	longest, idOf := map[string]float64{}, map[string]string{}
	var order []string
	for i, id := range ids {
		if id == "" {
			names[i] = meanOfAll
			if origins[i] == data.ProvenancePublished {
				names[i] = statedOfAll
			}
		}
		k := [2]string{names[i], found[i]}
		if _, ok := rowOf[k]; ok {
			return nil, from.Table.fault("mean_words", i, "a second length of %s under the %s prompt", names[i], found[i])
		}
		rowOf[k] = i
		if _, ok := longest[names[i]]; !ok {
			order, idOf[names[i]] = append(order, names[i]), id
		}
		longest[names[i]] = max(longest[names[i]], words[i])
	}
	order = arranged(on, order, func(n string) string { return idOf[n] }, func(a, b string) int {
		return cmp.Or(cmp.Compare(longest[b], longest[a]), strings.Compare(a, b))
	})
	slices.SortStableFunc(order, func(a, b string) int { return -boolOrder(isMean(a), isMean(b)) })
	var panels []panel
	scale := newAxis("words", counted)
	for _, prompt := range promptOrder(found) {
		bars := make([][]Bar, len(order))
		has := false
		for r, n := range order {
			i, ok := rowOf[[2]string{n, prompt}]
			if !ok {
				bars[r] = []Bar{{}}
				continue
			}
			has = true
			c := palette[0]
			if isMean(n) {
				c = frameInk
			}
			bars[r] = []Bar{{Segments: []Segment{{words[i], c}}, Low: bounds[0][i], High: bounds[1][i], Label: fmt.Sprintf("%.0f", words[i])}}
		}
		if !has {
			continue
		}
		p, err := barPanel(prompt, ink, scale, bars)
		if err != nil {
			return nil, fmt.Errorf("prompt %s: %w", prompt, err)
		}
		panels = append(panels, p)
	}
	chart := newRowChart(inkLabels(order...), 130, 15, panels...)
	return &Drawing{
		Subtitle:   "Mean number of words of a caption; domains, and in the first row captioners, have the same weight each." + intervalNote(bounds),
		Source:     "mart caption_lengths.",
		Provenance: provenance,
		Height:     chart.height(on), Body: chart.draw,
	}, nil
}

// isMean tells whether a row is a mean over captioners.
func isMean(name string) bool { return name == meanOfAll || name == statedOfAll }
