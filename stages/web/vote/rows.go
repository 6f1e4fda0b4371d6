package vote

import (
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/arena"
	"github.com/captionlake/captionlake/stages/web"
)

// choice is the page's part of a decision. Its values are the values of the table votes.
type choice struct {
	Winner   string         `json:"winner"`
	Position arena.Position `json:"position"`
	Image    string         `json:"image"` // image_id
}

type decision = web.Decision[choice]

// ledger makes rows of votes. A skipped battle has a row, too, with the winner arena.WinnerSkipped.
var ledger = web.Ledger[choice, data.Vote]{
	Table: data.Votes, Stage: "vote", Protocol: arena.ProtocolVote, Source: "voting page",
	Row: func(d decision) (data.Vote, bool) {
		return data.Vote{
			BattleID: d.Item, Judge: d.Person, JudgeType: arena.JudgeHuman, Protocol: arena.ProtocolVote,
			Position: string(d.Value.Position), Winner: d.Value.Winner,
			Seconds: d.Seconds, VotedAt: &d.At, ImageID: d.Value.Image,
		}, true
	},
	Decision: func(v data.Vote) decision {
		return decision{
			Person: v.Judge, Item: v.BattleID, At: web.TimeOf(v.VotedAt), Seconds: v.Seconds,
			Skipped:   v.Winner == arena.WinnerSkipped,
			Value:     choice{Winner: v.Winner, Position: arena.Position(v.Position), Image: v.ImageID},
			Simulated: v.Provenance == data.ProvenanceSimulated,
		}
	},
	Where: data.Where{"judge_type": arena.JudgeHuman, "protocol": arena.ProtocolVote},
}
