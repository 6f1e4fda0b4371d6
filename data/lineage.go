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
// Rows loaded from files come from no other unit, with one exception: votes come from battles,
// because files share battles and the lake has one copy of each battle. Calls cost money, so a unit
// of calls is removed only by its own name. People made reviews and ratings, so reviews and ratings
// stay. If the candidates are made again from recorded calls, the candidates have the same ids, and
// the reviews count again.
type Descendant struct {
	Unit  string `json:"unit" parquet:"unit"`
	Table string `json:"table" parquet:"made_of"`
	Rows  int    `json:"rows" parquet:"n_rows"` // rows that came from the removed units
	// all rows of the unit in the table; if all these rows came from the removed units, the unit is
	// removed too
	Of    int    `json:"of" parquet:"n_all"`
	Why   string `json:"why" parquet:"why"`     // the tables that these rows came from
	Human bool   `json:"human" parquet:"human"` // people made the unit, so it stays in any case
}

// Whole reports whether the unit goes: it would have no rows left, and no person made it.
func (d Descendant) Whole() bool { return d.Rows == d.Of && !d.Human }

// descent is the query for descendants.
//
//go:embed lineage.sql
var descent string

// RemoveAll removes units, together with every descendant that would have no rows left. It returns
// all descendants, also the ones that stay.
func (l *Lake) RemoveAll(stems ...string) ([]Descendant, error) {
	if err := l.writable(); err != nil {
		return nil, err
	}
	held := map[string]bool{}
	for { // until the process already held all units to remove when it looked for descendants
		descendants, err := WouldRemove(l, stems...)
		if err != nil {
			return nil, err
		}
		going := slices.Clone(stems)
		for _, d := range descendants {
			if d.Whole() { // A unit of a stage has rows of one table, so it has no other rows to lose.
				going = append(going, d.Unit)
			}
		}
		unheld := slices.DeleteFunc(slices.Clone(going), func(stem string) bool { return held[stem] })
		if len(unheld) == 0 {
			return descendants, l.remove(going...)
		}
		release, err := l.Hold(unheld...)
		if err != nil {
			return nil, err
		}
		defer release()
		for _, stem := range unheld {
			held[stem] = true
		}
	}
}

// WouldRemove returns what RemoveAll would return, and removes nothing.
func WouldRemove(l *Lake, stems ...string) ([]Descendant, error) {
	for _, stem := range stems {
		if err := requireUnit(l, stem); err != nil {
			return nil, err
		}
	}
	descendants, err := QueryAll[Descendant](l, descent, strings.Join(stems, ","))
	if err != nil {
		return nil, fmt.Errorf("what came from %s: %w", strings.Join(stems, ", "), err)
	}
	return descendants, nil
}

// requireUnit reports an error unless the lake has a unit of that name. A unit without files is no
// error if the marts were computed with it: the user removes the lost unit to say that it will not
// come back.
func requireUnit(l *Lake, stem string) error {
	if !stemPattern.MatchString(stem) {
		return Errorf(unitsHint, "%q is not the name of a unit", stem)
	}
	runs, err := unitRuns(l, stem)
	if err != nil || len(runs) > 0 {
		return err
	}
	computed, err := unitsOfMarts(l)
	if err != nil || slices.Contains(computed, stem) {
		return err
	}
	return Errorf(unitsHint, "%s: the lake has no unit %s", l.dir, stem)
}

// Remove removes a unit from the lake: its rows in every table, and its executions in runs. The
// unit's descendants stay. stem is the name of the unit's files without the ending, as in
// runs.unit.
func (l *Lake) Remove(stem string) error {
	if err := l.writable(); err != nil {
		return err
	}
	if err := requireUnit(l, stem); err != nil {
		return err
	}
	release, err := l.Hold(stem)
	if err != nil {
		return err
	}
	defer release()
	return l.remove(stem)
}

// remove removes units from the lake in one commit. The caller holds the units.
func (l *Lake) remove(stems ...string) error {
	var record commitRecord
	for _, stem := range stems {
		for _, table := range tableFolders() {
			record.Removes = append(record.Removes, table+"/"+stem+".parquet")
		}
	}
	// The commit record gets the name of one of its units. The function below takes the units out of
	// unitList, so that a check does not report them as lost.
	return commitUnit(l, stems[0], record, func() error {
		computed, err := unitsOfMarts(l)
		left := slices.DeleteFunc(slices.Clone(computed), func(s string) bool { return slices.Contains(stems, s) })
		if err != nil || len(left) == len(computed) {
			return err
		}
		return l.PutFile(unitList, []byte(strings.Join(left, "\n")))
	})
}
