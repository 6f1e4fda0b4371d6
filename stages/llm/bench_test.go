package llm_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

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
