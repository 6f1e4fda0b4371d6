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

// listStates are the filters of the list; the first one is for any other name.
var listStates = []struct{ Name, Text string }{
	{"", "not decided"}, {"reviewed", "decided"}, {"mine", "decided by me"}, {"all", "all"},
}

func (p *Page) list(w http.ResponseWriter, r *http.Request, name string) {
	all, state, from := p.Decisions(), r.FormValue("state"), max(number(r.FormValue("from")), 0)
	var lines []listEntry
	n := 0
	for _, it := range p.items {
		made := all[it.ID]
		shown := len(made) == 0
		switch state {
		case "reviewed":
			shown = len(made) > 0
		case "mine":
			shown = slices.ContainsFunc(made, func(d web.Decision[decision]) bool { return d.Person == name })
		case "all":
			shown = true
		}
		if !shown {
			continue
		}
		if n >= from && len(lines) < pageLength {
			lines = append(lines, p.line(name, it, made))
		}
		n++
	}
	p.Show(w, r, name, "list", fmt.Sprintf("%d questions", n), map[string]any{
		"State": state, "States": listStates, "Samples": false, "Lines": lines, "Found": n,
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
