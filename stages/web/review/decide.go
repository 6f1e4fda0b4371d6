package review

import (
	"net/http"
	"slices"
	"strings"

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

// otherReason is the reason for discarding a question that has only the reviewer's own words.
const otherReason = "other"

// Reasons are reasons for discarding questions, in the words of the note. A reviewer's own words
// follow after a colon.
func (*Page) Reasons() []string {
	return []string{"ambiguous", "unanswerable from the picture", "unsuitable for captions", "no option is right",
		"duplicate", "unfit picture"}
}

// decide stores a decision.
func (p *Page) decide(w http.ResponseWriter, r *http.Request, name string) {
	form := r.PostForm
	at, known := p.index[form.Get("id")]
	if !known {
		web.Refuse(w, http.StatusConflict,
			"The page is out of date",
			"Nothing was stored. Open the address that the command printed, and look at the question again.")
		return
	}
	it, do := p.items[at], form.Get("do")
	made := p.Decisions()[it.ID]
	stale := form.Get("version") != version(made)
	var value *decision // nil if the request is answered
	switch {
	case do == doSkip:
		value = &decision{}
	case p.options.Samples && (do == doRight || do == doWrong):
		value = &decision{Right: do == doRight, Note: strings.TrimSpace(form.Get("note")), Stage: it.Stage,
			Candidate: it.CandidateID}
	case p.options.Samples || !slices.Contains([]string{doAccept, doOriginal, doStore, doDiscard}, do):
		web.Refuse(w, http.StatusBadRequest,
			"There is no such choice", "Nothing was stored. Use the buttons of the page.")
	case stale && do != doStore:
		web.Answer(w, "review", name, it.ID, "changed", nil)
	case do == doDiscard:
		value = p.discarded(w, r, name)
	default:
		value = p.changed(w, r, name, it, it.stands(made), stale)
	}
	if value != nil {
		_, err := p.Decide(name, it.ID, web.LookOf(form), do == doSkip, *value, true)
		web.Answer(w, "review", name, "", "", err)
	}
}

// changed is the decision to publish a question, as it was generated or changed. A question that
// cannot be asked is not stored: the form to edit it says what is wrong. The same happens if
// somebody has decided since the edit began.
func (p *Page) changed(w http.ResponseWriter, r *http.Request, name string, it item, now construct.Item,
	stale bool) *decision {
	form, after := r.PostForm, now
	var d draft
	switch form.Get("do") {
	case doOriginal:
		after = it.Written()
	case doAccept:
		after.Answer = number(form.Get("key"))
		d = draftOf(after)
	case doStore:
		d = readDraft(form)
		after = d.item(now)
	}
	unchanged := equal(after, it.Written())
	switch {
	case stale:
		d.Faults = []fault{{questionField, "Somebody has decided about this question since you opened it. " +
			"Your text is still here; store it again to replace theirs."}}
	case !unchanged:
		d.Faults = check(after)
	}
	if len(d.Faults) > 0 {
		if s := p.opened(w, name, it.ID); s != nil {
			s.Draft, s.Item.Away = d, web.Away(form.Get("away")).Seconds()
			p.Show(w, r, name, "edit", "Not stored: "+d.Faults[0].Text, s)
		}
		return nil
	}
	if unchanged {
		return &decision{Decision: construct.DecisionKeep, Note: d.Note}
	}
	key := int32(after.Answer)
	return &decision{Decision: construct.DecisionFix, Question: after.Question, Options: after.Options, Key: &key,
		Note: d.Note}
}

// discarded is the decision to discard a question. It needs a reason.
func (p *Page) discarded(w http.ResponseWriter, r *http.Request, name string) *decision {
	reason, own := r.PostForm.Get("reason"), strings.Join(strings.Fields(r.PostForm.Get("note")), " ")
	if slices.Contains(p.Reasons(), reason) || reason == otherReason && own != "" {
		return &decision{Decision: construct.DecisionDrop, Note: reason + note(own)}
	}
	if s := p.opened(w, name, r.PostForm.Get("id")); s != nil {
		s.Fault = "Not stored: a reason is missing. Choose one, or write your own."
		p.Show(w, r, name, "discard", s.Fault, s)
	}
	return nil
}
