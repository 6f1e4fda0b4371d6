package vote

import (
	"embed"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/web"
)

// Options say which battles are voted on, and in which order.
type Options struct {
	Benchmark string // of the battles
	// of the order of battles, of the captions on the screen and of the battles for two
	Seed    int64
	Overlap float64       // share of the battles, 0 to 1, that go to two people
	Again   bool          // also show battles that people voted on outside of the page
	Claim   time.Duration // how long a battle stays reserved for a person who does not vote
	// weight of the battles of two captioners, 0 or more; nil if all battles are alike
	Weight func(a, b string) float64
	Now    func() time.Time // nil for the clock
}

// A Page is the voting page of one lake, which must be open for writing. Votes are on disk when the
// page says so. Close makes rows of them; after a crash the next Open does.
type Page struct {
	lake     *data.Lake
	options  Options
	pictures *web.Pictures
	battles  map[string]battle
	left     Left
	kept     int
	taken    map[string]bool // names that no annotator may have
	desk     *web.Desk[choice]
	site     *web.Site
}

//go:embed templates/*.html.tmpl
var templates embed.FS

// Open reads the battles of a lake.
func Open(l *data.Lake, o Options) (*Page, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	p := &Page{lake: l, options: o, battles: map[string]battle{}}
	var err error
	if p.site, err = web.NewSite(templates, "templates", "start", "vote", "idle", "help", "progress"); err != nil {
		return nil, err
	}
	if p.kept, err = ledger.Settle(l); err != nil {
		return nil, err
	}
	before, err := history(l)
	if err != nil {
		return nil, err
	}
	p.taken = before.taken
	if p.pictures, err = web.LoadPictures(l); err != nil {
		return nil, err
	}
	battles, left, err := loadBattles(l, o, p.pictures, before.elsewhere)
	if err != nil {
		return nil, err
	}
	p.left = left
	order(battles, o.Seed, o.Weight)
	for _, b := range battles {
		p.battles[b.id] = b
	}
	p.desk, err = web.NewDesk(l, ledger.Journal(), items(battles, o.Seed, o.Overlap), before.made, o.Claim, true, o.Now)
	return p, err
}

// Kept is the number of votes of a killed process that Open made rows of.
func (p *Page) Kept() int { return p.kept }

// NotShown says which battles are not shown, and why.
func (p *Page) NotShown() []string {
	return web.Counted([]web.Count{
		{N: p.left.NoPicture,
			What: "battles without a picture are not shown: load pictures with captionlake ingest FOLDER"},
		{N: p.left.OneText, What: "battles with fewer than two captions are not shown"},
		{N: p.left.OneModel, What: "battles between a captioner and itself are not shown"},
		{N: p.left.VotedOn, What: "battles that people have voted on elsewhere are not shown; --again shows them"},
	})
}

// Nothing says that there is no battle, and what makes some.
func (p *Page) Nothing() error {
	return data.WithHint(fmt.Errorf("the lake has no battle of %s to vote on", p.options.Benchmark),
		"make battles of the lake's captions with: captionlake arena pair")
}

// Simulated is the number of battles between simulated captions.
func (p *Page) Simulated() (n int) {
	for _, b := range p.battles {
		if b.simulated {
			n++
		}
	}
	return n
}

// Progress counts the votes.
func (p *Page) Progress() web.Progress { return p.desk.Progress() }

// Close makes rows of the votes and returns their number. No request may be under way.
func (p *Page) Close() (rows int, err error) {
	err = p.desk.Close()
	rows, settled := ledger.Settle(p.lake)
	return rows, errors.Join(err, settled)
}

// Handler answers the requests of the page. It belongs behind web.Protect.
func (p *Page) Handler() http.Handler {
	return web.MuxAs("Who votes?", p.taken, p.desk.People, p.start, p.pictures,
		map[string]func(http.ResponseWriter, *http.Request, string){
			"GET /vote": p.show, "POST /vote": p.vote, "POST /undo": p.undo, "GET /help": p.help,
			"GET /progress": p.progress,
		})
}
