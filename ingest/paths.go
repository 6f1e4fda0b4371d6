package ingest

import (
	"context"
	"errors"
	"runtime"
	"sync"

	"github.com/captionlake/captionlake/data"
)

// mostBeside is how many files are loaded at a time at most, however many cores there are: each holds the rows of a file in
// memory.
const mostBeside = 4

// LoadPaths loads what the user names: files one by one, folders as Expand reads them. Files that make one unit
// together give one result, under the first of them. A file with faults does not keep
// the others from being loaded; the error joins the faults of all of them. There is a result for each unit, and
// for each file that was left out. The names of files in folders that no format knows are returned as skipped. When the context ends, so does the loading, with the context's error: files that
// were loaded by then are kept.
//
// Where the format allows it, several files are read at a time. They are committed in their order, so that neither the lake
// nor the results tell.
func LoadPaths(ctx context.Context, lake *data.Lake, paths []string, o Options) (results []Result, skipped []string, err error) {
	m := &meter{tell: o.Progress}
	e, err := expand(ctx, paths, m)
	if err != nil {
		return nil, nil, err
	}
	var faults []error
	planned := planAll(e.Sources, o)
	m.measure(planned)
	for plans := planned; len(plans) > 0; {
		group := plans[:sideBySide(plans)]
		plans = plans[len(group):]
		if err := ctx.Err(); err != nil {
			return results, e.Skipped, errors.Join(append(faults, err)...)
		}
		loadBeside(ctx, lake, group, m)
		for _, file := range group {
			if file.err != nil && ctx.Err() != nil { // whatever the file says of it
				return results, e.Skipped, errors.Join(append(faults, ctx.Err())...)
			}
			if file.err != nil {
				faults = append(faults, file.err)
			}
			results = append(results, file.plan.result)
		}
	}
	for _, name := range e.Strays {
		results = append(results, Result{Path: name, State: StateLeftOut})
	}
	return results, e.Skipped, errors.Join(faults...)
}

// A fileToLoad is a file of a command and what became of it.
type fileToLoad struct {
	plan  plannedLoad
	err   error
	bytes int // of all files that make the unit
}

// planAll plans the files that no earlier file's unit holds.
func planAll(sources []Source, o Options) (files []*fileToLoad) {
	held := map[string]bool{}
	for _, s := range sources {
		if held[s.Path] {
			continue
		}
		plan, err := planLoad(s, o)
		for _, member := range plan.result.family {
			held[member.Path] = true
		}
		files = append(files, &fileToLoad{plan: plan, err: err})
	}
	return files
}

// sideBySide is how many of the next files may be loaded at a time: those of one format that allows it. Two files of one unit
// come one after the other.
func sideBySide(files []*fileToLoad) int {
	units := map[string]bool{}
	for i, f := range files {
		if i > 0 && (!f.plan.format.Beside || f.err != nil || f.plan.format.Name != files[0].plan.format.Name || units[f.plan.name]) {
			return i
		}
		units[f.plan.name] = true
	}
	return len(files)
}

// loadBeside loads files at the same time and commits them in their order.
func loadBeside(ctx context.Context, lake *data.Lake, files []*fileToLoad, m *meter) {
	known := &shared{}
	over := make([]chan struct{}, len(files)+1) // closed when the files before have ended
	for i := range over {
		over[i] = make(chan struct{})
	}
	close(over[0])
	next := make(chan int, len(files))
	for i := range files {
		next <- i
	}
	close(next)
	var group sync.WaitGroup
	for range min(len(files), runtime.GOMAXPROCS(0), mostBeside) {
		group.Go(func() {
			for i := range next { // The first that waits for its turn waits for files that others have begun.
				turn := func() error {
					<-over[i]
					return ctx.Err()
				}
				if f := files[i]; f.err == nil {
					m.began(f.plan.source.Path)
					f.plan.result, f.err = f.plan.load(ctx, lake, known, turn)
				}
				m.ended(files[i])
				<-over[i]
				close(over[i+1])
			}
		})
	}
	group.Wait()
}
