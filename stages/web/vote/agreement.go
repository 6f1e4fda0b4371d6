package vote

import (
	"github.com/captionlake/captionlake/data/arena"
)

// Agreement counts how often two people who voted on the same battle chose the same. A tie is a
// separate choice (CapArena section 3.2: 0.782 on 400 battles). Votes in less than five seconds are
// set aside.
type Agreement struct {
	Pairs, Equal         int // pairs of votes
	Decisive, EqualOfTwo int // pairs in which both people chose a caption
}

// Share is the agreement, 0 to 1; 0 without pairs.
func (a Agreement) Share() float64 { return share(a.Equal, a.Pairs) }

// DecisiveShare is the agreement without ties, 0 to 1; 0 without pairs.
func (a Agreement) DecisiveShare() float64 { return share(a.EqualOfTwo, a.Decisive) }

func share(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

// Agreement counts the pairs of votes on all battles.
func (p *Page) Agreement() (a Agreement) {
	for _, decisions := range p.Decisions() {
		var votes []string
		for _, d := range decisions {
			if !d.Quick() {
				votes = append(votes, d.Value.Winner)
			}
		}
		for i, x := range votes {
			for _, y := range votes[i+1:] {
				a.Pairs++
				equal := x == y
				if equal {
					a.Equal++
				}
				if x != arena.WinnerTie && y != arena.WinnerTie {
					a.Decisive++
					if equal {
						a.EqualOfTwo++
					}
				}
			}
		}
	}
	return a
}
