package simulate

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/arena"
)

// A Crowd is made-up annotators who vote by the model of Davidson (1970): between captioners of the
// strengths s and t, the odds of a win, a loss and a tie are exp(s), exp(t) and
// tieOdds·exp((s+t)/2). Ratings computed from their votes can be compared with Strengths.
type Crowd struct {
	Name       string // of the unit of votes
	Seed       uint64
	Strengths  map[string]float64 // log-odds by model_id; their mean is 0
	Annotators int
	Twice      float64 // share of the battles with votes of two annotators
}

// The people of CapArena as described in the paper: more than ten, 142 seconds a vote on average,
// and an agreement of 0.782 on battles with two votes (section 3.2). One battle in eight is a tie,
// as in the released list.
const (
	people        = 12
	meanSeconds   = 142
	spreadSeconds = 0.6  // standard deviation of the logarithm; our choice, not the paper's
	tieOdds       = 0.32 // the odds of a tie between equal captioners are tieOdds to 2
	// consensus is the share of an annotator's votes that follow the battle's common outcome, which
	// all its annotators share. The other votes are drawn independently. The common outcome makes two
	// annotators agree more often than by chance, and does not change the shares of wins.
	consensus = 0.78
	hasty     = 0.005 // share of the votes that take less than five seconds and have a random winner
	skipped   = 0.01  // share of the battles that an annotator skips
)

// NewCrowd is a crowd like the paper's that votes between captioners of these strengths.
func NewCrowd(name string, seed uint64, strengths map[string]float64) Crowd {
	ids, mean := slices.Sorted(maps.Keys(strengths)), 0.0
	for _, id := range ids { // in a fixed order, since sums of floating-point numbers depend on it
		mean += strengths[id] / float64(len(ids))
	}
	centered := make(map[string]float64, len(ids))
	for _, id := range ids {
		centered[id] = math.Round((strengths[id]-mean)*1e9)/1e9 + 0 // no -0
	}
	// In the paper 400 of 6522 battles have votes of two annotators.
	return Crowd{Name: name, Seed: seed, Strengths: centered, Annotators: people, Twice: 400.0 / 6522}
}

// outcome draws the outcome of a battle.
func (c *Crowd) outcome(r *rand.Rand, battle *data.Battle) string {
	a, b := c.Strengths[battle.CaptionerA], c.Strengths[battle.CaptionerB]
	wins, ties := math.Exp(a-b), tieOdds*math.Exp((a-b)/2) // odds to 1 for a loss
	switch d := r.Float64() * (wins + 1 + ties); {
	case d < wins:
		return arena.WinnerA
	case d < wins+1:
		return arena.WinnerB
	}
	return arena.WinnerTie
}

// detail is the JSON that describes the crowd in the detail of its unit.
func (c *Crowd) detail() string {
	strengths, _ := json.Marshal(c.Strengths) // Names and finite numbers can always be marshalled.
	return fmt.Sprintf(`{"seed":%d,"strengths":%s,"tie_odds":%v,"annotators":%d,"twice":%v,`+
		`"consensus":%v,"hasty":%v,"skipped":%v}`,
		c.Seed, strengths, tieOdds, c.Annotators, c.Twice, consensus, hasty, skipped)
}

// since is the time of the first simulated vote: the paper's annotation began in October 2024.
var since = time.Date(2024, time.October, 1, 8, 0, 0, 0, time.UTC)

// Votes are the crowd's votes on battles between its captioners, in the order of the battles. They
// depend only on the crowd and on the battles.
func (c *Crowd) Votes(battles []data.Battle) []data.Vote {
	clocks := make([]time.Duration, c.Annotators)
	var votes []data.Vote
	for i := range battles {
		b := &battles[i]
		_, knowsA := c.Strengths[b.CaptionerA]
		_, knowsB := c.Strengths[b.CaptionerB]
		if !knowsA || !knowsB {
			continue
		}
		r := stream(c.Seed, "crowd", b.BattleID)
		common := c.outcome(stream(c.Seed, "common", b.BattleID), b)
		first, voters := r.IntN(c.Annotators), 1
		if c.Annotators > 1 && r.Float64() < c.Twice {
			voters = 2
		}
		for k := range voters {
			annotator := (first + k) % c.Annotators // The second annotator is another person.
			votes = append(votes, c.vote(r, b, common, annotator, &clocks[annotator]))
		}
	}
	return votes
}

// vote draws an annotator's vote on a battle. common is the outcome that all annotators of the
// battle share. clock is the time that the annotator has voted so far; vote adds this vote's time.
func (c *Crowd) vote(r *rand.Rand, b *data.Battle, common string, annotator int, clock *time.Duration) data.Vote {
	name := fmt.Sprintf("simulated-annotator-%02d", annotator+1)
	v := data.Vote{
		BattleID: b.BattleID, Judge: name, JudgeType: arena.JudgeHuman, Protocol: arena.ProtocolVote, Winner: common,
		Position: string(arena.OrderOf(int64(c.Seed), b.BattleID, name)), ImageID: b.ImageID,
		Provenance: data.ProvenanceSimulated,
	}
	if r.Float64() >= consensus {
		v.Winner = c.outcome(r, b)
	}
	// The last term keeps the mean at meanSeconds.
	seconds := meanSeconds * math.Exp(spreadSeconds*r.NormFloat64()-spreadSeconds*spreadSeconds/2)
	switch d := r.Float64(); {
	case d < hasty:
		seconds, v.Winner = 1+3*r.Float64(), []string{arena.WinnerA, arena.WinnerB}[r.IntN(2)]
	case d < hasty+skipped:
		v.Winner = arena.WinnerSkipped
	}
	seconds = math.Round(seconds*1000) / 1000
	*clock += time.Duration(seconds * float64(time.Second))
	at := since.Add(*clock).Truncate(time.Microsecond)
	v.Seconds, v.VotedAt = &seconds, &at
	return v
}

// CastVotes lets a crowd vote on the lake's battles between its captioners, and keeps its strengths
// in the detail of the unit's run. It does nothing if the lake has the crowd's votes on these
// battles. It returns the number of votes.
func CastVotes(lake *data.Lake, c Crowd) (int, error) {
	var battles []data.Battle
	var ids []string
	for b, err := range data.Select(lake, data.Battles, nil) {
		if err != nil {
			return 0, err
		}
		battles, ids = append(battles, b), append(ids, b.BattleID)
	}
	votes := c.Votes(battles)
	_, err := data.Put(lake, arenaUnit(c.Name, arena.ProtocolVote, c.detail(), ids...), data.Votes, votes...)
	return len(votes), err
}
