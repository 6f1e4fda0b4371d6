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
	FaultMissing    = "missing"    // recorded but missing
	FaultUnrecorded = "unrecorded" // has the name of a unit's file, but no unit wrote it
	FaultStray      = "stray"      // neither a unit's file nor recorded as a mart's: nothing reads it
	FaultChanged    = "changed"    // its bytes are not the bytes that were committed
	FaultUnreadable = "unreadable" // a record that cannot be read
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
	Bytes  int64   `json:"bytes"`  // their size
	Faults []Fault `json:"faults"` // ordered by file name
}

// shownFaults is how many faults an error names.
const shownFaults = 10

// Err is an error that names the first faults, each with its next step; nil without faults.
// It only reports stray files to the user, because nothing reads them.
func (c *Check) Err(l *Lake) error {
	faults := slices.Clone(c.Faults)
	faults = slices.DeleteFunc(faults, func(f Fault) bool {
		if f.Kind == FaultStray {
			l.Tell(fmt.Sprintf("%s is left out: %s; %s", l.Path(f.File), f.Problem, f.Next))
		}
		return f.Kind == FaultStray
	})
	return faultsErr(l, faults)
}

// AllErr is Err, but stray files are faults too.
func (c *Check) AllErr(l *Lake) error { return faultsErr(l, c.Faults) }

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
// commits, because a unit looks damaged until all of its files have their names.
func (l *Lake) Check(depth Depth, tell func(file string, done, total int)) (*Check, error) {
	return checked(record{lake: l, pictures: depth == CheckPictures, tell: tell, deep: func(file string) bool {
		return depth >= CheckFiles || depth == CheckTables && !martPattern.MatchString(file)
	}, wanted: func(f Fault) bool {
		return depth != CheckTables || f.Kind == FaultStray || !martPattern.MatchString(f.File)
	}})
}

// CheckOf compares the files of some tables and marts with their records. It compares the digests
// of marts and small tables. Of big tables it compares sizes, and digests as well if bigToo is set.
func (l *Lake) CheckOf(relations []string, bigToo bool) (*Check, error) {
	wanted := func(file string) bool { return slices.Contains(relations, RelationOf(file)) }
	ofTables := slices.ContainsFunc(relations, isTable) // the record of any unit counts for them
	return checked(record{lake: l, martsAlone: !ofTables, deep: func(file string) bool {
		return wanted(file) && (bigToo || !slices.Contains(bigTables, RelationOf(file)))
	}, wanted: func(f Fault) bool { return wanted(f.File) || ofTables && RelationOf(f.File) == Runs.Name() }})
}

func checked(r record) (*Check, error) {
	c, err := r.compared()
	if err != nil || len(c.Faults) == 0 {
		return c, err
	}
	if err := r.lake.BetweenCommits(func() (err error) { c, err = r.compared(); return err }); !cannotWait(err) {
		return c, err
	}
	time.Sleep(commitPause)
	return r.compared()
}

// commitPause is longer than a commit needs to give a unit's files their names.
const commitPause = 200 * time.Millisecond

// A recordedFile is a file as it was committed, with the next step for a user whose lake differs.
type recordedFile struct {
	FileDigest
	name string
	next string
}

// A record collects what a lake should hold.
type record struct {
	lake     *Lake
	deep     func(file string) bool // whether the digest of a file is compared as well as its size
	wanted   func(Fault) bool       // whether a fault counts
	pictures bool
	tell     func(file string, done, total int)
	// the records of units, which take most of the time, are not read
	martsAlone bool

	check *Check
	files []recordedFile
	known map[string]bool // files that a record accounts for
}

func (r record) compared() (*Check, error) {
	r.check, r.known = &Check{}, map[string]bool{}
	read := []func() error{r.tables, r.marts}
	if r.martsAlone {
		read = read[1:]
	}
	if r.pictures {
		read = append(read, r.pictureFiles)
	}
	total := int64(0)
	for _, what := range read {
		if err := what(); err != nil {
			return r.check, err
		}
	}
	for _, f := range r.files {
		total += f.Bytes
	}
	for _, f := range r.files {
		if err := r.lake.context().Err(); err != nil {
			return r.check, err
		}
		if r.tell != nil {
			r.tell(f.name, int(min(r.check.Bytes, total)), int(total))
		}
		if err := r.compare(f); err != nil {
			return r.check, err
		}
	}
	r.check.Faults = slices.DeleteFunc(r.check.Faults, func(f Fault) bool { return !r.wanted(f) })
	slices.SortStableFunc(r.check.Faults, func(a, b Fault) int { return cmp.Compare(a.File, b.File) })
	return r.check, nil
}

func (r *record) fault(file, kind, next, problem string, args ...any) {
	r.known[file] = true
	r.check.Faults = append(r.check.Faults, Fault{file, kind, fmt.Sprintf(problem, args...), next})
}

func (r *record) add(name, next string, sum FileDigest) {
	if name != "" && !r.known[name] {
		r.known[name] = true
		r.files = append(r.files, recordedFile{sum, name, next})
	}
}

const moveOutHint = "move it out of the lake; rows come in with captionlake ingest"

// tables adds the files of tables, which the runs of their units record.
func (r *record) tables() error {
	records, err := r.lake.Files(Runs)
	if err != nil {
		return err
	}
	for _, name := range records {
		r.unit(name)
	}
	units, err := unitsOfMarts(r.lake)
	if err != nil {
		return err
	}
	for _, stem := range units {
		name := Runs.Name() + "/" + stem + ".parquet"
		if _, there := slices.BinarySearch(records, name); !there {
			r.fault(name, FaultMissing,
				fmt.Sprintf("restore its files from a copy, or make it again; to do without it: captionlake --lake %s remove %s", r.lake.dir, stem),
				"the unit is gone with its record, and the results were computed with it")
		}
	}
	for _, table := range tableFolders() {
		names, err := r.lake.store.List(table)
		if err != nil {
			return err
		}
		for _, name := range names {
			switch _, ours := unitFile(name); {
			case !strings.HasSuffix(name, ".parquet") || r.known[name] || ours && table == Runs.Name():
			case ours:
				r.fault(name, FaultUnrecorded, moveOutHint, "no unit of the lake wrote this file")
			default:
				r.fault(name, FaultStray, moveOutHint, "no unit of the lake wrote this file")
			}
		}
	}
	return nil
}

// unit adds the files of one unit.
func (r *record) unit(name string) {
	stem := unitOf(name)
	runs, err := sealedRuns(r.lake, name, stem)
	run := current(runs)
	unreadable := func(next, problem string, args ...any) {
		r.fault(name, FaultUnreadable, next, problem, args...)
		for _, file := range unitFiles(stem) {
			r.known[file] = true
		}
	}
	if err != nil || len(runs) == 0 {
		unreadable("restore it from a copy, or delete it with the unit's other files and run the command that made the unit again",
			"the record of the unit cannot be read: %v", err)
		return
	}
	if i := slices.IndexFunc(runs, func(r Run) bool { return r.Unit != stem }); i >= 0 {
		r.fault(name, FaultUnrecorded, moveOutHint, "it is a copy of the record of unit %s", runs[i].Unit)
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
			next = fmt.Sprintf("restore it from a copy; without one, captionlake --lake %s remove %s gives its replies up, "+
				"and the run asks for them again", r.lake.dir, stem)
		}
		r.add(table+"/"+stem+".parquet", next, sum)
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
func (r *record) marts() error {
	recorded, err := MartRecord(r.lake)
	if err != nil {
		return err
	}
	for name, sum := range recorded {
		r.add(name, madeAgainHint, sum)
	}
	names, err := martFiles(r.lake, recorded)
	for _, name := range names {
		if strings.HasSuffix(name, ".parquet") && !r.known[name] {
			r.fault(name, FaultStray, "move it out of the lake", "it is not among the files that analyze has recorded")
		}
	}
	return err
}

// pictureFiles adds the pictures that rows of images name, and their originals. A picture that no
// row names is not checked, since remove leaves pictures in place and a picture's name is its
// digest.
func (r *record) pictureFiles() error {
	for row, err := range Scan(r.lake, Images) {
		if err != nil {
			return nil // The file of images is damaged, which its own comparison says.
		}
		next := fmt.Sprintf("restore it from a copy, or delete it and load it again from %s", row.Source)
		r.add(row.Path, next, FileDigest{row.Bytes, row.SHA256})
		if row.OriginalBytes != nil {
			r.add(row.OriginalPath, next, FileDigest{*row.OriginalBytes, row.OriginalSHA256})
		}
	}
	names, err := r.lake.store.List(PicturesFolder)
	if err != nil {
		return err
	}
	for _, name := range names {
		if r.known[name] {
			continue
		}
		sum, err := DigestOf(r.lake, name)
		if err != nil {
			return err
		}
		if strings.TrimSuffix(path.Base(name), path.Ext(name)) != sum.SHA256 {
			r.fault(name, FaultUnrecorded,
				"move it out of the lake", "no row of images names this picture, and its name is not its SHA-256")
			continue
		}
		r.add(name, "", sum)
	}
	return nil
}

// compare compares a file's size with its record, and its digest if the depth asks for it.
func (r *record) compare(want recordedFile) error {
	size, err := files.Size(r.lake.store, want.name)
	if errors.Is(err, fs.ErrNotExist) {
		r.fault(want.name, FaultMissing, want.next, "the file is recorded but missing")
		return nil
	}
	if err != nil {
		return err
	}
	r.check.Files++
	r.check.Bytes += size
	if size != want.Bytes {
		r.fault(want.name, FaultChanged, want.next, "the file has %d bytes, but %d were committed", size, want.Bytes)
		return nil
	}
	if !r.deep(want.name) {
		return nil
	}
	got, err := DigestOf(r.lake, want.name)
	if err == nil && got != want.FileDigest {
		r.fault(want.name, FaultChanged, want.next,
			"the file is not the committed one: its SHA-256 is %s, but %s is recorded", got.SHA256, want.SHA256)
	}
	return err
}
