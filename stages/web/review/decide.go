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

// otherReason is the reason of a discarded question if the reviewer gives it in words of their own.
const otherReason = "other"

// Reasons are reasons for discarding questions, in the words of the note. A reviewer's own words
// follow after a colon.
func (*Page) Reasons() []string {
	return []string{"ambiguous", "unanswerable from the picture", "unsuitable for captions", "no option is right",
		"duplicate", "unfit picture"}
}

// decide stores the decision of a form.
func (p *Page) decide(w http.ResponseWriter, r *http.Request, name string) {
	form := r.PostForm
	i, known := p.index[form.Get("id")]
	if !known {
		web.Refuse(w, http.StatusConflict,
			"The page is out of date",
			"Nothing was stored. Open the address that the command printed, and look at the question again.")
		return
	}
	it, do := p.items[i], form.Get("do")
	made := p.Decisions()[it.ID]
	// stale: somebody has decided since the page was made. A skip or a rating is stored all the same.
	// A stale edit (doStore) is not stored: changed shows its text again.
	stale := form.Get("version") != version(made)
	var value *content // nil if the request is answered without a decision to store
	switch {
	case do == doSkip:
		value = &content{}
	case p.options.Samples && (do == doRight || do == doWrong):
		value = &content{Right: do == doRight, Note: strings.TrimSpace(form.Get("note")), Stage: it.Stage,
			Candidate: it.CandidateID}
	case p.options.Samples || !slices.Contains([]string{doAccept, doOriginal, doStore, doDiscard}, do):
		web.Refuse(w, http.StatusBadRequest,
			"There is no such choice", "Nothing was stored. Use the buttons of the page.")
	case stale && do != doStore:
		web.Answer(w, "review", name, it.ID, "changed", nil)
	case do == doDiscard:
		value = p.discarded(w, r, name)
	default:
		value = p.changed(w, r, name, it, it.current(made), stale)
	}
	if value != nil {
		// true: a reviewer may decide about a question again.
		_, err := p.Decide(name, it.ID, web.LookOf(form), do == doSkip, *value, true)
		web.Answer(w, "review", name, "", "", err)
	}
}

// changed is the decision to publish a question, as it was generated or changed. If the question
// cannot be asked, or if somebody has decided since the edit began (stale), changed answers the
// request with the form to edit the question and returns nil.
func (p *Page) changed(w http.ResponseWriter, r *http.Request, name string, it item, current construct.Item,
	stale bool) *content {
	form, after := r.PostForm, current
	var d draft // empty for the generated question, which has no faults
	switch form.Get("do") {
	case doOriginal:
		after = it.Written()
	case doAccept:
		after.Answer = number(form.Get("key"))
		d = draftOf(after)
	case doStore:
		d = readDraft(form)
		after = d.item(current)
	}
	unchanged := equal(after, it.Written())
	switch {
	case stale:
		d.Faults = []fault{{questionField, "Somebody has decided about this question since you opened it. " +
			"Your text is still here; store it again to replace theirs."}}
	case !unchanged: // The generated question was checked when it was generated.
		d.Faults = check(after)
	}
	if len(d.Faults) > 0 {
		if s := p.openToChange(w, name, it.ID); s != nil {
			s.Draft, s.Item.Away = d, web.Away(form.Get("away")).Seconds()
			p.Show(w, r, name, "edit", "Not stored: "+d.Faults[0].Text, s)
		}
		return nil
	}
	if unchanged {
		return &content{Decision: construct.DecisionKeep, Note: d.Note}
	}
	return &content{Decision: construct.DecisionFix, Question: after.Question, Options: after.Options,
		Key: new(int32(after.Answer)), Note: d.Note}
}

// discarded is the decision to discard a question. Without a reason it answers the request with the
// form to discard the question and returns nil.
func (p *Page) discarded(w http.ResponseWriter, r *http.Request, name string) *content {
	reason, own := r.PostForm.Get("reason"), strings.Join(strings.Fields(r.PostForm.Get("note")), " ")
	hasReason := slices.Contains(p.Reasons(), reason) || reason == otherReason && own != ""
	if hasReason {
		return &content{Decision: construct.DecisionDrop, Note: reason + note(own)}
	}
	if s := p.openToChange(w, name, r.PostForm.Get("id")); s != nil {
		s.Fault = "Not stored: a reason is missing. Choose one, or write your own."
		p.Show(w, r, name, "discard", s.Fault, s)
	}
	return nil
}
