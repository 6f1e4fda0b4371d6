package captionqa

import "testing"

func TestSplitCategory(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][3]string{
		"Hallucination":                        {"Hallucination", "", ""},
		"Attribute - Color":                    {"Attribute", "Color", ""},
		"Attribute -> Color":                   {"Attribute", "Color", ""},
		"Spatial - Layout - Scene - sub":       {"Spatial", "Layout", "Scene - sub"},
		"Scene-Level Evaluation - Time":        {"Scene-Level Evaluation", "Time", ""},
		"Spatial -> Layout -> A - B":           {"Spatial", "Layout", "A - B"},
		"":                                     {"", "", ""},
		"Attribute - Part-Whole Relationships": {"Attribute", "Part-Whole Relationships", ""},
	} {
		if a, b, c := SplitCategory(in); [3]string{a, b, c} != want {
			t.Errorf("%q splits into %q, %q, %q, want %q", in, a, b, c, want)
		}
	}
}

func TestJoinCategory(t *testing.T) {
	t.Parallel()
	for want, levels := range map[string][3]string{
		"Attribute -> Color": {"Attribute", "Color", ""}, "Attribute": {"Attribute", "", ""}, "A - b ->": {"A - b", "", ""},
		"A - b -> c": {"A - b", "c", ""}, "A ->  -> c": {"A", "", "c"}, "": {"", "", ""},
	} {
		if got, err := JoinCategory(levels[0], levels[1], levels[2]); err != nil || got != want {
			t.Errorf("%q: %q, %v; want %q", levels, got, err, want)
		}
	}
	for _, levels := range [][3]string{{"A->B", "", ""}, {"A", " b", ""}} {
		if got, err := JoinCategory(levels[0], levels[1], levels[2]); err == nil {
			t.Errorf("%q is written %q", levels, got)
		}
	}
}

// FuzzJoinCategory: what can be written is read back as it was.
func FuzzJoinCategory(f *testing.F) {
	f.Add("Attribute", "Color", "")
	f.Add("Attribute - Color", "", "")
	f.Add("A", "", "c")
	f.Add("A->B", "c", "d - e")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		joined, err := JoinCategory(a, b, c)
		if err != nil {
			return
		}
		if x, y, z := SplitCategory(joined); x != a || y != b || z != c {
			t.Errorf("%q, %q, %q is written %q and read %q, %q, %q", a, b, c, joined, x, y, z)
		}
	})
}
