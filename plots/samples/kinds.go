package samples

// A Kind is one kind of samples.
type Kind struct {
	Name   string   `json:"name"`   // of its folder, and in addresses
	Title  string   `json:"title"`  // the word for several samples
	One    string   `json:"one"`    // the word for one sample
	Who    string   `json:"who"`    // the role of the model of a condition
	Facets []string `json:"facets"` // names of the properties by which samples can be chosen
	// by their digit in Item.Marks; the first means that a sample was not tried, the second is the
	// good outcome
	Outcomes []string `json:"outcomes"`
	Signs    string   `json:"signs"` // a sign for each outcome, so that outcomes differ in more than colour
}

// Kinds lists every kind in the order in which they are shown.
func Kinds() []Kind {
	return []Kind{
		{
			Name: "questions", Title: "Questions", One: "question", Who: "captioner", Facets: []string{"domain",
				"category", "subcategory", "difficulty"},
			Outcomes: []string{"not asked", "correct", "incorrect", "cannot", "unparsed", "failed"}, Signs: "·✓✗?∅!",
		},
		{
			Name: "elements", Title: "Rubric elements", One: "element", Who: "captioner", Facets: []string{"benchmark",
				"view", "dimension", "media"},
			Outcomes: []string{"not judged", "positive", "negative", "miss", "unparsed", "failed"}, Signs: "·✓✗–∅!",
		},
		{
			Name: "battles", Title: "Battles", One: "battle", Who: "judge", Facets: []string{"benchmark",
				"caption A by", "caption B by", "level"},
			Outcomes: []string{"no vote", "A is better", "B is better", "tie", "skipped or unparsed", "failed"},
			Signs:    "·AB=∅!",
		},
	}
}
