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
	named := min(len(presented), MaxOptions)
	// The letter with the option's text comes first at every depth, because peeling would take "(A)
	// (x)" for one pair.
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

// letterWithText reads "B. Red", "B) Red", "B: Red", "(B) Red" and "[B] Red".
func letterWithText(text string, presented []string) (int, bool) {
	separators := ").:"
	if len(text) > 0 && (text[0] == '(' || text[0] == '[') {
		separators = map[byte]string{'(': ")", '[': "]"}[text[0]]
		text = text[1:]
	}
	if len(text) < 2 || !strings.Contains(separators, text[1:2]) {
		return 0, false
	}
	i, found := letterIndex(text[:1])
	if !found || i >= len(presented) {
		return 0, false
	}
	said, option := pythonStrip(text[2:]), pythonStrip(presented[i])
	if option == "" {
		return 0, false
	}
	return i, strings.EqualFold(said, option) || strings.EqualFold(strings.TrimSuffix(said, "."), option)
}
