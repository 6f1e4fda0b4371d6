package vote

import (
	"embed"
	"net/http"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/arena"
	"github.com/captionlake/captionlake/stages/web"
)

// seed draws the order of the battles, the order of the two captions on the screen, and the battles
// that go to two people. The seed is fixed, so all three are the same at every start.
const seed = 1

// Options say which battles are voted on, and in which order.
type Options struct {
	Benchmark string  // of the battles
	Overlap   float64 // share of the battles, 0 to 1, that go to two people
	Again     bool    // also show battles that people voted on outside of the page
	// Weight is the weight of the pair of captioners a and b in the order, 0 or more; nil if all
	// battles have the same chance.
	Weight func(a, b string) float64
	Now    func() time.Time
}

// A Page is the voting page of one lake.
type Page struct {
	*web.Page[choice]
	options Options
	battles map[string]data.Battle // by battle_id
}

//go:embed templates/*.html.tmpl
var templates embed.FS

// Open reads the battles of a lake, which must be open for writing.
func Open(l *data.Lake, o Options) (*Page, error) {
	page, err := web.OpenPage(l, templates, "start vote idle help progress", web.Book[choice](ledger))
	if err != nil {
		return nil, err
	}
	p := &Page{page, o, map[string]data.Battle{}}
	// Released votes have the judge human or people, so no annotator may have one of these names.
	p.Taken[arena.Human], p.Taken[arena.People] = true, true
	battles, err := p.load(l)
	if err != nil {
		return nil, err
	}
	order(battles, seed, o.Weight)
	for _, b := range battles {
		p.battles[b.BattleID] = b
	}
	// true: a quick vote does not count, so its battle is offered to others.
	return p, p.Begin(items(battles, seed, o.Overlap), p.Made, true, o.Now)
}

// Nothing is the error of a lake without battles to vote on. Its hint says how to make battles.
func (p *Page) Nothing() error {
	return data.Errorf("make battles of the lake's captions with: captionlake arena pair",
		"the lake has no battle of %s to vote on", p.options.Benchmark)
}

// Task is the paper's request to annotators.
func (*Page) Task() string { return arena.Task }

// Rules are the guidelines of the paper.
func (*Page) Rules() []arena.Guideline { return arena.Guidelines() }

// Closing are the last words of the guidelines.
func (*Page) Closing() string { return arena.Closing }

// Handler answers the requests of the page. web.Protect must guard it.
func (p *Page) Handler() http.Handler {
	return p.Page.Handler("Who votes?", "vote", p, map[string]func(http.ResponseWriter, *http.Request, string){
		"GET /vote": p.show, "POST /vote": p.vote,
	})
}
