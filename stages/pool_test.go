package stages

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/config"
)

// Readers are asked about one caption for each question, however many the lake has; the rest can be
// asked later, without paying for the pool again, and the pool can be asked again after the rest.
func TestPoolAsksOneCaptionForEachQuestion(t *testing.T) {
	const images, questions = 6, 60
	captioners := []string{"a", "b", "c"}
	l := laketest.New(t)
	must.Succeed(t, fillSynthetic(l, images, questions, captioners...))
	c := rehearsal(serve(t, nil))
	asked := func(o config.Choice) (n int) {
		t.Helper()
		o.Stage = "answer"
		for _, r := range mustRun(t, l, c, o) {
			n += r.Answered
		}
		return n
	}
	pairs := func() map[string][]string {
		found := map[string][]string{}
		for _, a := range laketest.All(t, l, data.Answers) {
			if a.Protocol == captionqa.ProtocolUpstream && a.Repeat == 0 {
				found[a.QuestionID] = append(found[a.QuestionID], a.Captioner)
			}
		}
		return found
	}
	must.Equal(t, asked(config.Choice{Pool: 1, Repeats: 3}), 3*questions, questions)
	pool := pairs()
	drawn := map[string]int{}
	for id, of := range pool {
		must.Equal(t, len(of), 1, id, of)
		drawn[of[0]]++
	}
	if len(pool) != questions || len(drawn) != len(captioners) {
		t.Fatalf("%d questions, captioners %v", len(pool), drawn)
	}
	must.Equal(t, asked(config.Choice{Pool: 1, Repeats: 3}), 0, "requests the second time")
	if n := asked(config.Choice{Pool: 2}); n == 0 || n >= questions {
		t.Errorf("%d requests under another seed, which some pairs of the first share", n)
	}
	before := callsIn(t, l)
	expect.Equal(t, asked(config.Choice{}), 3*questions-(before-2*questions), before)
	for id, of := range pairs() {
		must.Equal(t, len(of), len(captioners), id, of)
	}
	// The pool again, which every unit has more than: nothing is asked, and no answer is lost.
	if n, rows := asked(config.Choice{Pool: 1}), len(laketest.All(t, l, data.Answers)); n != 0 ||
		rows != 3*questions+2*questions {
		t.Errorf("%d requests and %d answers after the pool was asked for again", n, rows)
	}
	noDoubleCalls(t, l)
}

// Captioners with equal captions share requests, which are recorded in the unit of one of them. A
// run of less than there is pays for nothing again, and leaves every answer.
func TestNarrowRunsLeaveSharedAnswers(t *testing.T) {
	l := laketest.New(t)
	must.Succeed(t, fillSynthetic(l, 6, 60, "a", "a-copy", "b", "b-copy"))
	c := rehearsal(serve(t, nil))
	mustRun(t, l, c, answering)
	answers, calls := laketest.All(t, l, data.Answers), callsIn(t, l)
	must.Equal(t, calls, 3*60, "calls for 60 questions about four captions in two equal pairs")
	for _, choice := range []config.Choice{
		{Pool: 1}, {Pool: 2}, {Pool: 3, Captioners: []string{"a-copy"}}, {Pool: 4,
			Captioners: []string{"a-copy", "b-copy"}}, {Captioners: []string{"b-copy"}},
	} {
		choice.Stage = "answer"
		for _, r := range mustRun(t, l, c, choice) {
			expect.Equal(t, r.Answered, 0, choice, r.Unit)
		}
		expect.Equal(t, laketest.All(t, l, data.Answers), answers, choice)
	}
	noDoubleCalls(t, l)
}

// A pool has the captions of Simple, or the captions of the prompts that are named: short captions
// beside them would make readers look bad.
func TestPoolOfPrompts(t *testing.T) {
	l := laketest.New(t)
	must.Succeed(t, fillSynthetic(l, 6, 60, "a", "b"))
	short := laketest.All(t, l, data.Captions)
	for i := range short {
		short[i].Prompt, short[i].Caption = captionqa.PromptShort, "Something."
	}
	laketest.Put(t, l, data.Captions, "short", short...)
	c := rehearsal(serve(t, nil))
	prompts := func(o config.Choice) map[string]bool {
		t.Helper()
		o.Stage = "answer"
		found := map[string]bool{}
		estimates := must.Get(New(l, c, o).Estimate())(t)
		for _, e := range estimates {
			if fields := strings.Fields(e.Unit); e.Pending > 0 { // … captioner prompt r0
				found[fields[len(fields)-2]] = true
			}
		}
		return found
	}
	for _, x := range []struct {
		choice config.Choice
		want   []string
	}{
		{config.Choice{Pool: 1}, []string{captionqa.PromptSimple}},
		{config.Choice{Pool: 1, Prompts: []string{captionqa.PromptShort}}, []string{captionqa.PromptShort}},
		{config.Choice{Pool: 1, Prompts: []string{captionqa.PromptShort, captionqa.PromptSimple}},
			[]string{captionqa.PromptShort, captionqa.PromptSimple}},
		{config.Choice{}, []string{captionqa.PromptShort, captionqa.PromptSimple}},
	} {
		expect.Equal(t, slices.Sorted(maps.Keys(prompts(x.choice))), x.want)
	}
	_, err := runAll(t.Context(), l, c, config.Choice{Stage: "answer", Pool: 1, Prompts: []string{"Long"}})
	expect.Failure(t, err, "no captions of the prompt Long to draw a pool from")
}

func TestPoolGoesWithAnswersAlone(t *testing.T) {
	c := rehearsal("http://127.0.0.1:1/v1")
	for _, o := range []config.Choice{{Pool: 1}, {Stage: "caption", Pool: 1}, {Stage: "answer", Pool: -1}} {
		if _, err := runAll(t.Context(), laketest.New(t), c, o); err == nil {
			t.Errorf("%+v is taken", o)
		}
	}
}
