// Package iceberg registers the files of a lake's tables as tables of an Apache Iceberg catalog, without rewriting them. The tables follow
// the lake when they are registered again, and nothing that an engine does to them touches the lake.
//
// It must not know of the command line, nor of what the tables hold.
package iceberg

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	ice "github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/catalog"
	"github.com/apache/iceberg-go/io"
	"github.com/apache/iceberg-go/table"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/remote"
	"github.com/captionlake/captionlake/data/spelling"
)

// Folder is the lake's folder for all files of registrations, which can be made again.
const (
	Folder          = "iceberg"
	catalogFile     = Folder + "/catalog.db" // of the catalog, unless another is named
	warehouseFolder = Folder + "/warehouse"  // what that catalog keeps of its tables
	filesFolder     = Folder + "/files"      // second names of units' files, a folder for each Iceberg table
)

// Options say what is registered where.
type Options struct {
	Catalog   Catalog
	Files     remote.Address                      // where the lake was pushed, to register the files there; empty for the lake's own
	Namespace string                              // of the tables; DefaultNamespace when empty, levels with dots between them
	Tables    []string                            // which tables; none is all that have rows or are registered
	DryRun    bool                                // say what would change, and change nothing
	Expire    time.Duration                       // snapshots older than this are given up, except the last one; 0 keeps all
	Progress  func(table string, done, total int) // files of a table looked at; nil for none
}

// Registered says what Register has done with a table.
type Registered struct {
	Table    string `json:"table"`    // name in the catalog, with its namespace
	Files    int    `json:"files"`    // files that the Iceberg table now has
	Rows     int64  `json:"rows"`     // rows of these
	Added    int    `json:"added"`    // units that it did not have
	Replaced int    `json:"replaced"` // units that it had with other rows
	Removed  int    `json:"removed"`  // units that the lake does not have any more
	Expired  int    `json:"expired"`  // snapshots that were given up
	Snapshot int64  `json:"snapshot"` // id of its snapshot; 0 for none
	Metadata string `json:"metadata"` // location of its metadata; empty when there is no such table
}

// Changed reports whether the table was changed.
func (r Registered) Changed() bool { return r.Added+r.Replaced+r.Removed+r.Expired > 0 }

// attempts is how often a table is looked at anew because somebody has committed to it, or to the lake, meanwhile.
const attempts = 5

// errMoved is wrapped by the error of a commit to a table that another commit was made to meanwhile, or that was made although its answer
// was lost. Catalogs have several errors for that, so the table itself is asked.
var errMoved = errors.New("the table was changed meanwhile")

// Register makes the tables of a catalog agree with those of a lake, table by table, each in one snapshot. A table of the lake that has no
// units and is not in the catalog is left out. Register may be called again at any time, after having been killed, too: what agrees is left
// alone. It reads the lake; the only files that it writes are those of Folder, and the catalog's own.
//
// With Files the tables are those of the last commit that was pushed there, whoever pushed it; a lake that has more than that is an error that
// wraps ErrNotPushed.
func Register(ctx context.Context, lake *data.Lake, o Options) (all []Registered, err error) {
	tables, err := chosen(o.Tables)
	if err != nil {
		return nil, err
	}
	root, err := filepath.Abs(lake.Dir())
	if err != nil {
		return nil, err
	}
	if o.Files == (remote.Address{}) && o.Catalog.URI == "" && !o.DryRun {
		if o.DryRun, err = nothingToDo(lake, root, tables); err != nil {
			return nil, err
		}
	}
	opened, err := o.open(ctx, root)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, opened.close()) }()
	return registerIn(opened.reach(ctx), opened, lake, o)
}

// nothingToDo reports whether a lake without a catalog of its own has no units either, so that it needs none.
func nothingToDo(lake *data.Lake, root string, tables []data.TableDoc) (bool, error) {
	if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(catalogFile))); !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	for _, t := range tables {
		if units, err := lake.Units(tableOf(t.Name)); err != nil || len(units) > 0 {
			return false, err
		}
	}
	return true, nil
}

func registerIn(ctx context.Context, opened *openCatalog, lake *data.Lake, o Options) ([]Registered, error) {
	if o.Files == (remote.Address{}) {
		at, err := pinnedIn(lake)
		if err != nil {
			return nil, err
		}
		return registerAt(ctx, opened, at, o)
	}
	there, err := remote.Units(ctx, o.Files)
	if err != nil {
		return nil, err
	}
	at, err := pushedTo(o.Files, there, lake, func() (io.IO, error) { return io.LoadFS(ctx, opened.properties, o.Files.String()) })
	if err != nil {
		return nil, err
	}
	return registerAt(ctx, opened, at, o)
}

func registerAt(ctx context.Context, opened *openCatalog, at place, o Options) (all []Registered, err error) {
	r := &registration{Options: o, place: at, catalog: opened, namespace: strings.Split(cmp.Or(o.Namespace, DefaultNamespace), ".")}
	if err := r.ensureNamespace(ctx); err != nil {
		return nil, err
	}
	tables, err := chosen(o.Tables)
	if err != nil {
		return nil, err
	}
	for _, t := range tables {
		done, err := r.register(ctx, t)
		if err != nil {
			err = fmt.Errorf("register %s: %w", t.Name, opened.safe(err))
			if errors.Is(err, fs.ErrNotExist) {
				err = data.WithHint(err, "files that the catalog names are gone: where the lake has moved, drop the tables in the catalog, or delete the folder %s of the lake where that has the catalog, and register again", Folder)
			}
			return all, err
		}
		if done != nil {
			all = append(all, *done)
		}
	}
	return all, nil
}

// chosen are the descriptions of tables by their names.
func chosen(names []string) ([]data.TableDoc, error) {
	docs, err := data.Dictionary()
	if err != nil || len(names) == 0 {
		return docs, err
	}
	var known []string
	for _, doc := range docs {
		known = append(known, doc.Name)
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, data.WithHint(fmt.Errorf("there is no table %q", name), "%s", spelling.Meant("tables are: "+strings.Join(known, ", "), known, name))
		}
	}
	return slices.DeleteFunc(docs, func(doc data.TableDoc) bool { return !slices.Contains(names, doc.Name) }), nil
}

// A registration is one call of Register.
type registration struct {
	Options
	place
	catalog   *openCatalog
	namespace []string
}

func (r *registration) ensureNamespace(ctx context.Context) error {
	there, err := r.catalog.CheckNamespaceExists(ctx, r.namespace)
	if err != nil || there || r.DryRun {
		return r.catalog.safe(err)
	}
	err = r.catalog.CreateNamespace(ctx, r.namespace, nil)
	if errors.Is(err, catalog.ErrNamespaceAlreadyExists) {
		return nil
	}
	return r.catalog.safe(err)
}

// register makes one table agree. Nil says that there is none, in the lake and in the catalog.
func (r *registration) register(ctx context.Context, doc data.TableDoc) (*Registered, error) {
	for attempt := 1; ; attempt++ {
		done, err := r.try(ctx, doc)
		retry := errors.Is(err, errMoved) || errors.Is(err, data.ErrUnitReplaced)
		switch {
		case err == nil || ctx.Err() != nil:
			return done, err
		case retry && attempt == attempts, !retry && errors.Is(err, table.ErrCommitFailed):
			return nil, data.WithHint(err, "others keep changing the table or the lake; nothing is lost: register again when they are done")
		case !retry:
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(time.Duration(attempt*attempt) * 100 * time.Millisecond):
		}
	}
}

func (r *registration) try(ctx context.Context, doc data.TableDoc) (*Registered, error) {
	units, err := r.units(tableOf(doc.Name))
	if err != nil {
		return nil, err
	}
	ident := catalog.ToIdentifier(append(slices.Clone(r.namespace), doc.Name)...)
	want, err := fields(doc)
	if err != nil {
		return nil, err
	}
	there, err := r.catalog.CheckTableExists(ctx, ident)
	if errors.Is(err, catalog.ErrNoSuchNamespace) {
		there, err = false, nil // of a dry run
	}
	if err != nil || !there && len(units) == 0 {
		return nil, err
	}
	done := &Registered{Table: strings.Join(ident, ".")}
	if !there && r.DryRun {
		done.Added = len(units)
		return done, nil
	}
	tbl, err := r.ensure(ctx, ident, want, doc.What)
	if err != nil {
		return nil, err
	}
	c, err := r.compare(ctx, tbl, units)
	if err != nil {
		return nil, err
	}
	done.Added, done.Replaced, done.Removed = len(c.added), len(c.replaced), len(c.removed)
	if !r.DryRun {
		if tbl, err = r.commit(ctx, tbl, c); err != nil {
			return nil, err
		}
		if tbl, done.Expired, err = r.expire(ctx, tbl); err != nil {
			return nil, err
		}
	}
	done.Metadata = tbl.MetadataLocation()
	if s := tbl.CurrentSnapshot(); s != nil {
		done.Snapshot = s.SnapshotID
		if s.Summary != nil {
			done.Files = s.Summary.Properties.GetInt("total-data-files", 0)
			done.Rows, err = strconv.ParseInt(s.Summary.Properties.Get("total-records", "0"), 10, 64)
		}
	}
	return done, err
}

// A comparison is how an Iceberg table differs from the lake's.
type comparison struct {
	units    map[string]string // digests of the lake's files by unit
	added    []string          // units
	replaced []string
	removed  []string
	drop     []ice.DataFile // of units that were replaced or removed
}

// compare lists the files of the table's current snapshot, and says which of them are not the lake's, and what it does not have of the lake.
func (r *registration) compare(ctx context.Context, tbl *table.Table, units map[string]string) (c comparison, err error) {
	c.units = units
	known := map[string]bool{} // units of which the table has a file
	tasks, err := tbl.Scan().PlanFiles(ctx)
	if err != nil {
		return c, err
	}
	for _, task := range tasks {
		location := task.File.FilePath()
		unit := r.unitAt(tbl, location)
		if unit == "" || len(task.DeleteFiles)+len(task.EqualityDeleteFiles) > 0 {
			return c, data.WithHint(fmt.Errorf("the table %s has rows, or deletions of rows, that this lake did not register: %s", strings.Join(tbl.Identifier(), "."), location),
				"another lake or an engine has written to it, the lake has moved, or it was registered with other --files: drop the table in the catalog and register again, or choose another --namespace")
		}
		digest, inLake := units[unit]
		known[unit] = true
		switch {
		case inLake && r.location(tbl, unit, digest) == location:
			continue
		case inLake:
			c.replaced = append(c.replaced, unit)
		default:
			c.removed = append(c.removed, unit)
		}
		c.drop = append(c.drop, task.File)
	}
	for _, unit := range slices.Sorted(maps.Keys(units)) {
		if !known[unit] {
			c.added = append(c.added, unit)
		}
	}
	slices.Sort(c.replaced)
	slices.Sort(c.removed)
	return c, nil
}

// commit makes one snapshot of all that differs. It names what the files were written by.
func (r *registration) commit(ctx context.Context, tbl *table.Table, c comparison) (*table.Table, error) {
	if len(c.added)+len(c.drop) == 0 {
		return tbl, nil
	}
	files, runs, err := r.files(ctx, tbl, append(slices.Clone(c.added), c.replaced...), c.units)
	if err != nil {
		return nil, err
	}
	summary := ice.Properties{"captionlake.version": data.Version}
	for key, units := range map[string][]string{"added": c.added, "replaced": c.replaced, "removed": c.removed} {
		if len(units) > 0 {
			summary["captionlake."+key] = named(units, runs)
		}
	}
	tx := tbl.NewTransaction()
	// Whoever commits meanwhile may have registered the same files, and the library's own retries would add them twice.
	if err := tx.AssertRefSnapshotID(table.MainBranch); err != nil {
		return nil, err
	}
	if !r.owned() {
		if err := tx.SetProperties(keepFiles); err != nil {
			return nil, err
		}
	}
	// Names of columns are not mapped to ids, because the files have ids.
	if err := tx.ReplaceDataFilesWithDataFiles(ctx, c.drop, files, summary, table.WithoutAutoNameMapping()); err != nil {
		return nil, err
	}
	return r.committed(ctx, tbl, tx)
}

// committed commits a transaction.
func (r *registration) committed(ctx context.Context, tbl *table.Table, tx *table.Transaction) (*table.Table, error) {
	after, err := tx.Commit(ctx)
	if err == nil {
		return after, nil
	}
	if now, loadErr := r.catalog.LoadTable(ctx, tbl.Identifier()); loadErr == nil && now.MetadataLocation() != tbl.MetadataLocation() {
		err = fmt.Errorf("%w: %w", errMoved, err)
	}
	return nil, err
}

// namedUnits is how many units the summary of a snapshot names. The names of its files tell all of them.
const namedUnits = 100

// named lists units, each with the execution that wrote it.
func named(units []string, runs map[string]string) string {
	var names []string
	for _, unit := range units[:min(len(units), namedUnits)] {
		if run := runs[unit]; run != "" {
			unit += "@" + run
		}
		names = append(names, unit)
	}
	if more := len(units) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(names, ", ")
}

// files says what is in the files of units, and which executions wrote them.
func (r *registration) files(ctx context.Context, tbl *table.Table, units []string, digests map[string]string) (all []ice.DataFile, runs map[string]string, err error) {
	runs = map[string]string{}
	for i, unit := range units {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		file, run, err := r.file(ctx, tbl, unit, digests[unit])
		if err != nil {
			return nil, nil, err
		}
		all, runs[unit] = append(all, file), run
		if r.Progress != nil {
			r.Progress(tableName(tbl), i+1, len(units))
		}
	}
	if len(units) > 0 {
		err = r.settle(tbl)
	}
	return all, runs, err
}

// keepFiles has engines leave the files of a table where they are when its snapshots expire or it is dropped: a pushed lake's files are the
// lake's.
var keepFiles = ice.Properties{"gc.enabled": "false"}

// expire gives up old snapshots, and with them the catalog's own files that only they have.
func (r *registration) expire(ctx context.Context, tbl *table.Table) (*table.Table, int, error) {
	if r.Expire == 0 {
		return tbl, 0, nil
	}
	before := len(tbl.Metadata().Snapshots())
	tx := tbl.NewTransaction()
	options := []table.ExpireSnapshotsOpt{table.WithOlderThan(r.Expire), table.WithRetainLast(1), table.WithPostCommit(r.owned())}
	var err error
	if r.owned() {
		err = tx.ExpireSnapshots(options...)
	} else { // The library gives up no snapshot of a table that keeps its files, although this deletes none.
		err = errors.Join(tx.SetProperties(ice.Properties{"gc.enabled": "true"}), tx.ExpireSnapshots(options...), tx.SetProperties(keepFiles))
	}
	if err != nil {
		return tbl, 0, err
	}
	if tbl, err = r.committed(ctx, tbl, tx); err != nil {
		return tbl, 0, err
	}
	return tbl, before - len(tbl.Metadata().Snapshots()), nil
}

// properties are those of a new table: what it is, bounds that tell the names of models apart, which often begin alike, and no more old
// metadata than is of use.
func properties(what string) ice.Properties {
	return ice.Properties{
		"comment":                                 "A row is " + what + ".",
		"write.metadata.metrics.default":          "truncate(64)",
		table.MetadataDeleteAfterCommitEnabledKey: "true",
		table.MetadataPreviousVersionsMaxKey:      "20",
	}
}
