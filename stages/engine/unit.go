package engine

import (
	"cmp"
	"encoding/json"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/llm"
)

// A Unit is the set of requests to one model under one set of conditions, or a computation without
// a model. One file holds the calls of a unit, and a later run resumes an unfinished unit. Request,
// Accept and the function in Rows are pure: they depend only on their arguments and on the
// unit's own conditions.
type Unit[I any] struct {
	Conditions
	Inputs

	// Items gives the items one after the other and stops if each returns an error. It is called for
	// a plan, and also to count the items and to compare the settings of requests.
	Items func(s *Scope, each Each[I]) error
	// Request makes the request about an item. With the zero request, or a nil Request, nothing is
	// asked, and the rows are computed from the item. The engine adds the common parts of all
	// requests of the unit: model, template flags, protocol and repetition.
	Request func(I) (llm.Request, error)
	// Accept returns an error if a reply cannot be read. A nil Accept accepts every reply.
	Accept func(I, llm.Reply) error
	// Rows makes the rows of an item from its outcome. An item with a pending request has no rows.
	Rows Rows[I]
}

// Conditions say whom a unit asks and how.
type Conditions struct {
	Name      string       // of the conditions, unique within the stage; names of files and journals contain it
	Model     config.Model // the model to ask; the zero model for a unit that only computes
	Protocol  string
	Source    string // origin of the requests, for provenance
	Simulated bool   // its inputs are simulated; with a rehearsal model the unit is simulated anyway
	Repeat    int    // number of the repetition, from 0
	// Attempts is the largest number of requests about an item until a reply can be read; 0
	// means 1.
	// Greedy decoding would repeat an unreadable reply, so every further attempt has another seed
	// and a temperature of at least 0.7. Each attempt is a request of its own, so that no attempt is
	// paid for twice.
	Attempts int
	Empty    string // message to the user if there is no item; may be empty
	Note     string // message to the user about the unit in any case, such as what it leaves out; may be empty
	// in estimates, units with the same CostClass cost the same and are counted once; if empty,
	// each is counted
	CostClass string
}

// Inputs are everything that requests and rows depend on: settings and tables. A unit with
// unchanged inputs is not planned again. If a unit also depends on something else, such as media
// files, Reads must be nil, and every run plans the unit.
type Inputs struct {
	Settings any
	Reads    []data.AnyTable
	// TextIsSetting says that a changed text of a request is a changed setting and not another
	// item. An example is a caption's prompt.
	TextIsSetting bool
}

// Each takes an item of a unit, with its keys.
type Each[I any] func(I, Keys) error

// AnyUnit is a unit with items of any type.
type AnyUnit interface {
	erase(s *Scope) *unit // the unit of the scope's stage, without the type of its items
}

// A Scope is a stage's view of a run: the lake, the narrowed configuration, and the user's choice.
type Scope struct {
	Lake   *data.Lake
	Config *config.Config
	Choice config.Choice

	// Assumed asks for units about results that the run has yet to make, such as captions. The
	// length of their items is assumed. A dry run estimates these units after the others.
	Assumed bool

	stage string
	units []*unit
	// visits the items of another unit; the outcome is nil if none is recorded
	recorded func(u *unit, each func(*item, *Outcome) error) error
	pending  func(*request) bool // whether the run is to ask a request
}

// Add adds units of the stage.
func (s *Scope) Add(units ...AnyUnit) {
	for _, u := range units {
		s.units = append(s.units, u.erase(s))
	}
}

// Empty reports whether the stage has added no unit.
func (s *Scope) Empty() bool { return len(s.units) == 0 }

// Outcomes goes through the items of another unit of the stage, and hands over each item that has a
// recorded outcome. It is for units that ask about replies. In a forecast it hands over only the
// items without a recorded reply, with an empty outcome.
func Outcomes[I any](s *Scope, of *Unit[I], each func(I, Outcome) error) error {
	return s.recorded(of.erase(s), func(i *item, o *Outcome) error {
		pending := o == nil
		if pending != s.Assumed { // A forecast is about the pending items, a run about the others.
			return nil
		}
		return each(i.of.(I), *cmp.Or(o, &Outcome{}))
	})
}

// retryTemperature is the least temperature of further attempts.
const retryTemperature = 0.7

// Rows says how the outcomes of items become rows of one table; Into makes a Rows. The rows are a
// unit of the lake, beside the unit of the calls.
type Rows[I any] struct{ rowsOf }

// rowsOf is Rows without the type of the items.
type rowsOf struct {
	Name string // name of the unit within its stage; empty for the name of the unit that was asked

	stage string
	table data.AnyTable
	open  func(*data.Tx) (rowSink, error)
}

// A rowSink makes and writes the rows of an item. It returns the number of the rows, and their
// content as JSON, for a digest.
type rowSink func(item any, o *Outcome) (rows int, content []byte, err error)

// Into returns the Rows of a table. The function rows returns the rows of one item. The rows are
// recorded under the given name of a stage, such as captions or score.
func Into[I, R any](stage string, table data.Table[R], rows func(I, Outcome) ([]R, error)) Rows[I] {
	// "" is the Name: the unit of the rows has the name of the unit that was asked.
	return Rows[I]{rowsOf{"", stage, table, func(tx *data.Tx) (rowSink, error) {
		out, err := data.NewRowWriter(tx, table)
		if err != nil {
			return nil, err
		}
		return func(item any, o *Outcome) (int, []byte, error) {
			made, err := rows(item.(I), *o)
			if err == nil {
				err = out.Write(made...)
			}
			content, invalid := json.Marshal(made)
			return len(made), content, cmp.Or(err, invalid)
		}, nil
	}}}
}

// unit is a Unit without the type of its items, in one stage of a run.
type unit struct {
	Conditions
	Inputs
	stage   string
	items   func(s *Scope, each func(*item) error) error
	request func(any) (llm.Request, error)
	accept  func(any, llm.Reply) error
	rows    rowsOf
}

// erase implements AnyUnit. It also fills in the names and keys that the stage has left empty.
func (u *Unit[I]) erase(s *Scope) *unit {
	erased := &unit{Conditions: u.Conditions, Inputs: u.Inputs, stage: s.stage, rows: u.Rows.rowsOf}
	erased.Simulated = u.Simulated || u.Model.Simulated()
	erased.rows.Name = cmp.Or(erased.rows.Name, u.Name)
	erased.items = func(s *Scope, each func(*item) error) error {
		return u.Items(s, func(of I, keys Keys) error {
			keys.Group = cmp.Or(keys.Group, keys.Subject)
			keys.Picture = cmp.Or(keys.Picture, keys.Group)
			return each(&item{keys, of})
		})
	}
	erased.request = func(of any) (r llm.Request, err error) {
		if u.Request != nil {
			r, err = u.Request(of.(I))
		}
		return r, err
	}
	erased.accept = func(of any, r llm.Reply) error {
		if u.Accept == nil {
			return nil
		}
		return u.Accept(of.(I), r)
	}
	return erased
}

// ask is the request about an item, with the common parts of all requests of the unit.
func (u *unit) ask(i *item) (llm.Request, error) {
	r, err := u.request(i.of)
	r.Model, r.TemplateFlags, r.Mode, r.Protocol = u.Model.Served, u.Model.Flags, u.Model.Sampling, u.Protocol
	if !r.Embeds() { // Vectors do not change between repetitions.
		r.Repeat = u.Repeat
	}
	return r, err
}

// body is the request to send: the unit's request about the item. A further attempt has another
// seed, and a temperature of at least retryTemperature.
func (u *unit) body(q *request) (r llm.Request, err error) {
	if q.body != nil {
		return *q.body, nil
	}
	r, err = u.ask(q.item)
	if q.attempt > 0 {
		r.Sampling.Temperature = max(r.Sampling.Temperature, retryTemperature)
		r.Sampling.Seed += int64(q.attempt)
	}
	return r, err
}

// provenance says whether calls and rows are measured or simulated.
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
	return data.Unit{Stage: u.rows.stage, Name: u.rows.Name, Protocol: u.Protocol,
		Source: "calls", Provenance: u.provenance()}
}

// settings is a digest of all inputs of requests and rows besides tables.
func (u *unit) settings() string {
	content, _ := json.Marshal(struct { // The configuration is checked: all can be marshalled.
		Model    config.Model
		Settings any
		Attempts int
	}{u.Model, u.Settings, u.Attempts})
	return data.Fingerprint(u.stage, u.Name, u.Protocol, u.provenance(), string(content))
}
