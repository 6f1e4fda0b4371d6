package review

import (
	"embed"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/web"
)

// Options say which questions are shown.
type Options struct {
	Domains []string // in any letter case; empty for all
	Routes  []string // of candidates, in any letter case; empty for all
	Samples bool     // rate drawn questions instead of reviewing candidates; Routes is then ignored
	Now     func() time.Time
}

// A Page is the review page of one lake.
type Page struct {
	*web.Page[content]
	options     Options
	items       []item
	index       map[string]int  // of items, by id
	domainsSeen map[string]bool // of the chosen routes' questions, or of all drawn questions
}

//go:embed templates/*.html.tmpl
var templates embed.FS

// Open reads the questions of a lake, which must be open for writing.
func Open(l *data.Lake, o Options) (*Page, error) {
	books := []web.Book[content]{reviews, ratings}
	if o.Samples { // The first book has the page's decisions.
		slices.Reverse(books)
	}
	page, err := web.OpenPage(l, templates, "start item edit discard rate list idle help progress", books...)
	if err != nil {
		return nil, err
	}
	p := &Page{page, o, nil, map[string]int{}, map[string]bool{}}
	if err := p.load(l); err != nil {
		return nil, err
	}
	items := make([]web.Item, len(p.items))
	for i, it := range p.items {
		p.index[it.ID], items[i] = i, web.Item{ID: it.ID, Need: 1, Simulated: it.Simulated()}
	}
	// A question that was decided elsewhere counts as decided.
	before := append(p.Made, p.Elsewhere...)
	slices.SortFunc(before, web.Earlier[content])
	return p, p.Begin(items, before, false, o.Now) // false: quick decisions count
}

// Domains are the domains of the chosen routes' questions, or of all drawn questions. Domains that
// were not chosen are listed, too.
func (p *Page) Domains() []string { return slices.Sorted(maps.Keys(p.domainsSeen)) }

// Nothing is the error of a lake without questions to show. Its hint says how to make or show some.
func (p *Page) Nothing() error {
	what, next := "no question of the routes "+strings.Join(p.options.Routes, " and "),
		"make and route questions with: captionlake run construct"
	switch {
	case p.options.Samples:
		what, next = "no drawn question", "draw some with: captionlake bank sample"
	case len(p.options.Routes) == 0:
		what = "no routed question"
	}
	if len(p.options.Domains) > 0 {
		what += " in the domain " + strings.Join(p.options.Domains, " or ")
		if known := p.Domains(); len(known) > 0 {
			next = "these domains have some: " + strings.Join(known, ", ")
		}
	}
	return data.Errorf(next, "the lake has %s", what)
}

// Samples reports whether people rate drawn questions.
func (p *Page) Samples() bool { return p.options.Samples }

// Handler answers the requests of the page. web.Protect must guard it.
func (p *Page) Handler() http.Handler {
	pages := map[string]func(http.ResponseWriter, *http.Request, string){
		"GET /review": p.show, "POST /review": p.decide,
	}
	// In a list, a question that was drawn at both stages would appear twice, and people could tell
	// the stages apart.
	if !p.options.Samples {
		pages["GET /edit"], pages["GET /discard"], pages["GET /list"] = p.edit, p.discard, p.list
	}
	return p.Page.Handler("Who reviews?", "review", p, pages)
}
