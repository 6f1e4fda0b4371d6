package stages

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/captionlake/captionlake/analytics/ask"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/batch"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/engine"
	"github.com/captionlake/captionlake/stages/llm"
	"github.com/captionlake/captionlake/stages/preflight"
	rehearsalserver "github.com/captionlake/captionlake/stages/rehearsal/server"
)

// captioned is a lake with the sample set and its captions, so that its questions can be asked.
func captionedLake(t *testing.T) *data.Lake {
	t.Helper()
	l := sampleLake(t)
	mustRun(t, l, rehearsal(serve(t, l)), captioning)
	return l
}

// complete fails unless every question has an answer and no call is failed or doubled.
func complete(t *testing.T, l *data.Lake) {
	t.Helper()
	noDoubleCalls(t, l)
	_, questions := sampleSize(t)
	n := 0
	for _, a := range laketest.All(t, l, data.Answers) {
		if a.Outcome == string(captionqa.Failed) {
			t.Fatalf("%s failed", a.QuestionID)
		}
		if a.Protocol == captionqa.ProtocolUpstream {
			n++
		}
	}
	must.Equal(t, n, questions, "answers")
}

func TestReplicaThatDiesOrHangsInTheMiddle(t *testing.T) {
	for name, state := range map[string]int32{"dies": down, "hangs": hung} {
		t.Run(name, func(t *testing.T) {
			l := captionedLake(t)
			world := must.Get(rehearsalserver.LakeWorld(l))(t)
			sick := &ailing{Handler: rehearsalserver.New(rehearsalserver.Options{World: world})}
			var asked atomic.Int64
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodPost && asked.Add(1) == 20 {
					sick.state.Store(state)
				}
				sick.ServeHTTP(w, r)
			}))
			defer server.Close()
			c := rehearsal(serve(t, l), server.URL+"/v1")
			c.Endpoints[0].Timeout = config.Duration(300 * time.Millisecond)
			c.Endpoints[0].Concurrency.Max = 8
			r := New(l, c, answering)
			// What the servers say of themselves is asked before and after; a hung one would hold that up.
			r.Connect = func(e config.Endpoint) (preflight.Client, error) {
				e.Concurrency.Max = 32
				client, err := e.Client(nil)
				return blindClient{client}, err
			}
			must.Get(r.Run(t.Context()))(t)
			if asked.Load() < 20 {
				t.Fatal("the replica was never asked enough to fall ill")
			}
			complete(t, l)
		})
	}
}

// blindClient does not ask the servers about themselves.
type blindClient struct{ preflight.Client }

func (blindClient) Facts(context.Context) []llm.ServerFacts { return nil }

// Without any server the run ends, says what to do, keeps what it has and goes on later.
func TestResumeAfterAllServersAreGone(t *testing.T) {
	l := captionedLake(t)
	_, questions := sampleSize(t)
	world, err := rehearsalserver.LakeWorld(l)
	must.Succeed(t, err)
	server := &ailing{Handler: rehearsalserver.New(rehearsalserver.Options{World: world})}
	var asked atomic.Int64
	listener := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && asked.Add(1) == 50 {
			server.state.Store(down)
		}
		server.ServeHTTP(w, r)
	}))
	defer listener.Close()
	c := rehearsal(listener.URL + "/v1")
	run := func() error {
		r := New(l, c, answering)
		r.Connect = func(e config.Endpoint) (preflight.Client, error) {
			return llm.New(llm.Config{
				Endpoint:    llm.Endpoint{Name: e.Name, Replicas: e.Replicas},
				Concurrency: llm.Concurrency{Initial: 4, Max: 4},
				MaxAttempts: 1000, TripAfter: 3, GiveUp: time.Second,
			})
		}
		_, err := r.Run(t.Context())
		return err
	}
	err = run()
	var hint *data.HintError
	if llm.ClassOf(err) != llm.ClassUnavailable || !errors.As(err, &hint) ||
		!strings.Contains(hint.Hint, "run the same command again") {
		t.Fatalf("got %v", err)
	}
	for _, call := range laketest.All(t, l, data.Calls) {
		if call.State == llm.StateFailed {
			t.Fatalf("a call without a server is recorded: %+v", call)
		}
	}
	server.state.Store(up)
	asked.Store(1000)
	must.Succeed(t, run())
	complete(t, l)
	if again := asked.Load() - 1000; again > int64(questions-49+4) {
		t.Errorf("%d requests after 49 of %d replies had come", again, questions)
	}
}

// Two runs at once share a plan: each unit is asked by one of them, once, and what one has recorded
// the other does not ask.
func TestTwoRunsShareAPlan(t *testing.T) {
	l := laketest.New(t)
	captioners := []string{"a", "b", "c", "d", "e", "f"}
	const questions = 120
	must.Succeed(t, fillSynthetic(l, 12, questions, captioners...))
	second := must.Get(data.Waiter{Reader: ask.Read}.Edit(l.Dir(), "second"))(t)
	defer second.Close()
	var mu sync.Mutex
	asked := map[string]int{}
	url := serve(t, nil, rewriting(func(_ string, request, reply []byte) []byte {
		mu.Lock()
		defer mu.Unlock()
		if len(request) > 0 {
			asked[string(request)]++
		}
		return reply
	}))
	var all [2][]engine.Report
	var errs [2]error
	var both sync.WaitGroup
	for i, lake := range []*data.Lake{l, second} {
		both.Go(func() {
			all[i], errs[i] = runAll(context.Background(), lake, rehearsal(url), answering)
		})
	}
	both.Wait()
	answered := [2]int{}
	for i, reports := range all {
		for _, r := range reports {
			answered[i] += r.Answered
		}
	}
	if err := errors.Join(errs[:]...); err != nil || answered[0] == 0 || answered[1] == 0 ||
		answered[0]+answered[1] != questions*len(captioners) {
		t.Errorf("answered %v: %v", answered, err)
	}
	for body, n := range asked {
		if n > 1 {
			t.Fatalf("asked %d times: %s", n, body)
		}
	}
	noDoubleCalls(t, l)
	expect.Equal(t, len(laketest.All(t, l, data.Answers)), questions*len(captioners))
	for i, reports := range [][]engine.Report{mustRun(t, l, rehearsal(url), answering),
		mustRun(t, second, rehearsal(url), answering)} {
		for _, r := range reports {
			if r.Answered > 0 || r.Recorded != questions {
				t.Errorf("run %d again: %+v", i, r)
			}
		}
	}
}

// A key goes to the server and nowhere else: not into a file of the lake, nor into an error, even
// where a server repeats it.
func TestKeyAppearsNowhere(t *testing.T) {
	const name, key = "CAPTIONLAKE_TEST_KEY", "Zq7-secret-9fK2-of-the-server"
	t.Setenv(name, key)
	l := captionedLake(t)
	var asked atomic.Int64
	url := serve(t, l, func(h http.Handler) http.Handler {
		return wanting(key)(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			n := asked.Load()
			if r.Method == http.MethodPost {
				n = asked.Add(1)
			}
			if r.Method == http.MethodPost && n%7 == 1 { // in a sound reply
				fmt.Fprintf(w, `{"choices":[{"index":0,"message":{"role":"assistant","content":"A %[1]s",
					"reasoning":"Their key is %[1]s."},"finish_reason":"stop"}]}`, key)
				return
			}
			if r.Method == http.MethodPost && n%7 == 0 {
				http.Error(w, "I do not like the header "+r.Header.Get("Authorization")+" nor the key "+key,
					http.StatusBadRequest)
				return
			}
			h.ServeHTTP(w, r)
		}))
	})
	c := rehearsal(url)
	c.Endpoints[0].KeyEnv = name
	reports := mustRun(t, l, c, answering)
	if len(reports) != 1 || reports[0].Failed == 0 || reports[0].Failed == reports[0].Answered {
		t.Fatalf("%+v", reports)
	}
	removed := 0
	for _, call := range laketest.All(t, l, data.Calls) {
		said := call.Error + call.Text + call.Reasoning
		expect.Lacks(t, said, key)
		if strings.Contains(call.Reasoning, "Their key is [key removed].") && call.Text == "A [key removed]" {
			removed++
		}
	}
	if removed == 0 {
		t.Error("no reply had the key")
	}
	narrowed := c.Narrow(config.Choice{})
	dir := inLake(l, "batches")
	must.Get(exportFailed(l, &narrowed, answering, batch.Options{Dir: dir}))(t)
	files := 0
	err := filepath.WalkDir(filepath.Dir(l.Dir()), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if bytes.Contains(content, []byte(key)) {
			t.Errorf("the key is in %s", path)
		}
		files++
		return err
	})
	if err != nil || files < 5 {
		t.Fatalf("%d files: %v", files, err)
	}
}

// A wrong key and a model that is not served end the run at once, say what to do, and leave nothing
// recorded as failed.
func TestConfigurationFaultsEndTheRun(t *testing.T) {
	const name = "CAPTIONLAKE_TEST_KEY"
	l := captionedLake(t)
	before := callsIn(t, l)
	check := func(c *config.Config, class llm.Class, advice string) {
		t.Helper()
		_, err := runAll(t.Context(), l, c, answering)
		var hint *data.HintError
		if llm.ClassOf(err) != class || !errors.As(err, &hint) || !strings.Contains(hint.Hint, advice) ||
			strings.Contains(err.Error(), "wrong-one-7731") {
			t.Fatalf("got %v", err)
		}
		must.Equal(t, callsIn(t, l), before)
	}
	c := rehearsal(serve(t, l, wanting("the-right-one-4711")))
	c.Endpoints[0].KeyEnv = name
	t.Setenv(name, "the-wrong-one-7731")
	check(c, llm.ClassAuth, "put the right key")
	t.Setenv(name, "the-right-one-4711")
	unknown := rehearsal(c.Endpoints[0].Replicas...)
	unknown.Endpoints[0].KeyEnv = name
	unknown.Endpoints[0].Models, unknown.Answers.Readers = []string{"rehearsal/nobody"}, []string{"rehearsal/nobody"}
	check(unknown, llm.ClassNotFound, "captionlake doctor")
	mustRun(t, l, c, answering)
	complete(t, l)
}
