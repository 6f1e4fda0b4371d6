package review

import (
	"fmt"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/captionlake/captionlake/stages/web"
	"github.com/captionlake/captionlake/stages/web/browser"
)

const manyQuestions = 20_000

// BenchmarkPage answers requests of a page with 20,000 questions of 35 words, half of which ten reviewers have decided about: to look at the
// next question, to decide (one fsync) and look at the next, to list the questions, and to look at the progress. It also tells how long the page takes to open, and its memory.
//
//	go test ./stages/web/review -run '^$' -bench Page
func BenchmarkPage(b *testing.B) {
	all := make([]routed, manyQuestions)
	for i := range all {
		all[i] = candidateOf(i)
		all[i].CandidateID = fmt.Sprintf("nat_s%02d/%06d", i%6+1, i)
		all[i].Question += " " + strings.Repeat("Say which of these colours it has, among those that are named below. ", 2)
	}
	slices.SortFunc(all, func(x, y routed) int { return strings.Compare(x.CandidateID, y.CandidateID) })
	lake := newLake(b, all...)
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for person := range 10 {
		var made []web.Decision[decision]
		for i := person; i < manyQuestions/2; i += 10 {
			seconds := 20 + float64(i%100)
			made = append(made, web.Decision[decision]{Person: fmt.Sprint("Reviewer ", person), Item: all[i].CandidateID, At: start.Add(time.Duration(i) * time.Second), Seconds: &seconds,
				Value: decision{Decision: "keep"}})
		}
		if _, err := reviews.SettlePerson(lake, reviews.Unit(made[0].Person, false), made); err != nil {
			b.Fatal(err)
		}
	}
	all = nil
	o := Options{Claim: time.Hour}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	began := time.Now()
	p := open(b, lake, o)
	opened := time.Since(began)
	runtime.GC()
	runtime.ReadMemStats(&after)
	answer := browser.Answers(b, p.Handler())
	decide := func() {
		form := url.Values{"do": {"accept"}, "key": {"1"}, "as": {"Ada"}}
		r := &reviewer{&browser.Visitor{T: b, Name: "Ada", Page: answer("GET", "/review?as=Ada", nil)}}
		for _, name := range []string{"token", "id", "version"} {
			form.Set(name, r.Field(name))
		}
		answer("POST", "/review", form)
		answer("GET", "/review?as=Ada", nil)
	}
	for _, act := range []struct {
		name string
		do   func()
	}{
		{"Look", func() { answer("GET", "/review?as=Ada", nil) }},
		{"Decide", decide},
		{"List", func() { answer("GET", "/list?as=Ada&state=all", nil) }},
		{"Progress", func() { answer("GET", "/progress?as=Ada", nil) }},
	} {
		b.Run(act.name, func(b *testing.B) {
			browser.Measure(b, act.do)
			b.ReportMetric(opened.Seconds(), "s-open")
			b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/(1<<20), "MiB")
		})
	}
	closed(b, p)
}
