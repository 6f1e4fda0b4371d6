package review

import (
	"cmp"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/captionlake/captionlake/data/construct"
	"github.com/captionlake/captionlake/stages/web"
)

// Buttons of the forms.
const (
	doAccept   = "accept"   // as it stands, with the option that is marked as the key
	doOriginal = "original" // as it was generated
	doStore    = "store"    // as it was edited
	doDiscard  = "discard"
	doRight    = "right"
	doWrong    = "wrong"
	doSkip     = "skip"
)

// reasons are why questions are discarded, in the words that the note has. Other reasons follow them, after a colon.
var reasons = []string{"ambiguous", "unanswerable from the picture", "unsuitable for captions", "no option is right", "duplicate", "unfit picture"}

const otherReason = "other"

// notices are what a page may say of the request before it. The address has the name only.
var notices = map[string]string{
	"nothing": "There is no decision of yours to undo.",
	"changed": "Somebody has decided about this question since you opened it, so yours was not stored. Look again.",
	"decided": "Your decision about this question is being stored already.",
}

// state is what all pages of a reviewer have.
type state struct {
	Samples  bool
	Counts   web.Counts
	Pace     string
	Progress web.Progress
	Last     *lastDecision
	Notice   string
	Filter   filter
	Query    string       // the filter, as an address has it
	Here     template.URL // the rest of an address: the reviewer, and the filter
	Open     int          // questions that the filter lets through and nobody has decided about; only with a filter
	Waiting  bool
	Item     *shown
	Draft    *draft
	Reasons  []string
}

type lastDecision struct {
	ID, What, Question string
	Seconds            *float64
}

func (p *Page) start(w http.ResponseWriter, r *http.Request) {
	p.site.Render(w, r, http.StatusOK, "start", web.View{Title: "Who reviews? – captionlake", Data: map[string]any{
		"Samples": p.options.Samples, "Progress": p.desk.Progress(), "Team": p.desk.Team(),
	}})
}

// reviewer answers a request without a valid name.
func (p *Page) reviewer(w http.ResponseWriter, given string) (name string, ok bool) {
	return web.Who(w, "Who reviews?", given, p.taken, p.desk.People())
}

func (p *Page) state(name string, f filter, notice string) state {
	s := state{Samples: p.options.Samples, Progress: p.desk.Progress(), Filter: f, Query: f.values().Encode(), Here: template.URL(where(name, f, "").Encode()), Notice: notices[notice], Reasons: reasons}
	s.Counts, s.Pace = p.desk.Of(name)
	if d, ok := p.desk.Last(name); ok {
		it := p.items[p.index[d.Item]]
		s.Last = &lastDecision{ID: d.Item, What: it.outcome(d), Question: it.written.Question, Seconds: d.Seconds}
	}
	return s
}

// open counts the questions that a filter lets through and nobody has decided about.
func (p *Page) open(name string, f filter) (n int) {
	if !f.Narrow() {
		return 0
	}
	wanted, standings := p.wanted(f), p.desk.Standings(name)
	for i := range p.items {
		if standings[i].Decided == 0 && wanted(i) {
			n++
		}
	}
	return n
}

// wanted returns what tells whether a filter lets an item through.
func (p *Page) wanted(f filter) func(i int) bool {
	if !f.Narrow() {
		return nil
	}
	found := f.finder()
	return func(i int) bool { return f.passes(&p.items[i]) && found(p.items[i].words) }
}

// outcome says a decision in words.
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
		return fmt.Sprintf("key changed from %s to %s%s", web.Letter(it.written.Answer), web.Letter(after.Answer), note(v.Note))
	}
	return "edited" + note(v.Note)
}

func note(text string) string {
	if text == "" {
		return ""
	}
	return ": " + text
}

// where is the address that a reviewer goes on at: an item, or the next one of the filter.
func where(name string, f filter, id string) url.Values {
	query := f.values()
	query.Set("as", name)
	if id != "" {
		query.Set("id", id)
	}
	return query
}

// show shows the next question of the filter, or the one that is asked for.
func (p *Page) show(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	name, ok := p.reviewer(w, query.Get("as"))
	if !ok {
		return
	}
	f := filterOf(query)
	id, asked := query.Get("id"), query.Has("id")
	holder := ""
	if asked {
		var err error
		if holder, err = p.desk.Open(name, id); err != nil {
			web.Refuse(w, http.StatusNotFound, "There is no such question", "Go back to the list. The question may be one that the command was not asked to show.")
			return
		}
	} else {
		next := web.Ready
		if id, next = p.desk.NextOf(name, p.wanted(f)); next != web.Ready {
			s := p.state(name, f, query.Get("notice"))
			s.Open = p.open(name, f)
			s.Waiting = next == web.Waiting
			p.site.Render(w, r, http.StatusOK, "idle", web.View{Title: "No question – captionlake", Person: name, Data: s})
			return
		}
	}
	s := p.state(name, f, query.Get("notice"))
	s.Open = p.open(name, f)
	s.Item = p.shown(p.items[p.index[id]], name, holder)
	s.Item.Asked = asked
	title := fmt.Sprintf("Your question %d – captionlake", s.Counts.Decided+s.Counts.Skipped+1)
	if s.Last != nil && !asked { // A screen reader begins with the title.
		title = "Stored: " + web.Plain(s.Last.What) + ". " + title
	}
	page := "item"
	if p.options.Samples {
		page = "rate"
	}
	p.site.Render(w, r, http.StatusOK, page, web.View{Title: title, Person: name, Data: s})
}

// opened answers a request for a page about one question that is before the reviewer. Refused, it has answered itself.
func (p *Page) opened(w http.ResponseWriter, r *http.Request, values url.Values) (name string, s state, ok bool) {
	name, ok = p.reviewer(w, values.Get("as"))
	if !ok {
		return "", s, false
	}
	f := filterOf(values)
	id := values.Get("id")
	holder, err := p.desk.Open(name, id)
	if err != nil {
		web.Refuse(w, http.StatusNotFound, "There is no such question", "Go back to the list.")
		return "", s, false
	}
	if holder != "" {
		http.Redirect(w, r, "/review?"+where(name, f, id).Encode(), http.StatusSeeOther)
		return "", s, false
	}
	s = p.state(name, f, values.Get("notice"))
	s.Open = p.open(name, f)
	s.Item = p.shown(p.items[p.index[id]], name, "")
	return name, s, true
}

func (p *Page) showEdit(w http.ResponseWriter, r *http.Request) {
	if name, s, ok := p.opened(w, r, r.URL.Query()); ok {
		d := draftOf(s.Item.now)
		s.Draft = &d
		p.renderEdit(w, r, name, s)
	}
}

// edit shows the form again after an option was moved, added or removed. Nothing is stored.
func (p *Page) edit(w http.ResponseWriter, r *http.Request) {
	values, ok := formFilter(w, r)
	if !ok {
		return
	}
	if name, s, ok := p.opened(w, r, values); ok {
		d := readDraft(r.PostForm)
		s.Draft = &d
		s.Item.Version, s.Item.Away = r.PostForm.Get("version"), web.Away(r.PostForm.Get("away")).Seconds()
		p.renderEdit(w, r, name, s)
	}
}

func (p *Page) renderEdit(w http.ResponseWriter, r *http.Request, name string, s state) {
	title := "Edit a question – captionlake"
	if len(s.Draft.Faults) > 0 {
		title = "Not stored: " + s.Draft.Faults[0].Text
	}
	p.site.Render(w, r, http.StatusOK, "edit", web.View{Title: title, Person: name, Data: s})
}

func (p *Page) showDiscard(w http.ResponseWriter, r *http.Request) {
	if name, s, ok := p.opened(w, r, r.URL.Query()); ok {
		p.site.Render(w, r, http.StatusOK, "discard", web.View{Title: "Discard a question – captionlake", Person: name, Data: s})
	}
}

// formFilter is the form of a request with the filter that it carries in one field.
func formFilter(w http.ResponseWriter, r *http.Request) (url.Values, bool) {
	values, err := url.ParseQuery(r.PostForm.Get("filter"))
	if err != nil {
		web.Refuse(w, http.StatusBadRequest, "The form is damaged", "Nothing was stored. Go back and load the page again.")
		return nil, false
	}
	for _, name := range []string{"as", "id"} {
		values.Set(name, r.PostForm.Get(name))
	}
	return values, true
}

// decide stores a decision.
func (p *Page) decide(w http.ResponseWriter, r *http.Request) {
	values, ok := formFilter(w, r)
	if !ok {
		return
	}
	name, ok := p.reviewer(w, values.Get("as"))
	if !ok {
		return
	}
	form, f, id := r.PostForm, filterOf(values), values.Get("id")
	at, known := p.index[id]
	if !known {
		web.Refuse(w, http.StatusConflict, "The page is out of date", "Nothing was stored. Open the address that the command printed, and look at the question again.")
		return
	}
	it := p.items[at]
	do := form.Get("do")
	stale := do != doSkip && !p.options.Samples && form.Get("version") != version(p.desk.About(id))
	if stale && do != doStore {
		query := where(name, f, id)
		query.Set("notice", "changed")
		http.Redirect(w, r, "/review?"+query.Encode(), http.StatusSeeOther)
		return
	}
	var value decision
	switch {
	case do == doSkip:
	case p.options.Samples && (do == doRight || do == doWrong):
		value = decision{Right: do == doRight, Note: strings.TrimSpace(form.Get("note"))}
	case !p.options.Samples && do == doDiscard:
		if value, ok = p.discarded(w, r, values); !ok {
			return
		}
	case !p.options.Samples && (do == doAccept || do == doOriginal || do == doStore):
		if value, ok = p.changed(w, r, it, do, values, stale); !ok {
			return
		}
	default:
		web.Refuse(w, http.StatusBadRequest, "There is no such choice", "Nothing was stored. Use the buttons of the page.")
		return
	}
	if p.options.Samples {
		value.Stage, value.Candidate = it.stage, it.candidate
	}
	value.Simulated = it.simulated
	_, err := p.desk.Revise(name, id, web.Away(form.Get("away")), do == doSkip, value)
	web.Answer(w, r, "/review", where(name, f, ""), err, map[error]string{web.ErrDecided: "decided"})
}

// changed is the decision about a question that is published, as it was generated or otherwise. A question that cannot be asked is not
// stored: the form to edit it says what is wrong. So it is when somebody has decided since an edit was begun.
func (p *Page) changed(w http.ResponseWriter, r *http.Request, it item, do string, values url.Values, stale bool) (decision, bool) {
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
		faults = []fault{{questionField, notices["changed"] + " Your text is still here; store it again to replace theirs."}}
	case !equal(after, it.written):
		faults = check(after)
	}
	if len(faults) > 0 {
		name, s, ok := p.opened(w, r, values)
		if ok {
			d.Faults, d.Focus = faults, faults[0].At
			s.Draft, s.Item.Away = &d, web.Away(form.Get("away")).Seconds()
			p.renderEdit(w, r, name, s)
		}
		return decision{}, false
	}
	if equal(after, it.written) {
		return decision{Decision: construct.DecisionKeep, Note: d.Note}, true
	}
	key := int32(after.Answer)
	return decision{Decision: construct.DecisionFix, Question: after.Question, Options: after.Options, Key: &key, Note: d.Note}, true
}

// discarded is the decision to discard a question. It needs a reason.
func (p *Page) discarded(w http.ResponseWriter, r *http.Request, values url.Values) (decision, bool) {
	reason, own := r.PostForm.Get("reason"), strings.Join(strings.Fields(r.PostForm.Get("note")), " ")
	if !slices.Contains(append([]string{otherReason}, reasons...), reason) || reason == otherReason && own == "" {
		name, s, ok := p.opened(w, r, values)
		if ok {
			s.Notice = "Not stored: a reason is missing. Choose one, or write your own."
			p.site.Render(w, r, http.StatusOK, "discard", web.View{Title: s.Notice, Person: name, Data: s})
		}
		return decision{}, false
	}
	return decision{Decision: construct.DecisionDrop, Note: reason + note(own)}, true
}

func (p *Page) undo(w http.ResponseWriter, r *http.Request) {
	values, ok := formFilter(w, r)
	if !ok {
		return
	}
	name, ok := p.reviewer(w, values.Get("as"))
	if !ok {
		return
	}
	last, err := p.desk.Undo(name)
	web.Answer(w, r, "/review", where(name, filterOf(values), last.Item), err, map[error]string{web.ErrNothing: "nothing"})
}

func (p *Page) help(w http.ResponseWriter, r *http.Request) {
	if name, ok := p.reviewer(w, r.URL.Query().Get("as")); ok {
		p.site.Render(w, r, http.StatusOK, "help", web.View{Title: "Guidelines and keys – captionlake", Person: name, Data: p.state(name, filterOf(r.URL.Query()), "")})
	}
}

// domainProgress counts what is decided about the questions of a domain.
type domainProgress struct {
	Domain                               string
	Items, Decided, Kept, Fixed, Dropped int
	Rated, Right                         int
	seconds                              float64
	timed                                int
}

// Mean is the time of a decision, in seconds; 0 when unknown.
func (d domainProgress) Mean() float64 {
	if d.timed == 0 {
		return 0
	}
	return d.seconds / float64(d.timed)
}

func (p *Page) progress(w http.ResponseWriter, r *http.Request) {
	name, ok := p.reviewer(w, r.URL.Query().Get("as"))
	if !ok {
		return
	}
	p.site.Render(w, r, http.StatusOK, "progress", web.View{Title: "Progress – captionlake", Person: name, Data: map[string]any{
		"Samples": p.options.Samples, "Progress": p.desk.Progress(), "Team": web.NewTeam("reviewer", "decisions", p.desk.Team()), "Left": p.left,
		"Domains": p.domains(), "Here": template.URL(where(name, filterOf(r.URL.Query()), "").Encode()),
	}})
}

// domains counts what is decided, by domain. Of several decisions about a question the latest counts, as it does for the bank.
func (p *Page) domains() []*domainProgress {
	of := map[string]*domainProgress{}
	var all []*domainProgress
	for _, it := range p.items {
		d := of[it.domain]
		if d == nil {
			d = &domainProgress{Domain: it.domain}
			of[it.domain] = d
			all = append(all, d)
		}
		d.Items++
	}
	latest := make([]*web.Decision[decision], len(p.items))
	p.desk.Each(func(made web.Decision[decision]) {
		if i := p.index[made.Item]; latest[i] == nil || !made.At.Before(latest[i].At) {
			latest[i] = &made
		}
	})
	for i, made := range latest {
		if made == nil {
			continue
		}
		d := of[p.items[i].domain]
		d.Decided++
		if made.Seconds != nil {
			d.seconds += *made.Seconds
			d.timed++
		}
		switch {
		case made.Value.Right:
			d.Right++
		case made.Value.Decision == construct.DecisionKeep:
			d.Kept++
		case made.Value.Decision == construct.DecisionFix:
			d.Fixed++
		case made.Value.Decision == construct.DecisionDrop:
			d.Dropped++
		}
	}
	slices.SortFunc(all, func(a, b *domainProgress) int { return cmp.Compare(a.Domain, b.Domain) })
	return all
}

const pageLength = 50 // questions of a list

// listed is a line of the list.
type listed struct {
	ID, Question, Domain, Category, Route, Choices, Standing string
}

func (p *Page) list(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	name, ok := p.reviewer(w, query.Get("as"))
	if !ok {
		return
	}
	f := filterOf(query)
	from := max(number(query.Get("from")), 0)
	standings, found, edits := p.desk.Standings(name), f.finder(), p.edits(f)
	var lines []listed
	n := 0
	for i := range p.items {
		it, standing := &p.items[i], standings[i]
		if !f.passes(it) || !f.inState(standing) {
			continue
		}
		if !found(append([]string{it.words}, edits[it.id]...)...) {
			continue
		}
		if n >= from && len(lines) < pageLength {
			lines = append(lines, p.line(it, standing))
		}
		n++
	}
	s := p.state(name, f, "")
	next, before := 0, -1
	if from+pageLength < n {
		next = from + pageLength
	}
	if from > 0 {
		before = max(from-pageLength, 0)
	}
	p.site.Render(w, r, http.StatusOK, "list", web.View{Title: fmt.Sprintf("%d questions – captionlake", n), Person: name, Data: map[string]any{
		"State": s, "Filter": f, "Here": s.Here, "Asked": query.Has("q"), "Progress": s.Progress, "Samples": false, "Lines": lines, "Found": n, "From": from, "Next": next, "Before": before,
		"Categories": p.categories, "Separator": categorySeparator, "Flags": flags, "Routes": p.routes(),
		"States": []struct{ Name, Text string }{{stateOpen, "not decided"}, {stateReviewed, "decided"}, {stateMine, "decided by me"}, {stateAll, "all"}},
	}})
}

// edits are what people wrote about questions, in lower case, for a filter that looks for words.
func (p *Page) edits(f filter) map[string][]string {
	if f.Text == "" {
		return nil
	}
	edits := map[string][]string{}
	p.desk.Each(func(d web.Decision[decision]) {
		if v := d.Value; v.Question != "" || v.Note != "" {
			edits[d.Item] = append(edits[d.Item], strings.ToLower(v.Question+"\n"+strings.Join(v.Options, "\n")+"\n"+v.Note))
		}
	})
	return edits
}

// routes are those of the items, when there are several.
func (p *Page) routes() (routes []string) {
	for _, it := range p.items {
		if !slices.Contains(routes, it.route) {
			routes = append(routes, it.route)
		}
	}
	slices.Sort(routes)
	return routes
}

func (p *Page) line(it *item, standing web.Standing) listed {
	l := listed{ID: it.id, Question: it.written.Question, Domain: it.domain, Category: it.category(), Route: it.route}
	var choices []string
	for _, v := range it.verdicts {
		choices = append(choices, it.short(v))
	}
	l.Choices = strings.Join(choices, ", ")
	var said []string
	for _, d := range p.desk.About(it.id) {
		said = append(said, it.outcome(d)+" by "+d.Person)
	}
	if standing.Holder != "" {
		said = append(said, "before "+standing.Holder+" now")
	}
	l.Standing = strings.Join(said, "; ")
	return l
}

// pastReview is a decision as the page of its question shows it.
type pastReview struct {
	Person, What string
	At           time.Time
	Seconds      *float64
}
