package config

// Construct configures the construction of a bank of questions (CaptionQA sections 4.3 and 4.4).
type Construct struct {
	Generators []string `yaml:"generators"`
	Level      string   `yaml:"level"`      // level of the taxonomy nodes to ask about: LevelSubcategory or LevelAspect
	MaxTokens  int      `yaml:"max_tokens"` // of a generator's reply
	Attempts   int      `yaml:"attempts"`   // most requests for one reply; a readable reply ends them
	Reader     string   `yaml:"reader"`     // reader of the blind test
	Trials     int      `yaml:"trials"`     // trials of each question in the blind test
	Seed       int64    `yaml:"seed"`       // of the order of options in blind trials
	Embedder   string   `yaml:"embedder"`
	Similarity float64  `yaml:"similarity"` // least cosine of duplicates
	Cohesion   float64  `yaml:"cohesion"`   // least mean cosine of a group to its centre; 0 never splits a group
	Validators []string `yaml:"validators"`
}

// Levels of the taxonomy to ask about.
const (
	LevelSubcategory = "subcategory"
	LevelAspect      = "aspect"
)
