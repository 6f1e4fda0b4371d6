package stages

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
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

// A loader asks the requests of a plan at a client and returns how many there were.
type loader func(t testing.TB, l *data.Lake, w Work, client *llm.Client, workers int) int

// runEngine asks as a run does.
func runEngine(t testing.TB, l *data.Lake, w Work, client *llm.Client, workers int) int {
	t.Helper()
	e := &Engine{Lake: l, Caller: client, Workers: workers, Parallel: client.Parallel}
	summary, err := e.Run(t.Context(), w)
	if err != nil || summary.Answered != summary.Planned || summary.Failed != 0 {
		t.Fatalf("%+v %v", summary, err)
	}
	return summary.Answered
}

// A schedule is another way to ask the same requests.
type schedule struct {
	warm     bool // the first request of a group is sent alone, and the others when it is back
	random   bool // in random order, and else in that of the plan
	affinity bool // the requests of a group go to one replica
}

func (s schedule) run(t testing.TB, _ *data.Lake, w Work, client *llm.Client, workers int) int {
	t.Helper()
	type request struct {
		llm.Request
		llm.Affinity
	}
	var order [][]request // those of a group after its first, with warm; else one request each
	asked := 0
	for group, err := range w.Groups() {
		if err != nil {
			t.Fatal(err)
		}
		asked += len(group.Tasks)
		var all []request
		for _, task := range group.Tasks {
			one := request{Request: task.Request}
			if s.affinity {
				one.Affinity = llm.Affinity{Key: group.Affinity, Calls: len(group.Tasks)}
			}
			all = append(all, one)
		}
		if s.warm {
			order = append(order, all)
			continue
		}
		for i := range all {
			order = append(order, all[i:i+1])
		}
	}
	if s.random {
		rand.New(rand.NewPCG(1, 2)).Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	}
	ask := func(r request) {
		if _, err := client.Chat(t.Context(), r.Request, r.Affinity); err != nil {
			t.Error(err)
		}
	}
	// Of the groups that wait for their first, no more are open than keep the servers busy, as their captions would push each
	// other out of the cache.
	var mu sync.Mutex
	closed := sync.NewCond(&mu)
	open := 0
	next := make(chan []request)
	var wg sync.WaitGroup
	done := func() {
		mu.Lock()
		defer mu.Unlock()
		open--
		closed.Signal()
	}
	for range workers {
		wg.Go(func() {
			for list := range next {
				ask(list[0])
				done()
				for _, r := range list[1:] {
					wg.Go(func() {
						ask(r)
						done()
					})
				}
			}
		})
	}
	for _, list := range order {
		mu.Lock()
		for s.warm && open >= 3*client.Parallel()/2 {
			closed.Wait()
		}
		open += len(list)
		mu.Unlock()
		next <- list
	}
	close(next)
	wg.Wait()
	return asked
}

// modelRun asks the questions of a model lake at replicas with a latency model. It returns the questions per second, as
// many as the model allows, and the prefix-cache hits, as /metrics has them, as a share of the best possible order's.
func modelRun(t testing.TB, l *data.Lake, model stub.Latency, replicas []string, transport http.RoundTripper, load loader) (rate, ceiling, hitShare float64) {
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
	started := time.Now()
	questions := float64(load(t, l, w, client, EndpointConfig{Replicas: replicas}.workers()))
	took := time.Since(started)
	counted, err := client.Counters(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ceiling = float64(len(replicas)) * model.Ceiling(float64(prompt-best)/questions, 2) // a letter and the end
	return questions / took.Seconds(), ceiling, counted.PrefixHits / float64(best)
}

// bubbleRun is a model run in the time of a test bubble.
func bubbleRun(t *testing.T, model stub.Latency, replicas, images int, load loader) (rate, ceiling, hitShare float64) {
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
		rate, ceiling, hitShare = modelRun(t, l, model, urls, servers, load)
	})
	return rate, ceiling, hitShare
}

// slow reports whether tests take the whole bank.
func slow() bool { return os.Getenv("CAPTIONLAKE_SLOW") != "" }

// A run reaches what the latency model allows, with default settings: 97 % of the throughput, 98 % of the prefix-cache hits,
// and, on the whole bank, four replicas 95 % of four times one. The time is the test bubble's, so that the result does not
// depend on the machine.
func TestRunReachesTheModelsCeiling(t *testing.T) {
	images, counts := bankImages, []int{1, 4}
	if !slow() {
		// A quarter of the bank, and no replicas: what the last few hundred requests, which are at the servers already, leave
		// idle at the others is 1 % of a whole run and 4 % of so short a one.
		images, counts = images/4, counts[:1]
	}
	for _, name := range []string{"mi325x", "mi300x"} {
		model, err := stub.ParseLatency(name)
		if err != nil {
			t.Fatal(err)
		}
		one := 0.0
		for _, replicas := range counts {
			rate, ceiling, hits := bubbleRun(t, model, replicas, images*replicas, runEngine)
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

// What a run's order is worth: beside one request ahead of each caption's others, the same order without affinity, and random
// orders, once where all captions fit into the caches, and once where a quarter of them do. In figures, for the whole bank:
//
//	CAPTIONLAKE_SLOW=1 go test ./stages -run TestWhatTheOrderIsWorth -v
func TestWhatTheOrderIsWorth(t *testing.T) {
	images, counts, even, affine := bankImages, []int{1, 4}, 0.99, 1.05
	if !slow() {
		// So short a run ends with servers that have nothing left to do, some longer than others.
		images, counts, even, affine = images/16, []int{2}, 0.9, 1.1
	}
	model, err := stub.ParseLatency("mi325x")
	if err != nil {
		t.Fatal(err)
	}
	const captionTokens = 460 // of a caption, of what is around it, and of the blocks that each of its questions has for itself
	for _, cache := range []struct {
		name   string
		share  float64
		random float64 // times as fast as random order that a run is at least
	}{{"all captions fit", 1.5, even}, {"a quarter of them fits", 0.25, 2}} {
		model.CacheTokens = max(int(cache.share*float64(images*captionTokens)), 8192)
		for _, replicas := range counts {
			affinity := even // affinity is nothing where there is one replica
			if replicas > 1 {
				affinity = affine
			}
			run, _, hits := bubbleRun(t, model, replicas, images*replicas, runEngine)
			t.Logf("%s, replicas %d, a run: %.1f questions/s, %.1f %% of the best hits", cache.name, replicas, run, 100*hits)
			for _, other := range []struct {
				name string
				schedule
				gain float64 // times as fast that a run is at least
			}{
				{"one request ahead of each caption's others", schedule{warm: true, affinity: true}, even},
				{"the same order without affinity", schedule{}, affinity},
				{"random order", schedule{random: true, affinity: true}, cache.random},
				{"random order without affinity", schedule{random: true}, max(cache.random, affinity)},
			} {
				rate, _, hits := bubbleRun(t, model, replicas, images*replicas, other.run)
				t.Logf("%s, replicas %d, %s: %.1f questions/s, %.1f %% of the best hits; a run is %.2f times as fast", cache.name, replicas, other.name, rate, 100*hits, run/rate)
				if run < other.gain*rate {
					t.Errorf("a run is %.2f times as fast, expected at least %.2f times", run/rate, other.gain)
				}
			}
		}
	}
}

// With four requests worth having under way, four are: those of the first group. When one is back, the next begins, and when
// more are worth having, more begin.
func TestEngineHasNoMoreUnderWayThanTheServersNeed(t *testing.T) {
	l := newLake(t)
	var groups [][]string
	for i := range 5 {
		groups = append(groups, []string{fmt.Sprintf("%d0", i), fmt.Sprintf("%d1", i), fmt.Sprintf("%d2", i), fmt.Sprintf("%d3", i)})
	}
	synctest.Test(t, func(t *testing.T) {
		hold := make(chan struct{})
		f := &fakeCaller{}
		f.reply = func(text string, _ int) (llm.Reply, error) {
			<-hold
			return llm.Reply{State: llm.StateOK, Text: text}, nil
		}
		e := engine(l, f)
		var worth atomic.Int32
		worth.Store(4)
		e.Workers, e.Parallel = 64, func() int { return int(worth.Load()) }
		done := make(chan error)
		go func() {
			s, err := e.Run(t.Context(), testWork("groups", groups...))
			if err == nil && s.Answered != 20 {
				err = fmt.Errorf("%d of 20 answered", s.Answered)
			}
			done <- err
		}()
		asked := func(want int) {
			t.Helper()
			time.Sleep(time.Second) // Of the bubble's clock: the journal gathers replies before it writes.
			synctest.Wait()
			if n := f.count(); n != want {
				t.Errorf("%d requests were made, want %d", n, want)
			}
		}
		asked(4)
		if slices.Sort(f.asked); !slices.Equal(f.asked, groups[0]) {
			t.Errorf("%v were asked first", f.asked)
		}
		hold <- struct{}{}
		asked(5)
		worth.Store(10)
		hold <- struct{}{} // One is back, and six more begin than before.
		asked(12)
		close(hold)
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}
