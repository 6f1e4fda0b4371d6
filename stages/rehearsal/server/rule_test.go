package server_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	rehearsalserver "github.com/captionlake/captionlake/stages/rehearsal/server"
)

// A load is questions about captions, in groups of one caption each.
type load [][]string

// newLoad draws captions that no server has seen before. They differ in their first words only, so that all have about the
// same number of tokens under any tokenizer.
func newLoad(captions, questions, words int) load {
	vocabulary := strings.Fields("bench pond kite tree blue red green yellow market crate fruit awning bus dog street square picture morning near above under beside")
	var l load
	for range captions {
		var caption strings.Builder
		for i := range words {
			word := i
			if i < 6 {
				word = rand.IntN(len(vocabulary))
			}
			caption.WriteString(" " + vocabulary[word%len(vocabulary)])
		}
		var group []string
		for q := range questions {
			group = append(group, fmt.Sprintf("Caption:%s\nQuestion:\nWhat colour is bench number %d?\nAnswer:", &caption, q))
		}
		l = append(l, group)
	}
	return l
}

// The orders in which a load arrives.
const (
	oneByOne = "one after another"
	together = "together"
	warmed   = "together after the first of each caption"
	shuffled = "together in random order"
)

// send asks a load in an order, at most so many at once, and returns the share of the prompt tokens that came from the cache.
func (l load) send(t *testing.T, base, model, order string, atOnce int) float64 {
	t.Helper()
	var mu sync.Mutex
	prompt, cached := 0, 0
	ask := func(text string) {
		body, err := json.Marshal(map[string]any{"model": model, "max_tokens": 1, "temperature": 0, "messages": []map[string]string{{"role": "user", "content": text}}})
		if err != nil {
			t.Error(err)
			return
		}
		resp, err := http.Post(base+"/chat/completions", "application/json", bytes.NewReader(body))
		if err != nil {
			t.Error(err)
			return
		}
		defer resp.Body.Close()
		var reply struct {
			Usage struct {
				PromptTokens int `json:"prompt_tokens"`
				Details      struct {
					CachedTokens int `json:"cached_tokens"`
				} `json:"prompt_tokens_details"`
			} `json:"usage"`
		}
		if err := json.NewDecoder(resp.Body).Decode(&reply); err != nil || reply.Usage.PromptTokens == 0 {
			t.Errorf("HTTP %d: %v", resp.StatusCode, err)
		}
		mu.Lock()
		defer mu.Unlock()
		prompt += reply.Usage.PromptTokens
		cached += reply.Usage.Details.CachedTokens
	}
	var firsts, others []string // firsts go ahead
	for _, group := range l {
		if order == warmed {
			firsts = append(firsts, group[0])
			group = group[1:]
		}
		others = append(others, group...)
	}
	if order == shuffled {
		rand.Shuffle(len(others), func(i, j int) { others[i], others[j] = others[j], others[i] })
	}
	if order == oneByOne {
		atOnce = 1
	}
	for _, list := range [][]string{firsts, others} {
		next := make(chan string)
		var wg sync.WaitGroup
		for range atOnce {
			wg.Go(func() {
				for text := range next {
					ask(text)
				}
			})
		}
		for _, text := range list {
			next <- text
		}
		close(next)
		wg.Wait()
	}
	return float64(cached) / float64(prompt)
}

// The rule of the prefix cache, on the rehearsal server and, where the environment names them, on vLLM: requests that arrive
// together share as much as those that come one after another, and a request ahead of them gains nothing; in a cache that is
// too small, the order of arrival decides. Repeat it with
//
//	CAPTIONLAKE_VLLM=http://127.0.0.1:8011/v1 CAPTIONLAKE_VLLM_SMALL=http://127.0.0.1:8015/v1 go test ./stages/rehearsal/server -run TestTheRuleOfThePrefixCache -v
//
// where the small server has --block-size 32 --num-gpu-blocks-override 150.
func TestTheRuleOfThePrefixCache(t *testing.T) {
	const smallTokens = 300 * rehearsalserver.BlockTokens
	rehearsal := func(cacheTokens int) string {
		server := httptest.NewServer(rehearsalserver.New(rehearsalserver.Options{ContextTokens: contextTokens,
			Latency: rehearsalserver.Latency{Slots: 256, PrefillRate: 100_000, Step: time.Millisecond, CacheTokens: cacheTokens}}))
		t.Cleanup(server.Close)
		return server.URL + "/v1"
	}
	for _, server := range []struct {
		name        string
		base, small string
		repeats     int
	}{
		{"the rehearsal server", rehearsal(1 << 20), rehearsal(smallTokens), 1},
		{"vLLM", os.Getenv("CAPTIONLAKE_VLLM"), os.Getenv("CAPTIONLAKE_VLLM_SMALL"), 8},
	} {
		t.Run(server.name, func(t *testing.T) {
			if server.base == "" {
				t.Skip("CAPTIONLAKE_VLLM names no server")
			}
			model := rehearsalModels["text"]
			if server.repeats > 1 {
				model = servedModel(t, server.base)
			}
			for _, captions := range []int{1, 8} {
				shares := map[string]float64{}
				for _, order := range []string{oneByOne, together, warmed, shuffled} {
					for range server.repeats {
						shares[order] += newLoad(captions, 13, 240).send(t, server.base, model, order, 13*captions) / float64(server.repeats)
					}
					t.Logf("%d captions that fit, %s: %.1f %% of the prompt tokens from the cache", captions, order, 100*shares[order])
					if shares[order] < 0.97*shares[oneByOne] || shares[order] > 1.03*shares[oneByOne] {
						t.Errorf("%s: %.3f from the cache, one after another %.3f", order, shares[order], shares[oneByOne])
					}
				}
			}
			if server.small == "" {
				t.Skip("CAPTIONLAKE_VLLM_SMALL names no server with a small cache")
			}
			shares := map[string]float64{}
			for _, order := range []string{oneByOne, together, shuffled} {
				for range server.repeats {
					shares[order] += newLoad(24, 8, 240).send(t, server.small, model, order, 16) / float64(server.repeats)
				}
				t.Logf("24 captions that do not fit, %s: %.1f %% of the prompt tokens from the cache", order, 100*shares[order])
			}
			if shares[together] < 0.95*shares[oneByOne] || shares[shuffled] > 0.6*shares[together] {
				t.Errorf("in a cache that is too small: %v", shares)
			}
		})
	}
}
