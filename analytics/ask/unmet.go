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

// manyValues is how many values of a parameter a hint names.
const manyValues = 8

// Unmet is why a file with parameters has no rows in a lake: the lake does not have a value, or a
// value is not given. Its hint says which values there are.
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
	for i, of := range t.Text("parameter") {
		if values[i] != "" {
			known[of] = append(known[of], values[i])
		}
	}
	var flags []string
	for _, p := range slices.Sorted(maps.Keys(parameters)) {
		of := p
		if _, readers := parameters["reader"]; p == "other" && readers {
			of = "reader"
		} else if p == "other" {
			of = "captioner"
		}
		few := someOf(known[of], manyValues)
		if value, is := given[p]; is && !slices.Contains(known[of], value) {
			return data.Errorf(spelling.Meant("choose one of: "+few, known[of], value), "the lake has no %s %q", of,
				value)
		}
		if few != "" {
			flags = append(flags, "--"+p+" with one of: "+few)
		}
	}
	if len(flags) == 0 {
		return data.Errorf("ingest or ask what it is about, and run analyze", "%s has no rows in this lake", name)
	}
	what := map[bool]string{true: "needs values", false: "has no rows for these values"}[len(given) == 0]
	return data.WithHint(fmt.Errorf("%s %s of its parameters", name, what), "give %s", strings.Join(flags, "; "))
}
