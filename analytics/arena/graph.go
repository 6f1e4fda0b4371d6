package arena

import (
	"fmt"
	"strings"
)

// A graph says who scored against whom. Strengths are finite within a group in which each player
// has scored against each other player, directly or through a chain of battles (Ford, American
// Mathematical Monthly 64, 1957). These groups are the strongly connected components.
type graph struct {
	names []string
	score [][]bool // score[i][j]: i scored against j, in a chain of battles; a tie counts for both
	group []int    // of each player; groups are numbered in the order of their first players
	size  []int    // number of players of each group
}

// newGraph finds who scored against whom in chains, and puts two players into one group if each
// scored against the other.
func newGraph(names []string, pairs []cell) *graph {
	g := &graph{names: names}
	for range names {
		g.score = append(g.score, make([]bool, len(names)))
	}
	for _, p := range pairs {
		g.score[p.a][p.b] = p.counts[AWins]+p.counts[Tie] > 0
		g.score[p.b][p.a] = p.counts[BWins]+p.counts[Tie] > 0
	}
	chains(g.score)
	for i := range names {
		group := len(g.size)
		for j := range i {
			if g.score[i][j] && g.score[j][i] {
				group = g.group[j]
			}
		}
		if group == len(g.size) {
			g.size = append(g.size, 0)
		}
		g.size[group]++
		g.group = append(g.group, group)
	}
	return g
}

// chains adds the chains to score: if i scored against k, and k against j, then i scored against j
// in a chain (Warshall, Journal of the ACM 9, 1962).
func chains(score [][]bool) {
	for k := range score {
		for i := range score {
			for j := range score {
				score[i][j] = score[i][j] || score[i][k] && score[k][j]
			}
		}
	}
}

// above counts for each player the players of other groups that beat it, in chains, and never lost
// to it. It is -1 for a player that cannot be compared with some other player.
func (g *graph) above() []int {
	above := make([]int, len(g.names))
	for i := range above {
		for j := range above {
			if g.group[j] == g.group[i] {
				continue
			}
			if g.score[j][i] {
				above[i]++
			} else if !g.score[i][j] {
				above[i] = -1
				break
			}
		}
	}
	return above
}

// note says in words with whom a player cannot be compared, and whether the player has no rating
// for this reason. It is empty if the player can be compared with all.
func (g *graph) note(i int) string {
	var better, worse []string
	for j, name := range g.names {
		switch {
		case g.group[j] == g.group[i]: // The two can be compared.
		case g.score[i][j]: // j never scored against i. Otherwise both would be in one group.
			worse = append(worse, name)
		case g.score[j][i]:
			better = append(better, name)
		}
	}
	group, before, after := "its group", "", "the rating compares within the group alone; vote on more such pairs"
	if g.size[g.group[i]] == 1 {
		group, before, after = "it", "no rating fits: ", "vote on more pairs with it"
	}
	note := ""
	if worse != nil {
		note += some(worse) + " never scored against " + group + "; "
	}
	if better != nil {
		note += group + " never scored against " + some(better) + "; "
	}
	if apart := g.apart(i); apart != "" {
		note += "no chain of wins leads to or from " + apart + "; "
	}
	if note == "" {
		return ""
	}
	return before + note + after
}

// apart names the players whom no chain of wins joins with the given player.
func (g *graph) apart(i int) string {
	var apart []string
	for j, name := range g.names {
		if j != i && !g.score[i][j] && !g.score[j][i] {
			apart = append(apart, name)
		}
	}
	return some(apart)
}

// some lists up to three of many names, and says how many more there are.
func some(names []string) string {
	if len(names) > 3 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:3], ", "), len(names)-3)
	}
	return strings.Join(names, ", ")
}
