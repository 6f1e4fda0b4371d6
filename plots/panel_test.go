package plots

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"github.com/captionlake/captionlake/data/must"
)

// ticksOf are the labels of the ticks of an axis on a panel of a width.
func ticksOf(a *axis, width vg.Length) string {
	_, _, left, right, ticks := a.lay(width)
	var out []string
	for _, t := range ticks.Ticks(left, right) {
		out = append(out, t.Label)
	}
	return strings.Join(out, " ")
}

// An axis ends at the half step past its values, whatever room its labels take: bars up to 41.8 have no ticks at 60 and 80.
func TestAxisFitsItsValues(t *testing.T) {
	a := newAxis("points", [2]float64{-100, 100})
	a.include(0, 41.8)
	a.labels = []sideLabel{{at: 41.8, width: 40}, {at: 5, width: 60}, {at: 2, width: 20, left: true}}
	low, high, left, right, _ := a.lay(100)
	if low != 0 || high != 50 {
		t.Errorf("the axis runs from %v to %v", low, high)
	}
	if got := ticksOf(a, 100); got != "0 20 40" {
		t.Errorf("ticks %s", got)
	}
	if got := ticksOf(a, 300); got != "0 10 20 30 40" {
		t.Errorf("ticks of a wide panel %s", got)
	}
	scale := 100 / (right - left)
	for _, l := range a.labels {
		from := (l.at - left) * scale
		if to := from + float64(l.width); !l.left && to > 100.01 || l.left && from-float64(l.width) < -0.01 {
			t.Errorf("the label at %v has no room: %v of 100 points", l.at, from)
		}
	}
	if _, high, _, _, _ := a.lay(300); high != 45 {
		t.Errorf("a wide axis ends at %v", high)
	}
}

// An axis does not round past what can be, and holds a value that lies past it all the same.
func TestAxisKeepsWithinBounds(t *testing.T) {
	a := newAxis("", percents)
	a.include(62, 99)
	if low, high, _, _, _ := a.lay(200); low != 60 || high != 100 {
		t.Errorf("the axis runs from %v to %v", low, high)
	}
	a.include(101.4)
	if _, high, _, _, _ := a.lay(200); high != 101.4 {
		t.Errorf("the axis ends at %v before the value 101.4", high)
	}
	one := newAxis("", anywhere)
	one.include(0.2)
	if low, high, left, right, _ := one.lay(80); !(left < low && low < 0.2 && 0.2 < high && high < right) {
		t.Errorf("the axis of one value runs from %v to %v", low, high)
	}
}

// Dots that lie left of the cut are counted, so that the subtitle says so, and the axis begins at the cut.
func TestCrowd(t *testing.T) {
	var values []Number
	for _, v := range []float64{90, 88, 87, 85, 84, 80, 78, 77, 76, 75, 74, 70, 66, 47, 36, 34, 86, 83} {
		values = append(values, num(v))
	}
	// Of 18 values three may be left out. Without two the range is 90 - 47 = 43 of 56, 77 %; without three 90 - 66 = 24, 43 %.
	ends := crowd(values)
	near(t, "cut", ends[0], 66-24*0.05)
	rows := make([]Dot, len(values))
	for i, v := range values {
		rows[i] = Dot{Value: v, Glyph: filled(ink)}
	}
	d, err := NewDots(rows)
	must.Succeed(t, err)
	d.Ends = ends
	if low, _, _, _ := d.DataRange(); d.below() != 3 || low != ends[0] {
		t.Errorf("%d dots are cut, the axis begins at %v", d.below(), low)
	}
	if ends := crowd(values[:12]); ends != anywhere {
		t.Errorf("a range without stragglers is cut at %v", ends)
	}
}

// Six of 24 are the first, the last, and equal steps between them: places 1, 5.6, 10.2, 14.8, 19.4 and 24.
func TestChosen(t *testing.T) {
	var all []int
	for i := range 24 {
		all = append(all, i+1)
	}
	if got := chosen(all); !slices.Equal(got, []int{1, 6, 10, 15, 19, 24}) {
		t.Errorf("chosen: %v", got)
	}
	if got := chosen(all[:6]); len(got) != 6 || chosenWords(6, "") != "" {
		t.Errorf("of six %v are chosen", got)
	}
}

// Cells have as much text as fits: the interval, digits, whole numbers, nothing.
func TestHeatText(t *testing.T) {
	h, err := NewHeat([][]Number{{num(88.84), num(7.2)}, {{}, num(100)}}, "%.1f")
	must.Succeed(t, err)
	h.Halves = [][]Number{{num(1.04), {}}, {{}, num(0.5)}}
	sty := textStyle(tinySize, ink, false)
	for _, c := range []struct{ widest, want string }{
		{"100.0 ± 0.5", "88.8 ± 1.0|7.2|100.0 ± 0.5"}, {"100.0", "88.8|7.2|100.0"}, {"100", "89|7|100"}, {"10", "||"},
	} {
		write := h.writer(sty, sty.Width(c.widest)+0.1)
		if got := fmt.Sprintf("%s|%s|%s", write(0, 0), write(0, 1), write(1, 1)); got != c.want {
			t.Errorf("in the width of %q: %s, want %s", c.widest, got, c.want)
		}
	}
	if got := halfOf(num(5), num(3), num(6)); got != num(2) {
		t.Errorf("half of 3 to 6 around 5 is %v", got)
	}
}

// Panels that do not fit side by side come in blocks: the wide one by itself, the others balanced.
func TestBlocks(t *testing.T) {
	cells := [][]Number{{num(10), num(20), num(30), num(40)}}
	heat := func() panel {
		h, err := NewHeat(cells, "%.0f")
		must.Succeed(t, err)
		return heatPanel("", ink, h, inkLabels("a", "b", "c", "d"))
	}
	a := newAxis("", percents)
	a.include(0, 100)
	plain := panel{wide: 1, axis: a}
	wide := panel{wide: 3, axis: a}
	sizes := func(width vg.Length, panels ...panel) string {
		var out []string
		for _, b := range newRowChart(nil, 0, 10, panels...).split(width) {
			out = append(out, fmt.Sprint(len(b)))
		}
		return strings.Join(out, " ")
	}
	for _, c := range []struct {
		width  vg.Length
		panels []panel
		want   string
	}{
		{400, []panel{wide, heat()}, "2"}, {200, []panel{wide, heat()}, "1 1"}, {400, []panel{plain, plain, plain, plain, plain}, "5"},
		{1000, []panel{plain, plain, plain, plain, plain, plain}, "3 3"}, {130, []panel{plain, plain, plain}, "2 1"}, {20, []panel{heat()}, "1"},
	} {
		if got := sizes(c.width, c.panels...); got != c.want {
			t.Errorf("%d panels on %v points come in blocks of %s, want %s", len(c.panels), c.width, got, c.want)
		}
	}
	// Panels of a last block that is not full are as wide as those above them.
	_, blocks := newRowChart(inkLabels("row"), 50, 10, plain, plain, plain).lay(180)
	if first, last := blocks[0].to[0]-blocks[0].from[0], blocks[1].to[0]-blocks[1].from[0]; first != last {
		t.Errorf("the panels are %v and %v wide", first, last)
	}
}
