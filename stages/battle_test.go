package stages

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/arena"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/engine"
	"github.com/captionlake/captionlake/stages/llm"
)

// arenaPictures are the pictures of the sample set with captions that meet in battles, and
// arenaBattles the battles between models: three pairs for each picture.
const (
	arenaPictures = 12
	arenaBattles  = 3 * arenaPictures
)

// fillArena loads the sample set with captions of three captioners, who state all, half and two of
// a picture's facts, and of a person, and makes all their battles.
func fillArena(t testing.TB, l *data.Lake) {
	t.Helper()
	must.Succeed(t, fillSample(l))
	items := must.Get(sampleImages())(t)
	texts := map[string]map[string]string{"m-all": {}, "m-half": {}, "m-two": {}, arena.Human: {}}
	for _, item := range items[:arenaPictures] {
		var facts []string
		for _, f := range item.Facts {
			facts = append(facts, f.Text)
		}
		texts["m-all"][item.ID] = strings.Join(facts, " ")
		texts["m-half"][item.ID] = strings.Join(facts[:len(facts)/2], " ")
		texts["m-two"][item.ID] = strings.Join(facts[:2], " ")
		texts[arena.Human][item.ID] = "A person says: " + facts[0]
	}
	for captioner, of := range texts {
		putCaptions(t, l, captioner, data.ProvenanceMeasured, of)
	}
	mustPair(t, l, PairOptions{})
}

func arenaLake(t testing.TB) *data.Lake {
	t.Helper()
	l := laketest.New(t)
	fillArena(t, l)
	return l
}

// battleConfig asks the rehearsal judge about battles.
func battleConfig(replicas ...string) *config.Config {
	c := rehearsal(replicas...)
	c.Endpoints[0].Models = append(slices.Clone(testModels), "rehearsal/judge", "rehearsal/judge-hasty")
	c.Battles.Judges = []string{"rehearsal/judge"}
	return c
}

var battles = config.Choice{Stage: "battle"}

// voteLines is the table votes as sorted text, with the captioners of the battles.
func voteLines(t testing.TB, l *data.Lake) []string {
	t.Helper()
	between := map[string]string{}
	for _, b := range laketest.All(t, l, data.Battles) {
		between[b.BattleID] = b.CaptionerA + "-" + b.CaptionerB
	}
	var lines []string
	for _, v := range laketest.All(t, l, data.Votes) {
		if v.JudgeType != "model" || v.Provenance != data.ProvenanceSimulated || between[v.BattleID] == "" ||
			!strings.HasPrefix(v.BattleID, v.ImageID+"/") ||
			v.RequestHash == "" || v.ScoreA != nil || v.Seconds != nil || v.VotedAt != nil {
			t.Fatalf("%+v", v)
		}
		lines = append(lines,
			fmt.Sprintf("%s %s %s %s %s: %s, %s", v.Judge, v.Protocol, v.BattleID, between[v.BattleID], v.Position,
				v.Winner, v.Reason))
	}
	slices.Sort(lines)
	return lines
}

// winners counts the votes by outcome and by position.
func winners(t testing.TB, l *data.Lake) (winners, positions map[string]int) {
	t.Helper()
	winners, positions = map[string]int{}, map[string]int{}
	for _, v := range laketest.All(t, l, data.Votes) {
		winners[v.Winner]++
		positions[v.Position]++
	}
	return winners, positions
}

// A judge sees the picture and both captions in the drawn order, and votes for the caption that
// says more; asked again, nothing is asked. Battles with a person's caption are left to people,
// which the report says.
func TestBattle(t *testing.T) {
	l, n := arenaLake(t), arenaBattles
	var asked atomic.Int64
	c := battleConfig(serve(t, l, counting(&asked)))
	reports := mustRun(t, l, c, battles)
	if len(reports) != 1 || reports[0].Planned != n || reports[0].Rows != n || int(asked.Load()) != n ||
		reports[0].Unit != "rehearsal-judge caparena Simple" {
		t.Fatalf("%d requests about %d battles: %+v", asked.Load(), n, reports)
	}
	expect.Equal(t, reports[0].Note,
		fmt.Sprintf(
			"Judges are not asked about all of the %d battles of caparena Simple: "+
				"%d with a caption by a person, left to people.", 2*n, n), "the note is")
	wrong := 0
	for _, v := range voteLines(t, l) {
		// The captioners of a pair are in the order all, half, two: a is always the better one.
		if !strings.Contains(v, ": a, Caption ") {
			wrong++
		}
	}
	if got, positions := winners(t, l); wrong > n/10 || got["unparsed"]+got["failed"] > 0 || positions["ab"] < n/4 ||
		positions["ba"] < n/4 || positions["ab"]+positions["ba"] != n {
		t.Errorf("%v in the positions %v, %d of them for the caption that says less", got, positions, wrong)
	}
	for _, v := range laketest.All(t, l, data.Votes) {
		must.Equal(t, v.Position, string(arena.OrderOf(1, v.BattleID)), v.BattleID)
	}
	runs := len(laketest.All(t, l, data.Runs))
	if again := mustRun(t, l, c, battles); int(asked.Load()) != n || len(laketest.All(t, l, data.Runs)) != runs ||
		again[0].Note == "" {
		t.Errorf("running again asks %d requests: %+v", int(asked.Load())-n, again)
	}
	noDoubleCalls(t, l)
}

// Both orders ask for the order that is missing, another seed for the battles that it turns round;
// what was asked is a vote of its own and stays. A judge that takes what it sees first shows in its
// votes.
func TestBattleInBothOrders(t *testing.T) {
	l, n := arenaLake(t), arenaBattles
	var asked atomic.Int64
	c := battleConfig(serve(t, l, counting(&asked)))
	c.Battles.Judges = []string{"rehearsal/judge-hasty"}
	mustRun(t, l, c, battles)
	before := laketest.All(t, l, data.Votes)
	c.Battles.Seed = 2
	mustRun(t, l, c, battles)
	turned := int(asked.Load()) - n
	if votes := laketest.All(t, l, data.Votes); turned < n/4 || turned > 3*n/4 || len(votes) != n+turned {
		t.Fatalf("another seed asks %d requests and leaves %d votes of %d", turned, len(votes), n)
	}
	c.Battles.Seed, c.Battles.BothOrders = 1, true
	mustRun(t, l, c, battles)
	votes := laketest.All(t, l, data.Votes)
	if int(asked.Load()) != 2*n || len(votes) != 2*n {
		t.Fatalf("both orders take %d requests and give %d votes for %d battles", asked.Load(), len(votes), n)
	}
	for _, v := range before {
		if !slices.Contains(votes, v) {
			t.Fatalf("the vote %+v is gone", v)
		}
	}
	first := map[string]int{}
	for _, v := range votes {
		first[v.Position+" "+v.Winner]++
	}
	if first["ab a"] <= first["ba a"] || first["ba b"] <= first["ab b"] {
		t.Errorf("the judge that takes the caption shown first votes %v", first)
	}
	noDoubleCalls(t, l)
}

// With the human caption the protocol is another one, and battles without such a caption are left
// out and counted.
func TestBattleWithReference(t *testing.T) {
	l, n := arenaLake(t), arenaBattles
	items := must.Get(sampleImages())(t)
	texts := map[string]string{}
	for _, item := range items[1:arenaPictures] {
		texts[item.ID] = "A person says: nothing but a reference."
	}
	putCaptions(t, l, arena.Human, data.ProvenanceMeasured, texts)
	mustPair(t, l, PairOptions{})
	var referred atomic.Int64
	c := battleConfig(serve(t, l, rewriting(func(path string, request, reply []byte) []byte {
		if strings.Contains(string(request), "nothing but a reference.") &&
			strings.Contains(string(request), "**Reference caption**") {
			referred.Add(1)
		}
		return reply
	})))
	c.Battles.Reference = config.ReferenceBoth
	reports := mustRun(t, l, c, battles)
	if len(reports) != 2 || reports[0].Planned != n || reports[1].Planned != n-3 ||
		reports[1].Unit != "rehearsal-judge caparena Simple reference" || int(referred.Load()) != n-3 {
		t.Fatalf("%d requests with a reference: %+v", referred.Load(), reports)
	}
	if strings.Contains(reports[0].Note, "human caption") ||
		!strings.Contains(reports[1].Note, "3 without a human caption to accompany them") {
		t.Errorf("the notes are %q and %q", reports[0].Note, reports[1].Note)
	}
	protocols := map[string]int{}
	for _, v := range laketest.All(t, l, data.Votes) {
		protocols[v.Protocol]++
	}
	if protocols[arena.ProtocolBattle] != n || protocols[arena.ProtocolBattleReference] != n-3 {
		t.Errorf("votes by protocol: %v", protocols)
	}
}

// Replies that cannot be read are asked again by the stage's rule, with another seed and a
// temperature; what stays unreadable is unparsed, and what failed is failed.
func TestUnreadableBattlesAreAskedAgain(t *testing.T) {
	l, n := arenaLake(t), arenaBattles
	items := must.Get(sampleImages())(t)
	// every caption of a picture begins with its first fact
	marks := []string{items[0].Facts[0].Text, items[1].Facts[0].Text}
	mumble := mumbling(func(temperature float64, body string) bool {
		return strings.Contains(body, "Caption 1:\\n"+marks[0]) && temperature == 0 ||
			strings.Contains(body, "Caption 1:\\n"+marks[1])
	})
	c := battleConfig(serve(t, l, mumble))
	reports := mustRun(t, l, c, battles)
	got, _ := winners(t, l)
	if reports[0].Answered != n+3+3*4 || got["unparsed"] != 3 || got["failed"] != 0 || reports[0].Rows != n {
		t.Errorf("%v, %+v", got, reports[0])
	}
	for _, v := range laketest.All(t, l, data.Votes) {
		if (v.Winner == arena.WinnerUnparsed) != (v.ImageID == items[1].ID) || v.Winner == arena.WinnerUnparsed &&
			v.Reason != "" {
			t.Errorf("%+v", v)
		}
	}
	noDoubleCalls(t, l)
}

// A battle whose picture the lake does not have is not asked about, in a dry run as in a run, and
// both say how many there are.
func TestBattlesWithoutPictures(t *testing.T) {
	l, n := arenaLake(t), arenaBattles
	putCaptions(t, l, "m-all", data.ProvenanceMeasured, map[string]string{"elsewhere": "A red door."})
	putCaptions(t, l, "m-half", data.ProvenanceMeasured, map[string]string{"elsewhere": "A door."})
	mustPair(t, l, PairOptions{Captioners: []string{"m-all", "m-half"}})
	c := battleConfig(serve(t, l))
	want := "1 without a picture in the lake (load pictures with captionlake ingest FOLDER)"
	estimates, err := New(l, c, battles).Estimate()
	if err != nil || len(estimates) != 1 || !strings.Contains(estimates[0].Note, want) {
		t.Fatalf("%+v %v", estimates, err)
	}
	if reports := mustRun(t, l, c, battles); !strings.Contains(reports[0].Note, want) || reports[0].Rows >= n {
		t.Errorf("%+v", reports[0])
	}
}

// The battles of a picture go out together: that is what a prefix cache needs.
func TestBattlesOfAPictureAreAskedTogether(t *testing.T) {
	l := arenaLake(t)
	var order []string
	c := battleConfig(serve(t, l, rewriting(func(_ string, request, reply []byte) []byte {
		if _, after, found := strings.Cut(string(request), "base64,"); found {
			order = append(order, after[:200])
		}
		return reply
	})))
	c.Endpoints[0].Concurrency = llm.Concurrency{Initial: 1, Max: 1}
	mustRun(t, l, c, battles)
	changes := 0
	for i := range order {
		if i == 0 || order[i] != order[i-1] {
			changes++
		}
	}
	if pictures := len(slices.Compact(slices.Sorted(slices.Values(order)))); changes != pictures ||
		len(order) != arenaBattles {
		t.Errorf("%d requests about %d pictures go from one to another %d times", len(order), pictures, changes)
	}
}

// Some captioners, or one prompt, can be asked about first; the others' battles follow, and no vote
// is lost.
func TestBattleNarrowed(t *testing.T) {
	l, n := arenaLake(t), arenaBattles
	c := battleConfig(serve(t, l))
	for _, step := range []struct {
		captioners []string
		votes      int
	}{{[]string{"M-Two"}, n * 2 / 3}, {[]string{"m-half"}, n}, {nil, n}} {
		mustRun(t, l, c,
			config.Choice{Stage: "battle", Captioners: step.captioners, Prompts: []string{captionqa.PromptSimple}})
		expect.Equal(t, len(laketest.All(t, l, data.Votes)), step.votes, step.captioners)
	}
	refused(t, l, c, config.Choice{Stage: "battle", Prompts: []string{"Long"}},
		"captionlake arena pair --prompt NAME", "the lake has no battles of captions under Long")
}

// A run that cannot ask about battles says why when it was told to, and is silent otherwise.
func TestBattleRefuses(t *testing.T) {
	l := sampleLake(t)
	c := battleConfig(closedAddress())
	refused(t, l, c, battles, "captionlake arena pair", "the lake has no battles")
	c.Battles.Judges = nil
	refused(t, l, c, battles, "--judge", "no judge of battles is named")
	s := &engine.Scope{Lake: l, Config: c}
	if err := battleUnits(s); !s.Empty() || err != nil {
		t.Errorf("a run of all stages without a judge of battles has units of them: %v", err)
	}
}
