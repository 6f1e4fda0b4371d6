package web

import (
	"cmp"
	"encoding/json"
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
	// the row of a decision that was not undone; false if the table has no row for it
	Row       func(d Decision[V]) (R, bool)
	Decision  func(row R) Decision[V] // the decision of a row, including Simulated in Value
	Simulated func(value V) bool      // the item is simulated
}

// TimeOf is the time of a decision; zero if the row does not say.
func TimeOf(at *time.Time) time.Time { return *cmp.Or(at, &time.Time{}) }

// Unit holds the rows of one person. Names of people contain no parentheses.
func (g Ledger[V, R]) Unit(person string, simulated bool) data.Unit {
	u := data.Unit{Stage: g.Stage, Name: person, Protocol: g.Protocol, Source: g.Source,
		Provenance: data.ProvenanceMeasured}
	if simulated {
		u.Name, u.Provenance = person+" (simulated)", data.ProvenanceSimulated
	}
	return u
}

// Journal is the journal of decisions that are not rows yet.
func (g Ledger[V, R]) Journal() string { return data.Unit{Stage: g.Stage, Name: "page"}.FileStem() }

// Settle makes rows of the decisions in the journal, deletes the journal and returns how many rows
// are new or changed.
func (g Ledger[V, R]) Settle(l *data.Lake) (rows int, err error) {
	err = settle(l, g.Journal(), func(person string, made []Decision[V]) error {
		for _, simulated := range []bool{false, true} {
			of := slices.DeleteFunc(slices.Clone(made),
				func(d Decision[V]) bool { return g.Simulated(d.Value) != simulated })
			if len(of) == 0 {
				continue
			}
			n, err := g.settlePerson(l, g.Unit(person, simulated), of)
			if err != nil {
				return err
			}
			rows += n
		}
		return nil
	})
	return rows, err
}

// settlePerson adds decisions to the rows of a person's unit, and returns how many rows are new or
// changed.
func (g Ledger[V, R]) settlePerson(l *data.Lake, u data.Unit, made []Decision[V]) (changed int, err error) {
	tx, err := l.Begin(u) // before the rows are read, so that nobody changes them meanwhile
	if err != nil {
		return 0, err
	}
	defer tx.Abort()
	rows := map[string]R{}
	for row, err := range data.UnitRows(l, g.Table, u) {
		if err != nil {
			return 0, err
		}
		rows[g.Decision(row).Item] = row
	}
	before := len(rows)
	latest := map[string]Decision[V]{}
	for _, d := range made {
		latest[d.Item] = d
	}
	for id, d := range latest {
		delete(rows, id)
		if d.Undone {
			continue
		}
		if row, ok := g.Row(d); ok {
			rows[id] = row
			changed++
		}
	}
	if len(rows) == 0 {
		if before == 0 {
			return 0, nil
		}
		return 0, l.Remove(u.FileStem())
	}
	all := make([]R, 0, len(rows))
	for _, r := range rows {
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b R) int { return g.Table.Compare(&a, &b) })
	content, err := json.Marshal(all)
	if err != nil {
		return 0, err
	}
	u.Fingerprint = data.Fingerprint(string(content))
	if done, err := l.Done(u); err != nil || done {
		return changed, err
	}
	tx.SetFingerprint(u.Fingerprint)
	out, err := data.NewRowWriter(tx, g.Table)
	if err != nil {
		return 0, err
	}
	if err := out.Write(all...); err != nil {
		return 0, err
	}
	return changed, tx.Commit()
}

// Past splits people's rows into decisions that a page of this ledger has stored, in the order in
// which they were made, and rows of other origin. The table could not store a second row with the
// same key as one of the latter, so nobody on the page may have a name from them.
func (g Ledger[V, R]) Past(l *data.Lake, where data.Where) (made []Decision[V], elsewhere []R, err error) {
	rows := map[string][]R{} // by person
	for row, err := range data.Select(l, g.Table, where) {
		if err != nil {
			return nil, nil, err
		}
		person := g.Decision(row).Person
		rows[person] = append(rows[person], row)
	}
	for person, all := range rows {
		own := map[string]bool{}
		for _, simulated := range []bool{false, true} {
			for row, err := range data.UnitRows(l, g.Table, g.Unit(person, simulated)) {
				if err != nil {
					return nil, nil, err
				}
				d := g.Decision(row)
				own[d.Item] = true
				made = append(made, d)
			}
		}
		for _, row := range all {
			if !own[g.Decision(row).Item] {
				elsewhere = append(elsewhere, row)
			}
		}
	}
	slices.SortFunc(made, func(a, b Decision[V]) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Person, b.Person), cmp.Compare(a.Item, b.Item))
	})
	return made, elsewhere, nil
}
