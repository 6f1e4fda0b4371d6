package plots

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"github.com/captionlake/captionlake/data/must"
)

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-9*max(1, math.Abs(want)) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

func refused(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got error %v, want one with %q", err, want)
	}
}

func TestRadarGeometry(t *testing.T) {
	axes := []RadarAxis{{"north", ""}, {"east", ""}, {"south", ""}, {"west", ""}}
	r, err := NewRadar(axes, []RadarSeries{{Name: "s", Values: []Number{num(100), num(60), num(20), num(40)}}}, 20, 100)
	must.Succeed(t, err)
	// From 20 at the centre to 100 at a rim of 80 points, a unit is a point: 100 is 80 up, 60 is 40 right, 20 is the centre, 40 is 20 left.
	line := r.lines(r.Series[0], vg.Point{X: 100, Y: 100}, 80)
	want := []vg.Point{{X: 100, Y: 180}, {X: 140, Y: 100}, {X: 100, Y: 100}, {X: 80, Y: 100}, {X: 100, Y: 180}}
	if len(line) != 1 || len(line[0]) != len(want) {
		t.Fatalf("lines %v, want one closed line %v", line, want)
	}
	for i, p := range line[0] {
		near(t, "x", float64(p.X), float64(want[i].X))
		near(t, "y", float64(p.Y), float64(want[i].Y))
	}
	// Without a value in the east the line runs from the south over the west to the north.
	gap := r.lines(RadarSeries{Values: []Number{num(100), {}, num(20), num(40)}}, vg.Point{}, 80)
	if len(gap) != 1 || len(gap[0]) != 3 || gap[0][2].Y != 80 {
		t.Errorf("a gap gave %v", gap)
	}
	if n := r.lines(RadarSeries{Values: make([]Number, 4)}, vg.Point{}, 80); len(n) != 0 {
		t.Errorf("no values gave %v", n)
	}
}

func TestRadarRefusals(t *testing.T) {
	axes := []RadarAxis{{"a", ""}, {"b", ""}, {"c", ""}}
	one := []RadarSeries{{Name: "s", Values: []Number{num(1), num(2), num(3)}}}
	_, err := NewRadar(axes[:2], one, 0, 10)
	refused(t, err, "at least 3 axes, not 2")
	_, err = NewRadar(axes, nil, 0, 10)
	refused(t, err, "at least one series")
	_, err = NewRadar(axes, one, 5, 5)
	refused(t, err, "cannot run from 5 to 5")
	_, err = NewRadar(axes, one, 0, 2.5)
	refused(t, err, "series s, axis c: 3 lies outside 0 to 2.5")
	_, err = NewRadar(axes, []RadarSeries{{Name: "s", Values: one[0].Values[:2]}}, 0, 10)
	refused(t, err, "series s has 2 values for 3 axes")
	_, err = NewRadar(axes, []RadarSeries{{Name: "s", Values: []Number{num(math.NaN()), num(1), num(1)}}}, 0, 10)
	refused(t, err, "NaN lies outside")
}

func TestViolin(t *testing.T) {
	// 1, 2, 3, 4, 10: mean 4, squared deviations 9+4+1+0+36 = 50, s = sqrt(50/4) = 3.5355. Quartiles at positions 1 and 3: 2 and 4, so
	// IQR/1.34 = 1.4925 is the smaller scale; h = 0.9 * 2/1.34 * 5^-0.2.
	values := []float64{10, 1, 3, 2, 4}
	v, err := NewViolin(0, 0.5, ink, values)
	must.Succeed(t, err)
	near(t, "q1", v.Q1, 2)
	near(t, "median", v.Median, 3)
	near(t, "q3", v.Q3, 4)
	near(t, "bandwidth", silverman([]float64{1, 2, 3, 4, 10}), 0.9*2/1.34*math.Pow(5, -0.2))
	if values[0] != 10 {
		t.Error("the values were sorted in place")
	}
	// A kernel on one value has its top 1/(h sqrt(2 pi)) there.
	near(t, "density", density([]float64{3}, 2, 3), 1/(2*math.Sqrt(2*math.Pi)))
	// One bandwidth away it is exp(-1/2) of that.
	near(t, "density at h", density([]float64{3}, 2, 5), math.Exp(-0.5)/(2*math.Sqrt(2*math.Pi)))
	// The outline is symmetric and never wider than asked for, and as wide once.
	widest := 0.0
	out := v.outline()
	for i, p := range out {
		widest = max(widest, p[0])
		near(t, "mirror", p[0], -out[len(out)-1-i][0])
	}
	near(t, "widest", widest, 0.5)
	// The estimate over a range wide enough for all kernels integrates to 1 (rectangle sums over 20 bandwidths each side).
	h, sum := 1.3, 0.0
	for x := -30.0; x < 40; x += 0.01 {
		sum += density([]float64{1, 2, 3, 4, 10}, h, x) * 0.01
	}
	if math.Abs(sum-1) > 1e-6 {
		t.Errorf("the density integrates to %v", sum)
	}
}

func TestViolinDegenerate(t *testing.T) {
	for _, values := range [][]float64{{7}, {7, 7, 7}} {
		v, err := NewViolin(1, 0.4, ink, values)
		must.Succeed(t, err)
		out := v.outline()
		if len(v.Density) != 1 || len(out) != 2 || out[0] != [2]float64{1.4, 7} || out[1] != [2]float64{0.6, 7} {
			t.Errorf("%v is drawn as %v", values, out)
		}
	}
	// Quartiles that coincide leave s as the scale: the bandwidth must not be 0.
	v, err := NewViolin(0, 1, ink, []float64{5, 5, 5, 5, 5, 9})
	must.Succeed(t, err)
	for _, d := range v.Density {
		if math.IsNaN(d.Density) || math.IsInf(d.Density, 0) {
			t.Fatalf("density %v at %v", d.Density, d.Value)
		}
	}
	_, err = NewViolin(0, 1, ink, nil)
	refused(t, err, "at least one value")
	_, err = NewViolin(0, 1, ink, []float64{1, math.NaN()})
	refused(t, err, "value 2 of the violin is NaN")
	_, err = NewViolin(0, 0, ink, []float64{1})
	refused(t, err, "cannot be 0 wide")
}

func TestBarsStack(t *testing.T) {
	b, err := NewBars([]Bar{{Segments: []Segment{{3, ink}, {4, ink}}}, {}, {Segments: []Segment{{1, ink}}}})
	must.Succeed(t, err)
	if x0, x1, y0, y1 := b.DataRange(); x0 != 0 || x1 != 7 || y0 != -0.5 || y1 != 2.5 {
		t.Errorf("range %v %v %v %v", x0, x1, y0, y1)
	}
	_, err = NewBars([]Bar{{}})
	refused(t, err, "at least one bar")
	_, err = NewBars([]Bar{{Segments: []Segment{{math.NaN(), ink}}}})
	refused(t, err, "bar 1, segment 1 is NaN")
	_, err = NewBars([]Bar{{Segments: []Segment{{-1, ink}}}})
	refused(t, err, "bar 1, segment 1 is -1")
}

func TestDots(t *testing.T) {
	d, err := NewDots([]Dot{{Value: num(5), Low: num(3), High: num(6)}, {}, {Value: num(8)}})
	must.Succeed(t, err)
	x0, x1, y0, y1 := d.DataRange()
	if x0 != 3 || x1 != 8 || y0 != -0.5 || y1 != 2.5 || d.y(0) != 2 {
		t.Errorf("range %v %v %v %v, row 0 at %v", x0, x1, y0, y1, d.y(0))
	}
	_, err = NewDots([]Dot{{}})
	refused(t, err, "at least one value")
	_, err = NewDots([]Dot{{Value: num(1), Low: num(0)}})
	refused(t, err, "row 1 of the dot plot has half an interval")
	_, err = NewDots([]Dot{{Value: num(1), Low: num(2), High: num(3)}})
	refused(t, err, "outside its interval")
}

func TestLines(t *testing.T) {
	points := []LinePoint{{X: 0, Y: num(1)}, {X: 1}, {X: 2, Y: num(3), Low: num(2), High: num(5)}, {X: 3, Y: num(4)}}
	l, err := NewLines([]LineSeries{{Name: "s", Points: points}})
	must.Succeed(t, err)
	x0, x1, y0, y1 := l.DataRange()
	if x0 != 0 || x1 != 3 || y0 != 1 || y1 != 5 {
		t.Errorf("range %v %v %v %v", x0, x1, y0, y1)
	}
	parts := runs(points, func(p LinePoint) bool { return p.Y.Valid })
	if len(parts) != 2 || len(parts[0]) != 1 || len(parts[1]) != 2 {
		t.Errorf("a gap cut the line into %v", parts)
	}
	// A gutter of 25 of 100 points: the data take 75, so the axis is 4/3 as long as the data.
	l.Gutter = 25
	p := newPlot()
	l.room(p, 0, 3, 100)
	near(t, "axis end", p.X.Max, 4)
	_, err = NewLines(nil)
	refused(t, err, "at least one series")
	_, err = NewLines([]LineSeries{{Name: "s", Points: points[1:2]}})
	refused(t, err, "series s has no value")
	_, err = NewLines([]LineSeries{{Name: "s", Points: []LinePoint{{X: 1, Y: num(1)}, {X: 1, Y: num(2)}}}})
	refused(t, err, "x does not grow from point 1 to point 2")
}

func TestScatterAndHeat(t *testing.T) {
	s, err := NewScatter([]ScatterPoint{{X: 0, Y: 10}, {X: 20, Y: 30}})
	must.Succeed(t, err)
	s.Diagonal = true
	// 5 % of 20 on both sides: x -1 to 21, y 9 to 31; together -1 to 31.
	x0, x1, y0, y1 := s.DataRange()
	if x0 != -1 || x1 != 31 || y0 != -1 || y1 != 31 {
		t.Errorf("range %v %v %v %v", x0, x1, y0, y1)
	}
	// Intervals are held by the range unless they leave the points too little of it: three tenths of 20 on each side.
	s.Diagonal = false
	s.Points[0].XLow, s.Points[0].XHigh = num(-4), num(3)
	s.Points[1].YLow, s.Points[1].YHigh = num(-900), num(33)
	// x -4 to 20 and 5 % of 24; y from 10 - 0.3 * 20 = 4 to 33 and 5 % of 29.
	x0, x1, y0, y1 = s.DataRange()
	near(t, "left", x0, -5.2)
	near(t, "right", x1, 21.2)
	near(t, "bottom", y0, 2.55)
	near(t, "top", y1, 34.45)
	_, err = NewScatter(nil)
	refused(t, err, "at least one point")
	_, err = NewScatter([]ScatterPoint{{Name: "n", X: math.Inf(1)}})
	refused(t, err, "point 1 (n) lies at +Inf, 0")

	h, err := NewHeat([][]Number{{num(1), num(3)}, {{}, num(2)}}, "%.0f")
	must.Succeed(t, err)
	if h.Low != 1 || h.High != 3 || h.color(1) != paper || contrast(h.color(3)) < 10 {
		t.Errorf("colours run from %v at %v to %v at %v", h.color(1), h.Low, h.color(3), h.High)
	}
	_, err = NewHeat([][]Number{{num(1)}, {}}, "")
	refused(t, err, "row 2 of the heat map has 0 cells, row 1 has 1")
	_, err = NewHeat([][]Number{{{}}}, "")
	refused(t, err, "at least one value")
}
