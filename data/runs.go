package data

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/captionlake/captionlake/data/files"
	"github.com/captionlake/captionlake/data/rows"
)

// unitRuns are the executions of a unit, ordered by run_id and not by time. The list is empty if
// the lake does not have the unit.
func unitRuns(l *Lake, stem string) ([]Run, error) {
	return rows.All(ProjectUnit[Run](l, Runs, stem))
}

// wroteFiles reports whether a unit's files are the files that an execution wrote, byte for byte.
// If the execution wrote no files, the unit must have no files.
func wroteFiles(l *Lake, run Run) (bool, error) {
	wrote := run.digests()
	for _, name := range unitFiles(run.Unit) {
		// sum is the zero value if the file is missing, and wrote gives the zero value for a table
		// without a file.
		sum, err := DigestOf(l, name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false, err
		}
		if sum != wrote[path.Dir(name)] {
			return false, nil
		}
	}
	return true, nil
}

// digests are the digests of the files that an execution wrote, by table; nil if r is nil or a
// table has no digest.
func (r *Run) digests() map[string]FileDigest {
	if r == nil || len(r.TableSHA256) != len(r.Tables) || len(r.TableBytes) != len(r.Tables) {
		return nil
	}
	sums := map[string]FileDigest{}
	for i, table := range r.Tables {
		sums[table] = FileDigest{r.TableBytes[i], r.TableSHA256[i]}
	}
	return sums
}

// Done reports whether there is nothing to do: the unit is committed with the same fingerprint, by
// an execution that wrote every file that the unit has now. Such an execution need not be the last
// one by time, since clocks jump.
func (l *Lake) Done(u Unit) (bool, error) {
	runs, err := unitRuns(l, u.FileStem())
	if err != nil {
		return false, err
	}
	for _, run := range runs {
		if run.Fingerprint != u.Fingerprint {
			continue
		}
		done, err := wroteFiles(l, run)
		if err != nil || done {
			return done, err
		}
	}
	return false, nil
}

// current is the execution that wrote the unit's files: the execution with the highest number; nil
// if no execution has a number.
func current(runs []Run) *Run {
	var last *Run
	for i, r := range runs {
		if r.Execution != nil && (last == nil || *r.Execution > *last.Execution) {
			last = &runs[i]
		}
	}
	return last
}

// RunOf is the execution that wrote a unit's files; nil if the lake does not have the unit.
func RunOf(l *Lake, stem string) (*Run, error) {
	last, _, err := executionsOf(l, stem)
	return last, err
}

// executionsOf returns the execution that wrote a unit's files, and all executions of the unit;
// both are nil if the lake does not have the unit. It is an error if the execution that wrote the
// files has no digests or names an unknown table.
func executionsOf(l *Lake, stem string) (last *Run, all []Run, err error) {
	all, err = unitRuns(l, stem)
	if err != nil || len(all) == 0 {
		return nil, nil, err
	}
	last = current(all)
	if last.digests() == nil {
		return nil, nil, WithHint(fmt.Errorf("%s: the unit %s has no digests of its files", l.dir, stem),
			"look at the lake with: captionlake --lake %s status --verify", l.dir)
	}
	for _, table := range last.Tables {
		if _, ok := unitFile(table + "/" + stem + ".parquet"); !ok || table == Runs.Name() {
			return nil, nil, fmt.Errorf("%s: the unit %s names the table %q, which does not exist", l.dir, stem, table)
		}
	}
	return last, all, nil
}

// unitsOf lists the units that the lake has.
func unitsOf(l *Lake) ([]string, error) {
	names, err := l.Files(Runs)
	for i, name := range names {
		names[i] = unitOf(name)
	}
	return names, err
}

// follow appends the executions of another lake to ours, the earliest first, and numbers them after
// the highest number of ours. Executions that are in ours already are left out.
func follow(ours, theirs []Run) []Run {
	known := map[string]bool{}
	highest := int32(0)
	for _, r := range ours {
		known[r.RunID] = true
		if r.Execution != nil {
			highest = max(highest, *r.Execution)
		}
	}
	theirs = slices.SortedFunc(slices.Values(theirs), func(a, b Run) int {
		if a.Execution != nil && b.Execution != nil { // The number is optional; without it the start decides.
			return int(*a.Execution - *b.Execution)
		}
		return a.StartedAt.Compare(b.StartedAt)
	})
	all := slices.Clone(ours)
	for _, r := range theirs {
		if known[r.RunID] {
			continue
		}
		highest++
		r.Execution = new(highest)
		all = append(all, r)
	}
	return all
}

// executionIDs are the ids of a unit's executions, the first execution first.
func executionIDs(runs []Run) (ids []string) {
	for _, r := range follow(nil, runs) { // Without executions of ours, follow only sorts runs.
		ids = append(ids, r.RunID)
	}
	return ids
}

// picturesOf are the sizes in bytes of the pictures that a unit's rows name and the lake has.
func picturesOf(l *Lake, stem string) (map[string]int64, error) {
	sizes := map[string]int64{}
	for row, err := range ProjectUnit[Image](l, Images, stem) {
		if err != nil {
			return nil, err
		}
		for _, name := range []string{row.Path, row.OriginalPath} {
			if name == "" {
				continue
			}
			if !picturePattern.MatchString(name) {
				return nil, fmt.Errorf("%s: %s names the picture %q, which is not one of a lake", l.dir, stem, name)
			}
			size, err := files.Size(l.store, name)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return nil, err
			}
			sizes[name] = size
		}
	}
	return sizes, nil
}
