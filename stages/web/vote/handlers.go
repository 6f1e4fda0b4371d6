package vote

import (
	"net/http"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/arena"
	"github.com/captionlake/captionlake/stages/web"
)

// choseSkip is the choice of the form that leaves a battle to others.
const choseSkip = "skip"

// judgments are the choices of the form that compare the two captions, by position on the screen.
var judgments = map[string]arena.Judgment{"first": arena.First, "second": arena.Second, "tie": arena.Tie}

// state is the data of all templates that an annotator sees. ID and the fields below are of the
// battle that is shown.
type state struct {
	*Page
	Last    *decision // nil before the first vote
	Said    string    // the last vote in words
	Waiting bool      // others have all battles that are left

	ID            string
	Simulated     bool // the captions are simulated
	Position      arena.Position
	First, Second string      // the captions, in their order on the screen
	Frames        []web.Frame // of the picture
	Shown         int64       // time at which the page was made, in milliseconds since 1970
}

// state is what all templates need about a person.
func (p *Page) state(name string) *state {
	s := &state{Page: p, Last: p.Last(name)}
	if s.Last != nil {
		s.Said = onScreen(s.Last.Value)
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

// show shows a person's next battle.
func (p *Page) show(w http.ResponseWriter, r *http.Request, name string) {
	id, waiting := p.Next(name)
	s := p.state(name)
	if id == "" {
		s.Waiting = waiting
		p.Show(w, r, name, "idle", "No battle", s)
		return
	}
	battle := p.battles[id]
	s.ID, s.Simulated, s.Shown = id, battle.Provenance == data.ProvenanceSimulated, p.options.Now().UnixMilli()
	s.Position = arena.OrderOf(seed, id, name)
	s.First, s.Second = s.Position.Shown(battle.CaptionA, battle.CaptionB)
	s.Frames = p.Pictures.Frames(battle.ImageID)
	p.ShowItem(w, r, name, "vote", "battle", s.Said, s)
}

// vote stores the vote of a form. The form must show the captions in the order drawn for the
// person; a form in another order was not made for this person.
func (p *Page) vote(w http.ResponseWriter, r *http.Request, name string) {
	form := r.PostForm
	id := form.Get("battle")
	battle, known := p.battles[id]
	position := arena.OrderOf(seed, id, name)
	if !known || form.Get("position") != string(position) {
		web.Refuse(w, http.StatusConflict,
			"The page is out of date",
			"The vote was not stored. Open the address that the command printed, and look at the battle again.")
		return
	}
	value := choice{Winner: arena.WinnerSkipped, Position: position, Image: battle.ImageID}
	chosen := form.Get("choice")
	judgment, compared := judgments[chosen]
	switch {
	case compared:
		value.Winner = position.Winner(judgment)
	case chosen != choseSkip:
		web.Refuse(w, http.StatusBadRequest,
			"There is no such choice", "The vote was not stored. Choose one of the two captions, a tie or to skip.")
		return
	}
	// false: a second vote on a battle is refused.
	_, err := p.Decide(name, id, web.LookOf(form), !compared, value, false)
	web.Answer(w, "vote", name, "", "", err)
}
