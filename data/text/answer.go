package text

import (
	"regexp"
	"strings"
)

var (
	// thoughts are what a reasoning model writes before its answer; some chat templates open them
	// in the prompt.
	thoughts = regexp.MustCompile(`(?is)^.*(</think(ing)?>|\[/THINK\]|◁/think▷)`)
	// opened begins thoughts.
	opened = regexp.MustCompile(`(?i)^\s*(<think(ing)?>|\[THINK\]|◁think▷)`)
	// turn is a mark of a chat template at which a model ends its turn.
	turn = regexp.MustCompile(`<\|(im_end|endoftext|end_of_text|eot_id|eom_id|end)\|>|<end_of_turn>`)
)

// Answer is what a reply says: without the thoughts before it, such as <think>…</think>, without
// what follows the mark that ends a turn, such as <|im_end|>, and without white space around it. It
// is empty where thoughts do not end.
func Answer(reply string) string {
	if !strings.ContainsAny(reply, "<[◁") { // as nearly all of them
		return strings.TrimSpace(reply)
	}
	reply = thoughts.ReplaceAllString(reply, "")
	if opened.MatchString(reply) {
		return ""
	}
	if end := turn.FindStringIndex(reply); end != nil {
		reply = reply[:end[0]]
	}
	return strings.TrimSpace(reply)
}
