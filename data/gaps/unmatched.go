// Package gaps finds what a lake does not have: counterparts of ids, and nodes of taxonomies. It
// reads only by SQL and knows no files.
package gaps

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/captionlake/captionlake/data"
)

// An Unmatched describes ids of one table without a counterpart in another table, such as captions
// without questions. A missing counterpart need not be a fault, since a lake may be filled in any
// order and in part. But an id with another spelling also seems to have no counterpart.
type Unmatched struct {
	Rows     string   `json:"rows"`     // rows with the ids, such as "captions"
	Without  string   `json:"without"`  // rows that the lake does not have for these ids, such as "questions"
	IDs      int      `json:"ids"`      // number of ids without a counterpart
	Of       int      `json:"of"`       // number of all ids of the rows
	Examples []string `json:"examples"` // the first three ids without a counterpart, in alphabetical order
	// the difference in spelling that explains the ids; empty if no spelling does
	Cause string `json:"cause,omitempty"`
}

// String is a sentence about the unmatched ids.
func (u Unmatched) String() string {
	s := fmt.Sprintf("%d of the %d ids of %s have no %s in the lake: %s", u.IDs, u.Of, u.Rows, u.Without,
		strings.Join(u.Examples, ", "))
	if u.IDs > len(u.Examples) {
		s += ", …"
	}
	if u.Cause != "" {
		s += "; " + u.Cause
	}
	return s
}

// counterparts is the query for ids without a counterpart.
//
//go:embed unmatched.sql
var counterparts string

// FindUnmatched lists the ids of questions, pictures, captions and answers without a counterpart. A
// table without rows is not compared. image_ids of all answers are compared, but question_ids only
// in answers of the given units.
func FindUnmatched(l *data.Lake, units ...string) ([]Unmatched, error) {
	// The names of units contain no comma.
	return data.QueryAll[Unmatched](l, counterparts, strings.Join(units, ","))
}
