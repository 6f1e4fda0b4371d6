package review

import (
	"net/http"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/web"
)

// state is the data of all templates that a reviewer sees, besides the list.
type state struct {
	*Page
	Last    *decision // nil before the first decision
	Said    string    // the last decision in words
	Waiting bool      // others have all questions that are left
	Item    *question // the question that is shown; nil without one
	Draft   draft     // during an edit
	Fault   string    // why the question was not discarded
}

// state is what all templates need about a person.
func (p *Page) state(name string) *state {
	s := &state{Page: p, Last: p.Last(name)}
	if s.Last != nil {
		s.Said = p.items[p.index[s.Last.Item]].Outcome(*s.Last)
	}
	return s
}

// show shows the next question, or the question with the id in the address.
func (p *Page) show(w http.ResponseWriter, r *http.Request, name string) {
	template := "item"
	if p.options.Samples {
		template = "rate"
	}
	query := r.URL.Query()
	if query.Has("id") {
		if s := p.open(w, name, query.Get("id")); s != nil {
			p.ShowItem(w, r, name, template, "question", "", s) // "": no decision was stored just before.
		}
		return
	}
	id, waiting := p.Next(name)
	if id == "" {
		s := p.state(name)
		s.Waiting = waiting
		p.Show(w, r, name, "idle", "No question", s)
	} else if s := p.open(w, name, id); s != nil {
		p.ShowItem(w, r, name, template, "question", data.Plain(s.Said), s)
	}
}

// open gives a reviewer the question with an id. If somebody else has the question, the state only
// shows it and names that person. If the id is unknown, open answers the request and returns nil.
func (p *Page) open(w http.ResponseWriter, name, id string) *state {
	holder, err := p.Open(name, id)
	if err != nil {
		web.Refuse(w, http.StatusNotFound, "There is no such question",
			"Go back to the list. The question may be one that the command was not asked to show.")
		return nil
	}
	s := p.state(name)
	s.Item = p.question(p.items[p.index[id]], holder)
	return s
}

// openToChange is open for pages that only the holder of a question may see. It redirects other
// people to the page on which they can look at the question, and returns nil.
func (p *Page) openToChange(w http.ResponseWriter, name, id string) *state {
	s := p.open(w, name, id)
	if s != nil && s.Item.Holder != "" {
		web.Answer(w, "review", name, id, "", nil)
		return nil
	}
	return s
}

// edit shows the form to edit a question.
func (p *Page) edit(w http.ResponseWriter, r *http.Request, name string) {
	if s := p.openToChange(w, name, r.FormValue("id")); s != nil {
		s.Draft = draftOf(s.Item.Current)
		p.Show(w, r, name, "edit", "Edit a question", s)
	}
}

// discard shows the form to discard a question.
func (p *Page) discard(w http.ResponseWriter, r *http.Request, name string) {
	if s := p.openToChange(w, name, r.FormValue("id")); s != nil {
		p.Show(w, r, name, "discard", "Discard a question", s)
	}
}

// ByDomain gives the number of questions and the number of decided questions of each domain.
func (p *Page) ByDomain() map[string][2]int {
	decisions, counts := p.Decisions(), map[string][2]int{}
	for _, it := range p.items {
		count := counts[it.Domain]
		count[0]++
		if len(decisions[it.ID]) > 0 {
			count[1]++
		}
		counts[it.Domain] = count
	}
	return counts
}
