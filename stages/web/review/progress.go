package review

import (
	"cmp"
	"html/template"
	"net/http"
	"slices"

	"github.com/captionlake/captionlake/data/construct"
	"github.com/captionlake/captionlake/stages/web"
)

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
		"Samples": p.options.Samples, "Progress": p.desk.Progress(), "Team": web.NewTeam("reviewer", "decisions", false, p.desk.Team()), "Left": p.left,
		"Domains": p.domains(), "Here": template.URL(where(name, "").Encode()),
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
