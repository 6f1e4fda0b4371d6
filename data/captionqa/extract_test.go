package captionqa

import (
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
)

func letterOrNone(index int, ok bool) string {
	if letter, named := Letter(index); ok && named {
		return letter
	}
	return "none"
}

// Telling cases of the published behaviour; the parity test reads them all where they are there.
func TestExtractLetter(t *testing.T) {
	cases := []struct {
		text    string
		options int
		want    string
	}{
		{"", 4, "none"},
		{"a", 3, "A"},
		{`\boxed{C}`, 3, "C"},
		{"D's", 4, "D"},
		{"It is a B", 3, "A"},                    // the article is the first single letter
		{"I think A", 6, "none"},                 // I is out of range, and no later letter is tried
		{"final 3", 2, "none"},                   // number out of range
		{"E C 2", 2, "B"},                        // a number is tried after a letter out of range
		{"B\nA", 4, "A"},                         // the line before the first newline is dropped
		{"A\n", 6, "none"},                       // likewise
		{"C\r\nD", 2, "none"},                    // D is out of range, C is dropped
		{"<think>A</think>\n\nB", 2, "B"},        // two newlines
		{"</think>D", 3, "none"},                 // out of range
		{"Answer: B\nC", 2, "none"},              // C is what is left
		{"choice 12 Answer: E \n", 4, "none"},    // "Answer: " and then the newline leave nothing
		{"Answer: A\nB Answer: C", 4, "B"},       // one cut per mark, in this order: "Answer: ", newline
		{"Answer: A</think>B Answer: C", 4, "C"}, // "</think>" before "Answer: "
		{"answer: b", 3, "B"},                    // the mark is matched with its case, the letter is not
		{"x_A", 2, "none"},                       // the underscore is a word character
		{"A\u0331", 6, "A"},                      // a combining accent is not
		{"Ａ", 6, "none"},                         // full-width A
		{"ÉA", 6, "none"}, {"1A", 5, "none"},     // letters and digits join words
		{"١", 2, "none"}, {"²", 4, "none"}, {"½", 5, "none"},
		{"ı", 26, "I"}, {"ſ", 26, "S"}, // dotless i and long s become ASCII in upper case
		{"ß", 26, "none"}, {"ŉ", 26, "none"}, // SS; ʼN has an apostrophe that is a letter
		{"ǰ", 26, "J"},         // J and a combining caron
		{"\u212a", 26, "none"}, // the Kelvin sign stays what it is
		{"0", 6, "none"}, {"10", 26, "J"}, {"26", 26, "Z"}, {"27", 33, "none"}, {"100", 26, "none"},
		{"A", 0, "A"}, {"B", 0, "none"}, {"1", -4, "A"}, // options below 1 count as 1
		{"\xffB\xff", 2, "B"}, // broken UTF-8 is only text
	}
	for _, c := range cases {
		expect.Equal(t, letterOrNone(extractLetter(c.text, c.options)), c.want, c.options)
	}
}

// The authors' model client trims replies before they are parsed, so a newline at the end loses no
// letter.
func TestParseUpstreamTrims(t *testing.T) {
	for _, reply := range []string{"B\n", "\nB", " B \r\n", "\x1cB\u00a0"} {
		expect.Equal(t, letterOrNone(ParseUpstream(reply, 4)), "B")
	}
	expect.Equal(t, letterOrNone(ParseUpstream("B\nA\n", 4)), "A", "two lines")
}

func FuzzExtractLetter(f *testing.F) {
	for _, text := range []string{"", "A", "(b)", "**D**", "I think A", "B\nA", "<think>A</think>\nB", "Answer: 3",
		"ǰ 26", "\xffB", "B. Red.", "[A] Blue", `"c"`} {
		f.Add(text, 4)
	}
	f.Add("27", 33)
	f.Add("A", -1)
	f.Fuzz(func(t *testing.T, text string, options int) {
		if len(text) > 1<<16 {
			return
		}
		if i, ok := extractLetter(text, options); ok && (i < 0 || i >= MaxOptions || i >= max(options, 1)) {
			t.Errorf("ExtractLetter(%q, %d) = %d, which is no option", text, options, i)
		}
		presented := []string{"Red", "Blue", "B", CannotOption}
		i, ok := ParseStrict(text, presented)
		if !ok {
			return
		}
		letter, named := Letter(i)
		if !named || i >= len(presented) {
			t.Fatalf("ParseStrict(%q) = %d, which is no option", text, i)
		}
		expect.Contains(t, strings.ToUpper(text), letter)
	})
}
