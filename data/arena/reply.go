package arena

import (
	"errors"
	"fmt"
	"strings"

	"github.com/captionlake/captionlake/data/text"
)

// A Judgment says which of two captions is better, in the order that the judge saw.
type Judgment int

// The judgments of Figure 8. Unparsed is the judgment of a text that states no judgment.
const (
	Unparsed Judgment = iota
	First
	Second
	Tie
)

// ReadJudgment reads a judge's verdict. It accepts the six texts that counted when the benchmark's
// scores were computed. Any other text is Unparsed, even if it differs only by a space.
func ReadJudgment(said string) Judgment {
	switch said {
	case "Caption 1 is better", "Caption 1 is better.":
		return First
	case "Caption 2 is better", "Caption 2 is better.":
		return Second
	case "Tie", "Tie.":
		return Tie
	}
	return Unparsed
}

// The marks at the beginning of the two lines of a reply (Figure 8).
const (
	reasonMark   = "Reason:"
	judgmentMark = "Judgment:"
)

// ReadReply reads the reason and the judgment of a judge's reply (Figure 8). Both marks are
// required. The reason may have several lines. The judgment is the line after its mark: one of the
// texts of ReadJudgment, with or without the angle brackets of Figure 8. Thoughts of a reasoning
// model before its answer are skipped. The error says why the reply cannot be read. With an error
// the judgment is Unparsed, and reason is the text of the reason if the reply has one.
func ReadReply(reply string) (reason string, j Judgment, err error) {
	reply = text.Answer(reply)
	if _, after, found := strings.Cut(reply, reasonMark); found {
		reason, _, _ = strings.Cut(after, judgmentMark)
		reason = strings.TrimSpace(reason)
	}
	_, rest, found := strings.Cut(reply, judgmentMark)
	if !found {
		return reason, Unparsed, errors.New("the reply has no line " + judgmentMark)
	}
	for _, part := range strings.Split(rest, judgmentMark) { // A reply may repeat its judgment.
		line, _, _ := strings.Cut(strings.TrimSpace(part), "\n")
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "<") && strings.HasSuffix(line, ">") {
			line = line[1 : len(line)-1]
		}
		switch found := ReadJudgment(line); {
		case found == Unparsed:
			return reason, Unparsed,
				fmt.Errorf("the judgment is %.80q instead of Caption 1 is better, Caption 2 is better, or Tie", line)
		case j != Unparsed && found != j:
			return reason, Unparsed, errors.New("the reply has two judgments that contradict each other")
		default:
			j = found
		}
	}
	if reason == "" {
		return "", Unparsed, errors.New("the reply gives no reason: it has no text between " + reasonMark + " and " +
			judgmentMark)
	}
	return reason, j, nil
}
