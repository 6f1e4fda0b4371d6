package data

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// How a file of the lake can differ from its record.
const (
	FaultMissing    = "missing"    // recorded, and not there
	FaultUnrecorded = "unrecorded" // there, and written by no unit: a copy, or a file from elsewhere
	FaultChanged    = "changed"    // not the bytes that were committed
	FaultUnreadable = "unreadable" // a record that cannot be read
)

// A Fault is one file that differs from the lake's record of it.
type Fault struct {
	File    string `json:"file"` // name within the lake
	Kind    string `json:"kind"` // FaultMissing, FaultUnrecorded, FaultChanged or FaultUnreadable
	Problem string `json:"problem"`
	Next    string `json:"next"` // what to do about it
}

// A Check is the result of comparing the files of a lake with what was committed.
type Check struct {
	Files  int     `json:"files"`  // files that were compared with their record
	Bytes  int64   `json:"bytes"`  // size of these
	Faults []Fault `json:"faults"` // in the order of the tables and the names

	tell  func(file string, done, total int) // told of the bytes that were read; nil for none
	total int                                // bytes that there are to read, where somebody is told
}

// shownFaults is how many faults an error names.
const shownFaults = 10

// Err is an error that names the first faults, each with what to do about it; nil when there are none.
func (c *Check) Err(l *Lake) error {
	var all []error
	for i, f := range c.Faults {
		if i == shownFaults {
			all = append(all, WithHint(fmt.Errorf("%d more files of the lake differ from what was committed", len(c.Faults)-i), "list them with: captionlake --lake %s status --verify", l.dir))
			break
		}
		all = append(all, WithHint(fmt.Errorf("%s: %s", l.Path(f.File), f.Problem), "%s", f.Next))
	}
	return errors.Join(all...)
}

// How closely files are compared with their record.
const (
	compareSize  = iota // whether they are there, and their sizes
	compareBytes        // and their digests
)

// CheckSizes compares names and sizes of the files of tables and marts with the record. It reads no table but runs.
func CheckSizes(l *Lake) (*Check, error) { return check(l, &Check{}, compareSize, compareSize, false) }

// CheckFiles reads the files of tables and marts and compares them with the record.
func CheckFiles(l *Lake) (*Check, error) {
	return check(l, &Check{}, compareBytes, compareBytes, false)
}

// CheckTables reads the files of all tables and compares them with the record.
func CheckTables(l *Lake) (*Check, error) {
	c := &Check{}
	return c, checkTables(l, c, compareBytes)
}

// Verify reads every file of tables and marts and every picture and compares it with the record. tell, if not nil, is told of each file
// how many of how many bytes are read.
func (l *Lake) Verify(tell func(file string, done, total int)) (*Check, error) {
	c := &Check{tell: tell}
	if tell != nil {
		for _, folder := range append(tableFolders(), MartsFolder, PicturesFolder) {
			names, err := l.store.List(folder)
			if err != nil {
				return c, err
			}
			for _, name := range names {
				if f, err := l.store.Open(name); err == nil { // What cannot be opened is told where it is compared.
					c.total += int(f.Size())
					_ = f.Close()
				}
			}
		}
	}
	return check(l, c, compareBytes, compareBytes, true)
}

func check(l *Lake, c *Check, tables, marts int, pictures bool) (*Check, error) {
	c, err := checkOnce(l, c, tables, marts, pictures)
	if err != nil || len(c.Faults) == 0 {
		return c, err
	}
	// A unit or a mart that is committed meanwhile, or whose commit was interrupted, looks damaged until all of its files have their names.
	time.Sleep(commitPause)
	if l.writable() == nil {
		if err := l.BetweenCommits(func() error { return nil }); err != nil {
			return c, err
		}
	}
	again, err := checkOnce(l, &Check{tell: c.tell, total: c.total}, tables, marts, pictures)
	again.Faults = slices.DeleteFunc(again.Faults, func(f Fault) bool { return !slices.Contains(c.Faults, f) })
	return again, err
}

// commitPause is longer than a commit takes to give the files of a unit their names.
const commitPause = 200 * time.Millisecond

func checkOnce(l *Lake, c *Check, tables, marts int, pictures bool) (*Check, error) {
	if err := checkTables(l, c, tables); err != nil {
		return c, err
	}
	if err := checkFolder(l, c, MartsFolder, marts); err != nil {
		return c, err
	}
	if pictures {
		if err := checkPictures(l, c, tables); err != nil {
			return c, err
		}
	}
	return c, nil
}

func (c *Check) fault(file, kind, next, problem string, args ...any) {
	c.Faults = append(c.Faults, Fault{file, kind, fmt.Sprintf(problem, args...), next})
}

// checkTables compares the files of the tables with the runs of their units.
func checkTables(l *Lake, c *Check, depth int) error {
	records, err := l.Files(Runs)
	if err != nil {
		return err
	}
	known := map[string]bool{} // files that a unit accounts for
	for _, record := range records {
		stem := unitOf(record)
		files, err := checkUnit(l, c, record, stem, depth)
		if err != nil {
			return err
		}
		for _, f := range files {
			known[f] = true
		}
	}
	for _, t := range Tables() {
		if t.Name() == Runs.Name() {
			continue
		}
		names, err := l.Files(t)
		if err != nil {
			return err
		}
		for _, name := range names {
			if !known[name] {
				c.fault(name, FaultUnrecorded, "move it out of the lake; rows come in with captionlake ingest", "no unit of the lake wrote this file")
			}
		}
	}
	return nil
}

// checkUnit compares the files of one unit and returns the names that it accounts for.
func checkUnit(l *Lake, c *Check, record, stem string, depth int) ([]string, error) {
	runs, err := sealedRuns(l, record, stem)
	if err != nil || len(runs) == 0 {
		c.fault(record, FaultUnreadable, "restore it from a copy, or delete it with the unit's other files and run the command that made the unit again",
			"the record of the unit cannot be read: %v", err)
		return unitFiles(stem), nil
	}
	if i := slices.IndexFunc(runs, func(r Run) bool { return r.Unit != stem }); i >= 0 {
		c.fault(record, FaultUnrecorded, "move it out of the lake; rows come in with captionlake ingest", "it is a copy of the record of unit %s", runs[i].Unit)
		return nil, nil
	}
	run := current(runs)
	if run == nil || len(run.TableSHA256) != len(run.Tables) || len(run.TableBytes) != len(run.Tables) {
		c.fault(record, FaultUnreadable, "restore it from a copy", "the record of the unit does not have a digest for each of its files")
		return unitFiles(stem), nil
	}
	var files []string
	for i, table := range run.Tables {
		name := table + "/" + stem + ".parquet"
		files = append(files, name)
		next := fmt.Sprintf("restore it from a copy, or run the command that made it again (%s, from %s)", run.Stage, run.Source)
		if !strings.HasPrefix(run.Stage, "ingest/") {
			next += "; captionlake run makes such a file anew from recorded calls"
		}
		if table == Calls.Name() {
			next = fmt.Sprintf("restore it from a copy; without one, captionlake --lake %s remove %s gives its replies up, and the run asks for them again", l.dir, stem)
		}
		if err := compareFile(l, c, name, FileDigest{run.TableBytes[i], run.TableSHA256[i]}, depth, next); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// sealedRuns reads the record of a unit. Without the seal of its own bytes it is an error.
func sealedRuns(l *Lake, record, stem string) ([]Run, error) {
	content, err := readFile(l.store, record)
	if err != nil {
		return nil, err
	}
	if err := checkSeal(content); err != nil {
		return nil, err
	}
	return unitRuns(l, stem)
}

// compareFile compares one file with its record.
func compareFile(l *Lake, c *Check, name string, want FileDigest, depth int, next string) error {
	f, err := l.store.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		c.fault(name, FaultMissing, next, "the file is recorded and not there")
		return nil
	}
	if err != nil {
		return err
	}
	size := f.Size()
	if err := f.Close(); err != nil {
		return err
	}
	c.Files++
	c.Bytes += size
	if c.tell != nil {
		c.tell(name, min(int(c.Bytes), c.total), c.total)
	}
	if size != want.Bytes {
		c.fault(name, FaultChanged, next, "the file has %d bytes, and %d were committed", size, want.Bytes)
		return nil
	}
	if depth == compareSize {
		return nil
	}
	got, err := DigestOf(l, name)
	if err != nil {
		return err
	}
	if got != want {
		c.fault(name, FaultChanged, next, "the file is not the one that was committed: its SHA-256 is %s, and %s is recorded", got.SHA256, want.SHA256)
	}
	return nil
}

// checkPictures compares the pictures, and those that they were made from, with the rows of images. A picture that no row names is left, since remove leaves
// pictures; its name is its digest.
func checkPictures(l *Lake, c *Check, depth int) error {
	shown := map[string]bool{}
	for row, err := range Scan(l, Images) {
		if err != nil {
			return nil // The file of images is damaged, which its own comparison has said.
		}
		next := fmt.Sprintf("restore it from a copy, or delete it and load it again from %s", row.Source)
		original := FileDigest{SHA256: row.OriginalSHA256}
		if row.OriginalBytes != nil {
			original.Bytes = *row.OriginalBytes
		}
		for _, stored := range []struct {
			name string
			want FileDigest
		}{{row.Path, FileDigest{row.Bytes, row.SHA256}}, {row.OriginalPath, original}} {
			if stored.name == "" || shown[stored.name] {
				continue
			}
			shown[stored.name] = true
			if err := compareFile(l, c, stored.name, stored.want, depth, next); err != nil {
				return err
			}
		}
	}
	names, err := l.store.List(PicturesFolder)
	if err != nil {
		return err
	}
	for _, name := range names {
		if shown[name] {
			continue
		}
		c.Files++
		sum, err := DigestOf(l, name)
		if err != nil {
			return err
		}
		c.Bytes += sum.Bytes
		if stem := strings.TrimSuffix(path.Base(name), path.Ext(name)); stem != sum.SHA256 {
			c.fault(name, FaultUnrecorded, "move it out of the lake", "no row of images names this picture, and its name is not its SHA-256")
		}
	}
	return nil
}

func checkFolder(l *Lake, c *Check, folder string, depth int) error {
	record, err := FolderRecord(l, folder)
	if err != nil {
		return err
	}
	names, err := l.store.List(folder)
	if err != nil {
		return err
	}
	for name := range record {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		want, recorded := record[name]
		switch {
		case name == folder+recordFile:
		case recorded:
			if err := compareFile(l, c, name, want, depth, madeAgainHint); err != nil {
				return err
			}
		case strings.HasSuffix(name, ".parquet"):
			c.fault(name, FaultUnrecorded, "make the lake's own with captionlake analyze, or move this one out of the lake", "no digest is recorded of this file")
		}
	}
	return nil
}

const madeAgainHint = "make it again with: captionlake analyze"
