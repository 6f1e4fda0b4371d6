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

// rowOrigins makes sure that every row of a table has a provenance. Tables without the column are
// left alone.
type rowOrigins struct {
	table      string
	unit       string // provenance of the unit
	named      bool   // the row type has the column
	provenance int    // field of the row type
	models     []int
	real       bool // some row is not simulated
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

// setProvenance gives a row without provenance the provenance of its unit, refuses an unknown
// provenance, and marks rows about rehearsal models as simulated. row points to a row of the table.
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
		return fmt.Errorf("table %s: a row has the provenance %q, which is not one of published, measured, simulated",
			o.table, given.String())
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
