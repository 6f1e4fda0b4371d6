// Package config is captionlake.yaml: the servers, what they are asked, and how the command line
// narrows a run. Its errors name line and column.
//
// The package must not know of stages or of the lake's rows: a stage reads and checks its section
// of the configuration.
package config

import (
	_ "embed"
	"errors"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/construct"
	"github.com/captionlake/captionlake/stages/llm"
)

// File is the default name of the configuration.
const File = "captionlake.yaml"

// A Config lists the servers and says what to ask them. It holds no key: it names environment
// variables for keys.
type Config struct {
	Endpoints []Endpoint      `yaml:"endpoints"`
	Models    []ModelSettings `yaml:"models"`
	Prompts   []Prompt        `yaml:"prompts"`
	Captions  Captions        `yaml:"captions"`
	Answers   Answers         `yaml:"answers"`
	Judges    Judges          `yaml:"judges"`
	Battles   Battles         `yaml:"battles"`
	Construct Construct       `yaml:"construct"`
	Media     Media           `yaml:"media"`
	Budget    Budget          `yaml:"budget"`
	Spark     Spark           `yaml:"spark"`
}

// An Endpoint is one service: replicas that serve the same models.
type Endpoint struct {
	Name        string          `yaml:"name"`
	Replicas    []string        `yaml:"replicas"`    // addresses such as http://127.0.0.1:8000/v1
	Models      []string        `yaml:"models"`      // the servers' names for their models
	KeyEnv      string          `yaml:"key_env"`     // environment variable with the key; empty for no key
	Dialect     llm.Dialect     `yaml:"dialect"`     // vllm (default) or openai
	Concurrency llm.Concurrency `yaml:"concurrency"` // requests in flight at one replica
	Attempts    int             `yaml:"attempts"`    // per request; 0 is 6
	Timeout     Duration        `yaml:"timeout"`     // of one attempt; 0 is 5m
	// longest wait for servers that are gone, as while a model is loaded; 0 is 1h
	Wait  Duration `yaml:"wait"`
	Image string   `yaml:"image"` // container image of the servers, for the record

	// Affinity is AffinityOn (the default) if captionlake sends the questions of one caption to one
	// replica. It is AffinityOff if the addresses belong to routers that choose the server
	// themselves.
	Affinity string      `yaml:"affinity"`
	Session  llm.Session `yaml:"session"` // how a router is told which calls belong together
}

// Who chooses the replica of a request: captionlake (on), or a router (off).
const (
	AffinityOn  = "on"
	AffinityOff = "off"
)

// ModelSettings are the special settings of one model.
type ModelSettings struct {
	Name     string        `yaml:"name"` // the server's name for it
	Template TemplateFlags `yaml:"template"`
	// default leaves sampling parameters to the server; explicit sends them even to models that are
	// known to refuse them
	Sampling llm.SamplingMode `yaml:"sampling"`
	Price    Price            `yaml:"price"` // for the estimate of a dry run, and for the cost of a run
}

// TemplateFlags are values for the chat template of a model, by name, such as enable_thinking: they
// are truth values, numbers and texts.
type TemplateFlags map[string]any

// UnmarshalYAML reads values of any kind; Check refuses some kinds.
func (f *TemplateFlags) UnmarshalYAML(node *yaml.Node) error {
	if node.Decode((*map[string]any)(f)) != nil {
		return errors.New("a mapping of names to values belongs here")
	}
	return nil
}

// Price is the price of a model in any currency, for a million tokens.
type Price struct {
	Input  float64 `yaml:"input" json:"input"`
	Cached float64 `yaml:"cached" json:"cached"`
	Output float64 `yaml:"output" json:"output"`
}

// A Prompt is a user's own caption prompt.
type Prompt struct {
	Name string `yaml:"name"`
	Text string `yaml:"text"`
}

// Captions configure captioners.
type Captions struct {
	Captioners []string `yaml:"captioners"`
	Prompts    []string `yaml:"prompts"`
	MaxTokens  int      `yaml:"max_tokens"`
}

// Answers configure readers.
type Answers struct {
	Readers  []string `yaml:"readers"`
	Evidence []string `yaml:"evidence"`
	Protocol string   `yaml:"protocol"`
	Repeats  int      `yaml:"repeats"`
}

// Judges configure judges of annotated elements.
type Judges struct {
	Models      []string `yaml:"models"`
	Benchmarks  []string `yaml:"benchmarks"` // capability, cv-capbench
	Repeats     int      `yaml:"repeats"`
	Attempts    int      `yaml:"attempts"` // most requests about one element; a readable reply ends them
	Templates   string   `yaml:"templates"`
	MaxTokens   int      `yaml:"max_tokens"`
	Temperature float64  `yaml:"temperature"`
}

// How videos are sent.
const (
	VideoURL    = "url"    // whole, as video_url, which vLLM accepts
	VideoFrames = "frames" // as uniformly sampled frames, sent as pictures; ffmpeg cuts them
)

// Media says where the media files of annotated elements are, and how videos are sent.
type Media struct {
	Folder string `yaml:"folder"` // the folder that the annotations' paths are relative to
	Video  string `yaml:"video"`  // VideoURL or VideoFrames
	Frames int    `yaml:"frames"` // frames of a video under VideoFrames
}

// Budget ends a run before it costs more; 0 is no limit.
type Budget struct {
	Requests int64 `yaml:"requests"`
	Tokens   int64 `yaml:"tokens"`
}

// Duration is a time.Duration written as in 90s or 5m.
type Duration time.Duration

// UnmarshalYAML reads a duration.
func (d *Duration) UnmarshalYAML(node *yaml.Node) error {
	v, err := time.ParseDuration(node.Value)
	if err != nil || v <= 0 {
		return errors.New("a duration is written as in 90s or 5m")
	}
	*d = Duration(v)
	return nil
}

// Default is the configuration of an empty file. Attempts and MaxTokens of Battles are the defaults
// of the authors' script.
func Default() Config {
	duplicates := construct.PublishedDuplicates
	return Config{
		Captions: Captions{MaxTokens: 4096},
		Answers:  Answers{Protocol: captionqa.ProtocolUpstream, Repeats: 1},
		Judges:   Judges{Repeats: 1, Attempts: 3, MaxTokens: 1024},
		Battles:  Battles{Reference: ReferenceWithout, Seed: 1, Attempts: 5, MaxTokens: 1500},
		Construct: Construct{Level: LevelSubcategory, MaxTokens: 4096, Attempts: 3, Trials: captionqa.BlindTrials,
			Similarity: duplicates.Similarity, Cohesion: duplicates.Cohesion},
		Media: Media{Video: VideoURL, Frames: 50}, // CAPability Table 3 gives GPT-4o 50.
	}
}

// tidy spells the names of prompts as they are recorded, and gives empty lists their defaults.
func (c *Config) tidy() {
	for i := range c.Prompts {
		c.Prompts[i].Name = strings.TrimSpace(c.Prompts[i].Name)
	}
	c.Captions.Prompts = or(c.promptNames(c.Captions.Prompts), []string{captionqa.PromptSimple})
	c.Answers.Evidence = or(c.Answers.Evidence, []string{captionqa.EvidenceCaption})
	c.Judges.Benchmarks = or(c.Judges.Benchmarks, data.AnnotatedBenchmarks()[:1]) // capability
}

// Template is a configuration with comments, for a user to fill in.
//
//go:embed template.yaml
var Template string
