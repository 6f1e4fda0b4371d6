package simulate

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
)

// errHoldsData is wrapped by the error of simulating in a lake with other data.
var errHoldsData = errors.New("the lake has data other than its own simulation")

// Check returns an error unless the lake holds only an earlier simulation and published reference
// data: made-up answers beside real ones would change results. Call Check before anything is
// written.
func Check(lake *data.Lake) error {
	refuse := func(what string) error {
		return data.Errorf("name a lake of its own: captionlake --lake simulated simulate", "%s: %w: %s", lake.Dir(),
			errHoldsData, what)
	}
	inEveryLake := []string{data.PublishedFigures.Name(), data.Models.Name(), data.Taxonomy.Name()}
	allowed := map[string]bool{} // by file
	for run, err := range data.Scan(lake, data.Runs) {
		if err != nil {
			return err
		}
		// A unit's row in runs is always allowed: the unit's other files decide.
		for _, table := range append(run.Tables, data.Runs.Name()) {
			name := table + "/" + run.Unit + ".parquet"
			reference := run.Provenance == data.ProvenancePublished && slices.Contains(inEveryLake, table)
			allowed[name] = allowed[name] || reference || run.Stage == stageName || table == data.Runs.Name()
		}
	}
	for _, t := range data.Tables() {
		names, err := lake.Files(t)
		if err != nil {
			return err
		}
		for _, name := range names {
			if !allowed[name] {
				table, unit := path.Split(strings.TrimSuffix(name, ".parquet"))
				return refuse(fmt.Sprintf("table %s, unit %s", path.Clean(table), unit))
			}
		}
	}
	inFlight, err := lake.Journals()
	if err == nil && len(inFlight) > 0 {
		err = refuse("work in flight, unit " + inFlight[0])
	}
	return err
}
