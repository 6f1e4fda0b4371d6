package stages

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/stages/llm"
	"github.com/captionlake/captionlake/stages/stub"
)

// bestHits is the largest number of prompt tokens that a prefix cache can serve for a plan, in whole blocks: every prompt
// but the first of its group finds what it shares with the one before it, and all but the very first find the system
// message. A prompt's last token is always computed.
func bestHits(t testing.TB, l *data.Lake, reader ModelName) (hits, prompt int64) {
	t.Helper()
	w, err := AnswerWork(l, AnswerJob{
		Protocol: captionqa.ProtocolUpstream, Reader: reader, Evidence: EvidenceCaption, Captioner: "synthetic", Prompt: captionqa.PromptSimple,
	})
	if err != nil {
		t.Fatal(err)
	}
	const bytesPerBlock = 4 * stub.BlockTokens
	before := ""
	for group, err := range w.Groups() {
		if err != nil {
			t.Fatal(err)
		}
		for _, t := range group.Tasks {
			var own strings.Builder // the chat template of the rehearsal models
			for _, m := range t.Request.Messages {
				own.WriteString("<|im_start|>" + m.Role + "\n" + m.Parts[0].Text + "<|im_end|>\n")
			}
			own.WriteString("<|im_start|>assistant\n")
			text := own.String()
			tokens := (len(text) + 3) / 4
			blocks := min(commonPrefix(before, text)/bytesPerBlock, (tokens-1)/stub.BlockTokens)
			hits += int64(blocks * stub.BlockTokens)
			prompt += int64(tokens)
			before = text
		}
	}
	return hits, prompt
}

// local carries requests to servers by their host's name, without a network: time in a test bubble passes only when all
// goroutines wait for each other, and a socket is none of them.
type local map[string]http.Handler

func (l local) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	l[r.URL.Hostname()].ServeHTTP(w, r)
	return w.Result(), nil
}

// answerJob asks the questions of a synthetic bank.
func answerJob(t testing.TB) AnswerJob {
	t.Helper()
	reader, _, err := rehearsal("http://replica-0/v1").Model("stub/reader-careful")
	if err != nil {
		t.Fatal(err)
	}
	return AnswerJob{
		Protocol: captionqa.ProtocolUpstream, Reader: reader, Evidence: EvidenceCaption, Captioner: "synthetic", Prompt: captionqa.PromptSimple,
	}
}

// modelLake has a synthetic bank of 13 questions to an image.
func modelLake(t testing.TB, images int) *data.Lake {
	t.Helper()
	l := newLake(t)
	if err := fillSynthetic(l, images, 13*images); err != nil {
		t.Fatal(err)
	}
	return l
}

// modelRun asks the questions of a model lake at replicas with a latency model. It returns the questions per second, as
// many as the model allows, and the prefix-cache hits, as /metrics has them, as a share of the best possible order's.
func modelRun(t testing.TB, l *data.Lake, model stub.Latency, replicas []string, transport http.RoundTripper) (rate, ceiling, hitShare float64) {
	t.Helper()
	job := answerJob(t)
	best, prompt := bestHits(t, l, job.Reader)
	client, err := llm.New(llm.Config{Endpoint: llm.Endpoint{Name: "model", Replicas: replicas}, Transport: transport, Random: func() float64 { return 0.5 }})
	if err != nil {
		t.Fatal(err)
	}
	w, err := AnswerWork(l, job)
	if err != nil {
		t.Fatal(err)
	}
	e := &Engine{Lake: l, Caller: client, Workers: EndpointConfig{Replicas: replicas}.workers(), Parallel: client.Parallel}
	started := time.Now()
	summary, err := e.Run(t.Context(), w)
	took := time.Since(started)
	if err != nil || summary.Answered != summary.Planned || summary.Failed != 0 {
		t.Fatalf("%+v %v", summary, err)
	}
	counted, err := client.Counters(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	questions := float64(summary.Answered)
	ceiling = float64(len(replicas)) * model.Ceiling(float64(prompt-best)/questions, 1)
	return questions / took.Seconds(), ceiling, counted.PrefixHits / float64(best)
}

// bubbleRun is a model run in the time of a test bubble.
func bubbleRun(t *testing.T, model stub.Latency, replicas, images int) (rate, ceiling, hitShare float64) {
	t.Helper()
	l := modelLake(t, images)
	synctest.Test(t, func(t *testing.T) {
		servers := local{}
		var urls []string
		for i := range replicas {
			name := fmt.Sprintf("replica-%d", i)
			servers[name] = stub.New(stub.Options{Latency: model})
			urls = append(urls, "http://"+name+"/v1")
		}
		rate, ceiling, hitShare = modelRun(t, l, model, urls, servers)
	})
	return rate, ceiling, hitShare
}

// A whole run reaches what the latency model allows, with default settings: 97 % of the throughput, 98 % of the prefix-cache
// hits, and four replicas 95 % of four times one. The time is the test bubble's, so that the result does not depend on
// the machine.
func TestRunReachesTheModelsCeiling(t *testing.T) {
	images, counts := bankImages, []int{1, 4}
	if testing.Short() {
		// A quarter of the bank, and no replicas: what the last few hundred requests, which are at the servers already, leave
		// idle at the others is 3 % of a whole run and 12 % of so short a one.
		images, counts = images/4, counts[:1]
	}
	for _, name := range []string{"mi325x", "mi300x"} {
		model, err := stub.ParseLatency(name)
		if err != nil {
			t.Fatal(err)
		}
		one := 0.0
		for _, replicas := range counts {
			rate, ceiling, hits := bubbleRun(t, model, replicas, images*replicas)
			linear := 1.0
			if replicas == 1 {
				one = rate
			} else {
				linear = rate / (float64(replicas) * one)
			}
			t.Logf("%s, replicas %d: %.1f questions/s, %.2f %% of the ceiling, %.2f %% of the best hits, %.2f %% of linear",
				name, replicas, rate, 100*rate/ceiling, 100*hits, 100*linear)
			if rate < 0.97*ceiling || hits < 0.98 || linear < 0.95 {
				t.Errorf("%s, replicas %d: below 97 %%, 98 %% or 95 %%", name, replicas)
			}
		}
	}
}

// With four requests worth having under way, six open tasks are enough: two groups of four are started, since after the
// first there are four, and the third waits until one of them is done.
func TestEngineStartsNoMoreGroupsThanTheServersNeed(t *testing.T) {
	l := newLake(t)
	var groups [][]string
	for i := range 5 {
		groups = append(groups, []string{fmt.Sprintf("%d0", i), fmt.Sprintf("%d1", i), fmt.Sprintf("%d2", i), fmt.Sprintf("%d3", i)})
	}
	synctest.Test(t, func(t *testing.T) {
		hold := make(chan struct{})
		f := &fakeCaller{}
		f.reply = func(text string, _ int) (llm.Reply, error) {
			if text[1] == '0' {
				<-hold
			}
			return llm.Reply{State: llm.StateOK, Text: text}, nil
		}
		e := engine(l, f)
		e.Workers, e.Parallel = 64, func() int { return 4 }
		done := make(chan error)
		go func() {
			s, err := e.Run(t.Context(), testWork("groups", groups...))
			if err == nil && s.Answered != 20 {
				err = fmt.Errorf("%d of 20 answered", s.Answered)
			}
			done <- err
		}()
		synctest.Wait()
		if n := f.count(); n != 2 {
			t.Errorf("%d groups are started", n)
		}
		hold <- struct{}{}      // The first group goes on to its end, and the third starts.
		time.Sleep(time.Second) // Of the bubble's clock: the journal gathers replies before it writes.
		synctest.Wait()
		if n := f.count(); n != 6 {
			t.Errorf("%d requests were made instead of 2 groups' first, the rest of one, and the first of the third", n)
		}
		close(hold)
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}
