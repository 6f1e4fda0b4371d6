package ingest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/arena"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

// The battles of the parity file are read in their order, and each winner is as the file has it.
func TestArenaParity(t *testing.T) {
	t.Parallel()
	content := must.Read(t, must.Shared(t, "parity/arena.json"))
	var parity struct {
		Battles []struct{ Img, Source1, Source2, Winner, Cluster string }
	}
	must.Succeed(t, json.Unmarshal(content, &parity))
	list := must.Get(json.Marshal(parity.Battles))(t)
	lower := strings.NewReplacer(`"Img"`, `"img"`, `"Source1"`, `"source1"`, `"Source2"`, `"source2"`, `"Winner"`,
		`"winner"`, `"Cluster"`, `"cluster"`)
	l := laketest.New(t)
	result := mustLoad(t, l, textSource(t, "arena.json", lower.Replace(string(list))), Options{})
	if result.Rows["battles"] != len(parity.Battles) || result.Rows["votes"] != len(parity.Battles) {
		t.Fatalf("%+v", result)
	}
	winners := map[string]string{}
	for _, v := range laketest.All(t, l, data.Votes) {
		winners[v.BattleID] = v.Winner
	}
	seen := make([]bool, len(parity.Battles))
	for _, b := range laketest.All(t, l, data.Battles) {
		want := parity.Battles[b.Ordinal]
		winner := map[string]string{arena.WinnerA: want.Source1, arena.WinnerB: want.Source2,
			arena.WinnerTie: "equal"}[winners[b.BattleID]]
		if b.CaptionerA != want.Source1 || b.CaptionerB != want.Source2 || winner != want.Winner ||
			fmt.Sprintf("level %d", *b.Level) != want.Cluster || b.ImageID+".jpg" != want.Img || seen[b.Ordinal] {
			t.Fatalf("%+v, %s, want %+v", b, winners[b.BattleID], want)
		}
		seen[b.Ordinal] = true
	}
}

// Scores that do not say under which of several prompts a caption was made are of none of them.
func TestMetricScoresOfPrompts(t *testing.T) {
	t.Parallel()
	l := laketest.New(t)
	laketest.Put(t, l, data.Battles, "pairs",
		data.Battle{BattleID: "i/1", ImageID: "i", CaptionerA: "x", CaptionerB: "y", CaptionA: "One.", Prompt: "Long"},
		data.Battle{BattleID: "i/2", ImageID: "i", CaptionerA: "x", CaptionerB: "y", CaptionA: "Two.", Prompt: "Short"})
	mustRefuse(t, l, textSource(t, "s.csv", "image,captioner,score\ni,x,1\ni,y,2\n"), Options{Reader: "SPICE"})
	result := mustLoad(t, l,
		textSource(t, "s.csv", "image,captioner,prompt,score\ni,x,short,1\ni,y,Short,2\ni,x,Long,1\n"),
		Options{Reader: "SPICE"})
	votes := laketest.All(t, l, data.Votes)
	if len(votes) != 1 || votes[0].BattleID != "i/2" || votes[0].Winner != arena.WinnerB || len(result.Notes) != 1 {
		t.Errorf("%+v, notes %q", votes, result.Notes)
	}
}
