package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/spelling"
	"github.com/captionlake/captionlake/stages/llm"
)

// prompts are the names of the caption prompts: the paper's and the user's own.
func (c *Config) prompts() []string {
	known := captionqa.CaptionPrompts()
	for _, p := range c.Prompts {
		known = append(known, p.Name)
	}
	return known
}

// promptNames returns names of prompts as they are recorded. Letter case and blanks around a name
// do not matter: simple is Simple.
func (c *Config) promptNames(names []string) []string {
	known := c.prompts()
	names = slices.Clone(names)
	for i, name := range names {
		names[i] = strings.TrimSpace(name)
		if slices.Contains(known, names[i]) {
			continue
		}
		if j := slices.IndexFunc(known, func(k string) bool { return strings.EqualFold(k, names[i]) }); j >= 0 {
			names[i] = known[j]
		}
	}
	return names
}

// A Model has the names of a model in the lake and at its server, and the settings of its requests.
type Model struct {
	ID       string         // model_id of the registry; for an unknown model one made from its name
	Served   string         // name that the server expects
	Flags    map[string]any // flags of its chat template, such as enable_thinking; nil for none
	Sampling llm.SamplingMode
	Endpoint string // endpoint of the configuration that serves it
}

// rehearsalPrefix begins the names of rehearsal models.
const rehearsalPrefix = "rehearsal/"

// Simulated reports whether the model is a rehearsal model. Its replies are not measurements.
func (m Model) Simulated() bool { return strings.HasPrefix(m.Served, rehearsalPrefix) }

// Model finds a model of the configuration by its server's name for it, or by its model_id.
func (c *Config) Model(name string) (Model, error) {
	for _, e := range c.Endpoints {
		for _, served := range e.Models {
			id, err := data.ModelIDFor(served)
			if err != nil {
				return Model{}, err
			}
			if served == name || id == name {
				s := c.Settings(served)
				return Model{ID: id, Served: served, Flags: s.Template, Sampling: s.Sampling, Endpoint: e.Name}, nil
			}
		}
	}
	return Model{}, data.Errorf(spelling.Meant("add it to the models of an endpoint in "+File, c.served(), name),
		"no endpoint of the configuration serves the model %q", name)
}

// served are the models of the endpoints, by their servers' names.
func (c *Config) served() (names []string) {
	for _, e := range c.Endpoints {
		names = append(names, e.Models...)
	}
	return names
}

// ModelsOf finds the models of a list of names.
func (c *Config) ModelsOf(names []string) ([]Model, error) {
	var models []Model
	for _, name := range names {
		m, err := c.Model(name)
		if err != nil {
			return nil, err
		}
		models = append(models, m)
	}
	return models, nil
}

// Endpoint returns the endpoint of a name.
func (c *Config) Endpoint(name string) (Endpoint, error) {
	for _, e := range c.Endpoints {
		if e.Name == name {
			return e, nil
		}
	}
	return Endpoint{}, fmt.Errorf("the configuration has no endpoint %q", name)
}

// PromptText is the text of a user's own caption prompt; empty for other prompts.
func (c *Config) PromptText(name string) string {
	for _, p := range c.Prompts {
		if p.Name == name {
			return p.Text
		}
	}
	return ""
}

// Settings returns the special settings of a model.
func (c *Config) Settings(served string) ModelSettings {
	for _, m := range c.Models {
		if m.Name == served {
			return m
		}
	}
	return ModelSettings{Name: served}
}

// An Ask has the models that a stage asks, by their servers' names, and their longest reply.
type Ask struct {
	Models    []string
	MaxTokens int // largest length of a reply; 0 for vectors
}

// Longest is the largest length of a reply that a model is asked for; 0 if it is not asked, or only
// for vectors.
func Longest(asks []Ask, served string) (most int) {
	for _, a := range asks {
		if slices.Contains(a.Models, served) {
			most = max(most, a.MaxTokens)
		}
	}
	return most
}

// Client makes the client of an endpoint. The client calls notice, which may be nil, with a message
// for the user when calls wait for the endpoint.
func (e Endpoint) Client(notice func(string)) (*llm.Client, error) {
	settings := e.ClientConfig()
	settings.Notice = notice
	client, err := llm.New(settings)
	if err != nil {
		return nil, data.WithHint(err, "correct the endpoint %s in %s", e.Name, File)
	}
	return client, nil
}

// ClientConfig is the endpoint's configuration for the client.
func (e Endpoint) ClientConfig() llm.Config {
	return llm.Config{
		Endpoint: llm.Endpoint{Name: e.Name, Replicas: e.Replicas, KeyEnv: e.KeyEnv, Dialect: e.Dialect,
			Routed: e.Affinity == AffinityOff, Session: e.Session},
		Concurrency: e.Concurrency,
		MaxAttempts: e.Attempts, Timeout: time.Duration(e.Timeout), Wait: time.Duration(e.Wait),
	}
}

// Workers is the number of requests that the engine keeps ready for the endpoint: as many as its
// replicas may have in flight, and 64 more. Without a configured maximum a replica counts 512.
func (e Endpoint) Workers() int { return cmp.Or(e.Concurrency.Max, 512)*len(e.Replicas) + 64 }
