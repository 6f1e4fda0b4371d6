package captionqa

import (
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
)

// Telling cases of the published behaviour; the parity test reads them all where they are there.
func TestIsYesNo(t *testing.T) {
	cases := []struct {
		question string
		options  []string
		want     bool
	}{
		{"Is the door open?", []string{"Red", "Blue"}, true},
		{"  Is ?", []string{"Red", "Blue"}, true},
		{"was the door open?", []string{"3", "Blue"}, true},
		{"Do?", []string{"Red", "Blue"}, false},             // no space after the first word
		{"isthe door open?", []string{"Red", "No"}, false},  // likewise
		{"Isn't it red?", []string{"Red", "Blue"}, false},   // the contraction is not listed
		{"Isn't it red?", []string{"Yes", "No"}, true},      // its options decide
		{"Mayonnaise where?", []string{"Red", "3"}, false},  // only whole first words count
		{"Which is it?", []string{"eyes", "Unknown"}, true}, // eYES, unkNOwn
		{"Which is it?", []string{"Yesterday", "Cannot tell"}, true},
		{"Where?", []string{"YES, it is", "North"}, true},
		{"Where?", []string{"yes", "Yes"}, false},  // no "no"
		{"Is\tit red?", []string{"Red"}, false},    // a tab is not the published space
		{"İs it red?", []string{"Red"}, false},     // Python lowers İ to i and a combining dot
		{"\x1cis it red?", []string{"Red"}, true},  // Python strips the ASCII separators
		{"Shall we?", nil, true}, {"", nil, false}, // no options at all
		{"Where?", []string{"\xffyes", "nO"}, true},  // broken UTF-8 is only text
		{"Whose?", []string{"yes\nno", "red"}, true}, // both within one option
	}
	for _, c := range cases {
		expect.Equal(t, IsYesNo(c.question, c.options), c.want, c.options)
	}
}

func TestWithCannot(t *testing.T) {
	backing := []string{"Red", "Blue", "untouched"}
	got := WithCannot("What color is it?", backing[:2])
	expect.Equal(t, got, []string{"Red", "Blue", "Cannot answer from the caption"})
	expect.Equal(t, backing[2], "untouched", "WithCannot wrote into the caller's slice")
	expect.Equal(t, WithCannot("Is it red?", []string{"Yes", "No"}), []string{"Yes", "No"},
		"a yes/no question")
}

func FuzzIsYesNo(f *testing.F) {
	f.Add("Is it red?", "Yes", "No")
	f.Add("Isn't it?", "eyes", "Unknown")
	f.Add("\x1c İs it", "ﬁ\xff", "Σ")
	f.Add("SHOULD it", "y", "bluEYEs nO")
	f.Add("Müst it", "éYEs", "ye\x13N/o")
	f.Fuzz(func(t *testing.T, question, first, second string) {
		options := []string{first, second}
		yesNo := IsYesNo(question, options)
		// The published rule in its own words.
		contains := func(what string) bool {
			return strings.Contains(pythonLower(first), what) || strings.Contains(pythonLower(second), what)
		}
		word, _, spaced := strings.Cut(pythonLower(pythonStrip(question)), " ")
		expect.Equal(t, yesNo, contains("yes") && contains("no") || spaced && yesNoStarters[word], question, options)
		expect.Equal(t, IsYesNo(question, []string{second, first}), yesNo, options)
		want := len(options) + 1
		if yesNo {
			want = len(options)
		}
		expect.Equal(t, len(WithCannot(question, options)), want, question, options, yesNo)
	})
}
