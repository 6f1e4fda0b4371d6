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
	Version string         // changes with every decision on the question
	Away    float64        // seconds that the page was hidden before it was shown again
	Frames  []web.Frame    // of the picture
	Current construct.Item // the question as the decisions leave it
	Changed bool           // the current question differs from the generated question
	Made    []decision     // people's decisions
	Holder  string         // another person who has the question; empty without one
}

// question is the data of a question's page. holder is another person who has the question; empty
// without one.
func (p *Page) question(it item, holder string) *question {
	q := &question{item: it, Holder: holder, Current: it.Written(), Frames: p.Pictures.Frames(it.ImageID)}
	if !p.options.Samples { // Other people's words about a drawn question would influence the rating.
		q.Made = p.Decisions()[it.ID]
		q.Version, q.Current = version(q.Made), it.current(q.Made)
		q.Changed = !equal(q.Current, it.Written())
	}
	return q
}

// New reports whether an option was not among the generated options.
func (q *question) New(option string) bool { return !slices.Contains(q.Options, option) }

// current is the question that would be published if nobody decided again, or the generated
// question if it is discarded.
func (it item) current(made []decision) construct.Item {
	var decisions []construct.Decision
	for _, d := range made {
		decisions = append(decisions, forFinal(d))
	}
	final, _ := construct.Final(it.Written(), it.Route, decisions)
	return final
}

// version changes with every decision on a question.
func version(made []decision) string {
	var parts []string
	for _, d := range made {
		parts = append(parts, d.Person+" "+d.At.Format(time.RFC3339Nano))
	}
	return strings.Join(parts, "; ")
}

// Outcome describes a decision in words.
func (it item) Outcome(d decision) string {
	v := d.Value
	isRating := v.Stage != ""
	switch {
	case d.Skipped:
		return "skipped"
	case isRating && v.Right:
		return "right"
	case isRating:
		return "wrong" + note(v.Note)
	case v.Decision == construct.DecisionKeep:
		return "accepted" + note(v.Note)
	case v.Decision == construct.DecisionDrop:
		return "discarded" + note(v.Note)
	}
	// rekeyed is the generated question with the key of the decided one, and no other change.
	after, rekeyed := it.current([]decision{d}), it.Written()
	rekeyed.Answer = after.Answer
	if equal(after, rekeyed) {
		return fmt.Sprintf("key changed from %s to %s%s", web.Letter(int(it.AnswerIndex)), web.Letter(after.Answer),
			note(v.Note))
	}
	return "edited" + note(v.Note)
}

// note is a note behind a colon; empty without a note.
func note(text string) string {
	if text == "" {
		return ""
	}
	return ": " + text
}

// flagWords explain a validator's choice that is not an option of the question.
var flagWords = map[string]string{
	construct.ChoiceAmbiguous: "flagged it as ambiguous: more than one option is right, " +
		"or it can be read in more than one way",
	construct.ChoiceUnanswerable: "flagged it as unanswerable: the picture does not show what is asked",
	construct.ChoiceUnsuitable:   "flagged it as unsuitable: no caption could be expected to tell",
	construct.ChoiceNone:         "chose none of the options: none is right",
	construct.ChoiceUnparsed:     "gave a reply that cannot be read",
	construct.ChoiceFailed:       "gave no reply",
}

// Choice describes a validator's choice twice: in words, and in short for the list.
func (it item) Choice(v data.Validation) (words, short string) {
	if v.Choice != construct.ChoiceOption {
		return cmp.Or(flagWords[v.Choice], v.Choice), v.Choice
	}
	option := int(*cmp.Or(v.ChoiceIndex, new(int32(-1)))) // -1 is no option, and its letter is "?".
	words, short = "an option that the question does not have", "option "+web.Letter(option)
	if option >= 0 && option < len(it.Options) {
		words = web.Letter(option) + ", “" + it.Options[option] + "”"
	}
	if option == int(it.AnswerIndex) {
		return "chose the key, " + words, "key"
	}
	return "chose " + words + ", not the key", short
}

// Words describe a validator's choice, for templates, which can use only one result.
func (it item) Words(v data.Validation) string {
	words, _ := it.Choice(v)
	return words
}

// Why gives the reason why people review the candidate.
func (it item) Why() string {
	switch it.Route {
	case construct.RouteAccept:
		return "All validators chose the key, so the question is accepted without a person; this is a second look."
	case construct.RouteDiscard:
		return "All validators flagged it, so discarding it is suggested."
	}
	return "Its validators do not all choose the key, or fewer than two looked at it; their choices are below."
}
