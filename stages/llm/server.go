package llm

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"

	json "github.com/go-json-experiment/json/v1"
)

// ServerFacts are one replica's facts about itself.
type ServerFacts struct {
	Endpoint string        // name of the replica
	Healthy  bool          // the replica answers with a list of models
	Error    string        // why there is no list of models; empty when healthy
	Class    Class         // kind of that error; empty when healthy
	Models   []ServedModel // from /v1/models
	Version  string        // from /version; empty for servers without it
	Counters *Counters     // from /metrics; nil for servers without it
}

// Answers reports whether anything answers at the replica's address, even a server without a list
// of models.
func (f ServerFacts) Answers() bool { return f.Class != ClassTransport && f.Class != ClassTimeout }

// ServedModel is one model of a server.
type ServedModel struct {
	ID string
	// max_model_len of vLLM: the most tokens that prompt and reply can have together; 0 if the
	// server does not say
	ContextTokens int
	Root          string // path from which vLLM loaded the model; all names of one model have the same Root
}

// askTimeout bounds the requests for a server's facts: a run waits for them, and a loaded server
// answers late.
const askTimeout = 10 * time.Second

// Facts asks every replica at once for its models, version and counters. The result is in the order
// of the configuration. A replica that does not answer has an Error in its facts.
func (c *Client) Facts(ctx context.Context) []ServerFacts {
	out := make([]ServerFacts, len(c.pool.replicas))
	var wg sync.WaitGroup
	for i, r := range c.pool.replicas {
		wg.Go(func() { out[i] = c.factsOf(ctx, r) })
	}
	wg.Wait()
	return out
}

// factsOf asks a replica for its models, which any server must have, and for vLLM's own pages.
func (c *Client) factsOf(ctx context.Context, r *replica) ServerFacts {
	facts := ServerFacts{Endpoint: r.name}
	var err error
	if facts.Models, err = c.models(ctx, r); err != nil {
		facts.Error, facts.Class = err.Error(), ClassOf(err)
		return facts
	}
	facts.Healthy = true
	// Without vLLM's own pages, Version and Counters stay empty.
	root := strings.TrimSuffix(r.url, version)
	if body, err := c.get(ctx, r, root+"/version"); err == nil {
		var page struct {
			Version string `json:"version"`
		}
		_ = json.Unmarshal(body, &page) // If the page has another form, the version stays empty.
		facts.Version = c.redact.message(page.Version)
	}
	if body, err := c.get(ctx, r, root+"/metrics"); err == nil {
		facts.Counters = parseMetrics(body)
	}
	return facts
}

// get reads a page of a replica. It does not wait for a turn in the pool, because a look at a
// server is not part of the work.
func (c *Client) get(ctx context.Context, r *replica, address string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, min(askTimeout, c.cfg.Timeout))
	defer cancel()
	x := &exchange{transport: c.cfg.Transport, most: pageBytes}
	req, err := c.request(ctx, http.MethodGet, address, nil)
	if err == nil {
		err = x.send(req)
	}
	if err != nil {
		// classify does not get ctx, because ctx may be the context of an attempt (see sameModel). If
		// such a context ends, the attempt took too long, and the caller has not given up.
		call := classify(err, context.Background(), x, c.redact)
		call.Endpoint = r.name
		call.Message = "/" + path.Base(address) + ": " + call.Message
		return nil, call
	}
	return x.reply, nil
}

// models asks a replica for its models. The key is removed from their names.
func (c *Client) models(ctx context.Context, r *replica) (models []ServedModel, err error) {
	body, err := c.get(ctx, r, r.url+"/models")
	if err != nil {
		return nil, err
	}
	if models, err = parseModels(body); err != nil {
		return nil, &CallError{Class: ClassMalformed, Endpoint: r.name, Message: c.redact.message(err.Error())}
	}
	for i := range models {
		models[i].ID, models[i].Root = c.redact.message(models[i].ID), c.redact.message(models[i].Root)
	}
	return models, nil
}

// parseModels reads the reply of /models. A context that no model can have counts as unknown.
func parseModels(body []byte) (models []ServedModel, err error) {
	var list struct {
		Data *[]struct {
			ID          string  `json:"id"`
			Root        string  `json:"root"`
			MaxModelLen float64 `json:"max_model_len"`
		} `json:"data"`
	}
	err = json.Unmarshal(body, &list)
	if err == nil && list.Data == nil {
		err = errors.New("it has no data")
	}
	if err != nil {
		return nil, fmt.Errorf("/models is not a list of models: %w", err)
	}
	for _, m := range *list.Data {
		if !(m.MaxModelLen >= 1 && m.MaxModelLen <= mostTokens) {
			m.MaxModelLen = 0
		}
		models = append(models, ServedModel{m.ID, int(m.MaxModelLen), m.Root})
	}
	return models, nil
}

// sameModel refuses a reply by a model that was not asked, since the reply would be recorded under
// the wrong name. A model of vLLM may have several names, and any of them may be in a reply.
// Other servers use names of their own, which say nothing.
func (c *Client) sameModel(ctx context.Context, r *replica, asked, answered string) error {
	if answered == "" || answered == asked || c.cfg.Endpoint.Dialect == DialectOpenAI {
		return nil
	}
	names := r.url + "\x00" + asked + "\x00" + answered
	if _, same := c.aliases.Load(names); same {
		return nil
	}
	models, err := c.models(ctx, r)
	if err != nil { // It is unknown which model replied, so the attempt fails.
		return err
	}
	root := map[string]string{}
	for _, m := range models {
		root[m.ID] = m.Root
	}
	if root[asked] == "" || root[asked] != root[answered] {
		return callError(ClassOtherModel, "asked for %s, the server answered with %s; "+
			"if it is the same model under a name of its own, set the endpoint's dialect to %s", asked, answered,
			DialectOpenAI)
	}
	c.aliases.Store(names, true)
	return nil
}
