// Package engine carries any stage out. A stage declares its units, and for the items of a unit what is asked, which
// replies can be read and which rows come of them; the engine does the rest, alike for all: it builds and hashes each
// request, looks it up among the recorded calls, asks what is pending with the requests that share a prefix
// together, keeps every reply in the journal before it counts, asks again for what cannot be read, keeps to the budget,
// and commits calls and rows. The same walk over the items serves live runs, offline batches and dry runs.
//
// It must not know what any stage asks, nor of foreign file formats, SQL or drawings.
package engine

import (
	"errors"

	"github.com/captionlake/captionlake/stages/config"
)

// A Stage reads tables, asks models or computes, and writes tables. No stage calls another; the lake is what they share.
type Stage struct {
	Name    string   // as the command line and the table calls have it
	Help    string   // one line
	Flags   []string // names of the config.Flags that narrow it down
	Section string   // section of the configuration that it reads
	Track   string   // name under which several stages run, one after the other; empty for a stage by itself
	Named   bool     // it runs only when it or its track is named
	Follows bool     // it asks about what the same run makes, as about captions: a dry run has its units ahead, too

	// Models are the models that it asks; nil for one that asks none.
	Models func(*config.Config) []string
	// Check reports the faults of the section; nil where another stage that reads it does.
	Check func(*config.Check)
	// Units lists what is to be done. It is called when the stages before it are done. A stage that cannot do anything
	// says why with an error that wraps ErrNothingToAsk; no units and no error mean that the run is not about it.
	Units func(*Scope) ([]AnyUnit, error)
	// Forecast says, for a dry run, what the stage will ask about rows that earlier stages of the run have yet to make, and whose number is
	// therefore a guess; before has the estimates of these stages. Nil for none.
	Forecast func(s *Scope, before []Estimate) ([]Forecast, error)
}

// ErrNothingToAsk is wrapped by the error of a run without a single unit.
var ErrNothingToAsk = errors.New("there is nothing to ask")
