package stages

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/llm"
	"github.com/captionlake/captionlake/stages/preflight"
	rehearsalserver "github.com/captionlake/captionlake/stages/rehearsal/server"
)

// A core is the processor of one client: requests leave it one after the other, each a while after
// the one before.
type core struct {
	http.RoundTripper
	each time.Duration // processor time of a request

	mu   sync.Mutex
	free time.Time // when it has done what it was given
}

func (c *core) RoundTrip(r *http.Request) (*http.Response, error) {
	// what a server tells of itself is asked for under a lock, where a bubble's time stands still
	if r.Method == http.MethodGet {
		return c.RoundTripper.RoundTrip(r)
	}
	c.mu.Lock()
	now := time.Now()
	if c.free.Before(now) {
		c.free = now
	}
	c.free = c.free.Add(c.each)
	wait := c.free.Sub(now)
	c.mu.Unlock()
	time.Sleep(wait)
	return c.RoundTripper.RoundTrip(r)
}

// A router is one address before many servers. It sends what has the same header to the same
// server, and what has none to one after the other.
type router struct {
	servers local
	header  string
	turn    atomic.Uint64
}

func (o *router) RoundTrip(r *http.Request) (*http.Response, error) {
	at := o.turn.Add(1)
	if session := r.Header.Get(o.header); session != "" {
		sum := sha256.Sum256([]byte(session))
		at = binary.BigEndian.Uint64(sum[:])
	}
	to := r.Clone(r.Context())
	to.URL.Host = fmt.Sprintf("replica-%d", at%uint64(len(o.servers)))
	return o.servers.RoundTrip(to)
}

// A fleet is how many servers are asked by how many clients.
type fleet struct {
	model    rehearsalserver.Latency
	replicas int
	images   int           // of each replica
	clients  int           // each with a part of the images and a lake of its own
	each     time.Duration // processor time of the client for a request
	router   bool          // one address before all servers
	session  string        // header that the client sends and the router hashes
}

// run asks all questions in the time of a test bubble. It returns the questions per second, as many
// as the model allows, and the prefix-cache hits as a share of the best order's.
func (f fleet) run(t *testing.T) (rate, ceiling, hitShare float64) {
	t.Helper()
	lakes := make([]*data.Lake, f.clients)
	for i := range lakes {
		lakes[i] = modelLake(t, f.images*f.replicas)
	}
	bubble(t, func(t *testing.T) {
		servers := local{}
		var urls []string
		for i := range f.replicas {
			name := fmt.Sprintf("replica-%d", i)
			servers[name] = rehearsalserver.New(rehearsalserver.Options{Latency: f.model})
			urls = append(urls, "http://"+name+"/v1")
		}
		c := rehearsal(urls...)
		best, prompt := bestHits(t, lakes[0], c)
		e := &c.Endpoints[0]
		e.Concurrency = llm.Concurrency{}
		var through http.RoundTripper = servers
		if f.router {
			through = &router{servers: servers, header: f.session}
			e.Replicas, e.Affinity, e.Session.Header = []string{"http://router/v1"}, config.AffinityOff, f.session
			e.Concurrency.Max = f.model.Slots * f.replicas
			e.Concurrency.Initial = e.Concurrency.Max
		}
		var group sync.WaitGroup
		var answered atomic.Int64
		started := time.Now()
		for i, l := range lakes {
			group.Go(func() {
				settings := e.ClientConfig()
				settings.Transport, settings.Random = &core{RoundTripper: through, each: f.each},
					func() float64 { return 0.5 }
				client, err := llm.New(settings)
				if err != nil {
					t.Error(err)
					return
				}
				r := New(l, c, answering)
				r.Part = config.Part{Number: i + 1, Of: f.clients}
				r.Connect = func(config.Endpoint) (preflight.Client, error) { return client, nil }
				reports, err := r.Run(t.Context())
				if err != nil || len(reports) != 1 || reports[0].Failed != 0 {
					t.Errorf("%+v %v", reports, err)
					return
				}
				answered.Add(int64(reports[0].Answered))
			})
		}
		group.Wait()
		took := time.Since(started)
		questions := 13 * f.images * f.replicas
		if answered.Load() != int64(questions) {
			t.Fatalf("%d of %d questions were answered", answered.Load(), questions)
		}
		all := must.Get(llm.New(llm.Config{Endpoint: llm.Endpoint{Name: "all", Replicas: urls}, Transport: servers}))(t)
		// a letter and the end
		ceiling = float64(f.replicas) * ceilingOf(f.model, float64(prompt-best)/float64(questions), 2)
		rate, hitShare = float64(questions)/took.Seconds(), prefixHits(t, all)/float64(best)
	})
	return rate, ceiling, hitShare
}

// What many replicas are worth to one client and to four parts, and to a client whose router is
// told the session of each caption and to one whose router is not. It is simulated: the servers
// have the timing that the latency model gives an MI325X, and the client's processor takes for each
// request what it was measured to take (cmd/captionlake/SPEED.md). In figures:
//
//	CAPTIONLAKE_SLOW=figures go test ./stages -run TestManyReplicas -v
func TestManyReplicas(t *testing.T) {
	model := must.Get(rehearsalserver.ParseLatency("mi325x"))(t)
	// of the client's processor, so that one client asks 8,264 questions a second at most
	const each = 121 * time.Microsecond
	most := float64(time.Second) / float64(each)
	type row struct {
		name  string
		fleet fleet
		least float64 // share of the rate that servers and clients allow
	}
	rows := []row{
		{"one client, fast servers",
			fleet{model: model.Faster(200), replicas: 2, images: 40, clients: 1, each: each}, 0.9},
		{"four parts, fast servers",
			fleet{model: model.Faster(200), replicas: 2, images: 80, clients: 4, each: each}, 0.7},
		{"router with sessions",
			fleet{model: model, replicas: 4, images: 40, clients: 1, each: each, router: true,
				session: "X-Session-ID"}, 0},
		{"router without sessions",
			fleet{model: model, replicas: 4, images: 40, clients: 1, each: each, router: true}, 0},
	}
	if laketest.Figures() {
		rows = nil
		// What the last few hundred requests leave idle at servers that have no more of them is a
		// tenth of so short a run: a bank has ten times as many images for each replica.
		// Runs of four clients differ with the order in which these are served: 72 to 85 % in four
		// runs, the least at 100 replicas.
		const images = 100
		least := map[int]float64{1: 0.8, 4: 0.65} // by clients
		for _, replicas := range []int{1, 4, 16, 100} {
			for _, clients := range []int{1, 4} {
				rows = append(rows,
					row{"", fleet{model: model, replicas: replicas, images: images, clients: clients, each: each},
						least[clients]})
			}
		}
		for _, clients := range []int{1, 4} {
			rows = append(rows,
				row{"as fast as 400",
					fleet{model: model.Faster(16), replicas: 25, images: images, clients: clients, each: each},
					least[clients]})
		}
		rows = append(rows,
			row{"router with sessions",
				fleet{model: model, replicas: 16, images: 100, clients: 1, each: each, router: true,
					session: "X-Session-ID"}, 0},
			row{"router without sessions",
				fleet{model: model, replicas: 16, images: 100, clients: 1, each: each, router: true}, 0})
	}
	hits := map[string]float64{}
	for _, r := range rows {
		f := r.fleet
		t.Run(fmt.Sprintf("%d replicas %d clients %s", f.replicas, f.clients, r.name), func(t *testing.T) {
			rate, ceiling, share := f.run(t)
			clients := float64(f.clients) * most
			allowed := min(ceiling, clients)
			t.Logf("%.0f questions/s of the servers' %.0f and the clients' %.0f, %.1f %% of the lesser; %.1f %% of the best "+
				"hits", rate, ceiling, clients, 100*rate/allowed, 100*share)
			if rate < r.least*allowed {
				t.Errorf("below %.0f %%", 100*r.least)
			}
			hits[r.name] = share
		})
	}
	with, asked := hits["router with sessions"]
	if without := hits["router without sessions"]; asked && (with < 0.95 || without > with-0.05) {
		t.Errorf("a router that is told the session has %.3f of the best hits, another %.3f", with, without)
	}
}
