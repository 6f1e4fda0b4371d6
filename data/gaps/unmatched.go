// Package gaps finds what a lake does not have: counterparts of ids, and nodes of taxonomies. It
// reads only by SQL and knows no files.
package gaps

import (
	_ "embed"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
)

// An Unmatched describes ids of one table without a counterpart in another table, such as captions
// without questions. It need not be a fault, since a lake may be filled in any order and in part,
// but ids with another spelling look the same.
type Unmatched struct {
	Rows     string   `json:"rows"`     // rows with the ids, such as "captions"
	Without  string   `json:"without"`  // rows that the lake does not have for them, such as "questions"
	IDs      int      `json:"ids"`      // number of such ids
	Of       int      `json:"of"`       // number of all ids
	Examples []string `json:"examples"` // the first three in alphabetical order
	// the difference in spelling that explains them; empty if no spelling does
	Cause string `json:"cause,omitempty"`
}

// shownIDs is the number of ids that an Unmatched names.
const shownIDs = 3

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

// idSet is a set of ids.
type idSet map[string]bool

// counterparts is the query for ids without a counterpart.
//
//go:embed unmatched.sql
var counterparts string

// FindUnmatched lists the ids of questions, pictures, captions and answers without a counterpart.
// Empty tables are not compared. Question ids of answers are compared with the bank only for the
// named units.
func FindUnmatched(l *data.Lake, units ...string) ([]Unmatched, error) {
	type comparison struct {
		OfText   bool     `parquet:"of_text"`
		These    string   `parquet:"these"`
		Those    string   `parquet:"those"`
		IDs      int      `parquet:"n_ids"`
		Of       int      `parquet:"n_of"`
		Alone    []string `parquet:"alone"`
		Partners []string `parquet:"partners"`
	}
	var all []Unmatched
	found, err := data.QueryAll[comparison](l, counterparts, strings.Join(units, ","))
	for _, c := range found {
		u := Unmatched{c.These, c.Those, c.IDs, c.Of, c.Alone[:min(c.IDs, shownIDs)],
			likelyCause(setOf(c.Alone), setOf(c.Partners))}
		if c.OfText {
			u.Cause = "the bank has other questions about the same images, so the text of the question or of an option differs"
		}
		all = append(all, u)
	}
	return all, err
}

func setOf(ids []string) idSet {
	set := idSet{}
	for _, id := range ids {
		set[id] = true
	}
	return set
}

// A spelling folds ids so that similar ones become equal.
type spelling struct {
	what string // the difference between two ids that become equal
	of   func(id string) string
}

var (
	leadingZeros = regexp.MustCompile(`(^|[^0-9])0+([0-9])`)
	separators   = strings.NewReplacer("-", "", "_", "", " ", "", ".", "")
)

// spellings are tried in this order. The first that explains the most ids counts.
var spellings = []spelling{
	{"letter case", strings.ToLower},
	{"leading zeros", func(id string) string { return leadingZeros.ReplaceAllString(id, "$1$2") }},
	{"spaces, dashes, underscores and dots", func(id string) string { return separators.Replace(id) }},
	{"a folder before the name", path.Base},
	{"letter case and separators", func(id string) string { return separators.Replace(strings.ToLower(id)) }},
}

// likelyCause finds the difference between ids without a counterpart in one table and such ids in
// the other; empty if no spelling explains it.
func likelyCause(alone, partners idSet) string {
	best, cause := 0, ""
	try := func(what string, pairs map[string]string) {
		if len(pairs) > best {
			first := slices.Min(slices.Collect(maps.Keys(pairs)))
			best, cause = len(pairs),
				fmt.Sprintf("%d of them differ by %s from ids that are there, such as %s and %s", len(pairs), what,
					first, pairs[first])
		}
	}
	sorted := slices.Sorted(maps.Keys(partners))
	for _, s := range spellings {
		alike := map[string]string{}
		for _, id := range slices.Backward(sorted) {
			alike[s.of(id)] = id
		}
		pairs := map[string]string{}
		for id := range alone {
			if other, ok := alike[s.of(id)]; ok {
				pairs[id] = other
			}
		}
		try(s.what, pairs)
	}
	try(affix(alone, partners))
	return cause
}

// affix is the ending or beginning that explains the most pairs of ids: one id is the other with
// the affix added.
func affix(alone, partners idSet) (what string, pairs map[string]string) {
	found := map[string]map[string]string{}
	cut := func(longer, shorter idSet, pair func(long, short string) (id, other string)) {
		for long := range longer {
			for i := 1; i < len(long); i++ {
				for _, part := range []struct{ what, short, more string }{{"ending", long[:i], long[i:]},
					{"beginning", long[i:], long[:i]}} {
					if !shorter[part.short] {
						continue
					}
					what := fmt.Sprintf("the %s %q", part.what, part.more)
					if found[what] == nil {
						found[what] = map[string]string{}
					}
					id, other := pair(long, part.short)
					found[what][id] = other
				}
			}
		}
	}
	cut(alone, partners, func(long, short string) (id, other string) { return long, short })
	cut(partners, alone, func(long, short string) (id, other string) { return short, long })
	for _, candidate := range slices.Sorted(maps.Keys(found)) {
		if len(found[candidate]) > len(pairs) {
			what, pairs = candidate, found[candidate]
		}
	}
	return what, pairs
}
