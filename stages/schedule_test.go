package stages

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/engine"
	"github.com/captionlake/captionlake/stages/llm"
	rehearsalserver "github.com/captionlake/captionlake/stages/rehearsal/server"
)

// syntheticReading asks the questions of a synthetic bank.
func syntheticReading(c *config.Config) (reading, error) {
	reader, err := c.Model("stub/reader-careful")
	return reading{Protocol: captionqa.ProtocolUpstream, Reader: reader, Evidence: captionqa.EvidenceCaption, Captioner: "synthetic", Prompt: captionqa.PromptSimple}, err
}

// requestGroups are the requests of a synthetic bank, those about one caption together,
// and by what a run tells them from others.
func requestGroups(l *data.Lake, c *config.Config) (groups [][]llm.Request, keys []string, err error) {
	j, err := syntheticReading(c)
	if err != nil {
		return nil, nil, err
	}
	before := ""
	err = j.items(&engine.Scope{Lake: l, Config: c}, func(q *posed) error {
		r, err := j.request(q)
		if err != nil {
			return err
		}
		r.Model, r.Protocol = j.Reader.Served, j.Protocol
		if len(groups) == 0 || q.ImageID != before {
			groups, keys = append(groups, nil), append(keys, q.ImageID+"\x00"+j.name())
		}
		before = q.ImageID
		groups[len(groups)-1] = append(groups[len(groups)-1], r)
		return nil
	})
	return groups, keys, err
}

// bestHits is the largest number of prompt tokens that a prefix cache can serve for a plan, in whole blocks: every prompt
// but the first of its group finds what it shares with the one before it, and all but the very first find the system
// message. A prompt's last token is always computed.
func bestHits(t testing.TB, l *data.Lake, c *config.Config) (hits, prompt int64) {
	t.Helper()
	groups, _, err := requestGroups(l, c)
	must.Succeed(t, err)
	const bytesPerBlock = 4 * rehearsalserver.BlockTokens
	before := ""
	for _, r := range slices.Concat(groups...) {
		var own strings.Builder // the chat template of the rehearsal models
		for _, m := range r.Messages {
			own.WriteString("<|im_start|>" + m.Role + "\n" + m.Parts[0].Text + "<|im_end|>\n")
		}
		own.WriteString("<|im_start|>assistant\n")
		text := own.String()
		tokens := (len(text) + 3) / 4
		same := 0
		for same < len(before) && same < len(text) && before[same] == text[same] {
			same++
		}
		blocks := min(same/bytesPerBlock, (tokens-1)/rehearsalserver.BlockTokens)
		hits += int64(blocks * rehearsalserver.BlockTokens)
		prompt += int64(tokens)
		before = text
	}
	return hits, prompt
}

// local carries requests to servers by their host's name, without a network: time in a test bubble passes only when all
// goroutines wait for each other, and a socket is not one of them.
type local map[string]http.Handler

func (l local) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	l[r.URL.Hostname()].ServeHTTP(w, r)
	return w.Result(), nil
}

// modelLake has a synthetic bank of 13 questions to an image.
func modelLake(t testing.TB, images int) *data.Lake {
	t.Helper()
	l := laketest.New(t)
	must.Succeed(t, fillSynthetic(l, images, 13*images))
	return l
}

// A loader asks the requests of a plan at a client and returns how many there were.
type loader func(t testing.TB, l *data.Lake, c *config.Config, client *llm.Client) int

// runEngine asks as a run does.
func runEngine(t testing.TB, l *data.Lake, c *config.Config, client *llm.Client) int {
	t.Helper()
	r := New(l, c, config.Choice{Stage: "answer"})
	r.Connect = func(config.Endpoint) (engine.Client, error) { return client, nil }
	reports, err := r.Run(t.Context())
	if err != nil || len(reports) != 1 || reports[0].Answered != reports[0].Planned || reports[0].Failed != 0 {
		t.Fatalf("%+v %v", reports, err)
	}
	return reports[0].Answered
}

// A schedule is another way to ask the same requests.
type schedule struct {
	warm     bool // the first request of a group is sent alone, and the others when it is back
	random   bool // in random order, and else in that of the plan
	affinity bool // the requests of a group go to one replica
}

func (s schedule) run(t testing.TB, l *data.Lake, c *config.Config, client *llm.Client) int {
	t.Helper()
	type request struct {
		llm.Request
		llm.Affinity
	}
	var order [][]request // those of a group after its first, with warm; else one request each
	asked := 0
	groups, keys, err := requestGroups(l, c)
	must.Succeed(t, err)
	for i, group := range groups {
		asked += len(group)
		var all []request
		for _, r := range group {
			one := request{Request: r}
			if s.affinity {
				one.Affinity = llm.Affinity{Key: keys[i], Calls: len(group)}
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
		if _, err := client.Ask(t.Context(), r.Request, r.Affinity); err != nil {
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
	for range c.Endpoints[0].Workers() {
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
func modelRun(t testing.TB, l *data.Lake, model rehearsalserver.Latency, replicas []string, transport http.RoundTripper, load loader) (rate, ceiling, hitShare float64) {
	t.Helper()
	c := rehearsal(replicas...)
	c.Endpoints[0].Concurrency = config.Concurrency{}
	best, prompt := bestHits(t, l, c)
	client, err := llm.New(llm.Config{Endpoint: llm.Endpoint{Name: "model", Replicas: replicas}, Transport: transport, Random: func() float64 { return 0.5 }})
	must.Succeed(t, err)
	started := time.Now()
	questions := float64(load(t, l, c, client))
	took := time.Since(started)
	counted, err := client.Counters(t.Context())
	must.Succeed(t, err)
	ceiling = float64(len(replicas)) * model.Ceiling(float64(prompt-best)/questions, 2) // a letter and the end
	return questions / took.Seconds(), ceiling, counted.PrefixHits / float64(best)
}

// bubble runs a test in a time of its own. What pools of memory hold of it, such as decoders with their channels, no other test
// may use: collecting garbage twice empties them.
func bubble(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	defer func() {
		runtime.GC()
		runtime.GC()
	}()
	synctest.Test(t, f)
}

// bubbleRun is a model run in the time of a test bubble.
func bubbleRun(t *testing.T, model rehearsalserver.Latency, replicas, images int, load loader) (rate, ceiling, hitShare float64) {
	t.Helper()
	l := modelLake(t, images)
	bubble(t, func(t *testing.T) {
		servers := local{}
		var urls []string
		for i := range replicas {
			name := fmt.Sprintf("replica-%d", i)
			servers[name] = rehearsalserver.New(rehearsalserver.Options{Latency: model})
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
		model, err := rehearsalserver.ParseLatency(name)
		must.Succeed(t, err)
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
		// So short a run ends with servers that have nothing left to do, some longer than others: by chance a fifth of its time.
		images, counts, even, affine = images/8, []int{2}, 0.9, 1.1
	}
	model, err := rehearsalserver.ParseLatency("mi325x")
	must.Succeed(t, err)
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
			run, _, best := bubbleRun(t, model, replicas, images*replicas, runEngine)
			t.Logf("%s, replicas %d, a run: %.1f questions/s, %.1f %% of the best hits", cache.name, replicas, run, 100*best)
			if best < 0.98 {
				t.Errorf("a run has %.1f %% of the best hits", 100*best)
			}
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
				if replicas > 1 && !other.affinity && hits > best-0.01 { // 2 points in the long run, more in the short one
					t.Errorf("without affinity there are %.1f %% of the best hits, with it %.1f %%", 100*hits, 100*best)
				}
			}
		}
	}
}
