// Package engine runs any stage. A stage declares its units. For the items of a unit, the stage
// declares the requests, which replies can be read, and the rows to make. The engine does the rest
// in the same way for all stages. The engine builds and hashes each request, looks the request up
// among the recorded calls, and sends pending requests with a common prefix together. It writes
// every reply to the journal before the reply counts. The engine also repeats requests with
// unreadable replies, keeps to the budget, and commits calls and rows. The same plan of the items
// serves live runs, offline batches and dry runs.
//
// The package must not know what any stage asks, nor of foreign file formats, SQL or drawings.
package engine

import (
	"errors"

	"github.com/captionlake/captionlake/stages/config"
)

// A Stage reads tables, asks models or computes, and writes tables. No stage calls another; they
// share the lake.
type Stage struct {
	Name         string   // name of the stage on the command line and in the table calls
	Help         string   // text for the user about the stage, one line
	Flags        []string // names of the config.Flags that narrow the stage
	Section      string   // section of the configuration that the stage reads
	Track        string   // name of several stages that run one after the other; empty for a single stage
	Named        bool     // the stage runs only if the stage or its track is named
	DependsOnRun bool     // the stage asks about results of the same run, so a dry run estimates these requests

	// Asks returns the models that the stage asks, by their servers' names, and the largest number
	// of tokens of a reply, 0 for vectors. Asks is nil if the stage asks no model.
	Asks func(*config.Config) (models []string, maxTokens int)
	// Check reports the faults of the section. It is nil if another stage that reads the section
	// has the check.
	Check func(*config.Check)
	// Units adds its units to the scope. It is called after the earlier stages are done. A stage
	// that cannot do anything returns an error with the reason that wraps ErrNothingToAsk. If it
	// adds no unit and returns no error, the run is not about this stage.
	Units func(*Scope) error
	// Forecast estimates, for a dry run, what the stage will ask about rows that earlier stages
	// have yet to make. The number of these rows is a guess; before has the estimates of the
	// earlier stages. Forecast may be nil.
	Forecast func(s *Scope, before []Estimate) (Forecast, error)
}

// ErrNothingToAsk is wrapped by the error of a run without a single unit.
var ErrNothingToAsk = errors.New("there is nothing to ask")
