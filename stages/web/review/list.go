package review

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/stages/web"
)

const pageLength = 200 // questions of a list

// listEntry is a line of the list.
type listEntry struct {
	item
	Choices, Standing string
}

// listStates are the filters of the list, by a person and the decisions on a question.
var listStates = []struct {
	Name, Text string
	shows      func(name string, made []web.Decision[decision]) bool
}{
	{"", "not decided", func(_ string, made []web.Decision[decision]) bool { return len(made) == 0 }},
	{"reviewed", "decided", func(_ string, made []web.Decision[decision]) bool { return len(made) > 0 }},
	{"mine", "decided by me", func(name string, made []web.Decision[decision]) bool {
		return slices.ContainsFunc(made, func(d web.Decision[decision]) bool { return d.Person == name })
	}},
	{"all", "all", func(string, []web.Decision[decision]) bool { return true }},
}

func (p *Page) list(w http.ResponseWriter, r *http.Request, name string) {
	shown := listStates[0]
	for _, state := range listStates {
		if state.Name == r.FormValue("state") {
			shown = state
		}
	}
	made, from, n := p.Decisions(), max(number(r.FormValue("from")), 0), 0
	var lines []listEntry
	for _, it := range p.items {
		if !shown.shows(name, made[it.ID]) {
			continue
		}
		if n >= from && len(lines) < pageLength {
			lines = append(lines, p.line(name, it, made[it.ID]))
		}
		n++
	}
	p.Show(w, r, name, "list", fmt.Sprintf("%d questions", n), map[string]any{
		"State": shown.Name, "States": listStates, "Samples": false, "Lines": lines, "Found": n,
		"Next": from + pageLength, "More": n > from+pageLength, "From": from, "Before": max(from-pageLength, 0),
	})
}

func (p *Page) line(name string, it item, made []web.Decision[decision]) listEntry {
	var choices, said []string
	for _, v := range it.Verdicts {
		_, short := it.Choice(v)
		choices = append(choices, short)
	}
	for _, d := range made {
		said = append(said, it.Outcome(d)+" by "+d.Person)
	}
	if holder := p.Holder(name, it.ID); holder != "" {
		said = append(said, "with "+holder+" now")
	}
	return listEntry{it, strings.Join(choices, ", "), strings.Join(said, "; ")}
}
