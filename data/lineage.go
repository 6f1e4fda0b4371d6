package data

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
)

// A Descendant is a unit with rows made from units that are to be removed:
//   - answers come from questions, captions and calls;
//   - captions come from calls;
//   - judgments come from annotations, captions and calls;
//   - battles come from captions, and votes from battles and calls;
//   - candidates come from images and calls; their trials, embeddings and validations, and the
//     questions of a published bank, come from candidates; groups come from embeddings, and routes
//     from validations.
//
// Units loaded from files have no ancestors, with one exception: votes, because files share battles
// and the lake has one copy of each battle. Calls cost money, so they are removed only by their own
// names. People made reviews and ratings, so these stay. If the candidates are made again from
// recorded calls, they have the same ids, and the reviews count again.
type Descendant struct {
	Unit  string `json:"unit" parquet:"unit"`
	Table string `json:"table" parquet:"made_of"`
	Rows  int    `json:"rows" parquet:"n_rows"` // rows that came from the removed units
	// all rows of the unit; if all came from the removed units, the unit goes with them
	Of    int    `json:"of" parquet:"n_all"`
	Why   string `json:"why" parquet:"why"`     // the table or call that they came from
	Human bool   `json:"human" parquet:"human"` // people made the unit, so it stays in any case
}

// Whole reports whether the unit goes: it would have no rows left, and no person made it.
func (d Descendant) Whole() bool { return d.Rows == d.Of && !d.Human }

// descent is the query for descendants.
//
//go:embed lineage.sql
var descent string

// RemoveAll removes units. Before them it removes every descendant with no rows of other origin. It
// returns all descendants, also the ones that keep some rows.
func (l *Lake) RemoveAll(stems ...string) ([]Descendant, error) {
	if err := l.writable(); err != nil {
		return nil, err
	}
	held := map[string]bool{}
	var descendants []Descendant
	for { // until every unit to remove was held while it was looked for
		var err error
		if descendants, err = WouldRemove(l, stems...); err != nil {
			return nil, err
		}
		going := slices.Clone(stems)
		for _, d := range descendants {
			if d.Whole() {
				going = append(going, d.Unit)
			}
		}
		going = slices.DeleteFunc(going, func(stem string) bool { return held[stem] })
		if len(going) == 0 {
			break
		}
		release, err := l.Hold(going...)
		if err != nil {
			return nil, err
		}
		defer release()
		for _, stem := range going {
			held[stem] = true
		}
	}
	for _, d := range descendants {
		if d.Whole() {
			stems = append(stems, d.Unit)
		}
	}
	return descendants, l.remove(stems...)
}

// WouldRemove returns what RemoveAll would return, and removes nothing.
func WouldRemove(l *Lake, stems ...string) ([]Descendant, error) {
	for _, stem := range stems {
		if err := mustHold(l, stem); err != nil {
			return nil, err
		}
	}
	descendants, err := QueryAll[Descendant](l, descent, strings.Join(stems, ","))
	if err != nil {
		return nil, fmt.Errorf("what came from %s: %w", strings.Join(stems, ", "), err)
	}
	return descendants, nil
}

// mustHold reports an error unless the lake holds a unit of that name.
func mustHold(l *Lake, stem string) error {
	if err := checkStem(stem); err != nil {
		return err
	}
	runs, err := unitRuns(l, stem)
	if err == nil && len(runs) == 0 {
		kept, err := unitsOfMarts(l)
		if err != nil || slices.Contains(kept, stem) {
			return err
		}
		return Errorf(unitsHint, "%s: the lake has no unit %s", l.dir, stem)
	}
	return err
}

// Remove takes a unit out of the lake: its rows in every table, and its executions in runs. stem is
// the name of its files without the ending, as in runs.unit.
func (l *Lake) Remove(stem string) error {
	if err := l.writable(); err != nil {
		return err
	}
	if err := mustHold(l, stem); err != nil {
		return err
	}
	release, err := l.Hold(stem)
	if err != nil {
		return err
	}
	defer release()
	return l.remove(stem)
}

// remove takes units, which the caller holds, out of the lake in one commit.
func (l *Lake) remove(stems ...string) error {
	var record commitRecord
	for _, stem := range stems {
		for _, table := range tableFolders() {
			record.Removes = append(record.Removes, table+"/"+stem+".parquet")
		}
	}
	return commitUnit(l, stems[0], record, func() error {
		kept, err := unitsOfMarts(l)
		left := slices.DeleteFunc(slices.Clone(kept), func(s string) bool { return slices.Contains(stems, s) })
		if err != nil || len(left) == len(kept) {
			return err
		}
		return l.PutFile(unitList, []byte(strings.Join(left, "\n")))
	})
}
