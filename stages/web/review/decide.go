package review

import (
	"net/http"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data/construct"
	"github.com/captionlake/captionlake/stages/web"
)

// decide stores a decision.
func (p *Page) decide(w http.ResponseWriter, r *http.Request, name string) {
	form := r.PostForm
	id := form.Get("id")
	at, known := p.index[id]
	if !known {
		web.Refuse(w, http.StatusConflict,
			"The page is out of date",
			"Nothing was stored. Open the address that the command printed, and look at the question again.")
		return
	}
	it := p.items[at]
	do := form.Get("do")
	stale := do != doSkip && !p.options.Samples && form.Get("version") != version(p.desk.About(id))
	if stale && do != doStore {
		query := where(name, id)
		query.Set("notice", "changed")
		web.Redirect(w, "review", query)
		return
	}
	var value decision
	ok := true
	switch {
	case do == doSkip:
	case p.options.Samples && (do == doRight || do == doWrong):
		value = decision{Right: do == doRight, Note: strings.TrimSpace(form.Get("note"))}
	case !p.options.Samples && do == doDiscard:
		if value, ok = p.discarded(w, r, name); !ok {
			return
		}
	case !p.options.Samples && (do == doAccept || do == doOriginal || do == doStore):
		if value, ok = p.changed(w, r, name, it, do, stale); !ok {
			return
		}
	default:
		web.Refuse(w, http.StatusBadRequest,
			"There is no such choice", "Nothing was stored. Use the buttons of the page.")
		return
	}
	if p.options.Samples {
		value.Stage, value.Candidate = it.stage, it.candidate
	}
	value.Simulated = it.simulated
	_, err := p.desk.Decide(name, id, web.LookOf(form), do == doSkip, value, true)
	web.Answer(w, "review", where(name, ""), err)
}

// changed is the decision to publish a question, as it was generated or changed. A question that
// cannot be asked is not stored: the form to edit it says what is wrong. The same happens if
// somebody has decided since the edit began.
func (p *Page) changed(w http.ResponseWriter, r *http.Request, name string, it item, do string,
	stale bool) (decision, bool) {
	form := r.PostForm
	now := it.stands(p.desk.About(it.id))
	var d draft
	after := now
	switch do {
	case doOriginal:
		after = it.written
	case doAccept:
		after.Answer = number(form.Get("key"))
		d = draftOf(after)
	case doStore:
		d = readDraft(form)
		after = d.item(now)
	}
	var faults []fault
	switch {
	case stale:
		faults = []fault{{questionField,
			notices["changed"] + " Your text is still here; store it again to replace theirs."}}
	case !equal(after, it.written):
		faults = check(after)
	}
	if len(faults) > 0 {
		if s, ok := p.opened(w, name, form); ok {
			d.Faults, d.Focus = faults, faults[0].At
			s.Draft, s.Item.Away = &d, web.Away(form.Get("away")).Seconds()
			p.renderEdit(w, name, s)
		}
		return decision{}, false
	}
	if equal(after, it.written) {
		return decision{Decision: construct.DecisionKeep, Note: d.Note}, true
	}
	key := int32(after.Answer)
	return decision{Decision: construct.DecisionFix, Question: after.Question, Options: after.Options, Key: &key,
		Note: d.Note}, true
}

// discarded is the decision to discard a question. It needs a reason.
func (p *Page) discarded(w http.ResponseWriter, r *http.Request, name string) (decision, bool) {
	reason, own := r.PostForm.Get("reason"), strings.Join(strings.Fields(r.PostForm.Get("note")), " ")
	if !slices.Contains(append([]string{otherReason}, reasons...), reason) || reason == otherReason && own == "" {
		if s, ok := p.opened(w, name, r.PostForm); ok {
			s.Notice = "Not stored: a reason is missing. Choose one, or write your own."
			p.site.Render(w, "discard", web.View{Title: s.Notice, Person: name, Data: s})
		}
		return decision{}, false
	}
	return decision{Decision: construct.DecisionDrop, Note: reason + note(own)}, true
}
