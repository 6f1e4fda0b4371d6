package review

import (
	"slices"
	"strings"
	"time"

	"github.com/captionlake/captionlake/data/construct"
	"github.com/captionlake/captionlake/stages/web"
)

// questionView is the data of a question's page.
type questionView struct {
	ID, Version string
	Away        float64 // seconds that the page was hidden before it was shown again
	Viewer      web.Viewer
	Node        string // of the taxonomy
	Generator   string
	Image       string
	Why         string
	Question    string
	Options     []option   // of the present question
	Changed     bool       // the present question differs from the generated one
	NewQuestion bool       // its text differs
	Written     *draftView // as it was generated, if Changed
	Validators  []validatorChoice
	Reviews     []pastReview
	Holder      string // another person who has it
	Simulated   bool

	now construct.Item
}

type option struct {
	Letter, Text string
	Key          bool
	New          bool // it was not among the generated options
}

type draftView struct {
	Question string
	Options  []option
}

// validatorChoice is a validator's choice in words.
type validatorChoice struct{ Validator, Words string }

// stands is the present question: what would be published if nobody decided again. A discarded
// question is as generated.
func (it *item) stands(about []web.Decision[decision]) construct.Item {
	var decisions []construct.Decision
	for _, d := range about {
		decisions = append(decisions, taken(d))
	}
	now, _ := construct.Final(it.written, it.route, decisions)
	return now
}

// version changes with every decision on a question.
func version(about []web.Decision[decision]) string {
	var parts []string
	for _, d := range about {
		parts = append(parts, d.Person+" "+d.At.Format(time.RFC3339Nano))
	}
	return strings.Join(parts, "; ")
}

func (p *Page) shown(it item, holder string) *questionView {
	s := &questionView{
		ID: it.id, Holder: holder, Image: it.image, Generator: it.generator,
		Node: strings.Join(append([]string{it.domain}, it.node...), " › "), Simulated: it.simulated,
		Viewer: web.Viewer{Frames: p.pictures.Frames(it.image),
			Label: "Picture that the question is about", Alt: "The picture that the question is about"},
	}
	about := p.desk.About(it.id)
	s.Version, s.now = version(about), it.written
	if p.options.Samples { // Other people's words about it, and its origin, would influence the rating.
		s.Version, s.Generator = "", ""
		s.Simulated = p.simulated > 0 // One stage may be simulated and the other not.
		s.Question, s.Options = it.written.Question, optionsOf(it.written, it.written)
		return s
	}
	s.now = it.stands(about)
	s.Why = it.why()
	s.Question, s.Options = s.now.Question, optionsOf(s.now, it.written)
	if s.Changed = !equal(s.now, it.written); s.Changed {
		s.NewQuestion = s.now.Question != it.written.Question
		s.Written = &draftView{it.written.Question, optionsOf(it.written, it.written)}
	}
	for _, v := range it.verdicts {
		s.Validators = append(s.Validators, validatorChoice{v.validator, it.choiceWords(v)})
	}
	for _, d := range about {
		s.Reviews = append(s.Reviews, pastReview{d.Person, it.outcome(d), d.At, d.Seconds})
	}
	return s
}

func optionsOf(q, before construct.Item) (options []option) {
	for i, o := range q.Options {
		options = append(options, option{web.Letter(i), o, i == q.Answer, !slices.Contains(before.Options, o)})
	}
	return options
}

// choiceWords describes a validator's choice.
func (it *item) choiceWords(v verdict) string {
	if v.Choice != construct.ChoiceOption {
		if words := flagWords[v.Choice]; words != "" {
			return words
		}
		return v.Choice
	}
	text := "an option that the question does not have"
	if v.Option >= 0 && v.Option < len(it.written.Options) {
		text = web.Letter(v.Option) + ", “" + it.written.Options[v.Option] + "”"
	}
	if v.Option == it.written.Answer {
		return "chose the key, " + text
	}
	return "chose " + text + ", not the key"
}

// short is a validator's choice in one word.
func (it *item) short(v verdict) string {
	switch {
	case v.Choice != construct.ChoiceOption:
		return v.Choice
	case v.Option == it.written.Answer:
		return "key"
	}
	return "option " + web.Letter(v.Option)
}

// category is the first level of the node.
func (it *item) category() string {
	if len(it.node) == 0 {
		return ""
	}
	return it.node[0]
}

// pastReview is a decision as the page of its question shows it.
type pastReview struct {
	Person, What string
	At           time.Time
	Seconds      *float64
}
