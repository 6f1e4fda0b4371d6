package plots

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"

	"github.com/captionlake/captionlake/data"
)

var leaderboard = Figure{
	Name:  "leaderboard",
	Title: "What captions let a text-only reader answer, by captioner",
	Paper: "CaptionQA, Table 3 and Tables 11–26, Simple prompt",
	Needs: []string{"captionqa_main"},
	Also:  []string{"captionqa_differences"},
	draw:  drawLeaderboard,
}

func drawLeaderboard(ts Tables, domains domainSet, on Page) (*Drawing, error) {
	from, prompt := ts.Read("captionqa_main").onePrompt()
	names := from.names()
	for i, n := range names {
		if slices.Contains(names[:i], n) {
			return nil, from.Table.fault("captioner", i, "a second row for %s", n)
		}
	}
	shown := domainSet{{Name: data.DomainOverall}} // the panels
	scores := []string{"overall"}                  // their columns
	for _, d := range domains {
		if from.Has(d.ScoreColumn()) {
			shown, scores = append(shown, d), append(scores, d.ScoreColumn())
		}
	}
	ids, types, provenance := from.Text("captioner"), from.TextOrNone("model_type"), from.provenance()
	columns := make([][]Number, len(shown))
	bounds := make([][2][]Number, len(shown))
	for i, column := range scores {
		columns[i], bounds[i] = from.Numbers(column), from.Interval(column)
	}
	if from.Err != nil {
		return nil, from.Err
	}
	rest := func(row int) float64 { // the mean over the domains that a row has
		var values []Number
		for _, c := range columns[1:] {
			values = append(values, c[row])
		}
		return meanOf(values).Value
	}
	// Best first, rows without an overall score last and by the domains that they have.
	order := arranged(on, ordered(len(ids), func(a, b int) int {
		x, y := columns[0][a], columns[0][b]
		return cmp.Or(-boolOrder(x.Valid, y.Valid), cmp.Compare(y.Value, x.Value), cmp.Compare(rest(b), rest(a)), cmp.Compare(names[a], names[b]))
	}), func(i int) string { return ids[i] }, asChosen[int])

	board := overview{each: 13}
	for _, r := range order {
		board.labels = append(board.labels, rowLabel{names[r], ink})
	}
	for i, d := range shown {
		if !slices.ContainsFunc(columns[i], func(n Number) bool { return n.Valid }) {
			continue // such as a lake with one domain only, which has no overall score
		}
		board.columns = append(board.columns, overviewColumn{d.Name, d.Name, domains.text(d.Name), pick(columns[i], order), pick(bounds[i][0], order), pick(bounds[i][1], order)})
	}
	if len(board.columns) == 0 {
		return nil, noRows("table %s has no score under the %s prompt", from.Table.Name(), prompt)
	}
	first := board.columns[0]
	rows := make([]Dot, len(order))
	for k, r := range order {
		g := filled(domains.color(first.domain))
		if types[r] == data.ModelProprietary {
			g = hollow(domains.color(first.domain))
		}
		rows[k] = Dot{Value: first.values[k], Low: first.low[k], High: first.high[k], Glyph: small(g), Label: formatOf("%.1f", first.values[k])}
	}
	dots, err := NewDots(rows)
	if err != nil {
		return nil, err
	}
	dots.Ends = crowd(first.values)
	cut := ""
	if n := dots.below(); n > 0 {
		cut = fmt.Sprintf(" The axis is cut below %s: see the numbers.", plural(n, "arrowhead", "arrowheads"))
	}
	var others []Number
	for _, c := range board.columns[1:] {
		others = append(others, c.values...)
	}
	low, high := crowdRange(others)
	panels := []panel{newPanel(first.name, first.tone, newAxis("score, %", anywhere), dots)}
	behind, best, err := differencePanel(ts, pick(ids, order), prompt, first, rows)
	if err != nil {
		return nil, err
	}
	source := "mart captionqa_main"
	if behind != nil {
		source = "marts captionqa_main and captionqa_differences"
		panels = append(panels, *behind)
		best = " To the best: score less that of " + best + " on the same questions, paired by image; an interval without 0 tells the two apart."
	}
	chart, err := board.chart(panels, low, high)
	if err != nil {
		return nil, err
	}
	return &Drawing{
		Subtitle:   "CaptionQA score (%) under the " + prompt + " prompt, captioners by overall score. Score: 1 for a correct answer, 1/K + 0.05 for \"cannot answer\" among K options, 0 otherwise." + board.intervalWords() + cut + best,
		Source:     source + "; CaptionQA paper and public leaderboard where published.",
		Keys:       typeKeys(types),
		Provenance: provenance,
		Height:     chart.height(on), Body: chart.draw,
	}, nil
}

// differencePanel is a panel of the differences of captioners to the best one in a domain, with its name; nil without rows of them. The
// markers are those of the captioners' dots.
func differencePanel(ts Tables, captioners []string, prompt string, column overviewColumn, dots []Dot) (p *panel, best string, err error) {
	from := ts.Read("captionqa_differences").Where("prompt", prompt).Where("domain", column.domain).Where("metric", "score")
	if errors.Is(from.Err, ErrNoRows) {
		return nil, "", nil
	}
	ids, first, names := from.Text("captioner"), from.Text("best"), from.Text("best_name")
	values, bounds := from.Numbers("difference"), from.Interval("difference")
	if from.Err != nil {
		return nil, "", from.Err
	}
	rows := make([]Dot, len(captioners))
	for k, c := range captioners {
		i := slices.Index(ids, c)
		switch {
		case c == first[0]:
			rows[k] = Dot{Value: Number{0, true}, Glyph: dots[k].Glyph, Label: "best"}
		case i >= 0 && slices.Contains(ids[i+1:], c):
			return nil, "", from.Table.fault("captioner", i+1+slices.Index(ids[i+1:], c), "a second difference of %s", c)
		case i >= 0:
			rows[k] = Dot{Value: values[i], Low: bounds[0][i], High: bounds[1][i], Glyph: dots[k].Glyph, Label: formatOf("%+.1f", values[i])}
		}
	}
	shown, err := NewDots(rows)
	if errors.Is(err, ErrNoRows) {
		return nil, "", nil // of captioners that are not drawn
	}
	if err != nil {
		return nil, "", err
	}
	shown.Ends = crowd(values)
	q := newPanel("To the best", column.tone, newAxis("difference, points", [2]float64{-100, 100}), shown, marker{at: 0, vertical: true})
	q.wide = 0.75
	return &q, names[0], nil
}

// pick returns the elements of a column at the given rows.
func pick[T any](column []T, rows []int) []T {
	out := make([]T, len(rows))
	for k, r := range rows {
		out[k] = column[r]
	}
	return out
}

// typeKeys tells proprietary models, drawn hollow, from the others where there are both.
func typeKeys(types []string) []Key {
	if !slices.Contains(types, "proprietary") {
		return nil
	}
	others := "other model"
	if !slices.ContainsFunc(types, func(s string) bool { return s != "open" && s != "proprietary" }) {
		others = "open model"
	}
	return []Key{
		{Name: others, Look: Look{Color: ink, Shape: draw.CircleGlyph{}}},
		{Name: "proprietary model", Look: Look{Color: ink, Shape: hollowCircle{}}},
	}
}

// meanOf is the mean of the values that are valid, not valid where none is.
func meanOf(values []Number) Number {
	sum, n := 0.0, 0.0
	for _, v := range values {
		if v.Valid {
			sum, n = sum+v.Value, n+1
		}
	}
	return Number{sum / max(n, 1), n > 0}
}

// rowNames returns the model names of rows. Where a table holds rows of several provenances every name says which; readers and protocols
// are named where rows of one name differ in them.
func rowNames(t *Table) ([]string, error) {
	from := Read(t)
	ids := from.Text("captioner")
	models := from.Text("captioner_name")
	var sizes []string
	if t.Has("size") {
		sizes = from.TextOrNone("size")
	}
	if from.Err != nil {
		return nil, from.Err
	}
	names := modelNames(ids, models, sizes)
	for _, column := range []string{"provenance", "reader", "protocol"} {
		if !t.Has(column) {
			continue
		}
		values, err := t.OptionalStrings(column)
		if err != nil {
			return nil, err
		}
		first := map[string]string{}
		differ := map[string]bool{}
		for i, n := range names {
			if column == "provenance" {
				n = "" // one stamp at the foot tells nothing of the single row
			}
			if v, ok := first[n]; ok && v != values[i] {
				differ[n] = true
			}
			first[n] = values[i]
		}
		for i, v := range values {
			if v != "" && (differ[names[i]] || differ[""]) {
				names[i] += " (" + v + ")"
			}
		}
	}
	return names, nil
}

// steps ticks an axis at the multiples of a number.
type steps float64

// Ticks implements [plot.Ticker].
func (s steps) Ticks(low, high float64) []plot.Tick {
	var out []plot.Tick
	decimals := max(0, -int(math.Floor(math.Log10(float64(s))+1e-9)))
	for k := math.Ceil(low/float64(s) - 1e-9); k*float64(s) <= high+1e-9; k++ {
		v := k*float64(s) + 0 // the sum makes a negative zero positive
		out = append(out, plot.Tick{Value: v, Label: strings.Replace(strconv.FormatFloat(v, 'f', decimals, 64), "-", "−", 1)})
	}
	return out
}
