package vote

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/arena"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/web/webtest"
)

// A voter is an annotator with a browser that runs no script.
type voter struct{ *webtest.Visitor }

func (s *sitting) voter(name string) *voter {
	s.T.Helper()
	v := &voter{s.Visitor(name)}
	v.look()
	return v
}

func (v *voter) look() { v.T.Helper(); v.Get("/vote?as=" + url.QueryEscape(v.Name)) }

// vote sends the form of the page that was looked at last.
func (v *voter) vote(choice string, more ...string) {
	v.T.Helper()
	v.Submit("/vote", append(more, "choice", choice)...)
}

// From the first look to the rows: the winner is the battle's whichever side it was shown on.
func TestVotesBecomeRows(t *testing.T) {
	t.Parallel()
	s := sit(t, battlesOf(9)...)
	s.open()
	ada := s.voter("Ada")
	want := map[string]string{}
	for i, choice := range []string{"first", "second", "tie", "skip", "first", "second"} {
		id, position := ada.Field("battle"), ada.Field("position")
		expect.Equal(t, position, string(arena.OrderOf(1, id, "Ada")), id)
		first := strings.Index(ada.Page, short) < strings.Index(ada.Page, long)
		if first != (position == "ba") { // The short caption is caption b.
			t.Errorf("%s: position %s, the short caption is first: %v", id, position, first)
		}
		s.Pass(float64(10 + i))
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
	expect.Equal(t, len(slices.Compact(slices.Sorted(func(yield func(string) bool) {
		for id := range want {
			yield(string(arena.OrderOf(1, id, "Ada")))
		}
	}))), 2, "all battles were shown in one order; the test says nothing about the other")
	must.Equal(t, s.End(), 6)
	got := laketest.All(t, s.Lake, data.Votes)
	must.Equal(t, len(got), len(want))
	for _, v := range got {
		if v.Winner != want[v.BattleID] || v.Judge != "Ada" || v.JudgeType != "human" ||
			v.Protocol != "caparena/vote" || v.Provenance != data.ProvenanceMeasured ||
			v.Position != string(arena.OrderOf(1, v.BattleID, "Ada")) || !strings.HasPrefix(v.ImageID, "nat_s") ||
			v.Seconds == nil || *v.Seconds < 10 || *v.Seconds > 15 || v.VotedAt == nil {
			t.Errorf("vote %+v, want winner %s", v, want[v.BattleID])
		}
	}
	// The next session goes on where this one ended, and undo reaches back.
	s.open()
	ada = s.voter("Ada")
	expect.Equal(t, want[ada.Field("battle")], "", ada.Field("battle"))
	ada.Wants("Stored: <b>Caption B is better</b>, 15 s", "5 of 9 votes",
		"<title>Stored: Caption B is better. Your battle 7")
	ada.Send("/undo", nil)
	ada.Wants("Your last vote is taken back", "Before it: <b>Caption A is better</b>, 14 s", "4 of 9 votes",
		"<title>Taken back. Your battle 6")
	s.End()
	expect.Equal(t, len(laketest.All(t, s.Lake, data.Votes)), 5, "votes after undo")
}

// Votes in less than five seconds, which no result counts, leave their battles to others, in later
// sessions, too.
func TestHastyVotesLeaveTheirBattlesToOthers(t *testing.T) {
	t.Parallel()
	s := sit(t, battlesOf(3)...)
	s.open()
	zed := s.voter("Zed")
	for range 3 {
		zed.look()
		s.Pass(2)
		zed.vote("tie")
	}
	zed.Wants("it does not count, and the battle goes to others", "Nothing is left for you", "0 of 3 votes")
	for range 2 {
		if got := s.Progress(); got.Made != 0 || got.Complete != 0 {
			t.Fatalf("%+v", got)
		}
		s.End()
		s.open()
	}
	bob := s.voter("Bob")
	for n := range 3 {
		bob.look()
		s.Pass(20)
		bob.vote("first")
		if got := s.Progress(); got.Made != n+1 || got.Complete != n+1 {
			t.Fatalf("after %d votes: %+v", n+1, got)
		}
	}
	bob.Get("/progress?as=Bob")
	bob.Wants("counted", `<th scope="row">Zed</th><td class="num">3</td><td class="num">0</td>`,
		`<th scope="row">Bob</th><td class="num">3</td><td class="num">3</td>`)
	s.End()
}

// A page that is older than the server says how long it was looked at, so that a hasty vote on it
// counts as little as any.
func TestVotesOnPagesOlderThanTheServerHaveATime(t *testing.T) {
	t.Parallel()
	s := sit(t, battlesOf(2)...)
	for i, seconds := range []float64{2, 30} {
		s.open()
		ada := s.voter("Ada")
		ada.look()
		s.End()
		s.open()
		again := s.voter("Bob")
		again.look()
		again.Name, again.Page = "Ada", ada.Page
		s.Pass(seconds)
		again.vote("tie")
		s.End()
		all := laketest.All(t, s.Lake, data.Votes)
		if len(all) != i+1 ||
			!slices.ContainsFunc(all, func(v data.Vote) bool { return v.Seconds != nil && *v.Seconds == seconds }) {
			t.Fatalf("%+v, want one of %v s", all, seconds)
		}
	}
}

// Undo of all leaves no unit behind, and votes of a second session are added to the votes of the
// first.
func TestUndoOfAll(t *testing.T) {
	t.Parallel()
	s := sit(t, battlesOf(3)...)
	for _, step := range []struct {
		act  func(*voter)
		rows int
	}{
		{func(v *voter) { v.vote("tie") }, 1},
		{func(v *voter) { v.vote("tie") }, 2},
		{func(v *voter) { v.Send("/undo", nil); v.Send("/undo", nil) }, 0},
		{func(v *voter) { v.Send("/undo", nil); v.Wants("There is no vote of yours to undo.") }, 0},
		{func(v *voter) { v.vote("tie"); v.Send("/undo", nil) }, 0},
	} {
		s.open()
		step.act(s.voter("Ada"))
		s.End()
		must.Equal(t, len(laketest.All(t, s.Lake, data.Votes)), step.rows)
	}
	expect.Equal(t, len(must.Get(s.Lake.Files(data.Votes))(t)), 0)
	expect.Equal(t, len(must.Get(s.Lake.Journals())(t)), 0)
}

// Two votes of one annotator on one battle: the first stands, whatever is sent.
func TestTheFirstVoteStands(t *testing.T) {
	t.Parallel()
	s := sit(t, battlesOf(2)...)
	s.open()
	ada := s.voter("Ada")
	id, position := ada.Field("battle"), ada.Field("position")
	s.Pass(20)
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
	s.End()
	if got := laketest.All(t, s.Lake, data.Votes); len(got) != 1 || got[0].Winner != "tie" {
		t.Errorf("votes %+v", got)
	}
}

// A share of the battles goes to two annotators, in an order of the captions of each one's own, and
// their agreement is counted.
func TestOverlapAndAgreement(t *testing.T) {
	t.Parallel()
	s := sit(t, battlesOf(40)...)
	s.o.Overlap = 0.3
	s.open()
	need := s.Progress().Needed
	if need < 45 || need > 60 {
		t.Fatalf("%d votes are needed for 40 battles at 0.3", need)
	}
	ada, bob := s.voter("Ada"), s.voter("Bob")
	shown := map[string]map[string]bool{"Ada": {}, "Bob": {}}
	for voted := true; voted; {
		voted = false
		for _, v := range []*voter{ada, bob} {
			if v.look(); v.Field("battle") == "" {
				continue
			}
			shown[v.Name][v.Field("battle")] = true
			s.Pass(20)
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
	if progress := s.Progress(); both != need-40 || progress.Made != need || progress.Complete != 40 {
		t.Errorf("%d battles were shown to both, want %d; progress %+v", both, need-40, progress)
	}
	if a := s.Agreement(); a.Pairs != both || a.Equal != both || a.Decisive != 0 || a.Share() != 1 {
		t.Errorf("agreement %+v", a)
	}
	ada.Get("/progress?as=Ada")
	ada.Wants("Two people chose the same in", "(1.000)")
	s.End()
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
	s := sit(t, all...)
	laketest.Commit(t, s.Lake, "released", func(tx *data.Tx) error {
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
	s.open()
	expect.Equal(t, s.Progress().Items, 2)
	expect.Equal(t, s.NotShown(), []string{"1 battles between a captioner and itself are not shown",
		"1 battles that people have voted on elsewhere are not shown; --again shows them",
		"2 battles with fewer than two captions are not shown",
		"1 battles without a picture are not shown: load pictures with captionlake ingest FOLDER"})
	s.End()
	s.o.Again = true
	s.open()
	ada := s.voter("Ada")
	// A vote under such a name might repeat one that is there, and could not be stored.
	for _, taken := range []string{"made up", "HUMAN"} {
		ada.Get("/vote?as=" + url.QueryEscape(taken))
		if ada.Wants("write another name"); ada.Status != http.StatusBadRequest {
			t.Errorf("%s: status %d", taken, ada.Status)
		}
	}
	if len(s.NotShown()) != 3 || s.Progress().Items != 3 {
		t.Errorf("left %+v, %d battles", s.Left, s.Progress().Items)
	}
	s.End()
}

// A caption is text, whatever it looks like.
func TestHostileCaptions(t *testing.T) {
	t.Parallel()
	b := battleOf(0)
	b.CaptionA, b.BattleID = hostile, `battle"><script>alert(5)</script>`
	s := sit(t, b)
	s.open()
	ada := s.voter(`Ada O'Neill`)
	ada.Wants("&lt;script&gt;alert(2)&lt;/script&gt;", "{{.Token}}", "&amp;lt;b&amp;gt;", "\ufffd[31mred",
		"\ufffdesrever\ufffd")
	expect.Lacks(t, ada.Page, "<script>a", "<img src=x", "\x1b", "\x00", "\u202e")
	s.Pass(12)
	ada.vote("tie")
	ada.Wants("Nothing is left for you")
	s.End()
	if got := laketest.All(t, s.Lake, data.Votes); len(got) != 1 || got[0].BattleID != b.BattleID ||
		got[0].Judge != "Ada O'Neill" {
		t.Errorf("votes %+v", got)
	}
}

// A vote in less than five seconds is stored with its time, and the annotator is told.
func TestHastyVotes(t *testing.T) {
	t.Parallel()
	s := sit(t, battlesOf(3)...)
	s.open()
	ada := s.voter("Ada")
	s.Pass(4.9)
	ada.vote("first")
	ada.Wants("Your last vote took 4.9 s. It is stored, but the results set aside votes in less than 5 seconds")
	s.Pass(5)
	ada.vote("first")
	expect.Lacks(t, ada.Page, "set aside")
	s.Pass(90)
	ada.vote("tie", "away", "87.5")
	ada.Wants("Your last vote took 2.5 s.")
	s.End()
	var fast int
	for _, v := range laketest.All(t, s.Lake, data.Votes) {
		if *v.Seconds < 5 {
			fast++
		}
	}
	expect.Equal(t, fast, 2, "votes below five seconds")
}

// What people say of simulated captions is marked simulated.
func TestSimulatedCaptions(t *testing.T) {
	t.Parallel()
	all := battlesOf(2)
	all[1].Provenance = data.ProvenanceSimulated
	s := sit(t, all...)
	s.open()
	ada := s.voter("Ada")
	expect.Equal(t, s.Simulated(), 1)
	for range all {
		expect.Equal(t, strings.Contains(ada.Page,
			"These captions are made up"), (ada.Field("battle") == all[1].BattleID), ada.Field("battle"))
		ada.vote("tie")
	}
	s.End()
	for _, v := range laketest.All(t, s.Lake, data.Votes) {
		expect.Equal(t, v.Provenance, map[string]string{all[0].BattleID: "measured",
			all[1].BattleID: "simulated"}[v.BattleID], v.BattleID)
	}
	s.open()
	ada = s.voter("Ada")
	ada.Wants("Nothing is left for you")
	s.End()
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
		battles := battlesOf(6) // two battles of each pair: 0-1, 1-2, 2-3
		order(battles, seed, weight)
		first[battles[0].CaptionerA]++
	}
	// Expected 3/5, 1/5, 1/5 of 1,500; three standard errors are 57 and 46.
	if first["model-0"] < 843 || first["model-0"] > 957 || first["model-1"] < 254 || first["model-1"] > 346 {
		t.Errorf("first of %d: %v", draws, first)
	}
}
