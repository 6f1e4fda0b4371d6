package vote

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/web/browser"
)

// TestMain serves the page of a lake instead of testing in a process that is to be killed.
func TestMain(m *testing.M) {
	browser.Main(m, func(lake *data.Lake) (http.Handler, error) {
		p, err := Open(lake, Options{Benchmark: "caparena", Seed: 1, Claim: time.Minute})
		if err != nil {
			return nil, err
		}
		return p.Handler(), nil
	})
}

// Every vote that the page confirmed before kill -9 becomes a row, those that were undone do not, and the page goes on.
func TestKillLosesNoVote(t *testing.T) {
	t.Parallel()
	lake := newLake(t, battlesOf(30)...)
	dir := lake.Dir()
	must.Succeed(t, lake.Close())
	confirmed := map[string]bool{}
	for round := range 3 {
		at, kill := browser.Process(t, dir)
		ada := newVoter(t, at, "Ada")
		if got := strings.Count(ada.Page, "Undo"); round > 0 && got == 0 {
			t.Error("the votes of the killed process cannot be undone")
		}
		for range 5 {
			id := ada.Field("battle")
			ada.vote("first")
			ada.Wants("Stored: <b>Caption A is better")
			if confirmed[id] {
				t.Errorf("%s was shown again", id)
			}
			confirmed[id] = true
		}
		ada.Send("/undo", url.Values{})
		delete(confirmed, ada.Field("battle"))
		kill()
	}
	lake, err := data.Edit(dir, "test")
	must.Succeed(t, err)
	t.Cleanup(func() { _ = lake.Close() })
	p := open(t, lake, options(browser.NewClock()))
	if p.Kept() == 0 {
		t.Error("nothing was kept of the last process")
	}
	got := votes(t, lake)
	if len(got) != len(confirmed) {
		t.Errorf("%d votes, want %d", len(got), len(confirmed))
	}
	for _, v := range got {
		if !confirmed[v.BattleID] {
			t.Errorf("a vote on %s, which was undone or never cast", v.BattleID)
		}
	}
	if _, err := p.Close(); err != nil {
		t.Fatal(err)
	}
}
