package config

// Which human captions judges of battles get.
const (
	ReferenceWithout = "without" // no human caption
	ReferenceWith    = "with"    // the battle's human caption
	ReferenceBoth    = "both"    // each judge is asked both without and with it
)

// Battles configure judges of pairs of captions.
type Battles struct {
	Judges      []string `yaml:"judges"`
	Reference   string   `yaml:"reference"`   // ReferenceWithout, ReferenceWith or ReferenceBoth
	BothOrders  bool     `yaml:"both_orders"` // each battle is shown in both orders
	Seed        int64    `yaml:"seed"`        // draws a battle's order, unless both orders are shown
	Attempts    int      `yaml:"attempts"`    // most requests about one battle; a readable reply ends them
	MaxTokens   int      `yaml:"max_tokens"`
	Temperature float64  `yaml:"temperature"`
}
