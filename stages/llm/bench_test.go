package llm_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/llm"
	rehearsalserver "github.com/captionlake/captionlake/stages/rehearsal/server"
)

// readerRequest is a question as the answer stage asks it, about a caption of some 320 tokens.
func readerRequest(b testing.TB, caption, question int) (llm.Request, string) {
	b.Helper()
	key := fmt.Sprintf("caption %05d", caption) // all of one length, so that blocks lie alike
	text := key + ": " + strings.Repeat("The bench near the pond is blue, and three kites fly above the trees. ", 18)
	user, err := captionqa.UserPrompt(text, fmt.Sprintf("What colour is the bench number %d?", question),
		[]string{"Red", "Blue", "Green", "Yellow", captionqa.CannotOption})
	must.Succeed(b, err)
	return llm.Request{
		Model:    "stub/reader-careful",
		Messages: []llm.Message{llm.System(captionqa.SystemMessage), llm.User(llm.Text(user))},
		Sampling: llm.Greedy(captionqa.MaxTokens), Protocol: captionqa.ProtocolUpstream,
	}, key
}

// BenchmarkChat measures round trips of client and server in one process, without latency and faults: the ceiling of an
// answer run on this machine, hashing included, recording not.
func BenchmarkChat(b *testing.B) {
	const questions = 13 // of a caption, as in the public set
	server := httptest.NewServer(rehearsalserver.New(rehearsalserver.Options{Latency: rehearsalserver.Latency{CacheTokens: 1 << 20}}))
	defer server.Close()
	client, err := llm.New(llm.Config{Endpoint: llm.Endpoint{Name: "stub", Replicas: []string{server.URL + "/v1"}}})
	must.Succeed(b, err)
	b.ReportAllocs()
	var next atomic.Int64
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			for {
				n := int(next.Add(1)) - 1
				if n >= b.N {
					return
				}
				request, key := readerRequest(b, n/questions, n%questions)
				if request.Hash() == "" {
					b.Error("no hash")
				}
				if _, err := client.Ask(context.Background(), request, llm.Affinity{Key: key, Calls: 13}); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "questions/s")
}

// BenchmarkHash measures the key of a request.
func BenchmarkHash(b *testing.B) {
	request, _ := readerRequest(b, 1, 1)
	for b.Loop() {
		request.Hash()
	}
}

// BenchmarkLatencyModel measures the share of the latency model's own ceiling that is reached over real connections with one
// replica and four, and the share of looked-up prompt tokens that the prefix caches had. One operation is 13 questions.
func BenchmarkLatencyModel(b *testing.B) {
	latency := rehearsalserver.Latency{Slots: 256, PrefillRate: 100_000, Step: 25 * time.Millisecond, CacheTokens: 1 << 20}
	for _, n := range []int{1, 4} {
		b.Run(fmt.Sprintf("replicas=%d", n), func(b *testing.B) {
			cfg := llm.Config{Endpoint: llm.Endpoint{Name: "stub"}}
			for range n {
				server := httptest.NewServer(rehearsalserver.New(rehearsalserver.Options{Latency: latency}))
				defer server.Close()
				cfg.Endpoint.Replicas = append(cfg.Endpoint.Replicas, server.URL+"/v1")
			}
			client, err := llm.New(cfg)
			must.Succeed(b, err)
			defer client.Close()
			b.ResetTimer()
			answers(b, client, b.N, 13, 40*n)
			b.StopTimer()
			counters, err := client.Counters(context.Background())
			must.Succeed(b, err)
			all := float64(b.N * 13)
			rate := all / b.Elapsed().Seconds()
			ceiling := latency.Ceiling((counters.PromptTokens-counters.PrefixHits)/all, counters.GenerationTokens/all) * float64(n)
			b.ReportMetric(rate, "questions/s")
			b.ReportMetric(100*rate/ceiling, "%ceiling")
			b.ReportMetric(100*counters.HitShare(), "%cached")
		})
	}
}
