package data

import (
	"cmp"
	"errors"
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
	Unit  string `json:"unit"`
	Table string `json:"table"`
	Rows  int    `json:"rows"`  // rows that came from the removed units
	Of    int    `json:"of"`    // rows of the unit: when all came from them, the unit goes with them
	Why   string `json:"why"`   // what they came from
	Human bool   `json:"human"` // people made the unit: it stays in any case
}

// Whole reports whether the unit goes: nothing of it would be left, and no person made it.
func (d Descendant) Whole() bool { return d.Rows == d.Of && !d.Human }

// sources are the keys of rows that are to be removed.
type sources struct {
	questions, captions, calls, annotations, battles map[string]bool
	images, candidates, embeddings, validations      map[string]bool // the last two by their candidates
}

func keyOf(parts ...string) string { return strings.Join(parts, "\x00") }

// add takes in what others may come from of a unit.
func (s *sources) add(l *Lake, stem string) error {
	return errors.Join(
		eachOf(l, Questions, stem, func(q struct {
			ID string `parquet:"question_id"`
		}) {
			s.questions[q.ID] = true
		}),
		eachOf(l, Captions, stem, func(c struct {
			Image     string `parquet:"image_id"`
			Captioner string `parquet:"captioner"`
			Prompt    string `parquet:"prompt"`
		}) {
			s.captions[keyOf(c.Image, c.Captioner, c.Prompt)] = true
			s.captions[keyOf(c.Image, c.Captioner)] = true // Judgments do not name the prompt.
		}),
		eachOf(l, Calls, stem, func(c struct {
			Hash string `parquet:"request_hash"`
		}) {
			s.calls[c.Hash] = true
		}),
		eachOf(l, Annotations, stem, func(a struct {
			Benchmark string `parquet:"benchmark"`
			Sample    string `parquet:"sample_id"`
			Element   string `parquet:"element"`
			Dimension string `parquet:"dimension"`
		}) {
			s.annotations[keyOf(a.Benchmark, a.Sample, a.Element, a.Dimension)] = true
		}),
		eachOf(l, Battles, stem, func(b struct {
			ID string `parquet:"battle_id"`
		}) {
			s.battles[b.ID] = true
		}),
		eachOf(l, Images, stem, func(i struct {
			ID string `parquet:"image_id"`
		}) {
			s.images[i.ID] = true
		}),
		eachOf(l, Candidates, stem, func(c ofCandidate) { s.candidates[c.ID] = true }),
		eachOf(l, Embeddings, stem, func(c ofCandidate) { s.embeddings[c.ID] = true }),
		eachOf(l, Validations, stem, func(c ofCandidate) { s.validations[c.ID] = true }),
	)
}

// An ofCandidate is what rows about a candidate say of where they came from; tables without calls have no hash.
type ofCandidate struct {
	ID string `parquet:"candidate_id"`
}

// eachOf walks through some columns of a unit's rows in a table; a unit without any has none.
func eachOf[P any](l *Lake, table AnyTable, stem string, each func(P)) error {
	for row, err := range ProjectUnit[P](l, table, stem) {
		if err != nil {
			return err
		}
		each(row)
	}
	return nil
}

// made is what a row of a derived table says of what it came from.
type made struct {
	table  string
	why    func(stem string, each func(cause string)) error // cause is empty for a row that came from none of the sources
	loaded bool                                             // rows that were loaded from a file came from others, too
	human  bool                                             // people made the rows
}

// descendants lists the units with rows that came from the named ones, and from those of them that go with them, in the
// order of the tables. It reads the columns that name sources, of the derived tables.
func descendants(l *Lake, stems []string) ([]Descendant, error) {
	s := &sources{map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{},
		map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}}
	for _, stem := range stems {
		if err := s.add(l, stem); err != nil {
			return nil, err
		}
	}
	var all []Descendant
	for _, m := range s.derived(l) {
		units, err := l.store.List(m.table)
		if err != nil {
			return nil, err
		}
		for _, name := range units {
			stem := unitOf(name)
			if !strings.HasSuffix(name, ".parquet") || slices.Contains(stems, stem) {
				continue
			}
			d, err := m.descendant(l, stem)
			if err != nil {
				return nil, err
			}
			if d.Rows == 0 {
				continue
			}
			if d.Whole() { // What came from it goes, too.
				if err := s.add(l, stem); err != nil {
					return nil, err
				}
			}
			all = append(all, d)
		}
	}
	return all, nil
}

// descendant counts the rows of a unit that came from the sources; of a unit that was loaded, those of votes alone.
func (m made) descendant(l *Lake, stem string) (Descendant, error) {
	d := Descendant{Unit: stem, Table: m.table, Human: m.human}
	runs, err := unitRuns(l, stem)
	if err != nil || len(runs) == 0 || !m.loaded && strings.HasPrefix(runs[0].Stage, "ingest") {
		return d, err
	}
	err = m.why(stem, func(cause string) {
		d.Of++
		if cause != "" {
			d.Rows++
			if !strings.Contains(d.Why, cause) {
				d.Why = strings.TrimPrefix(d.Why+", "+cause, ", ")
			}
		}
	})
	return d, err
}

// derived are the tables whose rows come from others, each after those that its rows come from. Rows without a request
// hash came from no call, and so from nothing of the lake; battles and votes are also made without calls.
func (s *sources) derived(l *Lake) []made {
	why := func(hash, cause string, came bool) string {
		switch {
		case hash == "":
			return ""
		case s.calls[hash]:
			return "calls"
		case came:
			return cause
		}
		return ""
	}
	return append(s.constructed(l, why), []made{
		{table: Captions.Name(), why: func(stem string, each func(string)) error {
			return eachOf(l, Captions, stem, func(c struct {
				Hash string `parquet:"request_hash"`
			}) {
				each(why(c.Hash, "", false))
			})
		}},
		{table: Answers.Name(), why: func(stem string, each func(string)) error {
			return eachOf(l, Answers, stem, func(a struct {
				Hash      string `parquet:"request_hash"`
				Question  string `parquet:"question_id"`
				Evidence  string `parquet:"evidence"`
				Image     string `parquet:"image_id"`
				Captioner string `parquet:"captioner"`
				Prompt    string `parquet:"prompt"`
			}) {
				if s.questions[a.Question] {
					each(why(a.Hash, "questions", true))
					return
				}
				each(why(a.Hash, "captions", a.Evidence == "caption" && s.captions[keyOf(a.Image, a.Captioner, a.Prompt)]))
			})
		}},
		{table: Judgments.Name(), why: func(stem string, each func(string)) error {
			return eachOf(l, Judgments, stem, func(j struct {
				Hash      string `parquet:"request_hash"`
				Benchmark string `parquet:"benchmark"`
				Sample    string `parquet:"sample_id"`
				Element   string `parquet:"element"`
				Dimension string `parquet:"dimension"`
				Captioner string `parquet:"captioner"`
			}) {
				if s.annotations[keyOf(j.Benchmark, j.Sample, j.Element, j.Dimension)] {
					each(why(j.Hash, "annotations", true))
					return
				}
				each(why(j.Hash, "captions", s.captions[keyOf(j.Sample, j.Captioner)]))
			})
		}},
		{table: ElementAnswers.Name(), why: func(stem string, each func(string)) error {
			return eachOf(l, ElementAnswers, stem, func(a struct {
				Hash      string `parquet:"request_hash"`
				Benchmark string `parquet:"benchmark"`
				Sample    string `parquet:"sample_id"`
				Element   string `parquet:"element"`
				Dimension string `parquet:"dimension"`
			}) {
				each(why(a.Hash, "annotations", s.annotations[keyOf(a.Benchmark, a.Sample, a.Element, a.Dimension)]))
			})
		}},
		{table: Battles.Name(), why: func(stem string, each func(string)) error {
			return eachOf(l, Battles, stem, func(b struct {
				Image  string `parquet:"image_id"`
				A      string `parquet:"captioner_a"`
				B      string `parquet:"captioner_b"`
				Prompt string `parquet:"prompt"`
			}) {
				if b.Prompt != "" && (s.captions[keyOf(b.Image, b.A, b.Prompt)] || s.captions[keyOf(b.Image, b.B, b.Prompt)]) {
					each("captions")
					return
				}
				each("")
			})
		}},
		{table: Votes.Name(), loaded: true, why: func(stem string, each func(string)) error {
			return eachOf(l, Votes, stem, func(v struct {
				Hash   string `parquet:"request_hash"`
				Battle string `parquet:"battle_id"`
			}) {
				if s.battles[v.Battle] {
					each("battles")
					return
				}
				each(why(v.Hash, "", false))
			})
		}},
	}...)
}

// constructed are the tables of the construction of a bank.
func (s *sources) constructed(l *Lake, why func(hash, cause string, came bool) string) []made {
	cause := func(name string, came bool) string {
		if came {
			return name
		}
		return ""
	}
	// asked are the rows that a call about a candidate gave.
	asked := func(table AnyTable) made {
		return made{table: table.Name(), why: func(stem string, each func(string)) error {
			return eachOf(l, table, stem, func(r struct {
				ID   string `parquet:"candidate_id"`
				Hash string `parquet:"request_hash"`
			}) {
				each(cmp.Or(cause("candidates", s.candidates[r.ID]), why(r.Hash, "", false)))
			})
		}}
	}
	// computed are the rows that were made of a candidate and of another table's rows about it.
	computed := func(table AnyTable, name string, from map[string]bool) made {
		return made{table: table.Name(), why: func(stem string, each func(string)) error {
			return eachOf(l, table, stem, func(r ofCandidate) {
				each(cmp.Or(cause("candidates", s.candidates[r.ID]), cause(name, from[r.ID])))
			})
		}}
	}
	byPeople := func(m made) made {
		m.human, m.loaded = true, true
		return m
	}
	return []made{
		{table: Candidates.Name(), why: func(stem string, each func(string)) error {
			return eachOf(l, Candidates, stem, func(c struct {
				Image string `parquet:"image_id"`
				Hash  string `parquet:"request_hash"`
			}) {
				each(cmp.Or(cause("images", s.images[c.Image]), why(c.Hash, "", false)))
			})
		}},
		asked(BlindTrials), asked(Embeddings), computed(QuestionGroups, "embeddings", s.embeddings),
		asked(Validations), computed(Routes, "validations", s.validations),
		{table: Questions.Name(), why: func(stem string, each func(string)) error {
			return eachOf(l, Questions, stem, func(q struct {
				ID *string `parquet:"candidate_id,optional"`
			}) {
				each(cause("candidates", q.ID != nil && s.candidates[*q.ID]))
			})
		}},
		// Of a bank that was loaded, a sample has question_ids.
		computed(QualitySamples, "questions", s.questions), byPeople(computed(QualityRatings, "questions", s.questions)), byPeople(computed(Reviews, "", nil)),
	}
}

// RemoveAll removes units with the units of which all rows came from them, these first. It returns the descendants, those
// included of which rows are left.
func (l *Lake) RemoveAll(stems ...string) ([]Descendant, error) {
	if err := l.writable(); err != nil {
		return nil, err
	}
	known, err := knownCommits(l)
	if err != nil {
		return nil, err
	}
	descendants, err := WouldRemove(l, stems...)
	if err != nil {
		return nil, err
	}
	going := slices.Clone(stems)
	for _, d := range descendants {
		if d.Whole() {
			going = append(going, d.Unit)
		}
	}
	release, err := holdAsKnown(l, known, going...) // all of them, before one is removed
	if err != nil {
		return nil, err
	}
	defer release()
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
	descendants, err := descendants(l, stems)
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
	for _, t := range Tables() {
		record.Removes = append(record.Removes, t.Name()+"/"+stem+".parquet")
	}
	return commitUnit(l, stem, record, func() error { return nil })
}
