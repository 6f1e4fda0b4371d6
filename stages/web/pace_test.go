package web

import "testing"

// times are n1 of the one time and n2 of the other.
func times(n1 int, one float64, n2 int, other float64) (seconds []float64) {
	for range n1 {
		seconds = append(seconds, one)
	}
	for range n2 {
		seconds = append(seconds, other)
	}
	return seconds
}

func TestPace(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		seconds []float64
		want    string
	}{
		{"18 of 20 faster", times(2, 200, 18, 100), "18 of the last 20 took less than 142 seconds, the average"},
		{"17 of 20 faster", times(3, 200, 17, 100), ""},
		{"18 of 20 slower", times(2, 100, 18, 200), "18 of the last 20 took more than 142 seconds, the average"},
		{"as the average", times(0, 0, 20, 142), ""},
		{"long ago", times(40, 100, 20, 142), ""},
		{"too few", times(0, 0, 19, 100), ""},
		{"none", nil, ""},
	} {
		if got := Pace(c.seconds, 142); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
