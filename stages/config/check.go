package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/stages/llm"
)

// configCheck collects the faults of a configuration with their places.
type configCheck struct {
	path   string
	file   *ast.File
	faults []error
}

// fault reports a fault of the value at a YAML path such as $.endpoints[0].name.
func (k *configCheck) fault(at, format string, args ...any) {
	place := k.path
	if p, err := yaml.PathString(at); err == nil {
		if node, err := p.FilterFile(k.file); err == nil && node != nil && node.GetToken() != nil {
			position := node.GetToken().Position
			place = fmt.Sprintf("%s:%d:%d", k.path, position.Line, position.Column)
		}
	}
	k.faults = append(k.faults, fmt.Errorf("%s: %s", place, fmt.Sprintf(format, args...)))
}

func (k *configCheck) config(c *Config) {
	served, named := map[string]string{}, map[string]bool{}
	for i, e := range c.Endpoints {
		at := fmt.Sprintf("$.endpoints[%d]", i)
		if e.Name == "" {
			k.fault(at, "the endpoint has no name")
		}
		if named[e.Name] {
			k.fault(at+".name", "there is an endpoint %s already: list its servers as replicas of one endpoint, or choose another name", e.Name)
		}
		named[e.Name] = true
		if len(e.Replicas) == 0 {
			k.fault(at, "the endpoint has no replicas: give an address such as http://127.0.0.1:8000/v1")
		}
		for j, fault := range llm.CheckReplicas(e.Replicas) {
			if fault != nil {
				k.fault(fmt.Sprintf("%s.replicas[%d]", at, j), "%s", fault)
			}
		}
		if e.Dialect != "" && e.Dialect != string(llm.DialectVLLM) && e.Dialect != string(llm.DialectOpenAI) {
			k.fault(at+".dialect", "the dialect %q is neither vllm nor openai", e.Dialect)
		}
		if strings.ContainsAny(e.KeyEnv, "-. ") || strings.HasPrefix(e.KeyEnv, "sk") {
			k.fault(at+".key_env", "key_env names an environment variable that holds the key; it looks like a key itself: move it there")
		}
		k.natural(at+".attempts", int64(e.Attempts))
		k.natural(at+".timeout", int64(e.Timeout))
		k.natural(at+".concurrency.initial", int64(e.Concurrency.Initial))
		k.natural(at+".concurrency.max", int64(e.Concurrency.Max))
		if e.Concurrency.Max > 0 && e.Concurrency.Initial > e.Concurrency.Max {
			k.fault(at+".concurrency.initial", "concurrency begins at %d, above its max of %d", e.Concurrency.Initial, e.Concurrency.Max)
		}
		for j, m := range e.Models {
			if other, twice := served[m]; twice {
				k.fault(fmt.Sprintf("%s.models[%d]", at, j), "the model %s is served by endpoint %s already: list its servers as replicas of one endpoint", m, other)
			}
			served[m] = e.Name
		}
	}
	prompts := captionqa.CaptionPrompts()
	for i, p := range c.Prompts {
		at := fmt.Sprintf("$.prompts[%d]", i)
		if p.Name == "" || strings.TrimSpace(p.Text) == "" {
			k.fault(at, "a prompt needs a name and a text")
		}
		if slices.Contains(prompts, p.Name) {
			k.fault(at+".name", "the prompt %s is there already: choose another name", p.Name)
		}
		prompts = append(prompts, p.Name)
	}
	k.known("$.captions.prompts", "prompt", c.Captions.Prompts, prompts)
	k.known("$.answers.evidence", "evidence", c.Answers.Evidence, captionqa.Evidences())
	if !slices.Contains(captionqa.AskProtocols(), c.Answers.Protocol) {
		k.fault("$.answers.protocol", "there is no protocol %q to ask under; known are: %s", c.Answers.Protocol, strings.Join(captionqa.AskProtocols(), ", "))
	}
	k.known("$.judges.benchmarks", "benchmark", c.Judges.Benchmarks, data.AnnotatedBenchmarks())
	if v := c.Media.Video; v != VideoURL && v != VideoFrames {
		k.fault("$.media.video", "videos are sent as %s or as %s, not as %q", VideoURL, VideoFrames, v)
	}
	k.natural("$.judges.repeats", int64(c.Judges.Repeats))
	k.natural("$.judges.attempts", int64(c.Judges.Attempts))
	k.natural("$.judges.max_tokens", int64(c.Judges.MaxTokens))
	if c.Judges.Temperature < 0 {
		k.fault("$.judges.temperature", "%v cannot be negative", c.Judges.Temperature)
	}
	k.natural("$.media.frames", int64(c.Media.Frames))
	k.natural("$.answers.repeats", int64(c.Answers.Repeats))
	k.natural("$.captions.max_tokens", int64(c.Captions.MaxTokens))
	k.natural("$.budget.requests", c.Budget.Requests)
	k.natural("$.budget.tokens", c.Budget.Tokens)
	names := make([]string, 0, len(served))
	for m := range served {
		names = append(names, m)
	}
	slices.Sort(names)
	k.known("$.captions.captioners", "captioner", c.Captions.Captioners, names)
	k.known("$.answers.readers", "reader", c.Answers.Readers, names)
	k.known("$.judges.models", "judge", c.Judges.Models, names)
	for i, m := range c.Models {
		k.known(fmt.Sprintf("$.models[%d].name", i), "model", []string{m.Name}, names)
	}
}

// natural reports a negative value.
func (k *configCheck) natural(at string, v int64) {
	if v < 0 {
		k.fault(at, "%s cannot be negative", at[strings.LastIndex(at, ".")+1:])
	}
}

// known reports the values that are not among the known ones.
func (k *configCheck) known(at, what string, values, known []string) {
	for i, v := range values {
		if !slices.Contains(known, v) {
			place := at
			if len(values) > 1 || !strings.HasSuffix(at, ".name") {
				place = fmt.Sprintf("%s[%d]", at, i)
			}
			k.fault(place, "there is no %s %q; known are: %s", what, v, strings.Join(known, ", "))
		}
	}
}
