package data

import (
	"fmt"
	"reflect"
	"slices"
	"sync"
)

// modelColumns name the models that a row is about.
var modelColumns = []string{"captioner", "captioner_a", "captioner_b", "reader", "judge", "model", "generator", "validator"}

// rehearsalModels are the models of the registry that know nothing.
var rehearsalModels = sync.OnceValue(func() map[string]bool {
	ids := map[string]bool{}
	registry, err := Registry()
	if err != nil {
		return ids // Whoever reads the registry says why.
	}
	for _, m := range registry.All() {
		ids[m.ModelID] = m.ModelType == ModelRehearsal
	}
	return ids
})

// ProvenanceOf is the provenance of a row about these models: whatever brings a rehearsal model's words, they are simulated.
func ProvenanceOf(given string, models ...string) string {
	if slices.ContainsFunc(models, func(id string) bool { return rehearsalModels()[id] }) {
		return ProvenanceSimulated
	}
	return given
}

// rowOrigins sees that every row of a table says where it comes from. A table without the column is not looked at.
type rowOrigins struct {
	table      string
	unit       string // provenance of the unit
	named      bool   // the row type has the column
	provenance int    // field of the row type
	models     []int
	real       bool // a row is not simulated
}

func newRowOrigins(t *table, unit Unit) rowOrigins {
	o := rowOrigins{table: t.name, unit: unit.Provenance}
	fields := fieldIndexes(t.row)
	o.provenance, o.named = fields["provenance"]
	for _, column := range modelColumns {
		if i, ok := fields[column]; ok {
			o.models = append(o.models, i)
		}
	}
	return o
}

// setProvenance gives a row that names no provenance that of its unit, refuses an unknown one, and marks what a rehearsal model said as
// simulated. row points to a row of the table.
func (o *rowOrigins) setProvenance(row any) error {
	if !o.named {
		return nil
	}
	fields := reflect.ValueOf(row).Elem()
	given := fields.Field(o.provenance)
	if given.Len() == 0 {
		given.SetString(o.unit)
	}
	switch given.String() {
	case ProvenanceSimulated:
		return nil
	case ProvenancePublished, ProvenanceMeasured:
	default:
		return fmt.Errorf("table %s: a row has the provenance %q, which is not one of published, measured, simulated", o.table, given.String())
	}
	for _, i := range o.models {
		if rehearsalModels()[fields.Field(i).String()] {
			given.SetString(ProvenanceSimulated)
			return nil
		}
	}
	o.real = true
	return nil
}
