package config

import "cmp"

// Which human captions judges of battles get.
const (
	ReferenceWithout = "without" // no human caption
	ReferenceWith    = "with"    // the battle's human caption
	ReferenceBoth    = "both"    // each judge is asked both without and with it
)

// References lists the values of battles.reference.
func References() []string { return []string{ReferenceWithout, ReferenceWith, ReferenceBoth} }

// Battles configure judges of pairs of captions.
type Battles struct {
	Judges      []string `yaml:"judges"`
	Reference   string   `yaml:"reference"`   // one of References; empty is without
	BothOrders  bool     `yaml:"both_orders"` // each battle is shown in both orders
	Seed        int64    `yaml:"seed"`        // of the orders; 0 is 1
	Attempts    int      `yaml:"attempts"`    // requests about one battle until a reply can be read; 0 is 5
	MaxTokens   int      `yaml:"max_tokens"`  // 0 is 1500
	Temperature float64  `yaml:"temperature"`
}

// fill sets the defaults of missing values. Attempts and length are the defaults of the authors'
// script.
func (b *Battles) fill() {
	b.Reference = cmp.Or(b.Reference, ReferenceWithout)
	b.Seed = cmp.Or(b.Seed, 1)
	b.Attempts = cmp.Or(b.Attempts, 5)
	b.MaxTokens = cmp.Or(b.MaxTokens, 1500)
}
