package config

import (
	"cmp"

	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/construct"
)

// Construct configures the construction of a bank of questions (CaptionQA sections 4.3 and 4.4).
type Construct struct {
	Generators []string `yaml:"generators"`
	Level      string   `yaml:"level"`      // level of the taxonomy nodes to ask about: LevelSubcategory or LevelAspect
	MaxTokens  int      `yaml:"max_tokens"` // of a generator's reply; 0 is 4096
	Attempts   int      `yaml:"attempts"`   // requests until a reply can be read; 0 is 3
	Reader     string   `yaml:"reader"`     // of the blind test
	Trials     int      `yaml:"trials"`     // of the blind test; 0 is 10
	Seed       int64    `yaml:"seed"`       // of the order of options in blind trials
	Embedder   string   `yaml:"embedder"`
	Similarity float64  `yaml:"similarity"` // least cosine of duplicates; 0 is 0.90
	// least mean cosine of a group to its centre; 0 never splits a group; nil is 0.85
	Cohesion   *float64 `yaml:"cohesion"`
	Validators []string `yaml:"validators"`
}

// Levels of the taxonomy to ask about.
const (
	LevelSubcategory = "subcategory"
	LevelAspect      = "aspect"
)

// fill sets the defaults of missing values.
func (c *Construct) fill() {
	published := construct.PublishedDuplicates
	c.Level = cmp.Or(c.Level, LevelSubcategory)
	c.MaxTokens = cmp.Or(c.MaxTokens, 4096)
	c.Attempts = cmp.Or(c.Attempts, 3)
	c.Trials = cmp.Or(c.Trials, captionqa.BlindTrials)
	c.Similarity = cmp.Or(c.Similarity, published.Similarity)
	if c.Cohesion == nil {
		c.Cohesion = &published.Cohesion
	}
}
