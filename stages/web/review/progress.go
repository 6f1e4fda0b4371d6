package review

import (
	"cmp"
	"html/template"
	"net/http"
	"slices"

	"github.com/captionlake/captionlake/stages/web"
)

// domainProgress counts the decisions on the questions of a domain.
type domainProgress struct {
	Domain         string
	Items, Decided int
}

func (p *Page) progress(w http.ResponseWriter, _ *http.Request, name string) {
	p.site.Render(w, "progress", web.View{Title: "Progress – captionlake", Person: name, Data: map[string]any{
		"Samples": p.options.Samples, "Progress": p.desk.Progress(),
		"Team": web.NewTeam("reviewer", "decisions", false, p.desk.Team()), "Left": p.left,
		"Domains": p.domains(name), "Here": template.URL(where(name, "").Encode()),
	}})
}

// domains counts the decisions by domain.
func (p *Page) domains(name string) (all []*domainProgress) {
	of := map[string]*domainProgress{}
	for i, standing := range p.desk.Standings(name) {
		domain := p.items[i].domain
		if of[domain] == nil {
			of[domain] = &domainProgress{Domain: domain}
			all = append(all, of[domain])
		}
		of[domain].Items++
		if standing.Decided > 0 {
			of[domain].Decided++
		}
	}
	slices.SortFunc(all, func(a, b *domainProgress) int { return cmp.Compare(a.Domain, b.Domain) })
	return all
}
