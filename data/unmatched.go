package data

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"
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

// FindUnmatched lists the ids of questions, pictures, captions and answers that have no counterpart. Empty tables are not compared. Ids come
// from the dictionaries of the files; rows are read only of captions, and of the answers of the named units, whose question ids are
// compared with the bank.
func FindUnmatched(l *Lake, units ...string) ([]Unmatched, error) {
	ids := map[string]idSet{} // by table
	for _, table := range []AnyTable{Questions, Images, Captions, Answers, Annotations, Battles, Candidates} {
		column := "image_id"
		if table.Name() == Annotations.Name() {
			column = "sample_id" // which its captions have as their image_id
		}
		var err error
		if ids[table.Name()], err = distinctValuesOf(l, table, column); err != nil {
			return nil, err
		}
	}
	var all []Unmatched
	report := func(rows, without string, these, those idSet) {
		if len(those) > 0 {
			if u, ok := unmatched(rows, without, these, those); ok {
				all = append(all, u)
			}
		}
	}
	items := idSet{}
	for _, table := range []AnyTable{Questions, Annotations, Battles} {
		maps.Copy(items, ids[table.Name()])
	}
	captions, pictures, questions := ids[Captions.Name()], ids[Images.Name()], ids[Questions.Name()]
	report("captions", "questions, annotations or battles", captions, items)
	report("answers", "questions", ids[Answers.Name()], questions)
	maps.Copy(items, ids[Candidates.Name()])
	report("pictures", "questions, annotations or battles", pictures, items)
	report("questions", "pictures", questions, pictures)
	covered, err := captioned(l, questions)
	if err != nil {
		return nil, err
	}
	for _, c := range covered {
		report("questions", fmt.Sprintf("captions by %s under %s", c.captioner, c.prompt), c.asked, c.described)
	}
	if len(units) > 0 && len(questions) > 0 {
		u, err := unknownQuestions(l, units, questions)
		if err != nil {
			return nil, err
		}
		all = append(all, u...)
	}
	return all, nil
}

// A coverage is which images of a captioner's domains have its captions under a prompt.
type coverage struct {
	captioner, prompt string
	asked, described  idSet
}

// captioned compares the captions of each captioner and prompt with the questions of the domains that these captions are of.
func captioned(l *Lake, questioned idSet) ([]coverage, error) {
	type item struct {
		ImageID string `parquet:"image_id"`
		Domain  string `parquet:"domain"`
	}
	type described struct {
		ImageID   string `parquet:"image_id"`
		Domain    string `parquet:"domain"`
		Captioner string `parquet:"captioner"`
		Prompt    string `parquet:"prompt"`
	}
	if len(questioned) == 0 {
		return nil, nil
	}
	asked := map[string]idSet{} // image ids by domain
	for q, err := range Project[item](l, Questions, nil) {
		if err != nil {
			return nil, err
		}
		if asked[q.Domain] == nil {
			asked[q.Domain] = idSet{}
		}
		asked[q.Domain][q.ImageID] = true
	}
	type by struct{ captioner, prompt string }
	found := map[by]map[string]idSet{} // ids by domain
	for c, err := range Project[described](l, Captions, nil) {
		if err != nil {
			return nil, err
		}
		if asked[c.Domain] == nil {
			continue
		}
		domains := found[by{c.Captioner, c.Prompt}]
		if domains == nil {
			domains = map[string]idSet{}
			found[by{c.Captioner, c.Prompt}] = domains
		}
		if domains[c.Domain] == nil {
			domains[c.Domain] = idSet{}
		}
		domains[c.Domain][c.ImageID] = true
	}
	var all []coverage
	for key, domains := range found {
		c := coverage{key.captioner, key.prompt, idSet{}, idSet{}}
		for domain, ids := range domains {
			maps.Copy(c.asked, asked[domain])
			maps.Copy(c.described, ids)
		}
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b coverage) int {
		return strings.Compare(a.captioner+"\x00"+a.prompt, b.captioner+"\x00"+b.prompt)
	})
	return all, nil
}

// unknownQuestions are the questions that answers of some units name and the bank does not have, though it has others about the image.
func unknownQuestions(l *Lake, units []string, questioned idSet) ([]Unmatched, error) {
	type asked struct {
		QuestionID string `parquet:"question_id"`
	}
	bank := idSet{}
	named, unknown := idSet{}, idSet{}
	for _, unit := range units {
		for a, err := range ProjectUnit[asked](l, Answers, unit) {
			if err != nil {
				return nil, err
			}
			if len(bank) == 0 {
				for q, err := range Project[asked](l, Questions, nil) {
					if err != nil {
						return nil, err
					}
					bank[q.QuestionID] = true
				}
			}
			image := path.Dir(a.QuestionID)
			if named[a.QuestionID] = true; !bank[a.QuestionID] && questioned[image] {
				unknown[a.QuestionID] = true
			}
		}
	}
	if len(unknown) == 0 {
		return nil, nil
	}
	return []Unmatched{{
		Rows: "answers", Without: "questions", IDs: len(unknown), Of: len(named), Examples: firstIDs(unknown),
		Cause: "the bank has other questions about the same images, so the text of the question or of an option differs",
	}}, nil
}

// unmatched compares two sets of ids.
func unmatched(rows, without string, these, those idSet) (u Unmatched, found bool) {
	alone, partners := idSet{}, idSet{}
	for id := range these {
		if !those[id] {
			alone[id] = true
		}
	}
	if len(alone) == 0 {
		return u, false
	}
	for id := range those {
		if !these[id] {
			partners[id] = true
		}
	}
	return Unmatched{rows, without, len(alone), len(these), firstIDs(alone), likelyCause(alone, partners)}, true
}

// firstIDs are the ids that a message names.
func firstIDs(ids idSet) []string {
	sorted := slices.Sorted(maps.Keys(ids))
	return sorted[:min(len(sorted), shownIDs)]
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

// distinctValuesOf is the set of values of a column of text. Where a file has a dictionary, as the columns of ids have, only that is looked at.
func distinctValuesOf(l *Lake, table AnyTable, column string) (idSet, error) {
	values := idSet{}
	err := eachFile(l, func() ([]string, error) { return l.Files(table) }, func(name string) (bool, error) {
		return true, distinctIn(l, name, column, values)
	})
	return values, err
}

func distinctIn(l *Lake, name, column string, values idSet) (err error) {
	f, err := l.store.Open(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	pf, err := openParquet(l, f, name)
	if err != nil {
		return err
	}
	leaf, ok := pf.Schema().Lookup(column)
	if !ok {
		return nil
	}
	for _, group := range pf.RowGroups() {
		_, err := guarded(func() (struct{}, error) {
			return struct{}{}, distinctValues(group.ColumnChunks()[leaf.ColumnIndex].Pages(), values)
		})
		if err != nil {
			return WithHint(fmt.Errorf("%s: %w", l.Path(name), err), damagedFileHint)
		}
	}
	return nil
}

func distinctValues(pages parquet.Pages, values idSet) (err error) {
	defer func() { err = errors.Join(err, pages.Close()) }()
	known := 0 // values of the dictionary that were taken
	for {
		page, err := pages.ReadPage()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if dictionary := page.Dictionary(); dictionary != nil {
			for ; known < dictionary.Len(); known++ {
				values[dictionary.Index(int32(known)).String()] = true
			}
		} else if err := eachValue(page.Values(), func(v parquet.Value) { values[v.String()] = true }); err != nil {
			return err
		}
		parquet.Release(page)
	}
}

func eachValue(r parquet.ValueReader, each func(parquet.Value)) error {
	batch := make([]parquet.Value, readBatch)
	for {
		n, err := r.ReadValues(batch)
		for _, v := range batch[:n] {
			each(v)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
