package review

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/web"
	"github.com/captionlake/captionlake/stages/web/browser"
)

// TestMain serves the page of a lake instead of testing in a process that is to be killed.
func TestMain(m *testing.M) {
	browser.Main(m, func(lake *data.Lake) (http.Handler, error) {
		p, err := Open(lake, Options{Claim: time.Minute})
		if err != nil {
			return nil, err
		}
		return p.Handler(), nil
	})
}

// Every decision that the page confirmed before kill -9 becomes a row, as it was last, those that were undone do not, and the page goes on.
func TestKillLosesNoDecision(t *testing.T) {
	t.Parallel()
	lake := newLake(t, candidatesOf(30)...)
	dir := lake.Dir()
	must.Succeed(t, lake.Close())
	confirmed := map[string]string{}
	for range 3 {
		at, kill := browser.Process(t, dir)
		ada := newReviewer(t, at, "Ada")
		decide := func(what, want, decision string, more url.Values) {
			t.Helper()
			id := ada.Field("id")
			if confirmed[id] != "" {
				t.Errorf("%s is shown again", id)
			}
			ada.do(what, more)
			ada.Wants("Stored: <b>" + want)
			confirmed[id] = decision
		}
		decide("accept", "accepted", "keep", url.Values{"key": {"0"}})
		decide("accept", "key changed from A to B", "fix B", url.Values{"key": {"1"}})
		revised := ada.Field("id")
		decide("discard", "discarded: duplicate", "drop", url.Values{"reason": {"duplicate"}})
		ada.look("review", revised)
		ada.do("accept", url.Values{"key": {"3"}}) // She thinks again.
		confirmed[revised] = "fix D"
		ada.next()
		decide("discard", "discarded: ambiguous", "drop", url.Values{"reason": {"ambiguous"}})
		ada.Send("/undo", url.Values{})
		delete(confirmed, ada.Field("id"))
		kill()
	}
	lake = must.Get(data.Edit(dir, "test"))(t)
	t.Cleanup(func() { _ = lake.Close() })
	p := open(t, lake, options(browser.NewClock()))
	if p.Kept() == 0 {
		t.Error("nothing was kept of the last process")
	}
	got := laketest.All(t, lake, data.Reviews)
	if len(got) != len(confirmed) {
		t.Errorf("%d rows, want %d", len(got), len(confirmed))
	}
	for _, r := range got {
		decision := r.Decision
		if r.AnswerIndex != nil {
			decision += " " + web.Letter(int(*r.AnswerIndex))
		}
		if want := confirmed[r.CandidateID]; decision != want {
			t.Errorf("%s is %s, want %q", r.CandidateID, decision, want)
		}
	}
	closed(t, p)
}
