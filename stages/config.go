package stages

import (
	"bytes"
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/rubric"
	"github.com/captionlake/captionlake/stages/llm"
)

// ConfigFile is where commands look for the configuration.
const ConfigFile = "captionlake.yaml"

// A Config says which servers there are and what they are to be asked. It holds no key: keys come from environment
// variables that it names.
type Config struct {
	Endpoints []EndpointConfig `yaml:"endpoints"`
	Models    []ModelConfig    `yaml:"models"`
	Prompts   []PromptConfig   `yaml:"prompts"`
	Captions  CaptionsConfig   `yaml:"captions"`
	Answers   AnswersConfig    `yaml:"answers"`
	Judges    JudgesConfig     `yaml:"judges"`
	Media     MediaConfig      `yaml:"media"`
	Budget    BudgetConfig     `yaml:"budget"`
}

// An EndpointConfig is one service: replicas that serve the same models.
type EndpointConfig struct {
	Name        string            `yaml:"name"`
	Replicas    []string          `yaml:"replicas"`    // addresses such as http://127.0.0.1:8000/v1
	Models      []string          `yaml:"models"`      // names under which the servers know their models
	KeyEnv      string            `yaml:"key_env"`     // environment variable that holds the key; empty for none
	Dialect     string            `yaml:"dialect"`     // vllm (default) or openai
	Concurrency ConcurrencyConfig `yaml:"concurrency"` // requests in flight at one replica
	Attempts    int               `yaml:"attempts"`    // per request; 0 is 6
	Timeout     Duration          `yaml:"timeout"`     // of one attempt; 0 is 5m
	Image       string            `yaml:"image"`       // container image of the servers, to be recorded
}

// ConcurrencyConfig bounds the requests in flight at one replica; 0 is the client's default.
type ConcurrencyConfig struct {
	Initial int `yaml:"initial"`
	Max     int `yaml:"max"`
}

// A ModelConfig says what is special about one model.
type ModelConfig struct {
	Name     string          `yaml:"name"`     // name under which a server knows it
	Template map[string]bool `yaml:"template"` // flags of the chat template, such as enable_thinking
	Price    PriceConfig     `yaml:"price"`    // for the estimate of a dry run
}

// PriceConfig is what a model costs, in any currency, for a million tokens.
type PriceConfig struct {
	Input  float64 `yaml:"input"`
	Cached float64 `yaml:"cached"`
	Output float64 `yaml:"output"`
}

// A PromptConfig is a caption prompt of the user's own.
type PromptConfig struct {
	Name string `yaml:"name"`
	Text string `yaml:"text"`
}

// CaptionsConfig is what captioners are asked.
type CaptionsConfig struct {
	Captioners []string `yaml:"captioners"`
	Prompts    []string `yaml:"prompts"`
	MaxTokens  int      `yaml:"max_tokens"`
}

// AnswersConfig is what readers are asked.
type AnswersConfig struct {
	Readers  []string `yaml:"readers"`
	Evidence []string `yaml:"evidence"`
	Protocol string   `yaml:"protocol"`
	Repeats  int      `yaml:"repeats"`
}

// JudgesConfig is what judges are asked about annotated elements.
type JudgesConfig struct {
	Models      []string `yaml:"models"`
	Benchmarks  []string `yaml:"benchmarks"` // capability, cv-capbench
	Repeats     int      `yaml:"repeats"`
	Attempts    int      `yaml:"attempts"` // requests about one element until a reply can be read; 0 is 3
	Templates   string   `yaml:"templates"`
	MaxTokens   int      `yaml:"max_tokens"` // 0 is 1024
	Temperature float64  `yaml:"temperature"`
}

// MediaConfig says where the media files of annotated elements are and how videos are sent.
type MediaConfig struct {
	Folder string `yaml:"folder"` // the folder that the annotations' paths are relative to
	Video  string `yaml:"video"`  // VideoURL or VideoFrames
	Frames int    `yaml:"frames"` // frames of a video under VideoFrames; 0 is 50
}

// BudgetConfig stops a run before it costs more; 0 is no limit.
type BudgetConfig struct {
	Requests int64 `yaml:"requests"`
	Tokens   int64 `yaml:"tokens"`
}

// Duration is a time.Duration written as in 90s or 5m.
type Duration time.Duration

// UnmarshalYAML reads a duration.
func (d *Duration) UnmarshalYAML(node ast.Node) error {
	v, err := time.ParseDuration(strings.Trim(node.String(), `"'`))
	if err != nil {
		return &yaml.SyntaxError{Message: "a duration is written as in 90s or 5m", Token: node.GetToken()}
	}
	*d = Duration(v)
	return nil
}

// ReadConfig reads and checks the configuration. Its error names the line and column of every fault.
func ReadConfig(path string) (Config, error) {
	content, err := readConfig(path)
	if errors.Is(err, os.ErrNotExist) {
		return Config{}, data.WithHint(fmt.Errorf("there is no configuration %s", path), "write one with: captionlake init")
	}
	if err != nil {
		return Config{}, err
	}
	return ParseConfig(path, content)
}

// maxConfigBytes bounds a configuration, which is parsed whole. A long one has a few KiB.
const maxConfigBytes = 256 << 10

// readConfig reads a configuration, and no more of it than makes it too long.
func readConfig(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	content, err := io.ReadAll(io.LimitReader(f, maxConfigBytes+1))
	return content, errors.Join(err, f.Close())
}

// ParseConfig checks a configuration and fills in its defaults. path is for messages.
func ParseConfig(path string, content []byte) (Config, error) {
	var fault *data.YAMLFault
	if err := data.CheckYAML(content, maxConfigBytes); errors.As(err, &fault) {
		return Config{}, configHint(fmt.Errorf("%s:%w", path, fault))
	}
	c, file, err := decodeConfig(content)
	if err != nil {
		var located yaml.Error
		if errors.As(err, &located) && located.GetToken() != nil {
			p := located.GetToken().Position
			return c, configHint(fmt.Errorf("%s:%d:%d: %s", path, p.Line, p.Column, yamlMessage(located)))
		}
		return c, configHint(fmt.Errorf("%s: %w", path, err))
	}
	check := configCheck{path: path, file: file}
	c.fill()
	check.config(&c)
	return c, configHint(errors.Join(check.faults...))
}

// yamlMessage words an error of the YAML library for people who do not know Go.
func yamlMessage(err yaml.Error) string {
	var mismatch *yaml.TypeError
	if !errors.As(err, &mismatch) {
		return err.GetMessage()
	}
	switch mismatch.DstType.Kind() {
	case reflect.Int, reflect.Int64:
		return "a whole number belongs here"
	case reflect.Float64:
		return "a number belongs here"
	case reflect.Bool:
		return "true or false belongs here"
	case reflect.String:
		return "a text belongs here"
	}
	return err.GetMessage()
}

// decodeConfig reads the YAML and its syntax tree. The library panics at some malformed documents, such as a tag
// without a value; a user's file must not end the program.
func decodeConfig(content []byte) (c Config, file *ast.File, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = errors.New("this is no YAML that can be read: leave tags, anchors and other rare forms out")
		}
	}()
	if err := yaml.NewDecoder(bytes.NewReader(content), yaml.Strict()).Decode(&c); err != nil && !errors.Is(err, io.EOF) {
		return c, nil, err
	}
	file, err = parser.ParseBytes(content, 0)
	if err == nil && len(file.Docs) > 1 {
		err = &yaml.SyntaxError{Message: "a second document begins here, which nothing reads: take the line out", Token: file.Docs[1].Start}
	}
	return c, file, err
}

func configHint(err error) error {
	return data.WithHint(err, "compare with a fresh configuration: captionlake init --print-config")
}

func (c *Config) fill() {
	if c.Captions.MaxTokens == 0 {
		c.Captions.MaxTokens = 4096
	}
	c.Captions.Prompts = c.promptNames(c.Captions.Prompts)
	if len(c.Captions.Prompts) == 0 {
		c.Captions.Prompts = []string{captionqa.PromptSimple}
	}
	if len(c.Answers.Evidence) == 0 {
		c.Answers.Evidence = []string{EvidenceCaption}
	}
	if c.Answers.Protocol == "" {
		c.Answers.Protocol = captionqa.ProtocolUpstream
	}
	if c.Answers.Repeats == 0 {
		c.Answers.Repeats = 1
	}
	if len(c.Judges.Benchmarks) == 0 {
		c.Judges.Benchmarks = []string{rubric.BenchmarkCAPability}
	}
	c.Judges.Repeats = cmp.Or(c.Judges.Repeats, 1)
	c.Judges.Attempts = cmp.Or(c.Judges.Attempts, 3)
	c.Judges.MaxTokens = cmp.Or(c.Judges.MaxTokens, 1024)
	c.Media.Video = cmp.Or(c.Media.Video, VideoURL)
	c.Media.Frames = cmp.Or(c.Media.Frames, 50) // CAPability Table 3 gives GPT-4o 50.
}

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
	k.known("$.answers.evidence", "evidence", c.Answers.Evidence, []string{EvidenceCaption, EvidenceImage, EvidenceNone})
	if !slices.Contains(AskProtocols(), c.Answers.Protocol) {
		k.fault("$.answers.protocol", "the protocol %q is none of: %s", c.Answers.Protocol, strings.Join(AskProtocols(), ", "))
	}
	k.known("$.judges.benchmarks", "benchmark", c.Judges.Benchmarks, rubricBenchmarks())
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

// promptNames returns names of prompts as they are recorded: in any case, simple is Simple.
func (c *Config) promptNames(names []string) []string {
	known := captionqa.CaptionPrompts()
	for _, p := range c.Prompts {
		known = append(known, p.Name)
	}
	names = slices.Clone(names)
	for i, name := range names {
		if slices.Contains(known, name) {
			continue
		}
		if j := slices.IndexFunc(known, func(k string) bool { return strings.EqualFold(k, name) }); j >= 0 {
			names[i] = known[j]
		}
	}
	return names
}

// Model resolves a model of the configuration by the name that a server has for it or by its model_id.
func (c *Config) Model(name string) (ModelName, EndpointConfig, error) {
	for _, e := range c.Endpoints {
		for _, served := range e.Models {
			id, err := data.ModelIDFor(served)
			if err != nil {
				return ModelName{}, EndpointConfig{}, err
			}
			if served == name || id == name {
				return ModelName{ID: id, Served: served, Flags: c.settings(served).Template}, e, nil
			}
		}
	}
	return ModelName{}, EndpointConfig{}, data.WithHint(fmt.Errorf("no endpoint of the configuration serves the model %q", name),
		"add it to the models of an endpoint in %s", ConfigFile)
}

// settings returns what is special about a model.
func (c *Config) settings(served string) ModelConfig {
	for _, m := range c.Models {
		if m.Name == served {
			return m
		}
	}
	return ModelConfig{Name: served}
}

// Client makes the client of an endpoint.
func (e EndpointConfig) Client() (*llm.Client, error) {
	client, err := llm.New(e.clientConfig())
	if err != nil {
		return nil, data.WithHint(err, "mend the endpoint %s in %s", e.Name, ConfigFile)
	}
	return client, nil
}

func (e EndpointConfig) clientConfig() llm.Config {
	return llm.Config{
		Endpoint:    llm.Endpoint{Name: e.Name, Replicas: e.Replicas, KeyEnv: e.KeyEnv, Dialect: llm.Dialect(e.Dialect)},
		Concurrency: llm.Concurrency{Initial: e.Concurrency.Initial, Max: e.Concurrency.Max},
		MaxAttempts: e.Attempts, Timeout: time.Duration(e.Timeout),
	}
}

// workers is the number of requests that the engine keeps ready for the endpoint.
func (e EndpointConfig) workers() int {
	perReplica := e.Concurrency.Max
	if perReplica == 0 {
		perReplica = 512
	}
	return perReplica*len(e.Replicas) + 64
}

// ConfigTemplate is a configuration with comments, for a user to fill in.
//
//go:embed template.yaml
var ConfigTemplate string
