package data

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/captionlake/captionlake/data/files"
	"github.com/captionlake/captionlake/data/seal"
)

// The ways in which a file of the lake can differ from its record.
const (
	FaultMissing    = "missing"    // a record names it, and the lake does not have it
	FaultUnrecorded = "unrecorded" // it has the name of a unit's file, but no unit wrote it
	FaultStray      = "stray"      // it is neither a unit's file nor recorded as a mart's: nothing reads it
	FaultChanged    = "changed"    // its bytes are not the bytes that were committed
	FaultUnreadable = "unreadable" // it is the record of a unit and cannot be read
)

// A Fault is one file that differs from the lake's record.
type Fault struct {
	File    string `json:"file"` // name within the lake
	Kind    string `json:"kind"` // FaultMissing, FaultUnrecorded, FaultStray, FaultChanged or FaultUnreadable
	Problem string `json:"problem"`
	Next    string `json:"next"` // what to do about it
}

// A Check is the result of comparing a lake's files with their records.
type Check struct {
	Files  int     `json:"files"`  // files that were compared
	Bytes  int64   `json:"bytes"`  // size of all compared files
	Faults []Fault `json:"faults"` // ordered by file name
}

// shownFaults is how many faults an error names.
const shownFaults = 10

// Err is an error that names the first faults, each with its next step; nil without faults. Stray
// files are no error, because nothing reads them: Err only tells the user that these files are left
// out.
func (c *Check) Err(l *Lake) error {
	var faults []Fault
	for _, f := range c.Faults {
		if f.Kind == FaultStray {
			l.Tell(fmt.Sprintf("%s is left out: %s; %s", l.Path(f.File), f.Problem, f.Next))
		} else {
			faults = append(faults, f)
		}
	}
	return faultsErr(l, faults)
}

// AllErr is Err, but stray files are faults too.
func (c *Check) AllErr(l *Lake) error { return faultsErr(l, c.Faults) }

// faultsErr is an error with the first shownFaults faults; nil without faults.
func faultsErr(l *Lake, faults []Fault) error {
	var all []error
	for i, f := range faults {
		if i == shownFaults {
			more := fmt.Errorf("%d more files of the lake differ from what was committed", len(faults)-i)
			all = append(all, WithHint(more, "list them with: captionlake --lake %s status --verify", l.dir))
			break
		}
		all = append(all, Errorf(f.Next, "%s: %s", l.Path(f.File), f.Problem))
	}
	return errors.Join(all...)
}

// A Depth says which files are compared with their records, and how closely.
type Depth int

const (
	CheckSizes    Depth = iota // names and sizes of the files of tables and marts; the only table that is read is runs
	CheckTables                // every byte of the tables, and which files belong to no mart
	CheckFiles                 // every byte of tables and marts
	CheckPictures              // every byte of tables, marts and pictures
)

// Check compares files with their records. For each file it calls tell, if not nil, with the bytes
// compared so far and the bytes in all. It looks at differing files a second time while nobody
// commits, because a unit looks damaged until all of its files have their names. With CheckTables
// it reports the faults of tables and all stray files, but no other faults of marts.
func (l *Lake) Check(depth Depth, tell func(file string, done, total int)) (*Check, error) {
	isMart := martPattern.MatchString
	return checker{lake: l, pictures: depth == CheckPictures, tell: tell,
		digested: func(file string) bool { return depth >= CheckFiles || depth == CheckTables && !isMart(file) },
		counts:   func(f Fault) bool { return depth != CheckTables || f.Kind == FaultStray || !isMart(f.File) },
	}.checkTwice()
}

// CheckOf compares the files of some tables and marts with their records. It compares the digests
// of marts and small tables. Of big tables it compares sizes, and digests as well if bigToo is set.
func (l *Lake) CheckOf(relations []string, bigToo bool) (*Check, error) {
	wanted := func(file string) bool { return slices.Contains(relations, RelationOf(file)) }
	anyTable := slices.ContainsFunc(relations, isTable)
	return checker{lake: l, martsAlone: !anyTable,
		digested: func(file string) bool {
			return wanted(file) && (bigToo || !slices.Contains(bigTables, RelationOf(file)))
		},
		// If tables are among the relations, a fault in the record of any unit counts, since the unit may
		// have rows of these tables.
		counts: func(f Fault) bool { return wanted(f.File) || anyTable && RelationOf(f.File) == Runs.Name() },
	}.checkTwice()
}

// checkTwice checks a second time if it finds faults: while nobody commits or, if it cannot wait
// for the end of a commit, after a pause.
func (c checker) checkTwice() (*Check, error) {
	result, err := c.check()
	if err != nil || len(result.Faults) == 0 {
		return result, err
	}
	again := func() (err error) { result, err = c.check(); return err }
	if err := c.lake.BetweenCommits(again); !cannotWait(err) {
		return result, err
	}
	time.Sleep(commitPause)
	return c.check()
}

// commitPause is longer than a commit needs to give a unit's files their names.
const commitPause = 200 * time.Millisecond

// A recordedFile is a file as it was committed, with the next step for a user whose lake differs.
type recordedFile struct {
	FileDigest
	name string
	next string
}

// A checker compares the files of a lake with their records.
type checker struct {
	lake       *Lake
	digested   func(file string) bool // whether the digest of a file is compared as well as its size
	counts     func(Fault) bool       // whether a fault is reported
	pictures   bool                   // whether pictures are compared too
	martsAlone bool                   // no table is compared: reading the records of units takes most of the time
	tell       func(file string, done, total int)

	result *Check
	files  []recordedFile  // to be compared
	known  map[string]bool // files that were compared, or that have a fault
}

// check collects the recorded files of the lake, and then compares each with its record. It works
// on a copy of the checker, so a second check begins anew.
func (c checker) check() (*Check, error) {
	c.result, c.known = &Check{}, map[string]bool{}
	collect := []func() error{c.tables, c.marts}
	if c.martsAlone {
		collect = collect[1:] // all but tables
	}
	if c.pictures {
		collect = append(collect, c.pictureFiles)
	}
	for _, addFiles := range collect {
		if err := addFiles(); err != nil {
			return c.result, err
		}
	}
	total := int64(0)
	for _, f := range c.files {
		total += f.Bytes
	}
	for _, f := range c.files {
		if err := c.lake.context().Err(); err != nil {
			return c.result, err
		}
		if c.tell != nil { // The bytes compared can exceed the total: a file may be larger than its record says.
			c.tell(f.name, int(min(c.result.Bytes, total)), int(total))
		}
		if err := c.compare(f); err != nil {
			return c.result, err
		}
	}
	c.result.Faults = slices.DeleteFunc(c.result.Faults, func(f Fault) bool { return !c.counts(f) })
	slices.SortStableFunc(c.result.Faults, func(a, b Fault) int { return cmp.Compare(a.File, b.File) })
	return c.result, nil
}

// fault adds a fault of a file. After that, add does not add the file for comparison.
func (c *checker) fault(file, kind, next, problem string, args ...any) {
	c.known[file] = true
	c.result.Faults = append(c.result.Faults, Fault{file, kind, fmt.Sprintf(problem, args...), next})
}

// add adds a recorded file that is to be compared, unless the file was added or has a fault. An
// image without a picture has the empty name, for which nothing is added.
func (c *checker) add(name, next string, sum FileDigest) {
	if name != "" && !c.known[name] {
		c.known[name] = true
		c.files = append(c.files, recordedFile{sum, name, next})
	}
}

const moveOutHint = "move it out of the lake; rows come in with captionlake ingest"

// tables adds the files of tables that the units' records name. The record of a unit is its file of
// the table runs. Then tables finds units that are lost with their record, and files that no record
// names.
func (c *checker) tables() error {
	records, err := c.lake.Files(Runs)
	if err != nil {
		return err
	}
	for _, name := range records {
		c.unit(name)
	}
	units, err := unitsOfMarts(c.lake)
	if err != nil {
		return err
	}
	for _, stem := range units {
		name := Runs.file(stem)
		if _, there := slices.BinarySearch(records, name); !there { // Files returns sorted names.
			c.fault(name, FaultMissing, fmt.Sprintf("restore its files from a copy, or make it again; "+
				"to do without it: captionlake --lake %s remove %s", c.lake.dir, stem),
				"the unit is gone with its record, and the results were computed with it")
		}
	}
	for _, table := range tableFolders() {
		names, err := c.lake.store.List(table)
		if err != nil {
			return err
		}
		for _, name := range names {
			_, ours := unitFile(name)
			isRecord := ours && table == Runs.Name()
			switch {
			case !strings.HasSuffix(name, ".parquet") || c.known[name] || isRecord:
				// Nothing reads files with other endings. Known files, and records of units in the table runs,
				// were handled above.
			case ours:
				c.fault(name, FaultUnrecorded, moveOutHint, "no unit of the lake wrote this file")
			default:
				c.fault(name, FaultStray, moveOutHint, "no unit of the lake wrote this file")
			}
		}
	}
	return nil
}

// unit adds the files of one unit. name is the file with the unit's record.
func (c *checker) unit(name string) {
	stem := unitOf(name)
	runs, err := sealedRuns(c.lake, name, stem)
	run := current(runs)
	// If the record of a unit cannot be read, only the record is a fault. The other files of the unit
	// become known, so that tables does not report them as unrecorded.
	unreadable := func(next, problem string, args ...any) {
		c.fault(name, FaultUnreadable, next, problem, args...)
		for _, file := range unitFiles(stem) {
			c.known[file] = true
		}
	}
	if err == nil && len(runs) == 0 {
		err = errors.New("it has no rows")
	}
	if err != nil {
		unreadable("restore it from a copy, or delete it with the unit's other files "+
			"and run the command that made the unit again", "the record of the unit cannot be read: %v", err)
		return
	}
	if i := slices.IndexFunc(runs, func(r Run) bool { return r.Unit != stem }); i >= 0 {
		c.fault(name, FaultUnrecorded, moveOutHint, "it is a copy of the record of unit %s", runs[i].Unit)
		return
	}
	wrote := run.digests()
	if wrote == nil {
		unreadable("restore it from a copy", "the record of the unit does not have a digest for each of its files")
		return
	}
	for table, sum := range wrote {
		next := fmt.Sprintf("restore it from a copy, or run the command that made it again (%s, from %s)", run.Stage,
			run.Source)
		if !strings.HasPrefix(run.Stage, "ingest/") {
			next += "; captionlake run makes such a file again from recorded calls"
		}
		if table == Calls.Name() {
			next = fmt.Sprintf("restore it from a copy; without one, "+
				"captionlake --lake %s remove %s gives its replies up, and the run asks for them again", c.lake.dir, stem)
		}
		c.add(table+"/"+stem+".parquet", next, sum)
	}
}

// sealedRuns reads the record of a unit. A record without a valid seal of its own bytes is an
// error.
func sealedRuns(l *Lake, record, stem string) ([]Run, error) {
	content, err := files.Read(l.store, record)
	if err == nil {
		err = seal.Check(content)
	}
	if err != nil {
		return nil, err
	}
	return unitRuns(l, stem)
}

const madeAgainHint = "make it again with: captionlake analyze"

// marts adds the files of marts, which files.json records.
func (c *checker) marts() error {
	recorded, err := MartRecord(c.lake)
	if err != nil {
		return err
	}
	for name, sum := range recorded {
		c.add(name, madeAgainHint, sum)
	}
	names, err := martFiles(c.lake, recorded) // After an error, names is nil.
	for _, name := range names {
		if strings.HasSuffix(name, ".parquet") && !c.known[name] {
			c.fault(name, FaultStray, "move it out of the lake", "it is not among the files that analyze has recorded")
		}
	}
	return err
}

// pictureFiles adds the pictures that rows of images name, and their originals. A picture that no
// row names is no fault, since remove leaves pictures in place, but its name must be its digest.
func (c *checker) pictureFiles() error {
	for row, err := range Scan(c.lake, Images) {
		if err != nil {
			// A file of images is damaged, and comparing the file with its record reports that. Without all
			// rows it is not known which pictures no row names, so pictureFiles ends here.
			return nil
		}
		next := fmt.Sprintf("restore it from a copy, or delete it and load it again from %s", row.Source)
		c.add(row.Path, next, FileDigest{row.Bytes, row.SHA256})
		if row.OriginalBytes != nil {
			c.add(row.OriginalPath, next, FileDigest{*row.OriginalBytes, row.OriginalSHA256})
		}
	}
	names, err := c.lake.store.List(PicturesFolder)
	if err != nil {
		return err
	}
	for _, name := range names {
		if c.known[name] {
			continue
		}
		sum, err := DigestOf(c.lake, name)
		if err != nil {
			return err
		}
		if strings.TrimSuffix(path.Base(name), path.Ext(name)) != sum.SHA256 {
			c.fault(name, FaultUnrecorded,
				"move it out of the lake", "no row of images names this picture, and its name is not its SHA-256")
			continue
		}
		// The picture counts as compared. Its name is its digest, so it has no fault and needs no next
		// step.
		c.add(name, "", sum)
	}
	return nil
}

// compare compares a file's size with its record, and the file's digest if digested asks for it.
func (c *checker) compare(want recordedFile) error {
	size, err := files.Size(c.lake.store, want.name)
	if errors.Is(err, fs.ErrNotExist) {
		c.fault(want.name, FaultMissing, want.next, "the file is recorded but missing")
		return nil
	}
	if err != nil {
		return err
	}
	c.result.Files++
	c.result.Bytes += size
	if size != want.Bytes {
		c.fault(want.name, FaultChanged, want.next, "the file has %d bytes, but %d were committed", size, want.Bytes)
		return nil
	}
	if !c.digested(want.name) {
		return nil
	}
	got, err := DigestOf(c.lake, want.name)
	if err == nil && got != want.FileDigest {
		c.fault(want.name, FaultChanged, want.next,
			"the file is not the committed one: its SHA-256 is %s, but %s is recorded", got.SHA256, want.SHA256)
	}
	return err
}
