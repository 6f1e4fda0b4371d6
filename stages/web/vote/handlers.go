package vote

import (
	"fmt"
	"net/http"
	"net/url"

	"github.com/captionlake/captionlake/data/arena"
	"github.com/captionlake/captionlake/stages/web"
)

// Choices of the form, by position on the screen.
const (
	choseFirst  = "first"
	choseSecond = "second"
	choseTie    = "tie"
	choseSkip   = "skip"
)

// judgments are the choices that compare the two captions.
var judgments = map[string]arena.Judgment{choseFirst: arena.First, choseSecond: arena.Second, choseTie: arena.Tie}

// notices are a page's messages about the previous request. The address has only the name.
var notices = map[string]string{
	"undone":  "Your last vote is taken back. Here is its battle again.",
	"decided": "You had voted on that battle before, so the first vote stands. Undo takes back your last vote.",
	"nothing": "There is no vote of yours to undo.",
}

func (p *Page) start(w http.ResponseWriter, _ *http.Request) {
	p.site.Render(w, "start",
		web.View{Title: "Who votes? – captionlake",
			Data: map[string]any{"Progress": p.desk.Progress(), "Team": p.desk.Team()}})
}

// battleView is the data of a battle's page.
type battleView struct {
	ID            string
	Position      arena.Position
	First, Second string
	Viewer        web.Viewer
	Simulated     bool // the captions are simulated
}

// state is the data of all pages of an annotator.
type state struct {
	Counts   web.Counts
	Pace     string
	Progress web.Progress
	Last     *lastVote
	Notice   string
	Battle   *battleView
	Shown    int64 // when, in milliseconds since 1970
	Undone   bool  // the last action was an undo
	Waiting  bool
	Task     string
	Rules    []arena.Guideline
	Closing  string
	Quick    int
}

type lastVote struct {
	What    string
	Seconds *float64
	Hasty   bool
}

func (p *Page) state(name string, r *http.Request) state {
	notice := r.URL.Query().Get("notice")
	s := state{
		Progress: p.desk.Progress(), Notice: notices[notice],
		Undone: notice == "undone", Shown: p.options.Now().UnixMilli(),
		Task: arena.Task, Rules: arena.Guidelines(), Closing: arena.Closing, Quick: web.QuickSeconds,
	}
	s.Counts, s.Pace = p.desk.Of(name)
	if d, ok := p.desk.Last(name); ok {
		s.Last = &lastVote{What: onScreen(d.Value), Seconds: d.Seconds, Hasty: d.Quick() && !s.Undone}
	}
	return s
}

// onScreen describes a vote in the words of the screen on which it was cast.
func onScreen(c choice) string {
	switch {
	case c.Winner == arena.WinnerTie:
		return "Tie"
	case c.Winner == arena.WinnerSkipped:
		return "Skipped"
	case c.Position.Winner(arena.First) == c.Winner:
		return "Caption A is better"
	}
	return "Caption B is better"
}

func (p *Page) show(w http.ResponseWriter, r *http.Request, name string) {
	id, next := p.desk.Next(name)
	s := p.state(name, r)
	if next != web.Ready {
		s.Waiting = next == web.Waiting
		p.site.Render(w, "idle", web.View{Title: "No battle – captionlake", Person: name, Data: s})
		return
	}
	b := p.battles[id]
	position := arena.OrderOf(p.options.Seed, id, name)
	first, second := position.Shown(b.a, b.b)
	s.Battle = &battleView{id, position, first, second, web.Viewer{
		Frames: p.pictures.Frames(b.image),
		Label:  "Picture that both captions describe", Alt: "The picture to compare the captions with",
	}, b.simulated}
	title := fmt.Sprintf("Your battle %d – captionlake", s.Counts.Decided+s.Counts.Skipped+1)
	switch { // A screen reader begins with the title.
	case s.Undone:
		title = "Taken back. " + title
	case s.Last != nil:
		title = "Stored: " + s.Last.What + ". " + title
	}
	p.site.Render(w, "vote", web.View{Title: title, Person: name, Data: s})
}

func (p *Page) vote(w http.ResponseWriter, r *http.Request, name string) {
	form := r.PostForm
	id := form.Get("battle")
	b, known := p.battles[id]
	position := arena.OrderOf(p.options.Seed, id, name)
	if !known || form.Get("position") != string(position) {
		web.Refuse(w, http.StatusConflict,
			"The page is out of date",
			"The vote was not stored. Open the address that the command printed, and look at the battle again.")
		return
	}
	c := choice{Position: position, Image: b.image, Simulated: b.simulated}
	chosen := form.Get("choice")
	judgment, compared := judgments[chosen]
	switch {
	case compared:
		c.Winner = position.Winner(judgment)
	case chosen == choseSkip:
		c.Winner = arena.WinnerSkipped
	default:
		web.Refuse(w, http.StatusBadRequest,
			"There is no such choice", "The vote was not stored. Choose one of the two captions, a tie or to skip.")
		return
	}
	_, err := p.desk.Decide(name, id, web.LookOf(form), chosen == choseSkip, c, false)
	web.Answer(w, "vote", url.Values{"as": {name}}, err)
}

func (p *Page) undo(w http.ResponseWriter, _ *http.Request, name string) {
	_, err := p.desk.Undo(name)
	web.Undone(w, "vote", url.Values{"as": {name}}, err)
}

func (p *Page) help(w http.ResponseWriter, r *http.Request, name string) {
	p.site.Render(w, "help", web.View{Title: "Guidelines and keys – captionlake", Person: name, Data: p.state(name, r)})
}

func (p *Page) progress(w http.ResponseWriter, _ *http.Request, name string) {
	p.site.Render(w, "progress", web.View{Title: "Progress – captionlake", Person: name, Data: map[string]any{
		"Progress": p.desk.Progress(), "Team": web.NewTeam("annotator", "votes", true, p.desk.Team()), "Left": p.left,
		"Agreement": p.agreement(), "Quick": web.QuickSeconds,
	}})
}
