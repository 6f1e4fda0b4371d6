package data

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// ErrUnitReplaced is wrapped by the error of asking for a version of a unit's file that the lake no longer has.
var ErrUnitReplaced = errors.New("the unit was replaced or removed meanwhile")

// pinnedDigits is how much of a file's digest is in its pinned name: what keeps the versions of one unit apart.
const pinnedDigits = 16

const parquetSuffix = ".parquet"

// PinnedName is the name that a unit's file with this digest is pinned under.
func PinnedName(unit, sha256 string) string {
	return unit + "-" + sha256[:pinnedDigits] + parquetSuffix
}

// PinnedUnit is the unit whose file has a pinned name; empty when the name is no such name.
func PinnedUnit(name string) string {
	stem, ok := strings.CutSuffix(name, parquetSuffix)
	if at := len(stem) - pinnedDigits - 1; ok && at > 0 && stem[at] == '-' && stemPattern.MatchString(stem[:at]) {
		return stem[:at]
	}
	return ""
}

// Pin gives a unit's file of a table a second name in a folder of the lake, PinnedName, that keeps its bytes whatever becomes of the unit:
// for others, such as a catalog, that remember files by name and read them later. It is a second name of the same file where the file system
// has those, and a copy elsewhere; pinning a file again costs nothing. The error wraps ErrUnitReplaced when the file has another digest by now.
// SyncPinned makes the names durable.
func (l *Lake) Pin(table AnyTable, unit, sha256, folder string) (pinned string, err error) {
	name := table.Name() + "/" + unit + parquetSuffix
	if _, ok := unitFile(name); !ok {
		return "", checkStem(unit)
	}
	pinned = folder + "/" + PinnedName(unit, sha256)
	if info, err := l.root.Lstat(pinned); err == nil && info.Mode().IsRegular() {
		return pinned, nil
	}
	// Processes that pin the same file at a time have a temporary file each.
	temp := fmt.Sprintf("%s.%08x%s", strings.TrimSuffix(pinned, parquetSuffix), rand.Uint32(), tempSuffix)
	if err := l.root.MkdirAll(folder, 0o777); err != nil {
		return "", l.writeError(err)
	}
	err = l.root.Link(name, temp)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		err = CopyFile(l.store, temp, l.store, name)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%s: %w", l.Path(name), ErrUnitReplaced)
	}
	if err != nil {
		return "", l.writeError(err)
	}
	if err := l.isPinned(name, temp, sha256); err != nil {
		return "", errors.Join(err, l.store.Remove(temp))
	}
	// Where another process has pinned the file meanwhile, both are names of one file, and the system leaves the old name.
	return pinned, errors.Join(l.root.Rename(temp, pinned), l.store.Remove(temp))
}

// isPinned checks that a second name or copy of a file has the digest. What is remembered of the file itself counts for a second name of it.
func (l *Lake) isPinned(name, temp, sha256 string) error {
	f, err := l.store.Open(temp)
	if err != nil {
		return err
	}
	known, ok := l.remembered(name)
	ok = ok && known.Bytes == f.Size() && known.Changed == f.ModTime().UnixNano()
	if err := f.Close(); err != nil {
		return err
	}
	sum := known.FileDigest
	if !ok {
		if sum, err = l.digestOf(temp, true); err != nil {
			return err
		}
	}
	if sum.SHA256 != sha256 {
		return fmt.Errorf("%s: %w", l.Path(name), ErrUnitReplaced)
	}
	return nil
}

// SyncPinned makes the names of a folder of pinned files durable.
func (l *Lake) SyncPinned(name string) error { return folder{l.root}.syncDir(name) }

// A Footer is what a file of a table says of itself.
type Footer struct {
	Run      string         // captionlake.run_id: the execution of the unit that wrote it
	FieldIDs map[string]int // of its columns by name; that of a list's element under NAME.element
}

// Footer reads the footer of a file of a table, or of a pinned one.
func (l *Lake) Footer(name string) (footer Footer, err error) {
	f, err := l.store.Open(name)
	if err != nil {
		return footer, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if footer, err = ReadFooter(f, f.Size()); err != nil {
		err = fmt.Errorf("%s: %w", l.Path(name), err)
	}
	return footer, err
}

// ReadFooter reads the footer of a table's file of size bytes, wherever the file is. It reads only the end of the file. The error of a
// damaged footer has a hint.
func ReadFooter(f io.ReaderAt, size int64) (footer Footer, err error) {
	defer asDamage(&err)
	pf, err := parquet.OpenFile(f, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true), parquet.SkipMagicBytes(true))
	if err != nil {
		return footer, WithHint(err, damagedFileHint)
	}
	footer.Run, _ = pf.Lookup("captionlake.run_id")
	footer.FieldIDs = map[string]int{}
	for _, column := range pf.Schema().Fields() {
		footer.FieldIDs[column.Name()] = column.ID()
		if !column.Leaf() {
			footer.FieldIDs[column.Name()+".element"] = column.Fields()[0].Fields()[0].ID()
		}
	}
	return footer, nil
}
