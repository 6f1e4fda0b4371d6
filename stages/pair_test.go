package stages

import (
	"fmt"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/arena"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

// putCaptions writes a unit of captions of one captioner under the prompt Simple.
func putCaptions(t testing.TB, l *data.Lake, captioner, provenance string, texts map[string]string) {
	t.Helper()
	var rows []data.Caption
	prompt := captionqa.PromptSimple
	if captioner == arena.Human {
		prompt = "written"
	}
	for image, text := range texts {
		rows = append(rows,
			data.Caption{ImageID: image, Captioner: captioner, Prompt: prompt, Caption: text, Provenance: provenance})
	}
	laketest.Put(t, l, data.Captions, captioner, rows...)
}

// pairLake has captions of three captioners and of a person: of image i1 of all, of i2 of two and
// an empty one, of i3 of one alone.
func pairLake(t testing.TB) *data.Lake {
	t.Helper()
	l := laketest.New(t)
	putCaptions(t, l, "m-1", data.ProvenanceMeasured, map[string]string{"i1": "a1", "i2": "a2", "i3": "a3"})
	putCaptions(t, l, "m-2", data.ProvenanceMeasured, map[string]string{"i1": "b1", "i2": "b2"})
	putCaptions(t, l, "m-3", data.ProvenanceSimulated, map[string]string{"i1": "c1", "i2": " "})
	putCaptions(t, l, arena.Human, data.ProvenancePublished, map[string]string{"i1": "h1"})
	return l
}

func mustPair(t testing.TB, l *data.Lake, o PairOptions) *PairReport {
	t.Helper()
	if o.Prompt == "" {
		o.Prompt = captionqa.PromptSimple
	}
	return must.Get(Pair(l, o))(t)
}

// Captions that are made anew are in new battles; an old battle stays for its votes alone.
func TestPairAfterNewCaptions(t *testing.T) {
	l := pairLake(t)
	o := PairOptions{Captioners: []string{"m-1", "m-2"}}
	mustPair(t, l, o)
	var voted string
	for _, b := range laketest.All(t, l, data.Battles) {
		if b.ImageID == "i1" {
			voted = b.BattleID
		}
	}
	laketest.Put(t, l, data.Votes, "vote", data.Vote{BattleID: voted, Judge: "alice", Winner: arena.WinnerA})
	putCaptions(t, l, "m-2", data.ProvenanceMeasured, map[string]string{"i1": "new b1", "i2": "new b2"})
	if r := mustPair(t, l, o); r.Added != 2 || r.Removed != 1 || r.Outdated != 1 || r.Battles != 3 {
		t.Errorf("%+v", r)
	}
	if r := mustPair(t, l, o); r.Added != 0 || r.Removed != 0 || r.Outdated != 1 || r.Battles != 3 {
		t.Errorf("again: %+v", r)
	}
}

// As in CapArena-Auto each image is dealt one baseline, in equal numbers and alike for every
// captioner; the baseline is caption b and does not meet itself.
func TestPairAgainstBaselines(t *testing.T) {
	l := laketest.New(t)
	texts := map[string]string{}
	for i := range 30 {
		texts[fmt.Sprintf("i%02d", i)] = "text"
	}
	for _, m := range []string{"base-1", "base-2", "base-3", "m-1", "m-2"} {
		putCaptions(t, l, m, data.ProvenanceMeasured, texts)
	}
	o := PairOptions{Against: []string{"base-1", "base-2", "base-3"}, Captioners: []string{"m-1"}}
	if r := mustPair(t, l, o); r.Benchmark != "caparena-auto" || r.Battles != 30+3*20 || r.Alone != 0 {
		t.Errorf("%+v", r)
	}
	o.Captioners = []string{"m-2"}
	if r := mustPair(t, l, o); r.Battles != 2*30+3*20 || r.Added != 30 {
		t.Errorf("%+v", r)
	}
	if r := mustPair(t, pairLake(t),
		PairOptions{Against: []string{"m-2"}, Captioners: []string{"m-1"}}); r.Undealt != 1 || r.Alone != 0 ||
		r.Battles != 2 {
		t.Errorf("an image of which the baseline has no caption: %+v", r)
	}
	counts, of := map[string]int{}, map[string]string{}
	for _, b := range laketest.All(t, l, data.Battles) {
		counts[b.CaptionerA+" "+b.CaptionerB]++
		if known, ok := of[b.ImageID]; ok && known != b.CaptionerB {
			t.Errorf("the image %s has two baselines", b.ImageID)
		}
		of[b.ImageID] = b.CaptionerB
	}
	for pair, n := range counts {
		if a, b, _ := strings.Cut(pair, " "); n != 10 || a == b || !strings.HasPrefix(b, "base") {
			t.Errorf("%d battles of %s", n, pair)
		}
	}
}

// Battles that another unit has, such as a list that was loaded, are not made again.
func TestPairLeavesBattlesOfOthers(t *testing.T) {
	l := pairLake(t)
	mustPair(t, l, PairOptions{Captioners: []string{"m-1", "m-2"}})
	battles := laketest.All(t, l, data.Battles)
	other := laketest.New(t)
	putCaptions(t, other, "m-1", data.ProvenanceMeasured, map[string]string{"i1": "a1", "i2": "a2", "i3": "a3"})
	putCaptions(t, other, "m-2", data.ProvenanceMeasured, map[string]string{"i1": "b1", "i2": "b2", "i3": "b3"})
	laketest.Put(t, other, data.Battles, "list", battles...)
	if r := mustPair(t, other, PairOptions{}); r.Elsewhere != 2 || r.Added != 1 || r.Battles != 1 {
		t.Errorf("%+v", r)
	}
}
