package arena

import (
	"fmt"
	"strings"
)

// A graph is who scored against whom. Strengths are finite within a group of players of whom each has scored against each other one, if
// only by way of third ones (Ford, American Mathematical Monthly 64, 1957): these are the strongly connected components.
type graph struct {
	names []string
	score [][]bool // score[i][j]: i scored against j, in a chain of battles; a tie counts for both
	met   [][]bool // met[i][j]: a chain of battles joins them
	group []int    // numbered by the first player of each
	size  []int    // players of each group
}

func newGraph(names []string, pairs []pair) *graph {
	n := len(names)
	g := &graph{names: names, score: square(n), met: square(n), group: make([]int, n)}
	for _, p := range pairs {
		if p.total() == 0 {
			continue
		}
		g.met[p.a][p.b], g.met[p.b][p.a] = true, true
		g.score[p.a][p.b] = p.counts[AWins]+p.counts[Tie] > 0
		g.score[p.b][p.a] = p.counts[BWins]+p.counts[Tie] > 0
	}
	chains(g.score)
	chains(g.met)
	for i := range n {
		g.group[i] = -1
		for j := range i {
			if g.score[i][j] && g.score[j][i] {
				g.group[i] = g.group[j]
				g.size[g.group[i]]++
				break
			}
		}
		if g.group[i] < 0 {
			g.group[i] = len(g.size)
			g.size = append(g.size, 1)
		}
	}
	return g
}

func square(n int) [][]bool {
	m := make([][]bool, n)
	for i := range m {
		m[i] = make([]bool, n)
	}
	return m
}

// chains closes a relation: i has j when it has a k that has j (Warshall, Journal of the ACM 9, 1962).
func chains(m [][]bool) {
	for k := range m {
		for i := range m {
			if !m[i][k] {
				continue
			}
			for j, has := range m[k] {
				if has {
					m[i][j] = true
				}
			}
		}
	}
}

// above counts for each player those of other groups that beat it, in chains, and never lost to it; -1 when the player cannot be compared
// with some other one.
func (g *graph) above() []int {
	above := make([]int, len(g.names))
	for i := range above {
		for j := range above {
			switch {
			case g.group[j] == g.group[i]:
			case g.score[j][i]:
				above[i]++
			case !g.score[i][j]:
				above[i] = -1
			}
			if above[i] < 0 {
				break
			}
		}
	}
	return above
}

// note says in words why a player has no rating, or whom its rating cannot be compared with; empty when it can with all.
func (g *graph) note(i int) string {
	var better, worse, apart, between []string
	fought := false
	for j, name := range g.names {
		if i == j {
			continue
		}
		fought = fought || g.met[i][j]
		switch {
		case g.group[j] == g.group[i]:
		case !g.met[i][j]:
			apart = append(apart, name)
		case g.score[i][j]:
			worse = append(worse, name)
		case g.score[j][i]:
			better = append(better, name)
		default:
			between = append(between, name)
		}
	}
	var notes []string
	alone := g.size[g.group[i]] == 1
	switch {
	case !fought:
		return "no battle; vote on pairs with it"
	case alone && len(better) == 0 && len(worse) > 0:
		notes = append(notes, "never lost or tied, so that no rating is high enough; vote on more pairs with it")
	case alone && len(worse) == 0 && len(better) > 0:
		notes = append(notes, "never won or tied, so that no rating is low enough; vote on more pairs with it")
	case alone && len(better)+len(worse) > 0:
		notes = append(notes, fmt.Sprintf("always beaten by %s and always better than %s, so that no rating fits; vote on more pairs with it",
			some(better), some(worse)))
	default:
		if len(worse) > 0 {
			notes = append(notes, fmt.Sprintf("%s never scored against its group; the rating compares within the group alone; vote on more such pairs", some(worse)))
		}
		if len(better) > 0 {
			notes = append(notes, fmt.Sprintf("its group never scored against %s; the rating compares within the group alone; vote on more such pairs", some(better)))
		}
	}
	if len(apart) > 0 {
		notes = append(notes, fmt.Sprintf("no chain of battles leads to %s; vote on pairs with them", some(apart)))
	}
	if len(between) > 0 {
		notes = append(notes, fmt.Sprintf("no chain of wins leads to or from %s; vote on pairs with them", some(between)))
	}
	return strings.Join(notes, "; ")
}

// some names up to three of many.
func some(names []string) string {
	if len(names) > 3 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:3], ", "), len(names)-3)
	}
	return strings.Join(names, ", ")
}
