package data

import (
	"slices"
	"sync"
)

// modelColumns are the columns that name a model.
var modelColumns = []string{"captioner", "captioner_a", "captioner_b", "reader", "judge", "model", "generator",
	"validator"}

// rehearsalModels says of the id of each model in the registry whether it is a rehearsal model.
var rehearsalModels = sync.OnceValue(func() map[string]bool {
	ids := map[string]bool{}
	registry, err := Registry()
	if err != nil {
		return ids // Other callers of Registry report the error.
	}
	for _, m := range registry.All() {
		ids[m.ModelID] = m.ModelType == modelRehearsal
	}
	return ids
})

// ProvenanceOf is the provenance of a row about models with these ids: simulated if one of them is
// a rehearsal model, otherwise given.
func ProvenanceOf(given string, models ...string) string {
	if slices.ContainsFunc(models, func(id string) bool { return rehearsalModels()[id] }) {
		return ProvenanceSimulated
	}
	return given
}
