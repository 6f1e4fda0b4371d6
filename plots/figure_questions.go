package plots

import (
	"cmp"
	"fmt"
	"image/color"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
)

var optionsFigure = Figure{
	Name:  "question_options",
	Title: "How many options the questions have, by domain",
	Paper: "CaptionQA, Figure 7",
	Needs: []string{"question_options"},
	draw:  drawOptions,
}

// optionColors are the colours of 2, 3, 4 and more options, dark to light in one hue and so by lightness alone.
var optionColors = []color.NRGBA{{0x08, 0x30, 0x6b, 0xff}, {0x2b, 0x6c, 0xa6, 0xff}, {0x9c, 0xc6, 0xe3, 0xff}, {0xd9, 0xe6, 0xf2, 0xff}}

func drawOptions(ts Tables, domains domainSet, on Page) (*Drawing, error) {
	from := ts.Read("question_options")
	provenance, found, shares := from.provenance(), from.domains(), optionShares(from)
	if from.Err != nil {
		return nil, from.Err
	}
	present := map[int]bool{}
	var labels []rowLabel
	var bars []Bar
	var rows [][]float64
	for _, d := range found {
		labels = append(labels, rowLabel{d, domains.text(d)})
		bar := Bar{}
		row := make([]float64, len(optionColors))
		for options, share := range shares[d] {
			row[optionClass(options)] += share
		}
		for k, share := range row {
			if share > 0 {
				present[k] = true
			}
			bar.Segments = append(bar.Segments, Segment{share, optionColors[k]})
		}
		bars, rows = append(bars, bar), append(rows, row)
	}
	p, err := barPanel("", ink, newAxis("share of the questions, %", percents), bars)
	if err != nil {
		return nil, err
	}
	p.plotters = append(p.plotters, segmentLabels{rows, optionColors})
	var keys []Key
	for k, name := range []string{"2 options", "3 options", "4 options", "5 and more"} {
		if present[k] {
			keys = append(keys, Key{Name: name, Look: Look{Color: optionColors[k]}, Square: true})
		}
	}
	chart := newRowChart(labels, 120, 34, p)
	return &Drawing{
		Subtitle:   "Options without \"Cannot answer from the caption\", which is added to every question that is not yes/no when it is put.",
		Source:     "mart question_options.",
		Provenance: provenance, Keys: keys,
		Height: chart.height(on), Body: chart.draw,
	}, nil
}

// optionClass is the place of a number of options among the colours.
func optionClass(options int) int { return min(max(options-2, 0), len(optionColors)-1) }

// optionShares returns the percentage of a domain's questions by number of options, yes/no questions included.
func optionShares(from *Reading) map[string]map[int]float64 {
	groups, options, counts := from.Text("domain"), from.Floats("n_options"), from.Floats("n_questions")
	if from.Err != nil {
		return nil
	}
	totals := map[string]float64{}
	for i, d := range groups {
		totals[d] += counts[i]
	}
	out := map[string]map[int]float64{}
	for i, d := range groups {
		if out[d] == nil {
			out[d] = map[int]float64{}
		}
		if totals[d] > 0 {
			out[d][int(options[i])] += 100 * counts[i] / totals[d]
		}
	}
	return out
}

// categoryFigure is the distribution of a domain's questions over the categories.
func categoryFigure(d data.Domain, paper string) Figure {
	return Figure{
		Name:  "questions_" + d.Column,
		Title: "Questions of the " + d.Name + " domain by category",
		Paper: "CaptionQA, " + paper,
		Needs: []string{"category_questions"},
		draw: func(ts Tables, domains domainSet, on Page) (*Drawing, error) {
			return drawCategoryQuestions(ts, domains, on, d.Name)
		},
	}
}

func drawCategoryQuestions(ts Tables, domains domainSet, on Page, domain string) (*Drawing, error) {
	from := ts.Read("category_questions").Where("domain", domain)
	provenance := from.provenance()
	names := from.TextOrNone("category")
	counts := from.Floats("n_questions")
	stated := from.NumbersIf("stated_share")
	if from.Err != nil {
		return nil, from.Err
	}
	printed := map[string]float64{}
	sums := map[string]float64{} // a mart may split categories further
	var categories []string
	total := 0.0
	for i, n := range names {
		if n == "" {
			n = "(no category)"
		}
		if _, ok := sums[n]; !ok {
			categories = append(categories, n)
		}
		sums[n] += counts[i]
		total += counts[i]
		if stated[i].Valid {
			printed[n] = stated[i].Value
		}
	}
	if !(total > 0) {
		return nil, noRows("table %s counts no questions of the %s domain", from.Table.Name(), domain)
	}
	slices.SortFunc(categories, func(a, b string) int { return cmp.Or(cmp.Compare(sums[b], sums[a]), strings.Compare(a, b)) })
	var labels []rowLabel
	var bars []Bar
	for _, n := range categories {
		share := 100 * sums[n] / total
		labels = append(labels, rowLabel{n, ink})
		label := fmt.Sprintf("%.1f %% (%s)", share, grouped(sums[n]))
		if p, ok := printed[n]; ok {
			label += fmt.Sprintf("; figure: %.1f %%", p)
		}
		bars = append(bars, Bar{Segments: []Segment{{share, domains.color(domain)}}, Label: label})
	}
	p, err := barPanel("", ink, newAxis("share of the domain's questions, %", percents), bars)
	if err != nil {
		return nil, err
	}
	note := ""
	if len(printed) > 0 {
		note = " Bars are the counts of the paper's Table 9; its figure prints other shares, which stand beside the bars where its text states them."
	}
	chart := newRowChart(labels, 210, 20, p)
	return &Drawing{
		Subtitle:   fmt.Sprintf("%s questions in %s.%s", grouped(total), plural(len(categories), "top-level category", "top-level categories"), note),
		Source:     "mart category_questions.",
		Provenance: provenance,
		Height:     chart.height(on), Body: chart.draw,
	}, nil
}

// grouped writes a count with its thousands apart.
func grouped(v float64) string {
	s := fmt.Sprintf("%.0f", v)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
