package plots

import "cmp"

// Names are the names to write for models, by their ids, in place of those that the lake has.
type Names map[string]string

// Model is the name to write for a model where a mart has its id alone; rows that have names carry those to write.
func (n Names) Model(id string) string { return cmp.Or(n[id], id) }
