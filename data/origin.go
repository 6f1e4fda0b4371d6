package data

import (
	"fmt"
	"reflect"
	"slices"
	"sync"
)

// modelColumns are the columns that name a model.
var modelColumns = []string{"captioner", "captioner_a", "captioner_b", "reader", "judge", "model", "generator",
	"validator"}

// rehearsalModels are the models of the registry that know nothing.
var rehearsalModels = sync.OnceValue(func() map[string]bool {
	ids := map[string]bool{}
	registry, err := Registry()
	if err != nil {
		return ids // Readers of the registry report the error.
	}
	for _, m := range registry.All() {
		ids[m.ModelID] = m.ModelType == modelRehearsal
	}
	return ids
})

// ProvenanceOf is the provenance of a row about these models. Rows about a rehearsal model are
// always simulated.
func ProvenanceOf(given string, models ...string) string {
	if slices.ContainsFunc(models, func(id string) bool { return rehearsalModels()[id] }) {
		return ProvenanceSimulated
	}
	return given
}

// setProvenance gives a row without provenance the provenance of its unit, refuses an unknown
// provenance, and marks rows about rehearsal models as simulated. row points to a row of the table.
func (w *tableWriter) setProvenance(row any) error {
	t := w.table
	if !t.hasProvenance {
		return nil
	}
	fields := reflect.ValueOf(row).Elem()
	given := fields.Field(t.provenance)
	if given.Len() == 0 {
		given.SetString(w.header.unit.Provenance)
	}
	switch given.String() {
	case ProvenanceSimulated:
		return nil
	case ProvenancePublished, ProvenanceMeasured:
	default:
		return fmt.Errorf("table %s: a row has the provenance %q, which is not one of published, measured, simulated",
			t.name, given.String())
	}
	for _, i := range t.models {
		if rehearsalModels()[fields.Field(i).String()] {
			given.SetString(ProvenanceSimulated)
			return nil
		}
	}
	w.real = true
	return nil
}
