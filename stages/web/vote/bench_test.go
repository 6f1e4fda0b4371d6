package vote

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/stages/web/browser"
)

const manyBattles = 100_000

// BenchmarkPage answers requests of a page with 100,000 battles, half of which have votes of ten annotators: to look at a battle, to
// vote on it (one fsync) and look at the next, to undo, and to look at the progress.
//
//	go test ./stages/web/vote -run '^$' -bench Page
func BenchmarkPage(b *testing.B) {
	all := make([]data.Battle, manyBattles)
	for i := range all {
		all[i] = battleOf(i)
		all[i].BattleID = fmt.Sprintf("battle-%06d", i)
		all[i].CaptionA = strings.Repeat(strconv.Itoa(i)+" words of a caption ", 40)
	}
	lake := newLake(b, all...)
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for person := range 10 {
		name := fmt.Sprint("Annotator ", person)
		laketest.Commit(b, lake, name, func(*data.Tx) error {
			var made []decision
			for i := person; i < manyBattles/2; i += 10 {
				seconds := 20 + float64(i%100)
				made = append(made, decision{Person: name, Item: all[i].BattleID, At: start.Add(time.Duration(i) * time.Second), Seconds: &seconds, Value: choice{Winner: "tie", Position: "ab"}})
			}
			_, err := ledger.SettlePerson(lake, ledger.Unit(name, false), made)
			return err
		})
	}
	o := options(browser.NewClock())
	o.Now, o.Overlap = time.Now, 0.06
	before := time.Now()
	p := open(b, lake, o)
	opened := time.Since(before)
	answer := browser.Answers(b, p.Handler())
	look := func() *voter {
		return &voter{&browser.Visitor{T: b, Name: "Ada", Page: answer("GET", "/vote?as=Ada", nil)}}
	}
	vote := func() {
		v := look()
		answer("POST", "/vote", url.Values{"token": {v.Field("token")}, "as": {"Ada"}, "battle": {v.Field("battle")}, "position": {v.Field("position")}, "choice": {"tie"}})
	}
	for name, act := range map[string]func(){
		"Look":     func() { look() },
		"Vote":     func() { vote(); look() },
		"Progress": func() { answer("GET", "/progress?as=Ada", nil) },
	} {
		b.Run(name, func(b *testing.B) {
			browser.Measure(b, act)
			b.ReportMetric(opened.Seconds(), "s-open")
		})
	}
	if _, err := p.Close(); err != nil {
		b.Fatal(err)
	}
}
