package shape

import "testing"

func TestKeyOf(t *testing.T) {
	t.Parallel()
	colours := []string{"Red", " Blue ", "Red"}
	letters := []string{"C", "A", "B"}
	for _, c := range []struct {
		options []string
		answer  string
		key     int
		ok      bool
	}{
		{colours, "Red", 0, true},  // the first of equal options, as published
		{colours, "Blue", 1, true}, // white space at the ends aside
		{colours, "B", 1, true},
		{colours, "(C)", 2, true},
		{colours, "C.", 2, true},
		{colours, "D", 0, false}, // names no place
		{colours, "b", 0, false},
		{colours, "1", 0, false}, // from 0 or from 1?
		{colours, "", 0, false},
		{colours, "Green", 0, false},
		{letters, "A", 1, true},  // text goes before place, as published
		{letters, "D", 0, false}, // an option's text or a place: two readings
	} {
		key, reason := rightOption(c.options, c.answer, false)
		if (reason == "") != c.ok || c.ok && key != c.key {
			t.Errorf("rightOption(%q, %q) = %d, %q; want %d, taken %t", c.options, c.answer, key, reason, c.key, c.ok)
		}
	}
}
