package simulate

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/arena"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

// crowdBattles are battles between captioners, each on an image of its own.
func crowdBattles(n int, captioners ...string) []data.Battle {
	var battles []data.Battle
	for i := range n {
		a, b := captioners[i%len(captioners)], captioners[(i+1+i/len(captioners)%(len(captioners)-1))%len(captioners)]
		image := fmt.Sprintf("i%06d", i)
		battles = append(battles, data.Battle{BattleID: image + "/x", ImageID: image, CaptionerA: a, CaptionerB: b})
	}
	return battles
}

// far reports whether a count is more than four standard deviations from n·p.
func far(count, n int, p float64) bool {
	return math.Abs(float64(count)-float64(n)*p) > 4*math.Sqrt(float64(n)*p*(1-p))
}

// Two annotators vote on the paper's share of the battles and agree about as often as the paper's;
// some votes are too fast, some battles are passed over, and each annotator's votes follow each
// other in time.
func TestCrowdIsLikeThePapers(t *testing.T) {
	const n = 20000
	c := NewCrowd("test", 3, map[string]float64{"x": 0.5, "y": 0, "z": -0.5})
	votes := c.Votes(crowdBattles(n, "x", "y", "z"))
	of, clocks := map[string][]data.Vote{}, map[string]time.Time{}
	fast, skipped, seconds, orders := 0, 0, 0.0, map[string]int{}
	for _, v := range votes {
		of[v.BattleID] = append(of[v.BattleID], v)
		orders[v.Position]++
		seconds += *v.Seconds
		if *v.Seconds < 5 {
			fast++
		}
		if v.Winner == arena.WinnerSkipped {
			skipped++
		}
		if !v.VotedAt.After(clocks[v.Judge]) || !strings.HasPrefix(v.Judge, "simulated-annotator-") ||
			v.Provenance != data.ProvenanceSimulated || v.JudgeType != "human" || v.Protocol != "caparena/vote" {
			t.Fatalf("%+v", v)
		}
		clocks[v.Judge] = *v.VotedAt
	}
	twice, agree := 0, 0
	for _, both := range of {
		if len(both) == 1 {
			continue
		}
		if twice++; both[0].Winner == both[1].Winner {
			agree++
		}
		if len(both) != 2 || both[0].Judge == both[1].Judge {
			t.Fatalf("%+v", both)
		}
	}
	if far(twice, n, 400.0/6522) || far(skipped, len(votes), 0.01) || fast < len(votes)*4/1000 ||
		fast > len(votes)*6/1000 || far(orders["ab"], len(votes), 0.5) || len(clocks) != 12 {
		t.Errorf("of %d votes %d on battles of two, %d skipped, %d fast, orders %v, %d annotators", len(votes), twice,
			skipped, fast, orders, len(clocks))
	}
	expect.Between(t, float64(agree)/float64(twice), 0.72, 0.82, "agreement of two annotators")
	expect.Between(t, seconds/float64(len(votes)), 138, 146, "seconds of a vote")
	expect.Equal(t, c.Votes(crowdBattles(n, "x", "y", "z")), votes, "the same seed gives other votes")
}

// An arena has the paper's number of battles and captioners, is the same for a seed, and lets
// neither CaptionQA's simulation nor a second one be in its way; a lake of another kind is refused.
func TestRunArena(t *testing.T) {
	lake := laketest.New(t)
	o := Options{Seed: 1, Scale: 0.1}
	first, err := RunArena(t.Context(), lake, o)
	if err != nil || first.Battles != 652 || first.Captioners != 15 || first.Written != 2 || first.Units != 2 ||
		first.Votes < 652 {
		t.Fatalf("%+v %v", first, err)
	}
	again, err := RunArena(t.Context(), lake, o)
	if err != nil || again.Written != 0 || again.Votes != first.Votes {
		t.Errorf("%+v %v", again, err)
	}
	n := map[string]int{}
	for b, err := range data.Scan(lake, data.Battles) {
		must.Succeed(t, err)
		if b.Provenance != data.ProvenanceSimulated || b.CaptionerA == b.CaptionerB ||
			!strings.HasPrefix(b.BattleID, b.ImageID+"/") || b.Benchmark != "caparena" {
			t.Fatalf("%+v", b)
		}
		n[b.CaptionerA]++
	}
	expect.Equal(t, len(n), 15, n)
	for v, err := range data.Scan(lake, data.Votes) {
		must.Succeed(t, err)
		if v.Provenance != data.ProvenanceSimulated || v.RequestHash != "" {
			t.Fatalf("%+v", v)
		}
	}
	must.Succeed(t, Check(lake))
	other := laketest.New(t)
	commit(t, other,
		data.Unit{Stage: "ingest/captions", Name: "mine", Fingerprint: "f", Provenance: data.ProvenanceMeasured},
		data.Captions, data.Caption{ImageID: "a"})
	if _, err := RunArena(t.Context(), other, o); err == nil {
		t.Error("made-up battles go into a lake with measured captions")
	}
	if _, err := RunArena(t.Context(), laketest.New(t), Options{Scale: -1}); err == nil {
		t.Error("a scale below 0")
	}
}
