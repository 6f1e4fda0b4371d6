package ingest

import (
	"context"
	"errors"

	"github.com/captionlake/captionlake/data"
)

// LoadPaths loads what the user names: files one by one, folders as Expand reads them. Files that make one unit
// together give one result, under the first of them. A file with faults does not keep
// the others from being loaded; the error joins the faults of all of them. The names of files in folders that no
// format knows are returned as skipped. When the context ends, so does the loading, with the context's error: files that
// were loaded by then are kept.
func LoadPaths(ctx context.Context, lake *data.Lake, paths []string, o Options) (results []Result, skipped []string, err error) {
	e, err := Expand(ctx, paths)
	if err != nil {
		return nil, nil, err
	}
	var faults []error
	loaded := map[string]bool{} // files that an earlier file's unit holds
	for _, s := range e.Sources {
		if loaded[s.Path] {
			continue
		}
		if err := ctx.Err(); err != nil {
			return results, e.Skipped, errors.Join(append(faults, err)...)
		}
		result, err := Load(ctx, lake, s, o)
		if err != nil && ctx.Err() != nil { // whatever the file says of it
			return results, e.Skipped, errors.Join(append(faults, ctx.Err())...)
		}
		for _, member := range result.family {
			loaded[member.Path] = true
		}
		if err != nil {
			faults = append(faults, err)
		}
		if result.Taken {
			results = append(results, result)
		}
	}
	return results, e.Skipped, errors.Join(faults...)
}
