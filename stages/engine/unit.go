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

// A Unit is the set of requests to one model under one set of conditions, or a computation without
// a model. One file holds its calls, and a run resumes it. Request, Accept and the functions of
// Rows are pure: they depend only on their arguments and on the unit's own conditions.
type Unit[I any] struct {
	Name      string       // of the conditions, unique within the stage; names of files and journals contain it
	Model     config.Model // the model to ask; the zero model for a unit that only computes
	Protocol  string
	Source    string // origin of the requests, for provenance
	Simulated bool   // its inputs are simulated; with a rehearsal model the unit is simulated anyway
	Repeat    int    // number of the repetition, from 0
	Idle      string // message to the user if there is no item; may be empty
	Note      string // message to the user about the unit in any case, such as what it leaves out; may be empty

	// Items gives the items one after the other and stops if each returns an error. It is called
	// once for a plan. Consecutive items with an equal Group share a long prefix: they go to one
	// replica, one right after the other, so that all but the first find the prefix in its cache.
	// With a nil Group each item is a group.
	Items func(s *Scope, each func(I) error) error
	Group func(I) string
	// Picture names the picture of an item. The parts of a run divide all its stages by it. A nil
	// Picture is the Group.
	Picture func(I) string
	// Subject is the key of the item's row: a question_id, an image_id, a sample_id.
	Subject func(I) string
	// Wanted reports whether to ask about an item. Of other items only recorded replies are read. A
	// nil Wanted wants all.
	Wanted func(I) bool

	// Request makes the request about an item. With the zero request nothing is asked, and the rows
	// are computed from the item. The engine adds the common parts of all requests of the unit:
	// model, template flags, protocol and repetition.
	Request func(I) (llm.Request, error)
	// Accept returns an error if a reply cannot be read. A nil Accept accepts every reply.
	Accept func(I, llm.Reply) error
	// Attempts is the largest number of requests about an item until a reply can be read; 0 is 1.
	// Greedy decoding would repeat an unreadable reply, so every further attempt has another seed
	// and a temperature of at least 0.7. Each attempt is a request of its own, so that none is paid
	// for twice.
	Attempts int
	// Rows makes the rows of an item from its outcome. An item with a pending request has none.
	Rows Rows[I]

	// Settings and Reads are the inputs: settings and tables. Marks are tables of Reads that affect
	// rows but not requests, such as the questions with their keys. A unit with unchanged inputs is
	// not planned again. If it has other inputs, Reads must be nil, and it is always planned.
	Settings any
	Reads    []data.AnyTable
	Marks    []data.AnyTable

	// TextIsSetting says that a changed text of a request is a changed setting and not another
	// item. An example is a caption's prompt.
	TextIsSetting bool

	Shape string // in estimates, units with the same Shape cost the same and are counted once; if empty, each is counted
}

// AnyUnit is a unit with items of any type.
type AnyUnit interface {
	erase(s *Scope) *unit
}

// A Scope is a stage's view of a run: the lake, the narrowed configuration, and the user's choice.
type Scope struct {
	Lake   *data.Lake
	Config *config.Config
	Choice config.Choice

	// Ahead asks for units about results that the run has yet to make, such as captions, with items
	// of an assumed length. A dry run estimates them after the other units.
	Ahead bool

	stage    string
	recorded func(u *unit, each func(any, *Outcome) error) error // visits the items of another unit; the outcome is nil if none is recorded
}

// Outcomes calls each with the items of another unit of the stage and their recorded outcomes. It
// is for units that ask about replies. In a forecast it gives the items without a recorded reply,
// with an empty outcome.
func Outcomes[I any](s *Scope, of *Unit[I], each func(I, Outcome) error) error {
	return s.recorded(of.erase(s), func(item any, o *Outcome) error {
		if (o == nil) != s.Ahead {
			return nil
		}
		return each(item.(I), *cmp.Or(o, &Outcome{}))
	})
}

// retryTemperature is the least temperature of further attempts.
const retryTemperature = 0.7

// Rows writes the rows of one table, as Into makes them, to a separate unit of the lake.
type Rows[I any] struct {
	Name string // name of the unit within its stage; empty for the name of the unit that was asked

	stage string
	table data.AnyTable
	open  func(*data.Tx) (rowSink[I], error)
}

// A rowSink makes and writes the rows of an item. It returns their number and, if the item has no
// request, their content.
type rowSink[I any] func(I, *Outcome) (rows int, said []byte, err error)

// Into makes the rows of a table: rows returns the rows of one item. They are recorded under a
// stage, such as captions or score.
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

// unit is a Unit without the type of its items, in one stage of a run.
type unit struct {
	Unit[any]
	stage string
	next  func(*Scope) iter.Seq2[any, error] // its items, one by one
}

// errStopped stops Items when the caller wants no more items.
var errStopped = errors.New("no more items are wanted")

// ofItem removes the item's type from a function; a nil function becomes otherwise.
func ofItem[I, R any](f func(I) R, otherwise func(any) R) func(any) R {
	if f == nil {
		return otherwise
	}
	return func(item any) R { return f(item.(I)) }
}

func (u *Unit[I]) erase(s *Scope) *unit {
	e := &unit{stage: s.stage, Unit: Unit[any]{
		Name: u.Name, Model: u.Model, Protocol: u.Protocol, Source: u.Source,
		Simulated: u.Simulated || u.Model.Simulated(), Repeat: u.Repeat,
		Idle: u.Idle, Note: u.Note, Attempts: u.Attempts, Settings: u.Settings, Reads: u.Reads, Marks: u.Marks,
		Shape: u.Shape, TextIsSetting: u.TextIsSetting,
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
		if !r.Embeds() { // Vectors do not change between repetitions.
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

// body is the request of an attempt at an item. The engine adds the common parts of all requests of
// the unit.
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
	return data.Unit{Stage: u.Rows.stage, Name: u.Rows.Name, Protocol: u.Protocol,
		Source: "calls", Provenance: u.provenance()}
}

// settings digests all inputs of requests and rows besides the lake.
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
