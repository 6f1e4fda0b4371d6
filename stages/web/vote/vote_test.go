package vote

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/arena"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/web/webtest"
)

// A voter is an annotator with a browser that runs no script.
type voter struct{ *webtest.Visitor }

func newVoter(t testing.TB, at, name string) *voter {
	t.Helper()
	v := &voter{webtest.NewVisitor(t, at, webtest.Token, name)}
	v.look()
	return v
}

func (v *voter) look() { v.T.Helper(); v.Get("/vote?as=" + url.QueryEscape(v.Name)) }

// vote sends the form of the page that was looked at last.
func (v *voter) vote(choice string) {
	v.T.Helper()
	v.Send("/vote", url.Values{"battle": {v.Field("battle")}, "position": {v.Field("position")}, "choice": {choice},
		"away": {"0"}})
}

// From the first look to the rows: the winner is the battle's whichever side it was shown on.
func TestVotesBecomeRows(t *testing.T) {
	t.Parallel()
	lake, c := newLake(t, battlesOf(9)...), webtest.NewClock()
	p := open(t, lake, options(c))
	ada := newVoter(t, webtest.Serve(t, p.Handler()).URL, "Ada")
	want := map[string]string{}
	for i, choice := range []string{"first", "second", "tie", "skip", "first", "second"} {
		id, position := ada.Field("battle"), ada.Field("position")
		if position != string(arena.OrderOf(1, id, "Ada")) {
			t.Errorf("%s was shown as %q", id, position)
		}
		first := strings.Index(ada.Page, short) < strings.Index(ada.Page, long)
		if first != (position == "ba") { // The short caption is caption b.
			t.Errorf("%s: position %s, the short caption is first: %v", id, position, first)
		}
		c.Pass(float64(10 + i))
		ada.vote(choice)
		switch {
		case choice == "tie":
			want[id] = "tie"
		case choice == "skip":
			want[id] = "skipped"
		case (choice == "first") == (position == "ab"):
			want[id] = "a"
		default:
			want[id] = "b"
		}
		ada.Wants("Stored: <b>")
	}
	if positions := len(slices.Compact(slices.Sorted(func(yield func(string) bool) {
		for id := range want {
			yield(string(arena.OrderOf(1, id, "Ada")))
		}
	}))); positions != 2 {
		t.Error("all battles were shown in one order; the test says nothing about the other")
	}
	n, err := p.Close()
	if err != nil || n != 6 {
		t.Fatalf("%d rows, error %v", n, err)
	}
	got := votes(t, lake)
	if len(got) != len(want) {
		t.Fatalf("%d votes, want %d", len(got), len(want))
	}
	for _, v := range got {
		if v.Winner != want[v.BattleID] || v.Judge != "Ada" || v.JudgeType != "human" ||
			v.Protocol != "caparena/vote" || v.Provenance != data.ProvenanceMeasured ||
			v.Position != string(arena.OrderOf(1, v.BattleID, "Ada")) || !strings.HasPrefix(v.ImageID, "nat_s") ||
			v.Seconds == nil || *v.Seconds < 10 || *v.Seconds > 15 || v.VotedAt == nil {
			t.Errorf("vote %+v, want winner %s", v, want[v.BattleID])
		}
	}
	// The next session goes on where this one ended, and undo reaches back.
	p = open(t, lake, options(c))
	ada = newVoter(t, webtest.Serve(t, p.Handler()).URL, "Ada")
	if want[ada.Field("battle")] != "" {
		t.Errorf("%s is shown again", ada.Field("battle"))
	}
	ada.Wants("Stored: <b>Caption B is better</b>, 15 s", "5 of 9 votes",
		"<title>Stored: Caption B is better. Your battle 7")
	ada.Send("/undo", url.Values{})
	ada.Wants("Your last vote is taken back", "Before it: <b>Caption A is better</b>, 14 s", "4 of 9 votes",
		"<title>Taken back. Your battle 6")
	must.Get(p.Close())(t)
	if got := votes(t, lake); len(got) != 5 {
		t.Errorf("%d votes after undo, want 5", len(got))
	}
}

// Votes in less than five seconds, which no result counts, leave their battles to others, in later sessions, too.
func TestHastyVotesLeaveTheirBattlesToOthers(t *testing.T) {
	t.Parallel()
	lake, c := newLake(t, battlesOf(3)...), webtest.NewClock()
	p := open(t, lake, options(c))
	zed := newVoter(t, webtest.Serve(t, p.Handler()).URL, "Zed")
	for range 3 {
		zed.look()
		c.Pass(2)
		zed.vote("tie")
	}
	zed.Wants("it does not count, and the battle goes to others", "Nothing is left for you", "0 of 3 votes")
	for range 2 {
		if got := p.Progress(); got.Made != 0 || got.Complete != 0 {
			t.Fatalf("%+v", got)
		}
		must.Get(p.Close())(t)
		p = open(t, lake, options(c))
	}
	bob := newVoter(t, webtest.Serve(t, p.Handler()).URL, "Bob")
	for n := range 3 {
		bob.look()
		c.Pass(20)
		bob.vote("first")
		if got := p.Progress(); got.Made != n+1 || got.Complete != n+1 {
			t.Fatalf("after %d votes: %+v", n+1, got)
		}
	}
	bob.Get("/progress?as=Bob")
	bob.Wants("counted", `<th scope="row">Zed</th><td class="num">3</td><td class="num">0</td>`,
		`<th scope="row">Bob</th><td class="num">3</td><td class="num">3</td>`)
	must.Get(p.Close())(t)
}

// A page that is older than the server says how long it was looked at, so that a hasty vote on it
// counts as little as any.
func TestVotesOnPagesOlderThanTheServerHaveATime(t *testing.T) {
	t.Parallel()
	lake, c := newLake(t, battlesOf(2)...), webtest.NewClock()
	for i, seconds := range []float64{2, 30} {
		p := open(t, lake, options(c))
		ada := newVoter(t, webtest.Serve(t, p.Handler()).URL, "Ada")
		ada.look()
		must.Get(p.Close())(t)
		p = open(t, lake, options(c))
		again := newVoter(t, webtest.Serve(t, p.Handler()).URL, "Bob")
		again.look()
		again.Name = "Ada"
		c.Pass(seconds)
		again.Send("/vote",
			url.Values{"battle": {ada.Field("battle")}, "position": {ada.Field("position")},
				"shown": {ada.Field("shown")}, "choice": {"tie"}, "away": {"0"}})
		must.Get(p.Close())(t)
		all := votes(t, lake)
		if len(all) != i+1 ||
			!slices.ContainsFunc(all, func(v data.Vote) bool { return v.Seconds != nil && *v.Seconds == seconds }) {
			t.Fatalf("%+v, want one of %v s", all, seconds)
		}
	}
}

// Undo of all leaves no unit behind, and votes of a second session are added to those of the first.
func TestUndoOfAll(t *testing.T) {
	t.Parallel()
	lake, c := newLake(t, battlesOf(3)...), webtest.NewClock()
	for _, step := range []struct {
		act  func(*voter)
		rows int
	}{
		{func(v *voter) { v.vote("tie") }, 1},
		{func(v *voter) { v.vote("tie") }, 2},
		{func(v *voter) { v.Send("/undo", url.Values{}); v.Send("/undo", url.Values{}) }, 0},
		{func(v *voter) { v.Send("/undo", url.Values{}); v.Wants("There is no vote of yours to undo.") }, 0},
		{func(v *voter) { v.vote("tie"); v.Send("/undo", url.Values{}) }, 0},
	} {
		p := open(t, lake, options(c))
		step.act(newVoter(t, webtest.Serve(t, p.Handler()).URL, "Ada"))
		must.Get(p.Close())(t)
		if got := votes(t, lake); len(got) != step.rows {
			t.Fatalf("%d votes, want %d", len(got), step.rows)
		}
	}
	if files, err := lake.Files(data.Votes); err != nil || len(files) != 0 {
		t.Errorf("files %v, error %v", files, err)
	}
}

// Two votes of one annotator on one battle: the first stands, whatever is sent.
func TestTheFirstVoteStands(t *testing.T) {
	t.Parallel()
	lake, c := newLake(t, battlesOf(2)...), webtest.NewClock()
	p := open(t, lake, options(c))
	server := webtest.Serve(t, p.Handler())
	ada := newVoter(t, server.URL, "Ada")
	id, position := ada.Field("battle"), ada.Field("position")
	c.Pass(20)
	ada.vote("tie")
	ada.Send("/vote", url.Values{"battle": {id}, "position": {position}, "choice": {"first"}})
	ada.Wants("You had voted on that battle before")
	ada.Name = "aDA" // The name in another case is the same annotator.
	ada.Send("/vote", url.Values{"battle": {id}, "position": {position}, "choice": {"first"}})
	ada.Wants("You had voted on that battle before", `name="as" value="Ada"`)
	for name, form := range map[string]url.Values{
		"an unknown battle": {"battle": {"battle-999"}, "position": {"ab"}, "choice": {"tie"}},
		"another position": {"battle": {id}, "position": {string(arena.Position(position).Other())},
			"choice": {"tie"}},
		"no position": {"battle": {id}, "choice": {"tie"}},
	} {
		ada.look()
		if ada.Send("/vote", form); ada.Status != http.StatusConflict {
			t.Errorf("%s: status %d", name, ada.Status)
		}
	}
	ada.look()
	if ada.vote("better"); ada.Status != http.StatusBadRequest {
		t.Errorf("an unknown choice: status %d", ada.Status)
	}
	for _, name := range []string{"", "human", "<b>", "a\nb/../c", "x\u202ey"} {
		if ada.Get("/vote?as=" + url.QueryEscape(name)); ada.Status != http.StatusBadRequest && name != "a\nb/../c" {
			t.Errorf("the name %q: status %d", name, ada.Status)
		}
	}
	must.Get(p.Close())(t)
	if got := votes(t, lake); len(got) != 1 || got[0].Winner != "tie" {
		t.Errorf("votes %+v", got)
	}
}

// A share of the battles goes to two annotators, in an order of the captions of each one's own, and
// their agreement is counted.
func TestOverlapAndAgreement(t *testing.T) {
	t.Parallel()
	lake, c := newLake(t, battlesOf(40)...), webtest.NewClock()
	o := options(c)
	o.Overlap = 0.3
	p := open(t, lake, o)
	need := p.Progress().Needed
	if need < 45 || need > 60 {
		t.Fatalf("%d votes are needed for 40 battles at 0.3", need)
	}
	server := webtest.Serve(t, p.Handler())
	ada, bob := newVoter(t, server.URL, "Ada"), newVoter(t, server.URL, "Bob")
	shown := map[string]map[string]bool{"Ada": {}, "Bob": {}}
	for voted := true; voted; {
		voted = false
		for _, v := range []*voter{ada, bob} {
			if v.look(); v.Field("battle") == "" {
				continue
			}
			shown[v.Name][v.Field("battle")] = true
			c.Pass(20)
			v.vote("tie")
			voted = true
		}
	}
	both := 0
	for id := range shown["Ada"] {
		if shown["Bob"][id] {
			both++
		}
	}
	if progress := p.Progress(); both != need-40 || progress.Made != need || progress.Complete != 40 {
		t.Errorf("%d battles were shown to both, want %d; progress %+v", both, need-40, progress)
	}
	if a := p.agreement(); a.Pairs != both || a.Equal != both || a.Decisive != 0 || a.Share() != 1 {
		t.Errorf("agreement %+v", a)
	}
	ada.Get("/progress?as=Ada")
	ada.Wants("Two people chose the same in", "(1.000)", "0 without a picture")
	must.Get(p.Close())(t)
}

// What cannot be voted on is counted and not shown.
func TestBattlesThatAreNotShown(t *testing.T) {
	t.Parallel()
	all := battlesOf(8)
	all[0].ImageID = "unknown"
	all[1].CaptionB = ""
	all[2].CaptionA, all[2].CaptionB = "", ""
	all[3].CaptionerB = all[3].CaptionerA
	all[4].Benchmark = "caparena-auto"
	lake, c := newLake(t, all...), webtest.NewClock()
	laketest.Commit(t, lake, "released", func(tx *data.Tx) error {
		out, err := data.NewRowWriter(tx, data.Votes)
		if err != nil {
			return err
		}
		return out.Write(
			data.Vote{BattleID: all[5].BattleID, Judge: arena.People, JudgeType: "human", Protocol: arena.ProtocolVote,
				Winner: "a", Provenance: data.ProvenancePublished},
			data.Vote{BattleID: all[7].BattleID, Judge: "Made Up", JudgeType: "human", Protocol: arena.ProtocolVote,
				Winner: "a", Provenance: data.ProvenanceSimulated},
			data.Vote{BattleID: all[6].BattleID, Judge: "meteor", JudgeType: "metric", Protocol: arena.ProtocolMetric,
				Winner: "a", Provenance: data.ProvenancePublished})
	})
	o := options(c)
	p := open(t, lake, o)
	if p.left != (Left{NoPicture: 1, OneText: 2, OneModel: 1, VotedOn: 1}) || p.Progress().Items != 2 {
		t.Errorf("left %+v, %d battles", p.left, p.Progress().Items)
	}
	must.Get(p.Close())(t)
	o.Again = true
	p = open(t, lake, o)
	ada := newVoter(t, webtest.Serve(t, p.Handler()).URL, "Ada")
	// A vote under such a name might repeat one that is there, and could not be stored.
	for _, taken := range []string{"made up", "HUMAN"} {
		ada.Get("/vote?as=" + url.QueryEscape(taken))
		if ada.Wants("write another name"); ada.Status != http.StatusBadRequest {
			t.Errorf("%s: status %d", taken, ada.Status)
		}
	}
	if p.left.VotedOn != 0 || p.Progress().Items != 3 {
		t.Errorf("left %+v, %d battles", p.left, p.Progress().Items)
	}
	must.Get(p.Close())(t)
}

// A caption is text, whatever it looks like.
func TestHostileCaptions(t *testing.T) {
	t.Parallel()
	b := battleOf(0)
	b.CaptionA, b.BattleID = hostile, `battle"><script>alert(5)</script>`
	lake, c := newLake(t, b), webtest.NewClock()
	p := open(t, lake, options(c))
	ada := newVoter(t, webtest.Serve(t, p.Handler()).URL, `Ada O'Neill`)
	ada.Wants("&lt;script&gt;alert(2)&lt;/script&gt;", "{{.Token}}", "&amp;lt;b&amp;gt;", "\ufffd[31mred",
		"\ufffdesrever\ufffd")
	for _, bad := range []string{"<script>a", "<img src=x", "\x1b", "\x00", "\u202e"} {
		if strings.Contains(ada.Page, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
	c.Pass(12)
	ada.vote("tie")
	ada.Wants("Nothing is left for you")
	must.Get(p.Close())(t)
	if got := votes(t, lake); len(got) != 1 || got[0].BattleID != b.BattleID || got[0].Judge != "Ada O'Neill" {
		t.Errorf("votes %+v", got)
	}
}

// A vote in less than five seconds is stored with its time, and the annotator is told.
func TestHastyVotes(t *testing.T) {
	t.Parallel()
	lake, c := newLake(t, battlesOf(3)...), webtest.NewClock()
	p := open(t, lake, options(c))
	ada := newVoter(t, webtest.Serve(t, p.Handler()).URL, "Ada")
	c.Pass(4.9)
	ada.vote("first")
	ada.Wants("Your last vote took 4.9 s. It is stored, but the results set aside votes in less than 5 seconds")
	c.Pass(5)
	ada.vote("first")
	if strings.Contains(ada.Page, "set aside") {
		t.Error("five seconds are too few, too")
	}
	c.Pass(90)
	ada.Send("/vote",
		url.Values{"battle": {ada.Field("battle")}, "position": {ada.Field("position")}, "choice": {"tie"},
			"away": {"87.5"}})
	ada.Wants("Your last vote took 2.5 s.")
	must.Get(p.Close())(t)
	var fast int
	for _, v := range votes(t, lake) {
		if *v.Seconds < 5 {
			fast++
		}
	}
	if fast != 2 {
		t.Errorf("%d votes below five seconds, want 2", fast)
	}
}

// What people say of simulated captions is marked simulated.
func TestSimulatedCaptions(t *testing.T) {
	t.Parallel()
	all := battlesOf(2)
	all[1].Provenance = data.ProvenanceSimulated
	lake, c := newLake(t, all...), webtest.NewClock()
	p := open(t, lake, options(c))
	ada := newVoter(t, webtest.Serve(t, p.Handler()).URL, "Ada")
	if n := p.Simulated(); n != 1 {
		t.Errorf("%d simulated battles, want 1", n)
	}
	for range all {
		if said := strings.Contains(ada.Page,
			"These captions are made up"); said != (ada.Field("battle") == all[1].BattleID) {
			t.Errorf("%s: said to be simulated: %v", ada.Field("battle"), said)
		}
		ada.vote("tie")
	}
	must.Get(p.Close())(t)
	for _, v := range votes(t, lake) {
		if want := map[string]string{all[0].BattleID: "measured",
			all[1].BattleID: "simulated"}[v.BattleID]; v.Provenance != want {
			t.Errorf("%s is %s, want %s", v.BattleID, v.Provenance, want)
		}
	}
	p = open(t, lake, options(c))
	ada = newVoter(t, webtest.Serve(t, p.Handler()).URL, "Ada")
	ada.Wants("Nothing is left for you")
	must.Get(p.Close())(t)
}

// The order is drawn in proportion to the weights of the pairs; the same seed gives the same order.
func TestOrder(t *testing.T) {
	t.Parallel()
	first := map[string]int{}
	weight := func(a, b string) float64 {
		if min(a, b) == "model-0" {
			return 3
		}
		return 1
	}
	const draws = 1500
	for seed := range int64(draws) {
		all := battlesOf(9)[:6] // two battles of each pair: 0-1, 1-2, 2-3
		var battles []battle
		for _, b := range all {
			battles = append(battles, battle{id: b.BattleID, captionerA: b.CaptionerA, captionerB: b.CaptionerB})
		}
		order(battles, seed, weight)
		first[battles[0].captionerA]++
	}
	// Expected 3/5, 1/5, 1/5 of 1,500; three standard errors are 57 and 46.
	if first["model-0"] < 843 || first["model-0"] > 957 || first["model-1"] < 254 || first["model-1"] > 346 {
		t.Errorf("first of %d: %v", draws, first)
	}
}
