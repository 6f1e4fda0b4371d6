package vote

import (
	"github.com/captionlake/captionlake/data/arena"
)

// Agreement counts how often two people who voted on the same battle chose the same. A tie is a
// separate choice (CapArena section 3.2: 0.782 on 400 battles). Votes in less than five seconds are
// set aside.
type Agreement struct {
	Pairs         int // pairs of votes on a battle
	Equal         int // pairs with the same choice
	Decisive      int // pairs without a tie
	EqualDecisive int // pairs with the same choice, which is not a tie
}

// Share is the agreement, 0 to 1; NaN without pairs.
func (a Agreement) Share() float64 { return float64(a.Equal) / float64(a.Pairs) }

// DecisiveShare is the agreement in decisive pairs, 0 to 1; NaN without decisive pairs.
func (a Agreement) DecisiveShare() float64 { return float64(a.EqualDecisive) / float64(a.Decisive) }

// Agreement counts the pairs of votes on all battles.
func (p *Page) Agreement() (a Agreement) {
	for _, decisions := range p.Decisions() {
		var votes []string
		for _, d := range decisions {
			if !d.Quick() {
				votes = append(votes, d.Value.Winner)
			}
		}
		for i, one := range votes {
			for _, other := range votes[i+1:] {
				equal, decisive := one == other, one != arena.WinnerTie && other != arena.WinnerTie
				a.Pairs++
				if equal {
					a.Equal++
				}
				if decisive {
					a.Decisive++
				}
				if equal && decisive {
					a.EqualDecisive++
				}
			}
		}
	}
	return a
}
