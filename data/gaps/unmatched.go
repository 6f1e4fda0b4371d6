// Package gaps asks a lake what it does not have: counterparts of ids, and nodes of taxonomies. It reads by SQL alone, and knows no file.
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

// An Unmatched is ids of one table that have no counterpart in the tables that they meet by id: of captions without questions, say. It is
// no fault by itself, since a lake may be filled in any order and in part; but ids that differ by their spelling look the same.
type Unmatched struct {
	Rows     string   `json:"rows"`            // what the ids are of, such as "captions"
	Without  string   `json:"without"`         // what the lake does not have for them, such as "questions"
	IDs      int      `json:"ids"`             // how many there are
	Of       int      `json:"of"`              // of how many
	Examples []string `json:"examples"`        // the first three in alphabetical order
	Cause    string   `json:"cause,omitempty"` // how they would meet, where a spelling explains it; empty where none does
}

// shownIDs is how many ids an Unmatched names.
const shownIDs = 3

// String is the sentence about it.
func (u Unmatched) String() string {
	s := fmt.Sprintf("%d of the %d ids of %s have no %s in the lake: %s", u.IDs, u.Of, u.Rows, u.Without, strings.Join(u.Examples, ", "))
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

// counterparts is the query of the ids that do not meet.
//
//go:embed unmatched.sql
var counterparts string

// FindUnmatched lists the ids of questions, pictures, captions and answers that have no counterpart. Empty tables are not compared. Question
// ids are compared with the bank for the answers of the named units alone.
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
		u := Unmatched{c.These, c.Those, c.IDs, c.Of, c.Alone[:min(c.IDs, shownIDs)], likelyCause(setOf(c.Alone), setOf(c.Partners))}
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

// A spelling is a way to write ids alike.
type spelling struct {
	what string // what two ids of one spelling differ by
	of   func(id string) string
}

var (
	leadingZeros = regexp.MustCompile(`(^|[^0-9])0+([0-9])`)
	separators   = strings.NewReplacer("-", "", "_", "", " ", "", ".", "")
)

// spellings are tried in this order; of those that explain most ids the first counts.
var spellings = []spelling{
	{"letter case", strings.ToLower},
	{"leading zeros", func(id string) string { return leadingZeros.ReplaceAllString(id, "$1$2") }},
	{"spaces, dashes, underscores and dots", func(id string) string { return separators.Replace(id) }},
	{"a folder before the name", path.Base},
	{"letter case and separators", func(id string) string { return separators.Replace(strings.ToLower(id)) }},
}

// likelyCause says what ids differ by from those of the other table that have no partner either; empty where nothing explains it.
func likelyCause(alone, partners idSet) string {
	best, cause := 0, ""
	try := func(what string, pairs map[string]string) {
		if len(pairs) > best {
			first := slices.Min(slices.Collect(maps.Keys(pairs)))
			best, cause = len(pairs), fmt.Sprintf("%d of them differ by %s from ids that are there, such as %s and %s", len(pairs), what, first, pairs[first])
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

// affix is what explains most pairs of ids of which one is the other with something before or after it.
func affix(alone, partners idSet) (what string, pairs map[string]string) {
	found := map[string]map[string]string{}
	cut := func(longer, shorter idSet, pair func(long, short string) (id, other string)) {
		for long := range longer {
			for i := 1; i < len(long); i++ {
				for _, part := range []struct{ what, short, more string }{{"ending", long[:i], long[i:]}, {"beginning", long[i:], long[:i]}} {
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
