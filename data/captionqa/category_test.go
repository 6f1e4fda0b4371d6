package captionqa

import (
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

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
		"Attribute -> Color": {"Attribute", "Color", ""}, "Attribute": {"Attribute", "", ""},
		"A - b ->":   {"A - b", "", ""},
		"A - b -> c": {"A - b", "c", ""}, "A ->  -> c": {"A", "", "c"}, "": {"", "", ""},
	} {
		expect.Equal(t, must.Get(JoinCategory(levels[0], levels[1], levels[2]))(t), want, levels)
	}
	for _, levels := range [][3]string{{"A->B", "", ""}, {"A", " b", ""}} {
		expect.Refusal(JoinCategory(levels[0], levels[1], levels[2]))(t)
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

func TestQuestionID(t *testing.T) {
	t.Parallel()
	// Witnesses: printf 'What colour is the cat?\0Black\0Grey\0White' | sha256sum begins with
	// c78dee78eb, and printf 'Which letter stands first?\0A\0B' | sha256sum with 6991cf822c.
	expect.Equal(t, QuestionID("nat_001", "What colour is the cat?", []string{"White", "Black", "Grey"}),
		"nat_001/c78dee78eb")
	expect.Equal(t, QuestionID("doc_7", "Which letter stands first?", []string{"B", "A"}), "doc_7/6991cf822c")
	var ids QuestionIDs
	var got []string
	for _, question := range []string{"q", "p", "q", "q"} {
		got = append(got,
			strings.TrimPrefix(ids.Next("i", question, []string{"a", "b"}),
				QuestionID("i", question, []string{"b", "a"})))
	}
	expect.Equal(t, got, []string{"", "", "-2", "-3"})
}
