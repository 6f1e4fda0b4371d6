package plots

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/vg/draw"
)

// A profile is captioners over the parts of a benchmark, categories or dimensions. All captioners are a heat map; as many as can be told
// apart are a radar chart.
type profile struct {
	what       string // "score over 22 subcategories, Simple prompt", with its unit
	title      string // that of the figure when empty
	source     string
	provenance []string
	axes       []RadarAxis
	series     []RadarSeries // in any order
	color      func(group string) color.NRGBA
	fullScale  bool // the radar runs from 0 to 100; otherwise from below the lowest value
}

// profileFigures are the radar chart of a profile, which is given, and its heat map under another name. The profile is read with at most
// so many axes where there is a choice.
func profileFigures(radar Figure, scores string, read func(ts Tables, domains domainSet, on Page, most int) (profile, error)) (Figure, Figure) {
	heat := radar
	heat.Name = scores
	radar.draw = func(ts Tables, domains domainSet, on Page) (*Drawing, error) {
		p, err := read(ts, domains, on, mostSpokes(on.inner()))
		if err != nil {
			return nil, err
		}
		if len(p.axes) > mostSpokes(on.inner()) {
			return nil, noRows("a page that is %.0f points wide has no room for the names of %d axes; make it wider", on.width(), len(p.axes))
		}
		return p.radar(on, "figure "+scores)
	}
	heat.draw = func(ts Tables, domains domainSet, on Page) (*Drawing, error) {
		p, err := read(ts, domains, on, math.MaxInt)
		if err != nil {
			return nil, err
		}
		return p.heat(on)
	}
	return radar, heat
}

// mostLines is how many lines of captioners a chart shows: more cannot be told apart.
const mostLines = 6

// chosen returns mostLines of several things in an order, from the first to the last with equal steps between them; all where there are
// no more.
func chosen[T any](all []T) []T {
	if len(all) <= mostLines {
		return all
	}
	out := make([]T, mostLines)
	for i := range out {
		out[i] = all[int(math.Round(float64(i*(len(all)-1))/(mostLines-1)))]
	}
	return out
}

// chosenWords says which of several are chosen, where not all are.
func chosenWords(all int, of string) string {
	if all <= mostLines {
		return ""
	}
	return fmt.Sprintf(" Drawn are %d, the first, the last and equal steps between them, of the %s.", mostLines, of)
}

// means are the means of the series over the axes that they have, by name.
func (p profile) means() map[string]Number {
	out := map[string]Number{}
	for _, s := range p.series {
		out[s.Name] = meanOf(s.Values)
	}
	return out
}

// ranked are the series by their means, the best first.
func (p profile) ranked() []RadarSeries {
	means := p.means()
	return slices.SortedStableFunc(slices.Values(p.series), func(a, b RadarSeries) int {
		return cmp.Or(cmp.Compare(means[b.Name].Value, means[a.Name].Value), cmp.Compare(a.Name, b.Name))
	})
}

// radar draws the profile as a radar chart. The other figure has all captioners.
func (p profile) radar(on Page, other string) (*Drawing, error) {
	all, means := p.ranked(), p.means()
	series := arranged(on, chosen(all), RadarSeries.modelID, asChosen[RadarSeries])
	low, high := 100.0, 100.0
	for _, s := range series {
		for _, v := range s.Values {
			if v.Valid {
				low, high = min(low, v.Value), max(high, v.Value)
			}
		}
	}
	if low = max(0, math.Floor((low-1)/10)*10); p.fullScale {
		low = 0
	}
	r, err := NewRadar(p.axes, series, low, high)
	if err != nil {
		return nil, err
	}
	for v := low + 10; v <= high; v += 10 {
		if math.Mod(v, 20) == 0 {
			r.Rings = append(r.Rings, v)
		}
	}
	r.GroupColor = p.color
	keys := make([]Key, len(series))
	for i, s := range series {
		keys[i] = Key{Name: s.Name + formatOf(" (%.1f)", means[s.Name]), Look: s.Look, Line: true}
	}
	return &Drawing{
		Title: p.title,
		Subtitle: fmt.Sprintf("%s; the centre is %g, the rim %g. In brackets the mean over the axes. Lines only join the values of a captioner: the order of the axes means nothing.%s",
			p.what, low, high, chosenWords(len(all), fmt.Sprintf("%d captioners by mean; %s has all", len(all), other))),
		Source: p.source, Provenance: p.provenance, Keys: keys,
		Height: radarHeight(len(p.axes), on), Body: func(c draw.Canvas) { r.Plot(c, nil) },
	}, nil
}

// heat draws the profile as a heat map, a row for each axis and a column for each captioner.
func (p profile) heat(on Page) (*Drawing, error) {
	series, means := arranged(on, p.ranked(), RadarSeries.modelID, asChosen[RadarSeries]), p.means()
	labels, heads := []rowLabel{{"Mean", ink}}, make([]rowLabel, len(series))
	cells := make([][]Number, len(p.axes)+1)
	var values []Number
	for k, s := range series {
		heads[k] = rowLabel{s.Name, ink}
		cells[0] = append(cells[0], means[s.Name])
		for i, v := range s.Values {
			cells[i+1] = append(cells[i+1], v)
		}
		values = append(values, s.Values...)
	}
	h, err := NewHeat(cells, "%.1f")
	if err != nil {
		return nil, err
	}
	h.Low, h.High = crowdRange(values)
	h.plain = map[int]bool{0: true}
	for i, a := range p.axes {
		labels = append(labels, rowLabel{a.Label, p.color(a.Group)})
		if i == 0 || a.Group != p.axes[i-1].Group {
			h.Cuts = append(h.Cuts, i+1)
		}
	}
	chart := newRowChart(labels, 150, 10.5, heatPanel("", ink, h, heads))
	return &Drawing{
		Title:    p.title,
		Subtitle: p.what + ". Captioners by their mean, which is the first row; a line sets groups of rows apart." + h.cutWords(),
		Source:   p.source, Provenance: p.provenance, Keys: h.keys(" %"),
		Height: chart.height(on), Body: chart.draw,
	}, nil
}
