package stages

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/config"
	rehearsalserver "github.com/captionlake/captionlake/stages/rehearsal/server"
)

// Readers are asked about one caption for each question, however many the lake has; the rest can be
// asked later, without paying for the pool again, and the pool can be asked again after the rest.
func TestPoolAsksOneCaptionForEachQuestion(t *testing.T) {
	const images, questions = 6, 60
	captioners := []string{"a", "b", "c"}
	l := laketest.New(t)
	must.Succeed(t, fillSynthetic(l, images, questions, captioners...))
	c := rehearsal(serve(t, nil, rehearsalserver.Options{}, nil))
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
	if n := asked(config.Choice{Pool: 1, Repeats: 3}); n != 3*questions {
		t.Fatalf("%d requests for three repetitions of %d questions", n, questions)
	}
	pool := pairs()
	drawn := map[string]int{}
	for id, of := range pool {
		if len(of) != 1 {
			t.Fatalf("%s was asked about the captions of %v", id, of)
		}
		drawn[of[0]]++
	}
	if len(pool) != questions || len(drawn) != len(captioners) {
		t.Fatalf("%d questions, captioners %v", len(pool), drawn)
	}
	if n := asked(config.Choice{Pool: 1, Repeats: 3}); n != 0 {
		t.Fatalf("%d requests the second time", n)
	}
	if n := asked(config.Choice{Pool: 2}); n == 0 || n >= questions {
		t.Errorf("%d requests under another seed, which some pairs of the first share", n)
	}
	before := len(laketest.All(t, l, data.Calls))
	if n := asked(config.Choice{}); n != 3*questions-(before-2*questions) {
		t.Errorf("%d requests for the rest, after %d calls", n, before)
	}
	for id, of := range pairs() {
		if len(of) != len(captioners) {
			t.Fatalf("%s: %v", id, of)
		}
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
	c := rehearsal(serve(t, nil, rehearsalserver.Options{}, nil))
	mustRun(t, l, c, config.Choice{Stage: "answer"})
	answers, calls := laketest.All(t, l, data.Answers), len(laketest.All(t, l, data.Calls))
	if calls != 3*60 {
		t.Fatalf("%d calls for 60 questions about four captions, of which each second pair is equal", calls)
	}
	for _, choice := range []config.Choice{
		{Pool: 1}, {Pool: 2}, {Pool: 3, Captioners: []string{"a-copy"}}, {Pool: 4,
			Captioners: []string{"a-copy", "b-copy"}}, {Captioners: []string{"b-copy"}},
	} {
		choice.Stage = "answer"
		for _, r := range mustRun(t, l, c, choice) {
			if r.Answered != 0 {
				t.Errorf("%+v: %d requests of %s were asked again", choice, r.Answered, r.Unit)
			}
		}
		if got := laketest.All(t, l, data.Answers); !reflect.DeepEqual(got, answers) {
			t.Errorf("%+v: %d answers of %d are left", choice, len(got), len(answers))
		}
	}
	noDoubleCalls(t, l)
}

// A pool has the captions of Simple, or those of the prompts that are named: short captions beside
// them would make readers look bad.
func TestPoolOfPrompts(t *testing.T) {
	l := laketest.New(t)
	must.Succeed(t, fillSynthetic(l, 6, 60, "a", "b"))
	short := laketest.All(t, l, data.Captions)
	for i := range short {
		short[i].Prompt, short[i].Caption = captionqa.PromptShort, "Something."
	}
	laketest.Put(t, l, data.Captions, "short", short...)
	c := rehearsal(serve(t, nil, rehearsalserver.Options{}, nil))
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
		if got := slices.Sorted(maps.Keys(prompts(x.choice))); !slices.Equal(got, x.want) {
			t.Errorf("%+v: asked about the captions of %v, want %v", x.choice, got, x.want)
		}
	}
	_, err := runAll(t.Context(), l, c, config.Choice{Stage: "answer", Pool: 1, Prompts: []string{"Long"}})
	if err == nil || !strings.Contains(err.Error(), "no captions of the prompt Long to draw a pool from") {
		t.Errorf("a pool without captions: %v", err)
	}
}

func TestPoolGoesWithAnswersAlone(t *testing.T) {
	c := rehearsal("http://127.0.0.1:1/v1")
	for _, o := range []config.Choice{{Pool: 1}, {Stage: "caption", Pool: 1}, {Stage: "answer", Pool: -1}} {
		if _, err := runAll(t.Context(), laketest.New(t), c, o); err == nil {
			t.Errorf("%+v is taken", o)
		}
	}
}
