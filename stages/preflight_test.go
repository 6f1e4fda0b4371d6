package stages

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/captionlake/captionlake/analytics/ask"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/doctor"
	"github.com/captionlake/captionlake/stages/engine"
	"github.com/captionlake/captionlake/stages/llm"
	rehearsalserver "github.com/captionlake/captionlake/stages/rehearsal/server"
)

// closedAddress is an address at which nobody listens.
func closedAddress() string {
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	return server.URL + "/v1"
}

// Servers that were never there end a run at once, under every protocol, and nothing is recorded as
// failed.
func TestRunWithoutServersEndsAtOnce(t *testing.T) {
	l := captionedLake(t)
	before := callsIn(t, l)
	for _, protocol := range captionqa.AskProtocols() {
		refused(t, l, rehearsal(closedAddress(), closedAddress()), config.Choice{Stage: "answer", Protocol: protocol},
			"captionlake doctor", "no server of endpoint rehearsal answers")
	}
	must.Equal(t, callsIn(t, l), before)
	if left, err := l.Journals(); err != nil || len(left) > 0 {
		t.Errorf("work in flight: %v %v", left, err)
	}
}

// Recorded replies are read again without any server, also under the protocol that probes servers.
func TestNothingPendingNeedsNoServer(t *testing.T) {
	l := captionedLake(t)
	choice := config.Choice{Stage: "answer", Protocol: captionqa.ProtocolConstrained}
	mustRun(t, l, rehearsal(serve(t, l)), choice)
	_, questions := sampleSize(t)
	for _, r := range mustRun(t, l, rehearsal(closedAddress()), choice) {
		if r.Answered != 0 || r.Rows != questions {
			t.Errorf("%+v", r)
		}
	}
}

// A server that is no model server ends the run instead of failing every request.
func TestRunAgainstSomethingElseRecordsNothing(t *testing.T) {
	l := captionedLake(t)
	before := callsIn(t, l)
	for _, status := range []int{http.StatusMethodNotAllowed, http.StatusNotImplemented, http.StatusNotFound,
		http.StatusMovedPermanently} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "http://localhost/elsewhere")
			http.Error(w, "<html><body>not here</body></html>", status)
		}))
		for _, protocol := range []string{captionqa.ProtocolUpstream, captionqa.ProtocolConstrained} {
			refused(t, l, rehearsal(server.URL+"/v1"), config.Choice{Stage: "answer", Protocol: protocol},
				"captionlake doctor", "not-found")
		}
		server.Close()
	}
	must.Equal(t, callsIn(t, l), before)
}

// A probe that was not answered is no verdict about constraints.
func TestUnansweredProbeIsNoVerdict(t *testing.T) {
	l := captionedLake(t)
	plan, err := rehearsalserver.ParseFaults("500=100%")
	must.Succeed(t, err)
	c := rehearsal(serveAs(t, l, rehearsalserver.Options{Faults: plan}))
	c.Endpoints[0].Attempts = 1
	refused(t, l, c, config.Choice{Stage: "answer", Protocol: captionqa.ProtocolConstrained}, "captionlake doctor",
		"it is unknown whether")
}

// What an interrupted run has left in the journal is not pending, neither for the next run nor for
// the estimate.
func TestEstimateAfterAnInterruptionResumes(t *testing.T) {
	l := captionedLake(t)
	var runner *engine.Runner
	var asked atomic.Int64
	c := rehearsal(serve(t, l, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost && asked.Add(1) == 100 {
				runner.Drain()
			}
			next.ServeHTTP(w, r)
		})
	}))
	runner = New(l, c, answering)
	reports, err := runner.Run(t.Context())
	laketest.Hint(t, err, "run the same command again", ": interrupted")
	if llm.ClassOf(err) != llm.ClassDrained || strings.Contains(err.Error(), "drained") {
		t.Errorf("%v", err)
	}
	kept := reports[0].Answered
	_, questions := sampleSize(t)
	if kept < 100 || kept >= questions {
		t.Fatalf("%d replies before the end of the run", kept)
	}
	if err := l.Close(); err != nil { // A dry run only reads.
		t.Fatal(err)
	}
	reader := must.Get(data.Waiter{Reader: ask.Read}.Open(l.Dir()))(t)
	estimates, err := New(reader, c, answering).Estimate()
	if err != nil || len(estimates) != 1 {
		t.Fatalf("%+v %v", estimates, err)
	}
	if e := estimates[0]; e.Pending != questions-kept || e.Planned != questions {
		t.Errorf("%d of %d pending, %d replies were kept", e.Pending, e.Planned, kept)
	}
}

// A run without a unit says why.
func TestNothingToAsk(t *testing.T) {
	empty, full := laketest.New(t), captionedLake(t)
	for name, c := range map[string]struct {
		lake   *data.Lake
		edit   func(*config.Config)
		choice config.Choice
		say    string
		next   string
	}{
		"nothing configured": {full, func(c *config.Config) { *c = config.Config{} }, config.Choice{},
			"no captioner is named", config.File},
		"no captioner": {full, func(c *config.Config) { c.Captions.Captioners = nil },
			captioning, "no captioner is named", config.File},
		"no reader": {full, func(c *config.Config) { c.Answers.Readers = nil }, answering,
			"no reader is named", "--reader"},
		"no captions": {empty, nil, answering, "the lake has no captions",
			"captionlake run caption"},
		"other captioner": {full, nil, config.Choice{Stage: "answer", Captioners: []string{"nobody"}},
			"the lake has no captions of nobody", "captionlake sql"},
		"other prompt": {full, nil, config.Choice{Stage: "answer", Prompts: []string{"Nothing"}},
			"the lake has no captions of Nothing", "captionlake sql"},
		"repeats": {full, nil, config.Choice{Stage: "answer", Repeats: -1}, "--repeats is a number above 0, not " +
			"-1", "leave it out"},
		"protocol": {empty, nil, config.Choice{Stage: "answer", Protocol: "captionqa/other"},
			`no protocol "captionqa/other"`, captionqa.ProtocolConstrained},
	} {
		t.Run(name, func(t *testing.T) {
			config := rehearsal(closedAddress())
			if c.edit != nil {
				c.edit(config)
			}
			refused(t, c.lake, config, c.choice, c.next, c.say)
		})
	}
	// An empty bank is no error of the run, and worth a word.
	reports := mustRun(t, empty, rehearsal(closedAddress()), captioning)
	if len(reports) != 1 || !strings.Contains(reports[0].Note, "no pictures") {
		t.Errorf("%+v", reports)
	}
	// Captions are found by the name of their prompt in any case.
	estimates, err := New(full, rehearsal(closedAddress()),
		config.Choice{Stage: "answer", Prompts: []string{"simple"}}).Estimate()
	if err != nil || len(estimates) != 1 {
		t.Errorf("%d units for the prompt simple: %v", len(estimates), err)
	}
}

// The doctor says where the key of a server goes.
func TestDoctorOfAServerThatWantsAKey(t *testing.T) {
	refusing := serve(t, nil, wanting("the right one"))
	refused := rehearsal(refusing)
	if r := doctor.Doctor(t.Context(), refused, Asks(refused, ""))[0]; r.Verdict != doctor.Fail ||
		!strings.Contains(r.Detail, "key_env") {
		t.Errorf("%+v", r)
	}
}

// Before any caption is there, a dry run still says what the questions about them will cost: 317
// questions of the sample set and captions of 356 * 4 / 3 = 474 tokens under the prompt Simple, all
// but one for each item from the cache.
func TestForecastOfCaptionsToBeMade(t *testing.T) {
	l := sampleLake(t)
	c := rehearsal(serve(t, l))
	items, questions := sampleSize(t)
	forecast := func(l *data.Lake, o config.Choice) (ahead []engine.Estimate) {
		t.Helper()
		all, err := New(l, c, o).Estimate()
		if err != nil && !errors.Is(err, engine.ErrNothingToAsk) {
			t.Fatal(err)
		}
		for _, e := range all {
			if e.Assumed {
				ahead = append(ahead, e)
			}
		}
		return ahead
	}
	ahead := forecast(l, config.Choice{})
	must.Equal(t, len(ahead), 1, ahead)
	e := ahead[0]
	blind, err := New(l, c, config.Choice{Stage: "answer", Evidence: []string{captionqa.EvidenceNone}}).Estimate()
	if err != nil || len(blind) != 1 {
		t.Fatalf("%+v %v", blind, err)
	}
	none := blind[0]
	if e.Pending != questions || e.Planned != questions || e.Output != none.Output ||
		e.Prompt-none.Prompt != int64(474*questions) || e.Shared-none.Shared != int64(474*(questions-items)) {
		t.Errorf("%+v, without captions %+v", e, none)
	}
	for _, o := range []config.Choice{{Stage: "answer"}, {Stage: "caption"}} {
		expect.Equal(t, len(forecast(l, o)), 0, o)
	}
	mustRun(t, l, c, captioning)
	expect.Equal(t, len(forecast(l, config.Choice{})), 0, "the captions are there")
	for _, e := range forecast(laketest.New(t), config.Choice{}) {
		expect.Equal(t, e.Pending, 0, e)
	}
	sum := engine.Total([]engine.Estimate{{Pending: 2, Prompt: 10, Seconds: 3, Cost: 1},
		{Prompt: 5, Seconds: 0, Cost: 2}})
	if sum.Pending != 2 || sum.Prompt != 15 || sum.Seconds != 3 || sum.Cost != 3 {
		t.Errorf("%+v", sum)
	}
	expect.Equal(t, engine.Total([]engine.Estimate{{Pending: 2, Seconds: 3}, {Pending: 1}}).Seconds, 0,
		"a time that is unknown in part")
}

// Requests that are refused at the same time do not count: the message has the limit of the budget.
func TestBudgetEndsARun(t *testing.T) {
	l := captionedLake(t)
	c := rehearsal(serve(t, l))
	for say, budget := range map[string]config.Budget{"5 requests": {Requests: 5}, "900 tokens": {Tokens: 900}} {
		c.Budget = budget
		refused(t, l, c, answering, "raise the budget", "the budget is used up: it allows "+say)
	}
}

// The flags of a model's chat template go with every request to it, be it a captioner, a reader or
// a judge: a reader that thinks would otherwise spend its four tokens on thoughts.
func TestTemplateFlagsAreSent(t *testing.T) {
	l := sampleLake(t)
	var mu sync.Mutex
	sent := map[string]int{}
	address := serve(t, l, rewriting(func(_ string, body, reply []byte) []byte {
		var request struct {
			Model string         `json:"model"`
			Flags map[string]any `json:"chat_template_kwargs"`
		}
		if len(body) > 0 {
			must.Succeed(t, json.Unmarshal(body, &request))
			mu.Lock()
			defer mu.Unlock()
			sent[fmt.Sprint(request.Model, " ", request.Flags)]++
		}
		return reply
	}))
	c := rehearsal(address)
	c.Models = []config.ModelSettings{{Name: "rehearsal/reader-careful",
		Template: map[string]any{"enable_thinking": false}},
		{Name: "rehearsal/captioner-medium", Template: map[string]any{"effort": "low"}}}
	mustRun(t, l, c, config.Choice{Evidence: []string{captionqa.EvidenceCaption, captionqa.EvidenceImage}})
	items, questions := sampleSize(t)
	if len(sent) != 2 ||
		sent["rehearsal/reader-careful map[enable_thinking:false]"] != questions ||
		sent["rehearsal/captioner-medium map[effort:low]"] != items+questions {
		t.Errorf("%v for %d items and %d questions", sent, items, questions)
	}
}
