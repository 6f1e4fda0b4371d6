package captionqa

import (
	"slices"
	"strings"
	"testing"
)

func TestQuestionID(t *testing.T) {
	t.Parallel()
	// Witnesses: printf 'What colour is the cat?\0Black\0Grey\0White' | sha256sum begins with c78dee78eb, and
	// printf 'Which letter stands first?\0A\0B' | sha256sum with 6991cf822c.
	if got, want := QuestionID("nat_001", "What colour is the cat?", []string{"White", "Black", "Grey"}), "nat_001/c78dee78eb"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := QuestionID("doc_7", "Which letter stands first?", []string{"B", "A"}), "doc_7/6991cf822c"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	var ids QuestionIDs
	var got []string
	for _, question := range []string{"q", "p", "q", "q"} {
		got = append(got, strings.TrimPrefix(ids.Next("i", question, []string{"a", "b"}), QuestionID("i", question, []string{"b", "a"})))
	}
	if want := []string{"", "", "-2", "-3"}; !slices.Equal(got, want) {
		t.Errorf("suffixes are %q, want %q", got, want)
	}
}
