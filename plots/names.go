package plots

import "cmp"

// Names are the names to write for models, by their ids, in place of the names that the lake has.
type Names map[string]string

// Model returns the name to write for the id of a model. An id without a name, and any other text,
// is returned as it is.
func (n Names) Model(id string) string { return cmp.Or(n[id], id) }
