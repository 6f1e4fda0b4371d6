package review

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
)

const pageLength = 200 // most questions on one page of the list

// listEntry is a line of the list.
type listEntry struct {
	item
	Choices  string // of the validators
	Standing string // people's decisions, and who has the question now
}

// listFilters are the filters of the list, by their names in addresses. The first filter is used
// for an unknown name.
var listFilters = []struct{ Name, Text string }{
	{"", "not decided"}, {"reviewed", "decided"}, {"mine", "decided by me"}, {"all", "all"},
}

// list shows a page of the list of questions, from the position in the address.
func (p *Page) list(w http.ResponseWriter, r *http.Request, name string) {
	decisions, filter, from := p.Decisions(), r.FormValue("state"), max(number(r.FormValue("from")), 0)
	var lines []listEntry
	found := 0
	for _, it := range p.items {
		made := decisions[it.ID]
		shown := len(made) == 0
		switch filter {
		case "reviewed":
			shown = len(made) > 0
		case "mine":
			shown = slices.ContainsFunc(made, func(d decision) bool { return d.Person == name })
		case "all":
			shown = true
		}
		if !shown {
			continue
		}
		if found >= from && len(lines) < pageLength {
			lines = append(lines, p.line(name, it, made))
		}
		found++
	}
	p.Show(w, r, name, "list", fmt.Sprintf("%d questions", found), map[string]any{
		"State": filter, "States": listFilters, "Lines": lines, "Found": found,
		"Next": from + pageLength, "More": found > from+pageLength, "From": from, "Before": max(from-pageLength, 0),
		"Samples": false, // parts.html.tmpl reads it; the data of other pages embed Page, which has Samples.
	})
}

// line is the entry of a question in the list that the person with the name sees.
func (p *Page) line(name string, it item, made []decision) listEntry {
	var choices, standing []string
	for _, v := range it.Verdicts {
		_, short := it.Choice(v)
		choices = append(choices, short)
	}
	for _, d := range made {
		standing = append(standing, it.Outcome(d)+" by "+d.Person)
	}
	if holder := p.Holder(name, it.ID); holder != "" {
		standing = append(standing, "with "+holder+" now")
	}
	return listEntry{it, strings.Join(choices, ", "), strings.Join(standing, "; ")}
}
