package web

import (
	"strings"
	"testing"
)

// thirty are twenty decisions of 40 to 59 seconds, median 49.5, and ten of the given time.
func thirty(recent float64) (seconds []float64) {
	for i := range 20 {
		seconds = append(seconds, 40+float64((i*7)%20))
	}
	for range 10 {
		seconds = append(seconds, recent)
	}
	return seconds
}

func TestPace(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name      string
		seconds   []float64
		everybody float64
		want      string
	}{
		{"as before", thirty(49.5), 49.5, ""},
		{"faster, and below the others", thirty(20), 45, "faster than before|below the average"},
		{"faster, as the others", thirty(45), 30, "faster than before"},
		{"slower", thirty(60), 30, "slower than before"},
		{"slower, and below the others", thirty(60), 142, "slower than before|below the average"},
		{"too few", thirty(20)[1:], 45, ""},
		{"one exception", append(thirty(20)[:29], 50), 45, ""},
		{"none", nil, 0, ""},
	} {
		var kinds []string
		for _, w := range Pace(c.seconds, c.everybody) {
			kind, _, _ := strings.Cut(w, ":")
			kinds = append(kinds, kind)
		}
		if got := strings.Join(kinds, "|"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestSortedTimes(t *testing.T) {
	t.Parallel()
	var s sortedTimes
	for _, v := range []float64{5, 1, 3, 3, 9} {
		s = append(s, v)
		s.settle()
	}
	if m := s.median(); m != 3 { // 1 3 3 5 9
		t.Errorf("median %v of %v", m, s)
	}
	s.remove(3)
	s.remove(1)
	s.remove(7)          // is not there
	if s.median() != 5 { // 3 5 9
		t.Errorf("median %v of %v", s.median(), s)
	}
	if (sortedTimes{}).median() != 0 {
		t.Error("the median of none is not 0")
	}
}
