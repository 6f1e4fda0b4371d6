package web

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/captionlake/captionlake/data"
)

// A Ledger defines how people's decisions become rows of a table: one unit for each person, and a
// separate unit, with simulated rows, for decisions on simulated items. V is the page's part of a
// decision, R a row.
type Ledger[V, R any] struct {
	Table    data.Table[R]
	Stage    string // of the units
	Protocol string // of the units
	Source   string // of the units, such as "voting page"
	// Row makes the row of a decision that was not undone; false if the table has no row for it. The
	// row gets the provenance of its unit.
	Row func(d Decision[V]) (R, bool)
	// Decision reads the decision back from a row.
	Decision func(row R) Decision[V]
	Where    data.Where // selects people's rows of the table; nil selects all
}

// TimeOf is the time of a decision; zero if the row does not say.
func TimeOf(at *time.Time) time.Time { return *cmp.Or(at, &time.Time{}) }

// Unit is the unit of one person's rows. Names of people contain no parentheses, so no person has
// the name of a simulated unit.
func (g Ledger[V, R]) Unit(person string, simulated bool) data.Unit {
	u := data.Unit{Stage: g.Stage, Name: person, Protocol: g.Protocol, Source: g.Source,
		Provenance: data.ProvenanceMeasured}
	if simulated {
		u.Name, u.Provenance = person+" (simulated)", data.ProvenanceSimulated
	}
	return u
}

// Journal names the journal of decisions that are not rows yet.
func (g Ledger[V, R]) Journal() string { return data.Unit{Stage: g.Stage, Name: "page"}.FileStem() }

// Settle makes rows of the decisions in the journal, deletes the journal and returns how many rows
// are new or changed. If a crash interrupts Settle, the next call gives the same rows.
func (g Ledger[V, R]) Settle(l *data.Lake) (rows int, err error) {
	// While the journal is open, no other process can append decisions to it.
	journal, err := data.OpenJournal[Decision[V]](l, g.Journal())
	if err != nil {
		return 0, err
	}
	defer journal.Close()
	var units []data.Unit
	latest := map[string]map[string]Decision[V]{} // by the unit's name and the item
	for d, err := range data.JournalRows[Decision[V]](l, g.Journal()) {
		if err != nil {
			return 0, err
		}
		u := g.Unit(d.Person, d.Simulated)
		if latest[u.Name] == nil {
			units, latest[u.Name] = append(units, u), map[string]Decision[V]{}
		}
		latest[u.Name][d.Item] = d
	}
	for _, u := range units {
		changed, err := g.settleUnit(l, u, latest[u.Name])
		if err != nil {
			return rows, fmt.Errorf("decisions of %s: %w", u.Name, err)
		}
		rows += changed
	}
	return rows, journal.Delete()
}

// settleUnit adds decisions to the rows of a person's unit, and returns how many rows are new or
// changed.
func (g Ledger[V, R]) settleUnit(l *data.Lake, u data.Unit, latest map[string]Decision[V]) (changed int, err error) {
	release, err := l.Hold(u.FileStem()) // before the rows are read, so that nobody changes them meanwhile
	if err != nil {
		return 0, err
	}
	defer release()
	var all []R
	hadRows := false
	for row, err := range data.UnitRows(l, g.Table, u) {
		if err != nil {
			return 0, err
		}
		hadRows = true
		if _, replaced := latest[g.Decision(row).Item]; !replaced {
			all = append(all, row)
		}
	}
	for _, d := range latest {
		if row, ok := g.Row(d); ok && !d.Undone {
			all = append(all, row)
			changed++
		}
	}
	if len(all) == 0 {
		if hadRows { // The decisions were undone, or the table has no rows for them.
			err = l.Remove(u.FileStem())
		}
		return 0, err
	}
	slices.SortFunc(all, func(a, b R) int { return g.Table.Compare(&a, &b) })
	// The fingerprint is computed from the rows, so Put does nothing if the lake has the same rows.
	content, err := json.Marshal(all)
	if err != nil {
		return 0, err
	}
	u.Fingerprint = data.Fingerprint(string(content))
	_, err = data.Put(l, u, g.Table, all...)
	return changed, err
}

// Past splits people's decisions in the lake: made are the decisions that this ledger's page has
// stored, in the order in which they were made, and elsewhere the decisions of other origin. Nobody
// on the page may have the name of a person in elsewhere, because the table cannot store a second
// decision of one person on an item.
func (g Ledger[V, R]) Past(l *data.Lake) (made, elsewhere []Decision[V], err error) {
	own := map[string]map[string]bool{} // by person and item: whether the page has stored the decision
	for row, err := range data.Select(l, g.Table, g.Where) {
		if err != nil {
			return nil, nil, err
		}
		decision := g.Decision(row)
		if own[decision.Person] == nil {
			own[decision.Person] = map[string]bool{}
			for _, simulated := range []bool{false, true} {
				for stored, err := range data.UnitRows(l, g.Table, g.Unit(decision.Person, simulated)) {
					if err != nil {
						return nil, nil, err
					}
					d := g.Decision(stored)
					own[decision.Person][d.Item] = true
					made = append(made, d)
				}
			}
		}
		if !own[decision.Person][decision.Item] {
			elsewhere = append(elsewhere, decision)
		}
	}
	slices.SortFunc(made, Earlier[V])
	return made, elsewhere, nil
}

// Earlier orders decisions by time, person and item.
func Earlier[V any](a, b Decision[V]) int {
	return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Person, b.Person), cmp.Compare(a.Item, b.Item))
}
