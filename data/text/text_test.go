package text

import "testing"

func TestClip(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, want string
		most       int
	}{
		{"", "", 0}, {"short", "short", 5}, {"longer", "longe…", 5}, {"a€b", "a…", 2}, {"a€b", "a€…", 4}, {"€", "…", 2}, {"\xff\xff\xff", "\xff\xff…", 2},
	} {
		if got := Clip(c.text, c.most); got != c.want {
			t.Errorf("Clip(%q, %d) = %q, want %q", c.text, c.most, got, c.want)
		}
	}
}
