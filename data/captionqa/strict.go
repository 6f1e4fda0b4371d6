package captionqa

import "strings"

// wrappers are the pairs of marks that may enclose a strict reply: brackets, bold and quotes.
var wrappers = [][2]string{
	{"**", "**"}, {"__", "__"},
	{"(", ")"}, {"[", "]"},
	{`"`, `"`}, {"'", "'"}, {"`", "`"}, {"“", "”"}, {"‘", "’"},
}

// ParseStrict reads a raw reply and returns the position, from 0, of the option that it names;
// presented are the options in presented order. The rule is ours. A thought <think>…</think> at the
// beginning of the reply is dropped. The rest, without white space at the ends, must be either
//
//   - one letter from A to Z in either case, possibly within brackets, bold or quotes and with a
//     full stop: B, (b), **B.**, "B"; or
//   - such a letter, then ")", "." or ":", then the whole text of the option that it names,
//     ignoring letter case: "B. Red", "(B) red.".
//
// The letter must name an option. Everything else is not ok, however plausible: explanations,
// numbers, two letters, a letter with another option's text, an unclosed thought.
func ParseStrict(reply string, presented []string) (index int, ok bool) {
	text := pythonStrip(reply)
	if thought, found := strings.CutPrefix(text, "<think>"); found {
		_, after, closed := strings.Cut(thought, "</think>")
		if !closed {
			return 0, false
		}
		text = pythonStrip(after)
	}
	named := min(len(presented), MaxOptions) // the number of options that have a letter
	// Each round removes one pair of marks or the full stop. Each round first looks for a letter with
	// an option's text, because peel would take "(A) (x)" for one text within one pair of marks.
	for {
		if i, found := letterWithText(text, presented[:named]); found {
			return i, true
		}
		if i, found := letterIndex(text); found {
			return i, i < named
		}
		peeled := peel(text)
		if peeled == text {
			return 0, false
		}
		text = peeled
	}
}

// peel removes one full stop or one pair of marks from a reply; without either it returns the reply
// unchanged.
func peel(text string) string {
	// An ellipsis is not a full stop: it says that the reply goes on.
	if inner, found := strings.CutSuffix(text, "."); found && !strings.HasSuffix(inner, ".") {
		return pythonStrip(inner)
	}
	for _, pair := range wrappers {
		inner, opened := strings.CutPrefix(text, pair[0])
		if !opened {
			continue
		}
		if inner, closed := strings.CutSuffix(inner, pair[1]); closed {
			return pythonStrip(inner)
		}
	}
	return text
}

// letterIndex returns the position that a text of exactly one ASCII letter names.
func letterIndex(text string) (int, bool) {
	if len(text) != 1 {
		return 0, false
	}
	i := int(strings.ToUpper(text)[0]) - 'A'
	return i, i >= 0 && i < MaxOptions
}

// letterWithText returns the position of an option that a text names by its letter and its text:
// "B. Red", "B) Red", "B: Red", "(B) Red" or "[B] Red".
func letterWithText(text string, presented []string) (int, bool) {
	separators := ").:" // signs that may stand between the letter and the option's text
	if inner, opened := strings.CutPrefix(text, "("); opened {
		separators, text = ")", inner
	} else if inner, opened := strings.CutPrefix(text, "["); opened {
		separators, text = "]", inner
	}
	if len(text) < 2 || !strings.Contains(separators, text[1:2]) {
		return 0, false
	}
	i, found := letterIndex(text[:1])
	if !found || i >= len(presented) {
		return 0, false
	}
	rest, option := pythonStrip(text[2:]), pythonStrip(presented[i])
	if option == "" { // An option without text can be named only by a letter alone.
		return 0, false
	}
	return i, strings.EqualFold(rest, option) || strings.EqualFold(strings.TrimSuffix(rest, "."), option)
}
