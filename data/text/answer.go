package text

import (
	"regexp"
	"strings"
)

var (
	// thoughts matches a reasoning model's text before its answer. The mark that begins thoughts
	// may be missing, because some chat templates write it into the prompt.
	thoughts = regexp.MustCompile(`(?is)^.*(</think(ing)?>|\[/THINK\]|◁/think▷)`)
	// opened matches the mark that begins thoughts.
	opened = regexp.MustCompile(`(?i)^\s*(<think(ing)?>|\[THINK\]|◁think▷)`)
	// turn matches a mark of a chat template at the end of a model's turn.
	turn = regexp.MustCompile(`<\|(im_end|endoftext|end_of_text|eot_id|eom_id|end)\|>|<end_of_turn>`)
)

// Answer is the answer in a reply. It removes the thoughts before the answer, such as
// <think>…</think>. It also removes a mark that ends a turn, such as <|im_end|>, everything behind
// the mark, and white space around the answer. The answer is empty if the thoughts do not end.
func Answer(reply string) string {
	if !strings.ContainsAny(reply, "<[◁") { // Nearly all replies have no mark.
		return strings.TrimSpace(reply)
	}
	reply = thoughts.ReplaceAllString(reply, "")
	if opened.MatchString(reply) { // These thoughts do not end.
		return ""
	}
	if end := turn.FindStringIndex(reply); end != nil {
		reply = reply[:end[0]]
	}
	return strings.TrimSpace(reply)
}
