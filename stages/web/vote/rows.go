package vote

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/arena"
	"github.com/captionlake/captionlake/stages/web"
)

const stage = "vote"

// choice is the page's part of a decision.
type choice struct {
	Winner    string         `json:"winner"`
	Position  arena.Position `json:"position"`
	Image     string         `json:"image"`
	Simulated bool           `json:"simulated,omitempty"` // the captions are
}

type decision = web.Decision[choice]

// unit is what holds the votes of one person. What people say of simulated captions is simulated as well and has a unit of its own; no
// name has parentheses.
func unit(person string, simulated bool) data.Unit {
	u := data.Unit{Stage: stage, Name: person, Protocol: arena.ProtocolVote, Source: "voting page", Provenance: data.ProvenanceMeasured}
	if simulated {
		u.Name, u.Provenance = person+" (simulated)", data.ProvenanceSimulated
	}
	return u
}

// journal is the name of the votes that are no rows yet.
func journal() string { return data.Unit{Stage: stage, Name: "page"}.FileStem() }

// settle makes rows of the votes that the journal holds.
func settle(l *data.Lake) (rows int, err error) {
	err = web.Settle(l, journal(), func(person string, made []decision) error {
		for _, simulated := range []bool{false, true} {
			of := slices.DeleteFunc(slices.Clone(made), func(d decision) bool { return d.Value.Simulated != simulated })
			if len(of) == 0 {
				continue
			}
			n, err := settlePerson(l, unit(person, simulated), of)
			if err != nil {
				return err
			}
			rows += n
		}
		return nil
	})
	return rows, err
}

// settlePerson replaces a unit by its rows and what was decided since. It reports how many rows are new or others.
func settlePerson(l *data.Lake, u data.Unit, made []decision) (changed int, err error) {
	rows := map[string]data.Vote{}
	for row, err := range data.UnitRows(l, data.Votes, u) {
		if err != nil {
			return 0, err
		}
		rows[row.BattleID] = row
	}
	before := len(rows)
	latest := map[string]decision{}
	for _, d := range made {
		latest[d.Item] = d
	}
	for id, d := range latest {
		delete(rows, id)
		if !d.Undone {
			rows[id] = row(d, u.Provenance)
			changed++
		}
	}
	if len(rows) == 0 {
		if before == 0 {
			return 0, nil
		}
		return 0, l.Remove(u.FileStem())
	}
	all := make([]data.Vote, 0, len(rows))
	for _, r := range rows {
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b data.Vote) int { return cmp.Compare(a.BattleID, b.BattleID) })
	content, err := json.Marshal(all)
	if err != nil {
		return 0, err
	}
	u.Fingerprint = data.Fingerprint(string(content))
	if done, err := l.Done(u); err != nil || done {
		return changed, err
	}
	tx, err := l.Begin(u)
	if err != nil {
		return 0, err
	}
	defer tx.Abort()
	out, err := data.NewRowWriter(tx, data.Votes)
	if err != nil {
		return 0, err
	}
	if err := out.Write(all...); err != nil {
		return 0, err
	}
	return changed, tx.Commit()
}

func row(d decision, provenance string) data.Vote {
	at := d.At
	return data.Vote{
		BattleID: d.Item, Judge: d.Person, JudgeType: arena.JudgeHuman, Protocol: arena.ProtocolVote, Position: string(d.Value.Position), Winner: d.Value.Winner,
		Seconds: d.Seconds, VotedAt: &at, ImageID: d.Value.Image, Provenance: provenance,
	}
}

// past is what people have voted before.
type past struct {
	made      []decision      // on this page, in the order in which they were made
	elsewhere map[string]bool // battles with votes of people that the page did not take, simulated ones left out
	taken     map[string]bool // names of annotators, and of the judge of released votes, under which such votes are in the lake
}

// history reads the votes of people.
func history(l *data.Lake) (p past, err error) {
	type vote struct {
		Battle     string `parquet:"battle_id"`
		Judge      string `parquet:"judge"`
		Type       string `parquet:"judge_type"`
		Protocol   string `parquet:"protocol"`
		Provenance string `parquet:"provenance"`
	}
	all := map[string][]vote{} // by judge
	for v, err := range data.Project[vote](l, data.Votes, data.Where{"judge_type": arena.JudgeHuman, "protocol": arena.ProtocolVote}) {
		if err != nil {
			return p, err
		}
		all[v.Judge] = append(all[v.Judge], v)
	}
	p.elsewhere, p.taken = map[string]bool{}, map[string]bool{arena.Human: true}
	for judge, votes := range all {
		own := map[string]bool{}
		for _, simulated := range []bool{false, true} {
			for v, err := range data.UnitRows(l, data.Votes, unit(judge, simulated)) {
				if err != nil {
					return p, err
				}
				own[v.BattleID] = true
				p.made = append(p.made, remembered(v, simulated))
			}
		}
		for _, v := range votes {
			if own[v.Battle] {
				continue
			}
			p.taken[judge] = true
			if v.Provenance != data.ProvenanceSimulated {
				p.elsewhere[v.Battle] = true
			}
		}
	}
	slices.SortFunc(p.made, func(a, b decision) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Person, b.Person), cmp.Compare(a.Item, b.Item))
	})
	return p, nil
}

func remembered(v data.Vote, simulated bool) decision {
	var at time.Time
	if v.VotedAt != nil {
		at = *v.VotedAt
	}
	return decision{
		Person: v.Judge, Item: v.BattleID, At: at, Seconds: v.Seconds, Skipped: v.Winner == arena.WinnerSkipped,
		Value: choice{Winner: v.Winner, Position: arena.Position(v.Position), Image: v.ImageID, Simulated: simulated},
	}
}
