package stages

import (
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"

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
func syntheticReading(c *config.Config) (answerUnit, error) {
	reader, err := c.Model("rehearsal/reader-careful")
	return answerUnit{Protocol: captionqa.ProtocolUpstream, Reader: reader, Evidence: captionqa.EvidenceCaption,
		captionSet: captionSet{"synthetic", captionqa.PromptSimple}}, err
}

// plannedRequests are the requests of a synthetic bank, in the order of the plan.
func plannedRequests(l *data.Lake, c *config.Config) (requests []llm.Request, err error) {
	j, err := syntheticReading(c)
	if err != nil {
		return nil, err
	}
	err = j.items(&engine.Scope{Lake: l, Config: c}, nil, func(q *questionItem, _ engine.Keys) error {
		r, err := j.request(q)
		requests = append(requests, r)
		return err
	})
	return requests, err
}

// bestHits is the largest number of prompt tokens that a prefix cache can serve for a plan, in
// whole blocks: every prompt but the first of its group finds what it shares with the one before
// it, and all but the very first find the system message. A prompt's last token is always computed.
func bestHits(t testing.TB, l *data.Lake, c *config.Config) (hits, prompt int64) {
	t.Helper()
	requests := must.Get(plannedRequests(l, c))(t)
	const bytesPerBlock = 4 * rehearsalserver.BlockTokens
	before := ""
	for _, r := range requests {
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

// local carries requests to servers by their host's name, without a network: time in a test bubble
// passes only when all goroutines wait for each other, and a socket is not one of them.
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

// prefixHits is the sum of the replicas' cache hits.
func prefixHits(t testing.TB, c *llm.Client) (hits float64) {
	for _, facts := range c.Facts(t.Context()) {
		hits += facts.Counters.PrefixHits
	}
	return hits
}

// bubble runs a test in a time of its own. What pools of memory hold of it, such as decoders with
// their channels, no other test may use: collecting garbage twice empties them.
func bubble(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	defer func() {
		runtime.GC()
		runtime.GC()
	}()
	synctest.Test(t, f)
}

// slow reports whether tests take the whole bank.
func slow() bool { return os.Getenv("CAPTIONLAKE_SLOW") != "" }

// A run reaches what the latency model allows, with default settings: 97 % of the throughput, 98 %
// of the prefix-cache hits, and, on the whole bank, four replicas 95% of four times one. The time
// is the test bubble's, so that the result does not depend on the machine.
func TestRunReachesTheModelsCeiling(t *testing.T) {
	images, counts := bankImages, []int{1, 4}
	if !slow() {
		// A quarter of the bank, and no replicas: what the last few hundred requests, which are at
		// the servers already, leave idle at the others is 1 % of a whole run and 4 % of so short a one.
		images, counts = images/4, counts[:1]
	}
	for _, name := range []string{"mi325x", "mi300x"} {
		model := must.Get(rehearsalserver.ParseLatency(name))(t)
		one := 0.0
		for _, replicas := range counts {
			rate, ceiling, hits := fleet{model: model, replicas: replicas, images: images, clients: 1}.run(t)
			linear := 1.0
			if replicas == 1 {
				one = rate
			} else {
				linear = rate / (float64(replicas) * one)
			}
			t.Logf("%s, replicas %d: %.1f questions/s, %.2f %% of the ceiling, %.2f %% of the best hits, %.2f %% of linear",
				name, replicas, rate, 100*rate/ceiling, 100*hits, 100*linear)
			if rate < 0.97*ceiling || hits < 0.98 || linear < 0.95 {
				t.Errorf("%s, replicas %d: below 97 %%, 98 %% or 95%%", name, replicas)
			}
		}
		counts = counts[:1] // The other model has another cache; four replicas of it show nothing new.
	}
}

// ceilingOf is the largest number of requests per second that a latency model allows when the mean
// request computes a number of prompt tokens, without tokens from the cache, and generates a number
// of new ones. Its tokens pass at PrefillRate, the last new one excepted, which is only drawn; and
// Slots requests at once take a step for each new token.
func ceilingOf(l rehearsalserver.Latency, computed, generated float64) float64 {
	return min(l.PrefillRate/(computed+generated-1), float64(l.Slots)/(generated*l.Step.Seconds()))
}
