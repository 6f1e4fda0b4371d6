package captionqa

import (
	"testing"

	"github.com/captionlake/captionlake/data/expect"
)

func TestParseStrict(t *testing.T) {
	presented := []string{"Red", "Dark blue.", "1.5", CannotOption, "(x)"}
	cases := []struct{ reply, want string }{
		{"B", "B"}, {"b", "B"}, {" B\n", "B"}, {"B.", "B"},
		{"(B)", "B"}, {"[b]", "B"}, {"**B**", "B"}, {`"B"`, "B"}, {"“B”", "B"}, {"`B`", "B"}, {"__B__", "B"},
		{"**(B).**", "B"}, {"(B).", "B"},
		{"<think>A or B?</think>\n\nB", "B"},
		{"A) Red", "A"}, {"A. red", "A"}, {"A: RED.", "A"}, {"(A) Red", "A"}, {"[A] Red", "A"}, {"**A. Red**", "A"},
		{"B. Dark blue", "none"},  // the option's own full stop is part of its text
		{"B. Dark blue.", "B"},    //
		{"B. Dark blue..", "B"},   // option, then a full stop
		{"(E) (x)", "E"},          // brackets around the option do not pair with brackets of the letter
		{"C) 1.5", "C"},           //
		{"D. Cannot", "none"},     // cut off
		{"A. Dark blue.", "none"}, // another option's text
		{"(A. Red", "none"},       // bracket not closed
		{"(A] Red", "none"},       // wrong bracket
		{"A)", "none"},            // a separator without text
		{"A...", "none"},          // an ellipsis
		{"F", "none"}, {"f.", "none"}, {"", "none"}, {".", "none"}, {"''", "none"}, {"1", "none"}, {"AB", "none"},
		{"A B", "none"}, {"A\nB", "none"}, {"The answer is A", "none"}, {"Answer: A", "none"},
		{"<think>A", "none"}, {"A</think>", "none"}, {"<think>A</think>", "none"},
		{"Ａ", "none"}, {"\xc1", "none"}, {"\xff. Red", "none"},
	}
	for _, c := range cases {
		expect.Equal(t, letterOrNone(ParseStrict(c.reply, presented)), c.want)
	}
	expect.Equal(t, letterOrNone(ParseStrict("A: ", []string{"", "Red"})), "none", "a separator without text")
	expect.Equal(t, letterOrNone(ParseStrict("A", nil)), "none", "a letter without an option")
}

// Where the two parsers read a reply differently; −1 stands for no option.
func TestParsersDiffer(t *testing.T) {
	presented := []string{"Red", "Answer: A", "Blue"}
	for _, c := range []struct {
		reply            string
		upstream, strict int
	}{
		{"C.", 2, 2},
		{"none of them", -1, -1},
		{"It is a C", 0, -1},   // the article
		{"A\nC", 2, -1},        // the line before the newline is dropped
		{"__C__", -1, 2},       // the underscore joins words
		{"B. Answer: A", 0, 1}, // the mark occurs within the option
	} {
		if i, ok := ParseUpstream(c.reply, len(presented)); ok != (c.upstream >= 0) || ok && i != c.upstream {
			t.Errorf("ParseUpstream(%q) = %d, %v, want %d", c.reply, i, ok, c.upstream)
		}
		if i, ok := ParseStrict(c.reply, presented); ok != (c.strict >= 0) || ok && i != c.strict {
			t.Errorf("ParseStrict(%q) = %d, %v, want %d", c.reply, i, ok, c.strict)
		}
	}
}
