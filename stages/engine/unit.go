package engine

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"iter"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/llm"
)

// A Unit is what one model is asked under one set of conditions, or what is computed without one. It is what one file of
// calls holds and what a run resumes. Request, Accept and the functions of Results are pure: they depend on their arguments
// and on the unit's own conditions alone.
type Unit[I any] struct {
	Name      string       // of the conditions, unique within the stage: file names and journals come from it
	Model     config.Model // asked; the zero model for a unit that only computes
	Protocol  string
	Source    string // what the requests are made from, for provenance
	Simulated bool   // what it reads is simulated; a rehearsal model makes the unit simulated anyway
	Repeat    int    // number of the repetition, from 0
	Idle      string // what to tell a user when there is no item; may be empty
	Note      string // what a user should know of the unit whatever comes of it, such as what it leaves out; may be empty

	// Items gives the items one after the other and ends with the error of each. It is called once for a plan. Items in a
	// row with an equal Group share a long prefix: they go to one replica, one right after the other, so that all but the
	// first find the prefix in its cache. A nil Group makes a group of each item.
	Items func(s *Scope, each func(I) error) error
	Group func(I) string
	// Picture names what an item is about, so that the parts of a run divide all its stages alike. A nil Picture is that of the group.
	Picture func(I) string
	// Subject is the key of the row that an item is: a question_id, an image_id, a sample_id.
	Subject func(I) string
	// Wanted reports whether an item is to be asked about. Of others, only what the unit has recorded is read. A nil Wanted
	// asks about all.
	Wanted func(I) bool

	// Request is what is asked about an item; the zero request asks nothing, and the rows are computed from the item. The
	// engine fills in what all requests of the unit have in common: model, template flags, protocol and repetition.
	Request func(I) (llm.Request, error)
	// Accept says why a reply cannot be read. A nil Accept takes every reply.
	Accept func(I, llm.Reply) error
	// Attempts says how often an item is asked about until a reply can be read; 0 is 1. Greedy decoding would only repeat what could not be read,
	// so every further attempt has another seed and a temperature of 0.7 at least; each is a request of its own, so that none is paid for twice.
	Attempts int
	// Rows are made from the items and their outcomes. Items whose request is pending have none.
	Rows Rows[I]

	// Settings are everything besides the lake that requests and rows depend on, and Reads the tables that they depend on;
	// Marks those of Reads that change rows without changing a request, such as a question's key. A unit that nothing has
	// changed for is not planned again. One that reads anything else than the lake and its settings leaves Reads nil, and
	// is always planned.
	Settings any
	Reads    []data.AnyTable
	Marks    []data.AnyTable

	// TextIsSetting says that another text of a request is another setting rather than another item, as a caption's prompt is.
	TextIsSetting bool

	Shape string // ahead, units of equal shape cost the same and are counted once; empty counts each
}

// AnyUnit is a unit whatever its items are.
type AnyUnit interface {
	erase(s *Scope) *unit
}

// A Scope is what a stage sees: the lake, the configuration as the run narrows it down, and what the user chose.
type Scope struct {
	Lake   *data.Lake
	Config *config.Config
	Choice config.Choice

	// Ahead asks for units about what the run has yet to make, such as captions, with items that are assumed to be of the
	// usual length: a dry run estimates them after the units about what there is.
	Ahead bool

	stage    string
	recorded func(u *unit, each func(any, *Outcome) error) error // goes through the items of another unit; the outcome is nil where none is recorded
}

// Outcomes calls each with the items of another unit of the stage and what is recorded of them: for units that ask about replies. In a
// forecast it is called with the items of which nothing is recorded, without a reply.
func Outcomes[I any](s *Scope, of *Unit[I], each func(I, Outcome) error) error {
	return s.recorded(of.erase(s), func(item any, o *Outcome) error {
		if (o == nil) != s.Ahead {
			return nil
		}
		return each(item.(I), *cmp.Or(o, &Outcome{}))
	})
}

// retryTemperature is the least temperature of the attempts after the first.
const retryTemperature = 0.7

// Rows are the rows of one table, made by Into, in a unit of the lake of their own.
type Rows[I any] struct {
	Name string // of the unit within its stage; empty is the name of the unit that was asked

	stage string
	table data.AnyTable
	open  func(*data.Tx) (rowSink[I], error)
}

// A rowSink makes the rows of one table of an item and writes them. It gives their number and, where nobody is asked, what they say.
type rowSink[I any] func(I, *Outcome) (rows int, said []byte, err error)

// Into makes the rows of a table: rows gives those of one item. The rows are recorded under a stage, such as captions or score.
func Into[I, R any](stage string, table data.Table[R], rows func(I, Outcome) ([]R, error)) Rows[I] {
	return Rows[I]{"", stage, table, func(tx *data.Tx) (rowSink[I], error) {
		out, err := data.NewRowWriter(tx, table)
		if err != nil {
			return nil, err
		}
		return func(item I, o *Outcome) (_ int, said []byte, err error) {
			made, err := rows(item, *o)
			if err == nil && !o.Asked {
				said, err = json.Marshal(made)
			}
			if err == nil {
				err = out.Write(made...)
			}
			return len(made), said, err
		}, nil
	}}
}

// unit is a Unit without the type of its items, as one stage of a run has it.
type unit struct {
	Unit[any]
	stage string
	next  func(*Scope) iter.Seq2[any, error] // its items, one by one
}

// errStopped ends the items of which no more are wanted.
var errStopped = errors.New("no more items are wanted")

// ofItem is a function of an item whatever its type is; where there is none, another.
func ofItem[I, R any](f func(I) R, otherwise func(any) R) func(any) R {
	if f == nil {
		return otherwise
	}
	return func(item any) R { return f(item.(I)) }
}

func (u *Unit[I]) erase(s *Scope) *unit {
	e := &unit{stage: s.stage, Unit: Unit[any]{
		Name: u.Name, Model: u.Model, Protocol: u.Protocol, Source: u.Source, Simulated: u.Simulated || u.Model.Simulated(), Repeat: u.Repeat,
		Idle: u.Idle, Note: u.Note, Attempts: u.Attempts, Settings: u.Settings, Reads: u.Reads, Marks: u.Marks, Shape: u.Shape, TextIsSetting: u.TextIsSetting,
	}}
	e.next = func(s *Scope) iter.Seq2[any, error] {
		return func(yield func(any, error) bool) {
			err := u.Items(s, func(item I) error {
				if !yield(item, nil) {
					return errStopped
				}
				return nil
			})
			if err != nil && !errors.Is(err, errStopped) {
				yield(nil, err)
			}
		}
	}
	e.Subject = ofItem(u.Subject, nil)
	e.Group = ofItem(u.Group, e.Subject)
	e.Picture = ofItem(u.Picture, e.Group)
	e.Wanted = ofItem(u.Wanted, func(any) bool { return true })
	e.Request = func(item any) (llm.Request, error) {
		r, err := u.Request(item.(I))
		r.Model, r.TemplateFlags, r.Mode, r.Protocol = u.Model.Served, u.Model.Flags, u.Model.Sampling, u.Protocol
		if !r.Embeds() { // Vectors are the same every time.
			r.Repeat = u.Repeat
		}
		return r, err
	}
	e.Accept = func(item any, r llm.Reply) error {
		if u.Accept == nil {
			return nil
		}
		return u.Accept(item.(I), r)
	}
	e.Rows = Rows[any]{cmp.Or(u.Rows.Name, u.Name), u.Rows.stage, u.Rows.table, func(tx *data.Tx) (rowSink[any], error) {
		sink, err := u.Rows.open(tx)
		return func(item any, o *Outcome) (int, []byte, error) { return sink(item.(I), o) }, err
	}}
	return e
}

// body is what is asked in an attempt at an item. The engine fills in what all requests of the unit have in common.
func (u *unit) body(q *request) (r llm.Request, err error) {
	if q.body != nil {
		return *q.body, nil
	}
	r, err = u.Request(q.item)
	if q.attempt > 0 {
		r.Sampling.Temperature = max(r.Sampling.Temperature, retryTemperature)
		r.Sampling.Seed += int64(q.attempt)
	}
	return r, err
}

func (u *unit) provenance() string {
	if u.Simulated {
		return data.ProvenanceSimulated
	}
	return data.ProvenanceMeasured
}

// calls is the unit of the lake that records the calls.
func (u *unit) calls() data.Unit {
	return data.Unit{Stage: u.stage, Name: u.Name, Protocol: u.Protocol, Source: u.Source, Provenance: u.provenance()}
}

// results is the unit of the lake that holds the rows.
func (u *unit) results() data.Unit {
	return data.Unit{Stage: u.Rows.stage, Name: u.Rows.Name, Protocol: u.Protocol, Source: "calls", Provenance: u.provenance()}
}

// settings digests what the requests and rows depend on besides the lake.
func (u *unit) settings() (string, error) {
	content, err := json.Marshal(struct {
		Model    config.Model
		Settings any
		Attempts int
	}{u.Model, u.Settings, u.Attempts})
	if err != nil {
		return "", fmt.Errorf("settings of %s %s: %w", u.stage, u.Name, err)
	}
	return data.Fingerprint(u.stage, u.Name, u.Protocol, u.provenance(), string(content)), nil
}
