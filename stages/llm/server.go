package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/sashabaranov/go-openai"
)

// ServerFacts is what one replica tells about itself.
type ServerFacts struct {
	Endpoint string        // name of the replica
	Healthy  bool          // it answers at all
	Error    string        // why it does not; empty when healthy
	Class    Class         // kind of that error; empty when healthy
	Models   []ServedModel // from /v1/models
	Version  string        // from /version; empty for servers without it
	Counters *Counters     // from /metrics; nil for servers without it
}

// Answers reports whether anything answers at the replica's address. A server without a list of models does.
func (f ServerFacts) Answers() bool { return f.Class != ClassTransport && f.Class != ClassTimeout }

// ServedModel is one model of a server.
type ServedModel struct {
	ID            string
	ContextTokens int // max_model_len of vLLM; 0 when the server does not tell
}

// askTimeout bounds the requests for a server's facts: a run waits for them, and a server under load answers them late.
const askTimeout = 10 * time.Second

// Facts asks every replica at once for its models, version and counters. The result is in the order of the configuration.
// A replica that does not answer is reported, not an error.
func (c *Client) Facts(ctx context.Context) []ServerFacts {
	out := make([]ServerFacts, len(c.pool.replicas))
	var wg sync.WaitGroup
	for i, r := range c.pool.replicas {
		wg.Go(func() { out[i] = c.factsOf(ctx, r) })
	}
	wg.Wait()
	return out
}

func (c *Client) factsOf(ctx context.Context, r *replica) ServerFacts {
	facts := ServerFacts{Endpoint: r.name}
	body, err := c.get(ctx, r, "/models", true)
	if err != nil {
		facts.Error, facts.Class = err.Error(), ClassOf(err)
		return facts
	}
	if facts.Models, err = parseModels(body); err != nil {
		facts.Error, facts.Class = r.name+": "+shorten(err.Error()), ClassMalformed
		return facts
	}
	facts.Healthy = true
	// The rest is vLLM's own; other servers are as good without it.
	if body, err := c.get(ctx, r, "/version", false); err == nil {
		facts.Version = parseVersion(body)
	}
	if body, err := c.get(ctx, r, "/metrics", false); err == nil {
		if counters, err := ParseMetrics(bytes.NewReader(body)); err == nil {
			facts.Counters = &counters
		}
	}
	return facts
}

// Counters returns the sum of the replicas' counters. The error names a replica that has none; take the difference of two
// sums with Counters.Since.
func (c *Client) Counters(ctx context.Context) (Counters, error) {
	var sum Counters
	for _, r := range c.pool.replicas {
		body, err := c.get(ctx, r, "/metrics", false)
		if err != nil {
			return Counters{}, err
		}
		counters, err := ParseMetrics(bytes.NewReader(body))
		if err != nil {
			return Counters{}, fmt.Errorf("%s: %w", r.name, err)
		}
		sum = sum.plus(counters)
	}
	return sum, nil
}

// Health asks every replica's /health, which vLLM answers only while its engine lives. The map holds the replicas that are
// not well, by name.
func (c *Client) Health(ctx context.Context) map[string]error {
	sick := map[string]error{}
	for _, r := range c.pool.replicas {
		if _, err := c.get(ctx, r, "/health", false); err != nil {
			sick[r.name] = err
		}
	}
	return sick
}

// get reads a page of a replica, outside the pool: it is how a person looks at a server, not part of the work. versioned
// pages lie under the API's version, the others at the server's root.
func (c *Client) get(ctx context.Context, r *replica, page string, versioned bool) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	address := r.url + page
	if !versioned {
		address = rootOf(r.url) + page
	}
	x := &exchange{}
	req, err := http.NewRequestWithContext(withExchange(ctx, x), http.MethodGet, address, nil)
	if err != nil {
		return nil, &CallError{Class: ClassInvalid, Message: shorten(c.redact.clean(err.Error())), Endpoint: r.name}
	}
	if c.redact.key != "" {
		req.Header.Set("Authorization", "Bearer "+c.redact.key)
	}
	_, err = (&exchanger{c.cfg.Transport, c.cfg.MaxReply}).Do(req)
	if err == nil && x.status != http.StatusOK {
		err = &openai.RequestError{HTTPStatusCode: x.status, Body: x.reply}
	}
	if err != nil {
		call := classify(err, context.Background(), x, c.redact)
		call.Endpoint = r.name
		call.Message = page + ": " + call.Message
		return nil, call
	}
	return x.reply, nil
}

// rootOf takes the API's version off a base address.
func rootOf(base string) string {
	if i := strings.LastIndex(base, "/"); i >= 0 && len(base) > i+1 && base[i+1] == 'v' {
		return base[:i]
	}
	return base
}

func parseModels(body []byte) ([]ServedModel, error) {
	var list struct {
		Data []struct {
			ID          string `json:"id"`
			MaxModelLen int    `json:"max_model_len"` // vLLM's addition, which go-openai does not have
		} `json:"data"`
	}
	if err := json.Unmarshal(body, &list); err != nil {
		return nil, fmt.Errorf("/models is not a list of models: %w", err)
	}
	models := make([]ServedModel, len(list.Data))
	for i, m := range list.Data {
		models[i] = ServedModel{m.ID, m.MaxModelLen}
	}
	return models, nil
}

func parseVersion(body []byte) string {
	var page struct {
		Version string `json:"version"`
	}
	if json.Unmarshal(body, &page) != nil {
		return ""
	}
	return shorten(page.Version)
}
