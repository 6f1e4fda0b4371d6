package iceberg

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	ice "github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/catalog"
	"github.com/apache/iceberg-go/io"
	"github.com/apache/iceberg-go/table"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/remote"
)

// A place is where engines find the files of the units that are registered.
type place interface {
	// units are the units of a table that the Iceberg table shall have, with the SHA-256 of their files.
	units(of data.AnyTable) (map[string]string, error)
	// location is what the catalog calls the file of a unit.
	location(tbl *table.Table, unit, sha256 string) string
	// unitAt is the unit whose file has a location; empty where the place has no file.
	unitAt(tbl *table.Table, location string) string
	// file says what is in the file of a unit, once it can be found at its location, and which execution wrote it.
	file(ctx context.Context, tbl *table.Table, unit, sha256 string) (file ice.DataFile, run string, err error)
	// settle makes locations durable, before they are committed.
	settle(tbl *table.Table) error
	// owned reports whether the files are the catalog's own, so that they may go with the last snapshot that names them.
	owned() bool
}

var (
	_ place = (*pinned)(nil)
	_ place = (*pushed)(nil)
)

// pinned files are second names of the lake's own.
type pinned struct {
	lake *data.Lake
	base string // location of the lake's folder, with a slash at its end
}

// pinnedIn is the place of files in the lake's folder. A lake with a file that is not as it was committed has none.
func pinnedIn(lake *data.Lake) (*pinned, error) {
	root, err := filepath.Abs(lake.Dir())
	if err != nil {
		return nil, err
	}
	if err := canBeLocation(root, "move the lake to a folder without it"); err != nil {
		return nil, err
	}
	check, err := lake.CheckTables()
	if err := errors.Join(err, check.Err(lake)); err != nil {
		return nil, err
	}
	return &pinned{lake, "file://" + filepath.ToSlash(root) + "/"}, nil
}

// canBeLocation refuses characters that mean something else in a location.
func canBeLocation(name, hint string) error {
	if i := strings.IndexAny(name, "%?#"); i >= 0 {
		return data.WithHint(fmt.Errorf("%s: a file's location in a catalog cannot have the character %q", name, name[i]), "%s", hint)
	}
	return nil
}

// folder is where the second names of an Iceberg table's files are, in the lake: its own, so that an engine that expires snapshots of it or
// drops it with its files takes no other's.
func folder(tbl *table.Table) string {
	return path.Join(filesFolder, tableName(tbl)+"-"+tbl.Metadata().TableUUID().String()[:8])
}

func tableName(tbl *table.Table) string { return catalog.TableNameFromIdent(tbl.Identifier()) }

func (p *pinned) units(of data.AnyTable) (map[string]string, error) { return p.lake.Units(of) }

func (p *pinned) location(tbl *table.Table, unit, sha256 string) string {
	return p.base + folder(tbl) + "/" + data.PinnedName(unit, sha256)
}

func (p *pinned) unitAt(tbl *table.Table, location string) string {
	name, ours := strings.CutPrefix(location, p.base+folder(tbl)+"/")
	if !ours {
		return ""
	}
	return data.PinnedUnit(name)
}

func (p *pinned) file(ctx context.Context, tbl *table.Table, unit, sha256 string) (ice.DataFile, string, error) {
	if _, err := p.lake.Pin(tableOf(tableName(tbl)), unit, sha256, folder(tbl)); err != nil {
		return nil, "", err
	}
	return describe(ctx, io.LocalFS{}, tbl, p.location(tbl, unit, sha256))
}

func (p *pinned) settle(tbl *table.Table) error { return p.lake.SyncPinned(folder(tbl)) }

func (p *pinned) owned() bool { return true }

// ErrNotPushed is wrapped by the error of registering pushed files from a lake with units that were not pushed.
var ErrNotPushed = errors.New("the lake has units that were not pushed")

// pushed files are those of a lake in object storage, where they are. Their names have their digests, so they are never replaced.
type pushed struct {
	address remote.Address
	there   map[string]data.UnitFiles // units of the commit that counts
	lake    *data.Lake                // has most of the files, too, which spares requests
	storage func() (io.IO, error)
}

// pushedTo is the place of the files of a lake that was pushed. there are the units of the commit that counts; those that the lake has and
// that are not there, in its version or in a later one, are an error. storage is asked for what the lake does not have.
func pushedTo(address remote.Address, there map[string]data.UnitFiles, lake *data.Lake, storage func() (io.IO, error)) (*pushed, error) {
	if err := canBeLocation(address.String(), "push to a prefix without it"); err != nil {
		return nil, err
	}
	ours, err := lake.Inventory()
	if err != nil {
		return nil, err
	}
	var ahead []string
	for _, u := range ours {
		if t, known := there[u.Unit]; !known || !u.SameRows(t) && !data.Later(t.Executions, u.Executions) {
			ahead = append(ahead, u.Unit)
		}
	}
	if len(ahead) > 0 {
		more := ""
		if len(ahead) > 1 {
			more = fmt.Sprintf(" and %d more", len(ahead)-1)
		}
		return nil, data.WithHint(fmt.Errorf("%s: %w to %s: %s%s", lake.Dir(), ErrNotPushed, address, ahead[0], more),
			"push first: captionlake push %s; or take what others have pushed instead: captionlake pull %[1]s", address)
	}
	return &pushed{address, there, lake, sync.OnceValues(storage)}, nil
}

func (p *pushed) units(of data.AnyTable) (map[string]string, error) {
	units := map[string]string{}
	for unit, files := range p.there {
		if sum, ok := files.Tables[of.Name()]; ok {
			units[unit] = sum.SHA256
		}
	}
	return units, nil
}

func (p *pushed) location(tbl *table.Table, unit, sha256 string) string {
	return p.address.String() + "/" + remote.ObjectName(tableName(tbl), unit, data.FileDigest{SHA256: sha256})
}

func (p *pushed) unitAt(tbl *table.Table, location string) string {
	name, ours := strings.CutPrefix(location, p.address.String()+"/")
	if !ours {
		return ""
	}
	return remote.UnitOf(tableName(tbl), name)
}

// file reads what the lake has there, and asks storage for the end of any other file.
func (p *pushed) file(ctx context.Context, tbl *table.Table, unit, sha256 string) (ice.DataFile, string, error) {
	location, own := p.location(tbl, unit, sha256), tableName(tbl)+"/"+unit+".parquet"
	same := func() bool {
		sum, err := p.lake.Digest(own)
		return err == nil && sum.SHA256 == sha256
	}
	if same() {
		file, run, err := describe(ctx, elsewhere{path: p.lake.Path(own)}, tbl, location)
		if same() { // It was not replaced while it was read.
			return file, run, err
		}
	}
	storage, err := p.storage()
	if err != nil {
		return nil, "", err
	}
	return describe(ctx, storage, tbl, location)
}

func (p *pushed) settle(*table.Table) error { return nil }

func (p *pushed) owned() bool { return false }

// elsewhere opens a local file for whatever location.
type elsewhere struct {
	io.LocalFS
	path string
}

func (e elsewhere) Open(string) (io.File, error) { return e.LocalFS.Open(e.path) }

// describe reads counts and bounds of all columns from a file's footer, whose field ids must be those of the table.
func describe(ctx context.Context, from io.IO, tbl *table.Table, location string) (ice.DataFile, string, error) {
	footer, err := footerOf(from, location)
	if err == nil {
		err = sameIDs(tbl.Identifier(), ids(tbl.Schema().Fields()), footer.FieldIDs)
	}
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", location, err)
	}
	file, err := table.FileToDataFile(ctx, from, location, tbl.Schema(), tbl.Spec(), table.UnsortedSortOrderID, tbl.Properties())
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", location, err)
	}
	return file, footer.Run, nil
}

func footerOf(from io.IO, location string) (footer data.Footer, err error) {
	f, err := from.Open(location)
	if err != nil {
		return footer, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return footer, err
	}
	return data.ReadFooter(f, info.Size())
}

// tableOf is a table of lakes by its name.
func tableOf(name string) data.AnyTable {
	tables := data.Tables()
	return tables[slices.IndexFunc(tables, func(t data.AnyTable) bool { return t.Name() == name })]
}
