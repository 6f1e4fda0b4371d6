package build

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/analytics/sqlmodel"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/sql"
)

// The states of a model after a run.
const (
	StateBuilt     = "built"     // the mart was computed, checked and published
	StateUnchanged = "unchanged" // the model and its inputs are as they were when the mart in the lake was built
	StateFailed    = "failed"    // an error, a check or an audit kept the mart from being published
	StateSkipped   = "skipped"   // an input failed
)

// A Report says how the run of one model ended.
type Report struct {
	Model    string        `json:"model"`
	State    string        `json:"state"`
	Rows     int64         `json:"rows"`
	Duration time.Duration `json:"duration_ns"`
}

// Options say how models are built. The zero value builds every model with changed inputs.
type Options struct {
	Engine engine.Options
	// caption prompts on which readers are compared; the ranking stability is tried on the first;
	// Simple when empty
	Prompts  []string
	Progress func(model string, done, total int) // called after each model, if set; done of total models are done
	// if set, called with facts that a user should know and that the reports do not have
	Note        func(string)
	Select      []string // patterns of the models to build, for sqlmodel.Select; all models when empty
	FullRefresh bool     // also build models with unchanged inputs
	// folder with the rows of folds that another engine computed, as the script of ExportFolds
	// writes them; none when empty
	Folds string
	Spark *Spark // computes the folds; nil for DuckDB

	sampling sampling
}

// Analyze builds every model of package sql, or the selected models, if their inputs have changed.
// It then builds the lake's DuckDB file. The lake must be open for writing. Other processes may
// write to its tables during the run: the models see the tables as they were at the beginning.
//
// A model that fails leaves its earlier mart in place, and the models that read it are skipped; the
// other models are built. The error then joins all errors, and the reports cover all models that
// were selected.
func Analyze(ctx context.Context, lake *data.Lake, o Options) (reports []Report, err error) {
	if o.Spark != nil {
		o.Folds = lake.Path(sparkFolder)
		defer func() { err = errors.Join(err, os.RemoveAll(o.Folds)) }()
		if err := o.Spark.computeFolds(ctx, lake, o); err != nil {
			return nil, err
		}
	}
	reports, err = Build(ctx, lake, sqlmodel.All(), o)
	if ctx.Err() != nil || reports == nil { // Without reports no model was begun.
		return reports, err
	}
	// Marts may be new although some models failed. KeepUnits lets later checks find lost units.
	return reports, errors.Join(err, WriteCatalog(ctx, lake, o.Engine), lake.KeepUnits())
}

// Build builds the given models and removes marts that no longer have a model. The models must be
// in building order, as sqlmodel.Order and sqlmodel.All return them. See Analyze.
func Build(ctx context.Context, lake *data.Lake, models []sqlmodel.Model, o Options) (reports []Report, err error) {
	err = withBuilder(ctx, lake, o, func(b *builder) (err error) {
		reports, err = b.all(ctx, models)
		return err
	})
	return reports, err
}

// A builder builds models side by side, each over a connection of its own to one database in
// memory.
type builder struct {
	lake   *data.Lake // with the tables as they were at the beginning
	engine *engine.Engine
	folder string // of the lake, as SQL writes it
	o      Options
	turns  chan struct{}              // one for each model that is built at once
	slots  chan struct{}              // one for each part that is computed at once
	tables map[string]engine.Relation // the base tables
	alone  sync.RWMutex               // held for writing by a model that may use all of the memory
	taken  *takenFolds                // folds to take from Options.Folds; nil for none
	files  map[string][]string        // of each mart, as they were at the beginning

	// of a base table: its units with the digests of their files, and with their numbers of rows
	units func(table string) (map[string]string, error)
	rows  func(table string) (map[string]int64, error)

	mu       sync.Mutex                 // guards the fields below, the folder of marts and Options.Note
	contents map[string][]string        // digests of the rows of the marts that are built, part by part
	marts    map[string]engine.Relation // marts that are built
}

// mostAtOnce is how many models are built at once, if there are as many processors.
const mostAtOnce = 4

// withBuilder calls a function with a builder, which sees the lake's tables as they are now. While
// the function runs, no other process writes marts.
func withBuilder(ctx context.Context, lake *data.Lake, o Options, do func(*builder) error) (err error) {
	release, err := lake.Hold(data.MartsFolder)
	if err != nil {
		return err
	}
	defer release()
	lake, drop, err := lake.Snapshot()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, drop()) }()
	// DuckDB does not compare pages with their checksums, so that results from damaged files would
	// be wrong without a message.
	check, err := lake.Check(data.CheckTables, nil) // nil: no progress is shown
	if err == nil {
		err = check.Err(lake)
	}
	if err != nil {
		return err
	}
	folder, err := engine.Folder(lake)
	if err != nil {
		return err
	}
	// The options of the engine: models side by side, each on one thread, take a quarter less time
	// than one after the other on all threads. DuckDB has threads of its own only if there are more
	// processors than models at a time.
	processors := cmp.Or(o.Engine.Threads, runtime.GOMAXPROCS(0))
	modelsAtOnce := min(processors, mostAtOnce)
	o.Engine.Threads = processors - modelsAtOnce + 1
	o.Engine.MemoryLimit = cmp.Or(o.Engine.MemoryLimit, engine.DefaultMemory)
	if len(o.Prompts) > 0 {
		o.sampling = sampling{"pool_prompts": sql.QuoteList(o.Prompts)}
	}
	folders := []string{folder}
	if o.Folds != "" {
		given, err := filepath.Abs(o.Folds)
		if err != nil {
			return err
		}
		o.Folds = filepath.ToSlash(given) + "/"
		folders = append(folders, o.Folds)
	}
	files, err := data.MartFiles(lake)
	if err != nil {
		return err
	}
	relations, err := engine.Relations(lake, folder, sqlmodel.TableNames())
	if err != nil {
		return err
	}
	e, err := engine.Open(ctx, engine.Config{Spill: folder + "journal/spill", Folders: folders, Options: o.Engine})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	b := &builder{
		lake: lake, engine: e, folder: folder, o: o, turns: make(chan struct{}, modelsAtOnce),
		slots:  make(chan struct{}, modelsAtOnce),
		tables: map[string]engine.Relation{}, files: files,
		units: remembered(lake, (*data.Lake).Units), rows: remembered(lake, data.RowCounts),
		contents: map[string][]string{}, marts: map[string]engine.Relation{},
	}
	for _, table := range relations {
		b.tables[table.Name] = table
	}
	// All connections have these macros. Macros over views are different: each connection has its
	// own.
	if err := e.Exec(ctx,
		strings.ReplaceAll(engine.Macros, "create or replace temp macro", "create macro")); err != nil {
		return fmt.Errorf("macros: %w", err)
	}
	if err := o.sampling.set(ctx, e); err != nil {
		return err
	}
	// A statement over a table reads the footers of all its units. With the cache DuckDB keeps the
	// footers of files that have not changed, for ten seconds. The settings are locked last, so that
	// no SQL text changes them.
	if err := e.Exec(ctx, "set global parquet_metadata_cache = true; set lock_configuration = true"); err != nil {
		return err
	}
	return do(b)
}

// showInputs makes the views and macros that a model reads. The model sees only some rows of the
// inputs in narrowed. Tables come before marts, because the macros of marts name tables.
func (b *builder) showInputs(ctx context.Context, e *engine.Engine, m sqlmodel.Model,
	narrowed ...engine.Relation) error {
	relations := slices.Clone(narrowed)
	isNarrowed := func(name string) bool {
		return slices.ContainsFunc(narrowed, func(r engine.Relation) bool { return r.Name == name })
	}
	b.mu.Lock()
	for _, known := range []map[string]engine.Relation{b.tables, b.marts} {
		for _, input := range m.Inputs {
			relation, ok := known[input]
			if !ok || isNarrowed(input) {
				continue
			}
			macro := sqlmodel.MergedPrefix + input
			if table, isStale := strings.CutPrefix(input, sqlmodel.StalePrefix); isStale {
				macro = sqlmodel.CountedPrefix + table
			}
			// Making a macro may take a query over the mart, so a macro is made only if the model, or a
			// macro that the model may call, contains its name.
			if !strings.Contains(m.Text+sql.Macros, macro) {
				relation.Macro = nil
			}
			relations = append(relations, relation)
		}
	}
	b.mu.Unlock()
	return e.CreateViews(ctx, b.folder, relations)
}

// all builds models side by side, each when the models that it reads are done. Reports have the
// order of the models. When the context ends, no further model begins.
func (b *builder) all(ctx context.Context, models []sqlmodel.Model) (_ []Report, err error) {
	if b.o.Folds != "" {
		if b.taken, err = b.takeFolds(ctx, models); err != nil {
			return nil, err
		}
	}
	if len(b.o.Select) > 0 {
		if models, err = b.only(models); err != nil {
			return nil, err
		}
	}
	reports, faults := make([]Report, len(models)), make([]error, len(models))
	builds := map[string]func() error{} // by model: the first call builds it, and later calls wait for the same result
	finished := 0
	for i, m := range models {
		builds[m.Name] = sync.OnceValue(func() error {
			failedInput := ""
			for _, input := range m.Inputs { // Tables have no build. All marts are awaited, also after a failure.
				if build := builds[input]; build != nil && build() != nil && failedInput == "" {
					failedInput = input
				}
			}
			b.turns <- struct{}{} // after the inputs: a model that waits for its inputs must not hold a turn
			defer func() { <-b.turns }()
			if ctx.Err() != nil {
				return nil
			}
			var err error
			reports[i], err = b.report(ctx, m, failedInput)
			b.mu.Lock()
			defer b.mu.Unlock()
			if finished++; b.o.Progress != nil {
				b.o.Progress(m.Name, finished, len(models))
			}
			return err
		})
	}
	var all sync.WaitGroup
	for i, m := range models {
		all.Go(func() { faults[i] = builds[m.Name]() })
	}
	all.Wait()
	if err := ctx.Err(); err != nil {
		// A model that was not begun has no name in its report.
		return slices.DeleteFunc(reports, func(r Report) bool { return r.Model == "" }), err
	}
	if len(b.o.Select) == 0 { // Marts that no model makes any more are removed.
		record, err := data.MartRecord(b.lake)
		gone := slices.DeleteFunc(slices.Collect(maps.Keys(record)),
			func(name string) bool { return builds[data.RelationOf(name)] != nil })
		if len(gone) > 0 {
			err = errors.Join(err, b.lake.Publish(nil, gone...))
		}
		faults = append(faults, err)
	}
	return reports, errors.Join(faults...)
}

// report builds a model, unless an input failed, and reports how the model's run ended.
func (b *builder) report(ctx context.Context, m sqlmodel.Model, failedInput string) (r Report, err error) {
	r.Model = m.Name
	if failedInput != "" {
		r.State = StateSkipped
		return r, fmt.Errorf("model %s: not built, because its input %s failed", m.Name, failedInput)
	}
	start := time.Now()
	r.State, r.Rows, err = b.inTurn(ctx, m)
	r.Duration = time.Since(start)
	if err != nil {
		r.State = StateFailed
		err = fmt.Errorf("model %s: %w", m.Name, err)
	}
	return r, err
}

// connection opens a connection to the database. A connection has its own views and macros, so that
// two models can be built at once, each from the rows that it needs.
func (b *builder) connection(ctx context.Context) (*engine.Engine, error) {
	e, err := b.engine.Connect(ctx)
	if err != nil {
		return nil, err
	}
	if err := b.o.sampling.set(ctx, e); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

// inTurn builds a model over a connection of its own. A model that found too little memory beside
// other models is built again alone, with all of the memory.
func (b *builder) inTurn(ctx context.Context, m sqlmodel.Model) (state string, rows int64, err error) {
	e, err := b.connection(ctx)
	if err != nil {
		return "", 0, err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	for _, lock := range []sync.Locker{b.alone.RLocker(), &b.alone} { // beside other models, then alone
		lock.Lock()
		state, rows, err = b.model(ctx, e, m)
		lock.Unlock()
		if !engine.OutOfMemory(err) || ctx.Err() != nil {
			return state, rows, err
		}
	}
	return state, rows, data.WithHint(err,
		"give SQL more than %s with --memory; the mart of the last good run is still in place", b.o.Engine.MemoryLimit)
}

// model builds the parts of a model that would be made differently now, audits the mart with the
// new parts, and publishes them.
func (b *builder) model(ctx context.Context, e *engine.Engine, m sqlmodel.Model) (state string, rows int64, err error) {
	parts, err := b.parts(ctx, e, m)
	if err != nil {
		return "", 0, err
	}
	written := map[string]string{}        // the temporary file of each new part, and its place
	files := make([]string, len(parts))   // the files to audit: of a new part its temporary file
	gone := slices.Clone(b.files[m.Name]) // files of the last run that no part has now
	defer func() {
		for temp := range written { // Published files have other names; to remove a missing file is no error.
			err = errors.Join(err, b.lake.Store().Remove(temp))
		}
	}()
	writing, writingCtx := errgroup.WithContext(ctx)
	for i := range parts {
		p := &parts[i]
		if err := b.read(p); err != nil {
			// The parts that are being written must end before their temporary files are removed.
			return "", 0, errors.Join(err, writing.Wait())
		}
		files[i], gone = p.file, slices.DeleteFunc(gone, func(name string) bool { return name == p.file })
		if b.o.FullRefresh || p.metadata[sqlmodel.PrintKey] != p.fingerprint {
			temp := b.lake.Temp(fmt.Sprintf("mart-%s-%02d.parquet", m.Name, i))
			written[temp], files[i] = p.file, temp
			writing.Go(func() error { return b.inSlot(writingCtx, e, m, p, temp) })
		}
	}
	if err := writing.Wait(); err != nil {
		return "", 0, err
	}
	for _, p := range parts {
		rows += p.rows
	}
	if len(written)+len(gone) == 0 {
		b.built(m, parts)
		return StateUnchanged, rows, nil
	}
	if err := audit(ctx, e, m, engine.Paths(b.folder, files, nil)); err != nil {
		return "", 0, err
	}
	b.mu.Lock()
	err = b.lake.Publish(written, gone...)
	b.mu.Unlock()
	if err == nil {
		b.built(m, parts)
	}
	return StateBuilt, rows, err
}

// inSlot writes a part into a temporary file once a slot is free. If the mart has several parts, a
// part is written over a connection of its own, because other parts are written at the same time.
// The only part of a mart is written over the model's connection, which keeps the table for the
// audits.
func (b *builder) inSlot(ctx context.Context, e *engine.Engine, m sqlmodel.Model, p *part, temp string) (err error) {
	b.slots <- struct{}{}
	defer func() { <-b.slots }()
	if m.InParts() {
		if e, err = b.connection(ctx); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, e.Close()) }()
	}
	// Only the audits of a mart without parts read the table after this.
	if err = b.write(ctx, e, m, p, temp); err != nil || m.InParts() {
		err = errors.Join(err, e.Exec(context.WithoutCancel(ctx), "drop table if exists "+sql.QuoteName(m.Name)))
	}
	return err
}

// audit runs the audits of a model over its table, or over its files if the mart is a folder of
// parts.
func audit(ctx context.Context, e *engine.Engine, m sqlmodel.Model, paths []string) error {
	name, kind := sql.QuoteName(m.Name), "table"
	if m.InParts() {
		if err := e.Exec(ctx,
			fmt.Sprintf("create or replace temp view %s as from read_parquet(%s)", name,
				sql.QuoteList(paths))); err != nil {
			return err
		}
		kind = "view"
	}
	return errors.Join(verifyAudits(ctx, e, m), e.Exec(ctx, "drop "+kind+" if exists "+name))
}

// read reads the metadata and the number of rows of the part's file in the lake. Both stay empty if
// there is no file, or if the file is not as it was published.
func (b *builder) read(p *part) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	record, err := data.MartRecord(b.lake)
	published, isPublished := record[p.file]
	if err != nil || !isPublished {
		return err
	}
	switch present, err := data.DigestOf(b.lake, p.file); {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	case present == published:
		p.metadata, p.rows = data.FileMetadata(b.lake, p.file)
	case b.o.Note != nil:
		b.o.Note(fmt.Sprintf("%s was not the file that analyze had written; it is computed anew", b.lake.Path(p.file)))
	}
	return nil
}

// built remembers a mart, which other models may read now. A fold gets the macro that adds up its
// units. Whether any rows agree without the unit decides how the macro is written. The first
// connection that makes the macro finds this out for all connections. Two hashes that are equal by
// chance do no harm: the macro then adds up rows although there is nothing to add.
func (b *builder) built(m sqlmodel.Model, parts []part) {
	var files, contents []string
	for _, p := range parts {
		files, contents = append(files, p.file), append(contents, p.metadata[contentKey])
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	mart := engine.Mart(m, engine.Paths(b.folder, files, nil))
	if m.Merges() {
		var asking sync.Mutex
		macro := ""
		mart.Macro = func(ctx context.Context, e *engine.Engine) (string, error) {
			asking.Lock()
			defer asking.Unlock()
			if macro != "" {
				return macro, nil
			}
			noneAgree, err := e.Values(ctx,
				fmt.Sprintf("select count(*) = count(distinct hash(%s)) from %s", sql.QuoteNames(m.Key[1:]),
					sql.QuoteName(m.Name)))
			if err == nil {
				macro = m.MergedMacro(noneAgree[0] == "true")
			}
			return macro, err
		}
	}
	b.contents[m.Name], b.marts[m.Name] = contents, mart
}
