package ingest

import (
	"context"
	"errors"
	"runtime/debug"

	"github.com/captionlake/captionlake/data"
)

// LoadPaths loads what the user names: files one by one, folders as Expand reads them. Files that make one unit
// together give one result, under the first of them. A file with faults does not keep
// the others from being loaded; the error joins the faults of all of them. There is a result for each unit, and
// for each file that was left out. The names of files in folders that no format knows are returned as skipped. When the context ends, so does the loading, with the context's error: files that
// were loaded by then are kept.
func LoadPaths(ctx context.Context, lake *data.Lake, paths []string, o Options) (results []Result, skipped []string, err error) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(400 << 20)) // What is decoded is garbage soon.
	e, err := expand(ctx, paths)
	if err != nil {
		return nil, nil, err
	}
	var faults []error
	known := &shared{}
	plans := planAll(e.Sources, o)
	for i, plan := range plans {
		if o.Progress != nil {
			o.Progress(plan.source.Path, i, len(plans))
		}
		result, err := plan.result, plan.err
		if err == nil {
			result, err = plan.load(ctx, lake, known)
		}
		if ctx.Err() != nil { // whatever the file says of it
			return results, e.Skipped, errors.Join(append(faults, ctx.Err())...)
		}
		if err != nil {
			faults = append(faults, err)
		}
		if rows := result.Rows; rows["annotations"]+rows["images"]+rows["questions"] > 0 {
			known = &shared{} // Files after this one see what it wrote.
		}
		results = append(results, result)
	}
	for _, name := range e.Strays {
		results = append(results, Result{Path: name, State: StateLeftOut, Notes: []string{name + ": left out, for the split all beside it holds its questions too"}})
	}
	return results, e.Skipped, errors.Join(faults...)
}

// planAll plans the files that no earlier file's unit holds.
func planAll(sources []Source, o Options) (plans []plannedLoad) {
	held := map[string]bool{}
	for _, s := range sources {
		if held[s.Path] {
			continue
		}
		plan := planLoad(s, o)
		for _, member := range plan.result.family {
			held[member.Path] = true
		}
		plans = append(plans, plan)
	}
	return plans
}
