package data

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
)

// A Descendant is a unit with rows that came from units that are to be removed: answers from questions, captions and
// calls, captions from calls, judgments from annotations, captions and calls, battles from captions, votes from battles and
// calls; and of the construction of a bank, candidates from images and calls, what was found out about them and the questions of
// a published bank from candidates, groups from embeddings, routes from validations. Units that were loaded from files are nobody's
// descendants, except for votes: files share their battles, of which the lake has one copy. Calls are none either, since they cost
// money: they are removed only by their own names. Nor are reviews and ratings removed, since people made them: the candidates that
// are made again from recorded calls have the same ids, and then they count again.
type Descendant struct {
	Unit  string `json:"unit" parquet:"unit"`
	Table string `json:"table" parquet:"made_of"`
	Rows  int    `json:"rows" parquet:"n_rows"` // rows that came from the removed units
	Of    int    `json:"of" parquet:"n_all"`    // rows of the unit: when all came from them, the unit goes with them
	Why   string `json:"why" parquet:"why"`     // what they came from
	Human bool   `json:"human" parquet:"human"` // people made the unit: it stays in any case
}

// Whole reports whether the unit goes: nothing of it would be left, and no person made it.
func (d Descendant) Whole() bool { return d.Rows == d.Of && !d.Human }

// descent is the query of what came from units.
//
//go:embed descend.sql
var descent string

// RemoveAll removes units with the units of which all rows came from them, these first. It returns the descendants, those
// included of which rows are left.
func (l *Lake) RemoveAll(stems ...string) ([]Descendant, error) {
	if err := l.writable(); err != nil {
		return nil, err
	}
	held := map[string]bool{}
	var descendants []Descendant
	for { // until all that goes was held when it was looked for
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
			if err := l.Remove(d.Unit); err != nil {
				return descendants, err
			}
		}
	}
	for _, stem := range stems {
		if err := l.Remove(stem); err != nil {
			return descendants, err
		}
	}
	return descendants, nil
}

// WouldRemove is what RemoveAll would return, and removes nothing.
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
		return WithHint(fmt.Errorf("%s: the lake holds no unit %s", l.dir, stem), unitsHint)
	}
	return err
}

// Remove takes a unit out of the lake: its rows in every table, and its executions in runs. stem is the name of its
// files without the ending, as runs.unit has it.
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
	var record commitRecord
	for _, table := range tableFolders() {
		record.Removes = append(record.Removes, table+"/"+stem+".parquet")
	}
	return commitUnit(l, stem, record, func() error {
		kept, err := unitsOfMarts(l)
		if err != nil || !slices.Contains(kept, stem) {
			return err
		}
		return l.PutFile(unitList, []byte(strings.Join(slices.DeleteFunc(kept, func(s string) bool { return s == stem }), "\n")))
	})
}
