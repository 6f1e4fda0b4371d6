package ask

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/spelling"
	"github.com/captionlake/captionlake/sql"
)

// manyValues is the greatest number of values that a hint names for a parameter.
const manyValues = 8

// Unmet is an error that says why a file with parameters has no rows in a lake: the lake does not
// have a given value, or a value is not given. name is the file's name, parameters are the file's
// parameters, and given has their values. The hint says which values there are.
func Unmet(ctx context.Context, lake *data.Lake, name string, parameters map[string]*string,
	given map[string]string) error {
	r, err := OpenReader(ctx, lake, engine.Options{})
	if err != nil {
		return err
	}
	t, err := r.Rows(ctx, "values", sql.Text("queries/values.sql"))
	if err = errors.Join(err, r.Close()); err != nil {
		return err
	}
	known, values := map[string][]string{}, t.Text("value")
	for i, kind := range t.Text("parameter") {
		if values[i] != "" { // Conditions without captions have an empty captioner and an empty prompt.
			known[kind] = append(known[kind], values[i])
		}
	}
	var flags []string
	for _, parameter := range slices.Sorted(maps.Keys(parameters)) {
		kind := parameter
		if parameter == "other" { // a second captioner or reader, to compare with the first
			kind = "captioner"
			if _, comparesReaders := parameters["reader"]; comparesReaders {
				kind = "reader"
			}
		}
		few := someOf(known[kind], manyValues)
		if value, isGiven := given[parameter]; isGiven && !slices.Contains(known[kind], value) {
			return data.Errorf(spelling.Meant("choose one of: "+few, known[kind], value), "the lake has no %s %q", kind,
				value)
		}
		if few != "" {
			flags = append(flags, "--"+parameter+" with one of: "+few)
		}
	}
	if len(flags) == 0 {
		return data.Errorf("ingest or ask what it is about, and run analyze", "%s has no rows in this lake", name)
	}
	problem := "has no rows for these values"
	if len(given) == 0 {
		problem = "needs values"
	}
	return data.WithHint(fmt.Errorf("%s %s of its parameters", name, problem), "give %s", strings.Join(flags, "; "))
}
