package review

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/captionlake/captionlake/stages/web"
)

const pageLength = 200 // questions of a list

// listEntry is a line of the list.
type listEntry struct {
	ID, Question, Domain, Category, Route, Choices, Standing string
}

// listStates are the filters of the list.
var listStates = []struct {
	Name, Text string
	shows      func(web.Standing) bool
}{
	{"", "not decided", func(s web.Standing) bool { return s.Decided == 0 }},
	{"reviewed", "decided", func(s web.Standing) bool { return s.Decided > 0 }},
	{"mine", "decided by me", func(s web.Standing) bool { return s.Mine }},
	{"all", "all", func(web.Standing) bool { return true }},
}

func (p *Page) list(w http.ResponseWriter, r *http.Request, name string) {
	query := r.URL.Query()
	shown := listStates[0]
	for _, state := range listStates {
		if state.Name == query.Get("state") {
			shown = state
		}
	}
	from := max(number(query.Get("from")), 0)
	standings := p.desk.Standings(name)
	var lines []listEntry
	n := 0
	for i := range p.items {
		if !shown.shows(standings[i]) {
			continue
		}
		if n >= from && len(lines) < pageLength {
			lines = append(lines, p.line(&p.items[i], standings[i]))
		}
		n++
	}
	s := p.state(name, "")
	next, before := 0, -1
	if from+pageLength < n {
		next = from + pageLength
	}
	if from > 0 {
		before = max(from-pageLength, 0)
	}
	p.site.Render(w, "list",
		web.View{Title: fmt.Sprintf("%d questions – captionlake", n), Person: name, Data: map[string]any{
			"State": shown.Name, "States": listStates, "Here": s.Here, "Progress": s.Progress, "Samples": false,
			"Lines": lines, "Found": n, "From": from, "Next": next, "Before": before,
		}})
}

func (p *Page) line(it *item, standing web.Standing) listEntry {
	l := listEntry{ID: it.id, Question: it.written.Question, Domain: it.domain, Category: it.category(),
		Route: it.route}
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
		said = append(said, "with "+standing.Holder+" now")
	}
	l.Standing = strings.Join(said, "; ")
	return l
}
