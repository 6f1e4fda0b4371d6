package plots

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

var leaderboard = Figure{
	Name:  "leaderboard",
	Title: "What captions let a text-only reader answer, by captioner",
	Paper: "CaptionQA, Table 3 and Tables 11–26, Simple prompt",
	Needs: []string{"captionqa_main"},
	draw:  drawLeaderboard,
}

// leaderboardColumns are the panels: a column of the mart and the domain whose colour it has, empty for the overall score.
var leaderboardColumns = []struct{ column, title, domain string }{
	{"overall", "Overall", ""}, {"natural", "Natural", "Natural"}, {"document", "Document", "Document"},
	{"ecommerce", "E-commerce", "E-commerce"}, {"embodied_ai", "Embodied AI", "Embodied AI"},
}

func drawLeaderboard(ts Tables) (*Drawing, error) {
	all, err := ts.Get("captionqa_main")
	if err != nil {
		return nil, err
	}
	t, err := all.Where("prompt", "Simple")
	if err != nil {
		return nil, err
	}
	names, err := rowNames(t)
	if err != nil {
		return nil, err
	}
	for i, n := range names {
		if slices.Contains(names[:i], n) {
			return nil, t.fault("model_id", i, "a second row for %s", n)
		}
	}
	from := read(t)
	types := from.textOrNone("model_type")
	provenance := from.provenance()
	if from.err != nil {
		return nil, from.err
	}
	columns := make([][]Number, len(leaderboardColumns))
	bounds := make([][2][]Number, len(leaderboardColumns))
	for i, c := range leaderboardColumns {
		if columns[i], err = t.Numbers(c.column); err != nil {
			return nil, err
		}
		if bounds[i], err = interval(t, c.column); err != nil {
			return nil, err
		}
	}
	order := make([]int, t.Len())
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { // best first, rows without an overall score last and by the domains that they have
		x, y := columns[0][a], columns[0][b]
		if x.Valid != y.Valid {
			return map[bool]int{true: -1, false: 1}[x.Valid]
		}
		return cmp.Or(cmp.Compare(y.Value, x.Value), cmp.Compare(mean(columns[1:], b), mean(columns[1:], a)), cmp.Compare(names[a], names[b]))
	})

	var panels []*plot.Plot
	low, high := math.Inf(1), math.Inf(-1)
	for i, col := range leaderboardColumns {
		if !slices.ContainsFunc(columns[i], func(n Number) bool { return n.Valid }) {
			continue // such as a lake with one domain only, which has no overall score
		}
		rows := make([]Dot, len(order))
		for k, r := range order {
			g := filled(DomainColor(col.domain))
			if types[r] == "proprietary" {
				g = hollow(DomainColor(col.domain))
			}
			d := Dot{Value: columns[i][r], Low: bounds[i][0][r], High: bounds[i][1][r], Glyph: g}
			if d.Value.Valid {
				d.Label = fmt.Sprintf("%.1f", d.Value.Value)
			}
			rows[k] = d
		}
		dots, err := NewDots(rows)
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", col.column, err)
		}
		xmin, xmax, _, _ := dots.DataRange()
		low, high = min(low, xmin), max(high, xmax)
		p := newPlot()
		p.Title.Text = col.title
		p.Title.TextStyle = textStyle(labelSize, deepDomainColor(col.domain), true)
		p.Title.TextStyle.XAlign, p.Title.TextStyle.YAlign = draw.XCenter, draw.YTop
		p.Title.Padding = 3
		p.Add(dots)
		panels = append(panels, p)
	}
	if len(panels) == 0 {
		return nil, noRows("table %s has no score under the Simple prompt", t.Name())
	}
	low, high = math.Floor((low-4)/10)*10, math.Ceil((high+2)/10)*10
	for _, p := range panels {
		p.X.Min, p.X.Max = low, high
		p.X.Tick.Marker = steps(20)
		p.HideY()
	}
	const row = 13
	return &Drawing{
		Subtitle:   "CaptionQA score (%) under the Simple prompt, captioners by overall score. Score: 1 for a correct answer, 1/K + 0.05 for \"cannot answer\" among K options, 0 otherwise." + intervalNote(bounds...),
		Source:     "mart captionqa_main; CaptionQA paper and public leaderboard where published.",
		Keys:       typeKeys(types),
		Provenance: provenance,
		Width:      fullWidth,
		Height:     vg.Length(len(order))*row + 130,
		Body: func(c draw.Canvas) {
			sty := textStyle(labelSize, ink, false)
			widest := vg.Length(0)
			for _, n := range names {
				widest = max(widest, min(sty.Width(clean(n)), 150))
			}
			left := c.Min.X + widest + 10
			sty.XAlign = draw.XRight
			width := (c.Max.X - left) / vg.Length(len(panels))
			for i, p := range panels {
				cell := draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
					Min: vg.Point{X: left + vg.Length(i)*width + 6, Y: c.Min.Y}, Max: vg.Point{X: left + vg.Length(i+1)*width - 6, Y: c.Max.Y},
				}}
				p.Draw(cell)
				if i > 0 {
					continue
				}
				data := p.DataCanvas(cell)
				_, ty := p.Transforms(&data)
				for k, r := range order {
					middle(c, sty, vg.Point{X: left - 4, Y: ty(float64(len(order) - 1 - k))}, fit(sty, names[r], widest))
				}
			}
		},
	}, nil
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

// mean is the mean of the values that a row has, 0 for none.
func mean(columns [][]Number, row int) float64 {
	sum, n := 0.0, 0.0
	for _, c := range columns {
		if c[row].Valid {
			sum, n = sum+c[row].Value, n+1
		}
	}
	return sum / max(n, 1)
}

// interval returns the optional columns column_low and column_high of a table, not valid where the table lacks them.
func interval(t *Table, column string) (out [2][]Number, err error) {
	for i, suffix := range []string{"_low", "_high"} {
		if !t.Has(column + suffix) {
			out[i] = make([]Number, t.Len())
			continue
		}
		if out[i], err = t.Numbers(column + suffix); err != nil {
			return out, err
		}
	}
	return out, nil
}

// rowNames returns the model names of rows. Where a table holds rows of several provenances every name says which; readers and protocols
// are named where rows of one name differ in them.
func rowNames(t *Table) ([]string, error) {
	from := read(t)
	ids := from.text("model_id")
	models := from.text("model")
	var sizes []string
	if t.Has("size") {
		sizes = from.textOrNone("size")
	}
	if from.err != nil {
		return nil, from.err
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
		out = append(out, plot.Tick{Value: v, Label: strconv.FormatFloat(v, 'f', decimals, 64)})
	}
	return out
}
