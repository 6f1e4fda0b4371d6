package web

import (
	"strings"
	"testing"
)

func TestName(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"Ada": "Ada", "  Ada \t Lovelace ": "Ada Lovelace", "Ame\u0301lie": "Amélie", "李 娜": "李 娜", "o'neill@lab-2.org": "o'neill@lab-2.org",
		strings.Repeat("é", 60): strings.Repeat("é", 60),
	} {
		if got, err := Name(given); err != nil || got != want {
			t.Errorf("Name(%q) = %q, %v", given, got, err)
		}
	}
	for _, given := range []string{"", " ", strings.Repeat("x", 61), "a/b", `a\b`, "<b>", "a\x1b[31m", "a\u202eb", "a\x00b", "a\u200bb", "\xff"} {
		if got, err := Name(given); err == nil {
			t.Errorf("Name(%q) = %q, want an error", given, got)
		}
	}
}
