package simulate

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/captionlake/captionlake/data"
)

// errHoldsData is wrapped by the error of simulating in a lake with other data.
var errHoldsData = errors.New("the lake has data other than its own simulation")

// Check returns an error unless the lake holds only an earlier simulation and published reference
// data: made-up answers beside real ones would change results. Call it before anything is written.
func Check(lake *data.Lake) error {
	ours := map[string]bool{} // files by name in the lake
	for run, err := range data.Scan(lake, data.Runs) {
		if err != nil {
			return err
		}
		for _, table := range run.Tables {
			name := table + "/" + run.Unit + ".parquet"
			ours[name] = ours[name] || run.Stage == stageName || carried(table) &&
				run.Provenance == data.ProvenancePublished
		}
	}
	refuse := func(what string) error {
		return data.WithHint(fmt.Errorf("%s: %w: %s", lake.Dir(), errHoldsData, what),
			"name a lake of its own: captionlake --lake simulated simulate")
	}
	for _, table := range data.Tables() {
		if table.Name() == data.Runs.Name() {
			continue
		}
		names, err := lake.Files(table)
		if err != nil {
			return err
		}
		for _, name := range names {
			if !ours[name] {
				return refuse(fmt.Sprintf("table %s, unit %s", table.Name(),
					strings.TrimSuffix(path.Base(name), ".parquet")))
			}
		}
	}
	inFlight, err := lake.Journals()
	if err == nil && len(inFlight) > 0 {
		err = refuse("work in flight, unit " + inFlight[0])
	}
	return err
}

// carried reports whether a table holds data that the program brings to every lake.
func carried(table string) bool {
	return table == data.PublishedFigures.Name() || table == data.Models.Name() || table == data.Taxonomy.Name()
}
