package review

import (
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"slices"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/construct"
	"github.com/captionlake/captionlake/stages/web"
)

// Buttons of the forms.
const (
	doAccept   = "accept"   // as it is, with the option that is marked as the key
	doOriginal = "original" // as it was generated
	doStore    = "store"    // as it was edited
	doDiscard  = "discard"
	doRight    = "right"
	doWrong    = "wrong"
	doSkip     = "skip"
)

// reasons are reasons for discarding questions, in the words of the note. A reviewer's own words
// follow after a colon.
var reasons = []string{"ambiguous", "unanswerable from the picture", "unsuitable for captions", "no option is right",
	"duplicate", "unfit picture"}

const otherReason = "other"

// notices are a page's messages about the previous request. The address has only the name.
var notices = map[string]string{
	"undone":  "Your last decision is taken back. Here is its question again.",
	"nothing": "There is no decision of yours to undo.",
	"changed": "Somebody has decided about this question since you opened it, so yours was not stored. Look again.",
	"decided": "Your decision about this question is being stored already.",
}

// state is the data of all pages of a reviewer.
type state struct {
	Samples  bool
	Counts   web.Counts
	Pace     string
	Progress web.Progress
	Last     *lastDecision
	Notice   string
	Undone   bool         // the last action was an undo
	Here     template.URL // the rest of an address: the reviewer
	Waiting  bool
	Item     *questionView
	Draft    *draft
	Reasons  []string
}

type lastDecision struct {
	ID, What, Question string
	Seconds            *float64
}

func (p *Page) start(w http.ResponseWriter, _ *http.Request) {
	p.site.Render(w, "start", web.View{Title: "Who reviews? – captionlake", Data: map[string]any{
		"Samples": p.options.Samples, "Progress": p.desk.Progress(), "Team": p.desk.Team(),
	}})
}

func (p *Page) state(name, notice string) state {
	s := state{Samples: p.options.Samples, Progress: p.desk.Progress(), Here: template.URL(where(name, "").Encode()),
		Notice: notices[notice], Undone: notice == "undone", Reasons: reasons}
	s.Counts, s.Pace = p.desk.Of(name)
	if d, ok := p.desk.Last(name); ok {
		it := p.items[p.index[d.Item]]
		s.Last = &lastDecision{ID: d.Item, What: it.outcome(d), Question: it.written.Question, Seconds: d.Seconds}
	}
	return s
}

// outcome describes a decision in words.
func (it *item) outcome(d web.Decision[decision]) string {
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
	after, _ := construct.Final(it.written, it.route, []construct.Decision{taken(d)})
	if after.Question == it.written.Question && slices.Equal(after.Options, it.written.Options) {
		return fmt.Sprintf("key changed from %s to %s%s", web.Letter(it.written.Answer), web.Letter(after.Answer),
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

// where is the address where a reviewer continues: an item, or the next one.
func where(name, id string) url.Values {
	query := url.Values{"as": {name}}
	if id != "" {
		query.Set("id", id)
	}
	return query
}

// show shows the next question, or the one in the address.
func (p *Page) show(w http.ResponseWriter, r *http.Request, name string) {
	query := r.URL.Query()
	id, asked := query.Get("id"), query.Has("id")
	holder := ""
	if asked {
		var err error
		if holder, err = p.desk.Open(name, id); err != nil {
			web.Refuse(w, http.StatusNotFound,
				"There is no such question",
				"Go back to the list. The question may be one that the command was not asked to show.")
			return
		}
	} else {
		next := web.Ready
		if id, next = p.desk.Next(name); next != web.Ready {
			s := p.state(name, query.Get("notice"))
			s.Waiting = next == web.Waiting
			p.site.Render(w, "idle", web.View{Title: "No question – captionlake", Person: name, Data: s})
			return
		}
	}
	s := p.state(name, query.Get("notice"))
	s.Item = p.shown(p.items[p.index[id]], holder)
	title := fmt.Sprintf("Your question %d – captionlake", s.Counts.Decided+s.Counts.Skipped+1)
	switch { // A screen reader begins with the title.
	case s.Undone:
		title = "Taken back. " + title
	case s.Last != nil && !asked:
		title = "Stored: " + data.Plain(s.Last.What) + ". " + title
	}
	page := "item"
	if p.options.Samples {
		page = "rate"
	}
	p.site.Render(w, page, web.View{Title: title, Person: name, Data: s})
}

// opened prepares a page about one question of the reviewer. If it reports false, it has already
// answered.
func (p *Page) opened(w http.ResponseWriter, name string, values url.Values) (s state, ok bool) {
	id := values.Get("id")
	holder, err := p.desk.Open(name, id)
	if err != nil {
		web.Refuse(w, http.StatusNotFound, "There is no such question", "Go back to the list.")
		return s, false
	}
	if holder != "" {
		web.Redirect(w, "review", where(name, id))
		return s, false
	}
	s = p.state(name, values.Get("notice"))
	s.Item = p.shown(p.items[p.index[id]], "")
	return s, true
}

func (p *Page) showEdit(w http.ResponseWriter, r *http.Request, name string) {
	if s, ok := p.opened(w, name, r.URL.Query()); ok {
		d := draftOf(s.Item.now)
		s.Draft = &d
		p.renderEdit(w, name, s)
	}
}

func (p *Page) renderEdit(w http.ResponseWriter, name string, s state) {
	title := "Edit a question – captionlake"
	if len(s.Draft.Faults) > 0 {
		title = "Not stored: " + s.Draft.Faults[0].Text
	}
	p.site.Render(w, "edit", web.View{Title: title, Person: name, Data: s})
}

func (p *Page) showDiscard(w http.ResponseWriter, r *http.Request, name string) {
	if s, ok := p.opened(w, name, r.URL.Query()); ok {
		p.site.Render(w, "discard", web.View{Title: "Discard a question – captionlake", Person: name, Data: s})
	}
}

func (p *Page) undo(w http.ResponseWriter, _ *http.Request, name string) {
	last, err := p.desk.Undo(name)
	web.Undone(w, "review", where(name, last.Item), err)
}

func (p *Page) help(w http.ResponseWriter, _ *http.Request, name string) {
	p.site.Render(w, "help", web.View{Title: "Guidelines and keys – captionlake", Person: name,
		Data: p.state(name, "")})
}
