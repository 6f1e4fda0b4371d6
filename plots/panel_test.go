package plots

import (
	"fmt"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"github.com/captionlake/captionlake/data/expect"
)

// on returns an axis for a panel of a width.
func (a axis) on(width vg.Length) *axis {
	a.width = width
	return &a
}

// ticksOf are the labels of the ticks of an axis on a panel of a width.
func ticksOf(a *axis, width vg.Length) string {
	_, _, _, _, ticks := a.on(width).lay()
	var out []string
	for _, t := range ticks {
		out = append(out, t.Label)
	}
	return strings.Join(out, " ")
}

// An axis ends at the half step past its values, whatever room its labels take: bars up to 41.8
// have no ticks at 60 and 80.
func TestAxisFitsItsValues(t *testing.T) {
	a := newAxis("points", [2]float64{-100, 100})
	a.include(0, 41.8)
	a.labels = []plot.GlyphBox{{X: 41.8, Rectangle: vg.Rectangle{Max: vg.Point{X: 39}}},
		{X: 5, Rectangle: vg.Rectangle{Max: vg.Point{X: 59}}}, {X: 2, Rectangle: vg.Rectangle{Min: vg.Point{X: -19}}}}
	low, high, left, right, _ := a.on(100).lay()
	expect.Equal(t, fmt.Sprint(low, high), "0 50")
	expect.Equal(t, ticksOf(a, 100), "0 20 40")
	expect.Equal(t, ticksOf(a, 300), "0 10 20 30 40", "ticks of a wide panel")
	scale := 100 / (right - left)
	for _, l := range a.labels {
		from := (l.X - left) * scale
		if from+float64(l.Max.X) > 99.01 || from+float64(l.Min.X) < 0.99 {
			t.Errorf("the label at %v has no room: %v of 100 points", l.X, from)
		}
	}
	if _, high, _, _, _ := a.on(300).lay(); high != 45 {
		t.Errorf("a wide axis ends at %v", high)
	}
}

// An axis does not round past what can be, and holds a value that lies past it all the same.
func TestAxisKeepsWithinBounds(t *testing.T) {
	a := newAxis("", [2]float64{0, 100})
	a.include(62, 99)
	if low, high, _, _, _ := a.on(200).lay(); low != 60 || high != 100 {
		t.Errorf("the axis runs from %v to %v", low, high)
	}
	a.include(101.4, 101.4)
	if _, high, _, _, _ := a.on(200).lay(); high != 101.4 {
		t.Errorf("the axis ends at %v before the value 101.4", high)
	}
	one := newAxis("", unlimited)
	one.include(0.2, 0.2)
	if low, high, left, right, _ := one.on(80).lay(); !(left < low && low < 0.2 && 0.2 < high && high < right) {
		t.Errorf("the axis of one value runs from %v to %v", low, high)
	}
}

// Panels that do not fit side by side come in strips: the wide one by itself, the others balanced.
func TestStrips(t *testing.T) {
	columns := panel{wide: 1, heads: strings.Fields("a b c d e f g h")}
	a := newAxis("", [2]float64{0, 100})
	a.include(0, 100)
	plain := panel{wide: 1, axis: a}
	wide := panel{wide: 3, axis: a}
	sizes := func(width vg.Length, panels ...panel) string {
		var out []string
		for _, strip := range strips(panels, width) {
			out = append(out, fmt.Sprint(len(strip)))
		}
		return strings.Join(out, " ")
	}
	for _, c := range []struct {
		width  vg.Length
		panels []panel
		want   string
	}{
		{400, []panel{wide, columns}, "2"}, {160, []panel{wide, columns}, "1 1"}, {400,
			[]panel{plain, plain, plain, plain, plain}, "5"},
		{1000, []panel{plain, plain, plain, plain, plain, plain}, "3 3"}, {110, []panel{plain, plain, plain}, "2 1"},
		{20, []panel{columns}, "1"},
	} {
		expect.Equal(t, sizes(c.width, c.panels...), c.want, len(c.panels), c.width)
	}
	// Panels of a last strip that is not full are as wide as those above them.
	rows := strips([]panel{plain, plain, plain}, 110)
	if first, last := rows[0][0].to-rows[0][0].from, rows[1][0].to-rows[1][0].from; first != last {
		t.Errorf("the panels are %v and %v wide", first, last)
	}
}

// Ticks are told apart at every size of the step.
func TestStepsHaveTheDigitsThatTheyNeed(t *testing.T) {
	for _, c := range []struct {
		step, low, high float64
		want            string
	}{
		{0.05, 99.9, 100.1, "99.90 99.95 100.00 100.05 100.10"},
		{0.5, -0.6, 0.6, "−0.5 0.0 0.5"},
		{20, 0, 100, "0 20 40 60 80 100"},
		{20000, 0, 40000, "0 20000 40000"},
	} {
		var got []string
		for _, tick := range steps(c.step, c.low, c.high) {
			got = append(got, tick.Label)
		}
		expect.Equal(t, strings.Join(got, " "), c.want, c.step)
	}
}
