package review

import (
	"net/http"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/web"
)

// state is the data of a reviewer's pages.
type state struct {
	*Page
	Last    *web.Decision[decision]
	Said    string // the last decision in words
	Waiting bool   // all that is left is with others
	Item    *question
	Draft   draft
	Fault   string // why the question was not discarded
}

func (p *Page) state(name string) *state {
	s := &state{Page: p, Last: p.Last(name)}
	if s.Last != nil {
		s.Said = p.items[p.index[s.Last.Item]].Outcome(*s.Last)
	}
	return s
}

// show shows the next question, or the one in the address.
func (p *Page) show(w http.ResponseWriter, r *http.Request, name string) {
	template := "item"
	if p.options.Samples {
		template = "rate"
	}
	query := r.URL.Query()
	if query.Has("id") {
		if s := p.at(w, name, query.Get("id")); s != nil {
			p.ShowItem(w, r, name, template, "question", "", s)
		}
		return
	}
	id, waiting := p.Next(name)
	if id == "" {
		s := p.state(name)
		s.Waiting = waiting
		p.Show(w, r, name, "idle", "No question", s)
	} else if s := p.at(w, name, id); s != nil {
		p.ShowItem(w, r, name, template, "question", data.Plain(s.Said), s)
	}
}

// at gives a reviewer the question with an id, unless somebody else has it. It answers for an
// unknown question itself, and returns nil.
func (p *Page) at(w http.ResponseWriter, name, id string) *state {
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

// opened is at for pages that only the holder of a question may see; others are sent to look at it.
func (p *Page) opened(w http.ResponseWriter, name, id string) *state {
	s := p.at(w, name, id)
	if s != nil && s.Item.Holder != "" {
		web.Answer(w, "review", name, id, "", nil)
		return nil
	}
	return s
}

func (p *Page) edit(w http.ResponseWriter, r *http.Request, name string) {
	if s := p.opened(w, name, r.FormValue("id")); s != nil {
		s.Draft = draftOf(s.Item.Now)
		p.Show(w, r, name, "edit", "Edit a question", s)
	}
}

func (p *Page) discard(w http.ResponseWriter, r *http.Request, name string) {
	if s := p.opened(w, name, r.FormValue("id")); s != nil {
		p.Show(w, r, name, "discard", "Discard a question", s)
	}
}

// ByDomain counts the questions of each domain, and the decided ones.
func (p *Page) ByDomain() map[string][2]int {
	made, counts := p.Decisions(), map[string][2]int{}
	for _, it := range p.items {
		n := counts[it.Domain]
		n[0]++
		n[1] += min(len(made[it.ID]), 1)
		counts[it.Domain] = n
	}
	return counts
}
