package review

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
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
	Domains []string      // in any letter case; empty for all
	Routes  []string      // of candidates; empty for all
	Samples bool          // rate drawn questions instead of reviewing candidates; Routes is then ignored
	Seed    int64         // of the order of drawn questions
	Claim   time.Duration // how long a question stays reserved for a person who does not decide
	Now     func() time.Time
}

// Left counts the questions that are not shown, by reason.
type Left struct {
	NoPicture   int // the lake has no picture of the item
	NoCandidate int // the candidate of a route is gone
}

// A Page is the review page of one lake, which must be open for writing. Decisions are on disk when
// the page says so. Close makes rows of them; after a crash the next Open does.
type Page struct {
	lake        *data.Lake
	options     Options
	pictures    *web.Pictures
	items       []item
	index       map[string]int
	domainsSeen map[string]bool // of all questions, including ones outside the chosen domains
	left        Left
	simulated   int
	kept        int
	taken       map[string]bool // names that no reviewer may have
	desk        *web.Desk[decision]
	site        *web.Site
}

//go:embed templates/*.html.tmpl
var templates embed.FS

// Open reads the questions of a lake.
func Open(l *data.Lake, o Options) (*Page, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	p := &Page{lake: l, options: o, index: map[string]int{}, domainsSeen: map[string]bool{}, taken: map[string]bool{}}
	var err error
	if p.site, err = web.NewSite(templates,
		"templates", "start", "item", "edit", "discard", "rate", "list", "idle", "help", "progress"); err != nil {
		return nil, err
	}
	for _, settle := range []func(*data.Lake) (int, error){reviews.Settle, ratings.Settle} {
		n, err := settle(l)
		if err != nil {
			return nil, err
		}
		p.kept += n
	}
	if p.pictures, err = web.LoadPictures(l); err != nil {
		return nil, err
	}
	before, err := p.history()
	if err != nil {
		return nil, err
	}
	load, journal := p.loadCandidates, reviews.Journal()
	if o.Samples {
		load, journal = p.loadSamples, ratings.Journal()
	}
	if err := load(); err != nil {
		return nil, err
	}
	items := make([]web.Item, len(p.items))
	for i, it := range p.items {
		p.index[it.id] = i
		items[i] = web.Item{ID: it.id, Need: 1}
		if it.simulated {
			p.simulated++
		}
	}
	p.desk, err = web.NewDesk(l, journal, items, before, o.Claim, false, o.Now)
	return p, err
}

// history are the lake's decisions, in the order in which they were made. Decisions of other origin
// count, too.
func (p *Page) history() (made []web.Decision[decision], err error) {
	if p.options.Samples {
		made, err = historyOf(p, ratings)
	} else {
		made, err = historyOf(p, reviews)
	}
	slices.SortStableFunc(made, func(a, b web.Decision[decision]) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Person, b.Person), cmp.Compare(a.Item, b.Item))
	})
	return made, err
}

func historyOf[R any](p *Page, ledger web.Ledger[decision, R]) ([]web.Decision[decision], error) {
	made, elsewhere, err := ledger.Past(p.lake, nil)
	for _, row := range elsewhere {
		d := ledger.Decision(row)
		p.taken[d.Person] = true
		made = append(made, d)
	}
	return made, err
}

// Kept is the number of decisions of a killed process that Open made rows of.
func (p *Page) Kept() int { return p.kept }

// Domains are the domains of all questions of the routes, or of all drawn questions, whatever
// domains were chosen.
func (p *Page) Domains() []string { return slices.Sorted(maps.Keys(p.domainsSeen)) }

// NotShown says which questions are not shown, and why.
func (p *Page) NotShown() []string {
	return web.Counted([]web.Count{
		{N: p.left.NoPicture,
			What: "questions without a picture are not shown: load pictures with captionlake ingest FOLDER"},
		{N: p.left.NoCandidate, What: "routes whose candidate is gone are not shown"},
	})
}

// Nothing says that there is no question, and what makes or shows some.
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
	}
	if known := p.Domains(); len(known) > 0 && len(p.options.Domains) > 0 {
		next = "these domains have some: " + strings.Join(known, ", ")
	}
	return data.WithHint(fmt.Errorf("the lake has %s", what), "%s", next)
}

// Simulated is the number of simulated questions.
func (p *Page) Simulated() int { return p.simulated }

// Progress counts the decisions.
func (p *Page) Progress() web.Progress { return p.desk.Progress() }

// Close makes rows of the decisions and returns their number. No request may be under way.
func (p *Page) Close() (rows int, err error) {
	err = p.desk.Close()
	settle := reviews.Settle
	if p.options.Samples {
		settle = ratings.Settle
	}
	rows, settled := settle(p.lake)
	return rows, errors.Join(err, settled)
}

// Handler answers the requests of the page. It belongs behind web.Protect.
func (p *Page) Handler() http.Handler {
	pages := map[string]func(http.ResponseWriter, *http.Request, string){
		"GET /review": p.show, "POST /review": p.decide, "POST /undo": p.undo, "GET /help": p.help,
		"GET /progress": p.progress,
	}
	// A list would show which questions were drawn at both stages, and thereby the stage of each.
	if !p.options.Samples {
		pages["GET /edit"], pages["GET /discard"], pages["GET /list"] = p.showEdit, p.showDiscard, p.list
	}
	return web.MuxAs("Who reviews?", p.taken, p.desk.People, p.start, p.pictures, pages)
}
