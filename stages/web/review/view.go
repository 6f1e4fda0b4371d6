package review

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/construct"
	"github.com/captionlake/captionlake/stages/web"
)

// question is the data of a question's page.
type question struct {
	item
	Version string         // of its decisions
	Away    float64        // seconds that the page was hidden before it was shown again
	Frames  []web.Frame    // of the picture
	Now     construct.Item // the present question
	Changed bool           // it differs from the generated one
	Made    []web.Decision[decision]
	Holder  string // another person who has it
}

func (p *Page) question(it item, holder string) *question {
	q := &question{item: it, Holder: holder, Now: it.Written(), Frames: p.Pictures.Frames(it.ImageID)}
	if !p.options.Samples { // Other people's words about a drawn question would influence the rating.
		q.Made = p.Decisions()[it.ID]
		q.Version, q.Now = version(q.Made), it.stands(q.Made)
		q.Changed = !equal(q.Now, it.Written())
	}
	return q
}

// New reports whether an option was not among the generated options.
func (q *question) New(option string) bool { return !slices.Contains(q.Options, option) }

// stands is the present question: what would be published if nobody decided again. A discarded
// question is as generated.
func (it item) stands(made []web.Decision[decision]) construct.Item {
	var decisions []construct.Decision
	for _, d := range made {
		decisions = append(decisions, taken(d))
	}
	now, _ := construct.Final(it.Written(), it.Route, decisions)
	return now
}

// version changes with every decision on a question.
func version(made []web.Decision[decision]) string {
	var parts []string
	for _, d := range made {
		parts = append(parts, d.Person+" "+d.At.Format(time.RFC3339Nano))
	}
	return strings.Join(parts, "; ")
}

// Outcome describes a decision in words.
func (it item) Outcome(d web.Decision[decision]) string {
	v := d.Value
	switch {
	case d.Skipped:
		return "skipped"
	case v.Stage != "" && v.Right:
		return "right"
	case v.Stage != "":
		return "wrong" + note(v.Note)
	case v.Decision == construct.DecisionKeep:
		return "accepted" + note(v.Note)
	case v.Decision == construct.DecisionDrop:
		return "discarded" + note(v.Note)
	}
	after, written := it.stands([]web.Decision[decision]{d}), it.Written()
	written.Answer = after.Answer
	if equal(after, written) {
		return fmt.Sprintf("key changed from %s to %s%s", web.Letter(int(it.AnswerIndex)), web.Letter(after.Answer),
			note(v.Note))
	}
	return "edited" + note(v.Note)
}

func note(text string) string {
	if text == "" {
		return ""
	}
	return ": " + text
}

// flagWords explain a validator's choice that is not an option of the question.
var flagWords = map[string]string{
	construct.ChoiceAmbiguous:    "flagged it as ambiguous: more than one option is right, or it can be read in more than one way",
	construct.ChoiceUnanswerable: "flagged it as unanswerable: the picture does not show what is asked",
	construct.ChoiceUnsuitable:   "flagged it as unsuitable: no caption could be expected to tell",
	construct.ChoiceNone:         "chose none of the options: none is right",
	construct.ChoiceUnparsed:     "gave a reply that cannot be read",
	construct.ChoiceFailed:       "gave no reply",
}

// Choice describes a validator's choice, in words or in short.
func (it item) Choice(v data.Validation) (words, short string) {
	if v.Choice != construct.ChoiceOption {
		return cmp.Or(flagWords[v.Choice], v.Choice), v.Choice
	}
	option := int(*cmp.Or(v.ChoiceIndex, new(int32(-1))))
	words, short = "an option that the question does not have", "option "+web.Letter(option)
	if option >= 0 && option < len(it.Options) {
		words = web.Letter(option) + ", “" + it.Options[option] + "”"
	}
	if option == int(it.AnswerIndex) {
		return "chose the key, " + words, "key"
	}
	return "chose " + words + ", not the key", short
}

// Words describe a validator's choice.
func (it item) Words(v data.Validation) string {
	words, _ := it.Choice(v)
	return words
}

// Why says why a candidate is reviewed.
func (it item) Why() string {
	switch it.Route {
	case construct.RouteAccept:
		return "All validators chose the key, so the question is accepted without a person; this is a second look."
	case construct.RouteDiscard:
		return "All validators flagged it, so discarding it is suggested."
	}
	return "Its validators do not all choose the key, or fewer than two looked at it; their choices are below."
}
