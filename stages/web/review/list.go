package review

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/stages/web"
)

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
		said = append(said, "with "+standing.Holder+" now")
	}
	l.Standing = strings.Join(said, "; ")
	return l
}
