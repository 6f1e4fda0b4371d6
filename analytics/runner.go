package analytics

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/captionlake/captionlake/data"
)

// What became of a model in a run.
const (
	StateBuilt     = "built"     // the mart was computed, checked and published
	StateUnchanged = "unchanged" // the model and its inputs are those of the mart that the lake holds
	StateFailed    = "failed"    // an error, a check or an audit kept the mart from being published
	StateSkipped   = "skipped"   // an input failed
)

// A ModelReport says what became of one model.
type ModelReport struct {
	Model    string        `json:"model"`
	State    string        `json:"state"`
	Rows     int64         `json:"rows"`
	Duration time.Duration `json:"duration_ns"`
}

// RunOptions say how models are built. The zero value is good for most.
type RunOptions struct {
	Engine   EngineOptions
	Sampling SamplingOptions
	Progress func(ModelReport) // called after each model, if set
	Note     func(string)      // told what a user should know beyond the reports, if set
}

// Analyze builds every model of package sql whose inputs have changed and then the lake's DuckDB file. The lake must
// be open for writing.
//
// A model that fails leaves its earlier mart in place, and the models that read it are skipped; the others are built.
// The error then joins what went wrong, and the reports cover all models.
func Analyze(ctx context.Context, lake *data.Lake, o RunOptions) ([]ModelReport, error) {
	models, err := Models()
	if err != nil {
		return nil, err
	}
	reports, err := Build(ctx, lake, models, o)
	if ctx.Err() != nil || reports == nil {
		return reports, err
	}
	built, faults := modelsOf(lake)
	if faults != nil {
		return reports, errors.Join(err, faults)
	}
	return reports, errors.Join(err, WriteCatalog(ctx, lake, built, o.Engine))
}

// Build builds the given models, which must be in building order, as Order and Models return them. See Analyze.
func Build(ctx context.Context, lake *data.Lake, models []Model, o RunOptions) ([]ModelReport, error) {
	b, err := newBuilder(ctx, lake, o)
	if err != nil {
		return nil, err
	}
	reports, err := b.all(ctx, models)
	return reports, errors.Join(err, b.engine.close())
}

// A builder builds models one after the other in one engine.
type builder struct {
	lake         *data.Lake
	engine       *engine
	folder       string
	sampling     SamplingOptions
	fingerprints map[string]string            // of the base tables and marts, as far as they were asked for
	tables       map[string]relation          // the base tables
	whole        map[string]bool              // the big tables whose views show all rows now
	unitsOf      map[string]map[string]string // the units of base tables, as far as they were asked for
	rowsOf       map[string]map[string]int64  // how many rows these have
	progress     func(ModelReport)
	note         func(string)
}

func newBuilder(ctx context.Context, lake *data.Lake, o RunOptions) (*builder, error) {
	if err := mustWrite(lake); err != nil {
		return nil, err
	}
	note := o.Note
	if note == nil {
		note = func(string) {}
	}
	if err := mustBeWhole(lake, note); err != nil {
		return nil, err
	}
	folder, err := lakeFolder(lake)
	if err != nil {
		return nil, err
	}
	e, err := openEngine(ctx, engineConfig{spill: folder + "journal/spill", folders: []string{folder}, options: o.Engine})
	if err != nil {
		return nil, err
	}
	b := &builder{
		lake: lake, engine: e, folder: folder, sampling: o.Sampling, fingerprints: map[string]string{}, progress: o.Progress, note: note,
		tables: map[string]relation{}, whole: map[string]bool{}, unitsOf: map[string]map[string]string{}, rowsOf: map[string]map[string]int64{},
	}
	if err := b.prepare(ctx); err != nil {
		return nil, errors.Join(err, e.close())
	}
	return b, nil
}

// mustWrite reports an error unless the lake is open for writing: a unit can only begin then.
func mustWrite(lake *data.Lake) error {
	tx, err := lake.Begin(data.Unit{Stage: "analyze", Name: "lock", Provenance: data.ProvenanceMeasured})
	if err != nil {
		return err
	}
	tx.Abort()
	return nil
}

// mustBeWhole refuses a lake with files that are not those that were committed. DuckDB does not compare pages with their
// checksums, so that results from damaged files would be wrong without a word.
func mustBeWhole(lake *data.Lake, note func(string)) error {
	check, err := lake.CheckTables()
	if err != nil {
		return err
	}
	if n := len(check.Unproven); n > 0 {
		note(fmt.Sprintf("%d units were written before digests were recorded, so damage in their files cannot be seen; read them whole and record their digests with: captionlake status --verify --record", n))
	}
	return check.Err(lake)
}

// prepare makes the macros and the views over the base tables.
func (b *builder) prepare(ctx context.Context) error {
	if err := b.engine.exec(ctx, macros); err != nil {
		return fmt.Errorf("macros: %w", err)
	}
	if err := b.sampling.set(ctx, b.engine); err != nil {
		return err
	}
	tables, err := tableRelations(b.lake)
	if err != nil {
		return err
	}
	for i, r := range tables {
		b.tables[r.name] = r
		if isBig(r.name) { // Its files are listed when a model reads them, and then only those that are needed.
			tables[i].glob = ""
		}
	}
	if err := b.engine.createViews(ctx, b.from(), tables); err != nil {
		return err
	}
	return b.engine.exec(ctx, "set lock_configuration = true")
}

// from is the SQL literal of the lake's folder.
func (b *builder) from() string { return quote(globEscape.Replace(b.folder)) }

func (b *builder) all(ctx context.Context, models []Model) ([]ModelReport, error) {
	if slices.ContainsFunc(models, func(m Model) bool { return m.domains != nil }) {
		domains, err := b.domains(ctx)
		if err != nil {
			return nil, err
		}
		if models, err = repeated(models, domains); err != nil {
			return nil, err
		}
	}
	reports := make([]ModelReport, 0, len(models))
	var faults []error
	blocked := map[string]bool{}
	for _, m := range models {
		report := ModelReport{Model: m.Name, State: StateSkipped}
		start := time.Now()
		if i := slices.IndexFunc(m.Inputs, func(input string) bool { return blocked[input] }); i >= 0 {
			blocked[m.Name] = true
			faults = append(faults, fmt.Errorf("model %s: not built, because its input %s failed", m.Name, m.Inputs[i]))
		} else {
			var err error
			report.State, report.Rows, err = b.model(ctx, m)
			if err != nil {
				report.State = StateFailed
				blocked[m.Name] = true
				faults = append(faults, fmt.Errorf("model %s: %w", m.Name, err))
			}
		}
		report.Duration = time.Since(start)
		reports = append(reports, report)
		if b.progress != nil {
			b.progress(report)
		}
		if err := ctx.Err(); err != nil {
			return reports, err
		}
	}
	return reports, joinFaults(faults)
}

// model builds one model, or finds that there is nothing to do.
func (b *builder) model(ctx context.Context, m Model) (state string, rows int64, err error) {
	provenance, err := b.provenance(m)
	if err != nil {
		return "", 0, err
	}
	var now foldState
	if m.Fold != "" {
		if now, err = b.foldState(ctx, m, provenance[printKey]); err != nil {
			return "", 0, err
		}
		provenance[printKey] = now.print()
	}
	same, changed, err := b.lake.AsPublished(martFile(m.Name))
	if err != nil {
		return "", 0, err
	}
	if changed {
		b.note(fmt.Sprintf("%s was not the file that analyze had written; it is computed anew", b.lake.Path(martFile(m.Name))))
	}
	var held map[string]string
	if same {
		held, rows = martMetadata(b.lake, m.Name)
	}
	old := heldState(held)
	if same && held[printKey] == provenance[printKey] {
		b.fingerprints[m.Name] = held[printKey]
		return StateUnchanged, rows, b.view(ctx, m, old.Spans)
	}
	if m.Fold == "" {
		err = errors.Join(b.widen(ctx, m, ""), b.computeWhole(ctx, m))
	} else {
		err = b.computeFold(ctx, m, old, now)
	}
	table := quoteName(m.Name)
	if err == nil {
		err = b.checkCounts(ctx, m)
	}
	if err == nil {
		err = b.engine.verifyAudits(ctx, m)
	}
	if err != nil {
		return "", 0, errors.Join(err, b.engine.exec(ctx, "drop table if exists "+table))
	}
	if m.Fold != "" {
		if now.Spans, err = b.spans(ctx, m); err != nil {
			return "", 0, err
		}
		provenance[stateKey] = now.text()
	}
	if rows, err = b.engine.count(ctx, table); err != nil {
		return "", 0, err
	}
	if err := b.publish(ctx, m, provenance); err != nil {
		return "", 0, err
	}
	if err := b.engine.exec(ctx, "drop table "+table); err != nil {
		return "", 0, err
	}
	b.fingerprints[m.Name] = provenance[printKey]
	return StateBuilt, rows, b.view(ctx, m, now.Spans)
}

// view makes the view over the mart of a model, and its macros.
func (b *builder) view(ctx context.Context, m Model, spans bool) error {
	r := martRelation(m)
	if macro := m.mergedMacro(spans); macro != "" {
		r.macros = []string{macro}
	}
	return b.engine.createViews(ctx, b.from(), []relation{r})
}

func (e *engine) count(ctx context.Context, relation string) (n int64, err error) {
	err = e.conn.QueryRowContext(ctx, "select count(*) from "+relation).Scan(&n)
	return n, err
}

// publish writes the mart to a temporary file of the journal, makes it durable and gives it its name.
func (b *builder) publish(ctx context.Context, m Model, provenance map[string]string) error {
	for _, c := range m.Columns {
		if c.Name != "provenance" {
			continue
		}
		_, rows, err := b.engine.strings(ctx, "select distinct provenance from "+quoteName(m.Name)+" order by provenance", 0)
		if err != nil {
			return err
		}
		provenance["captionlake.provenance"] = strings.Join(slices.Concat(rows...), ", ")
	}
	temp := "journal/mart-" + m.Name + ".parquet.tmp"
	if err := b.engine.exec(ctx, copyStatement(m, b.folder+temp, provenance)); err != nil {
		return errors.Join(fmt.Errorf("write %s: %w", martFile(m.Name), err), b.lake.Store().Remove(temp))
	}
	if err := syncFile(b.lake.Path(temp)); err != nil {
		return errors.Join(err, b.lake.Store().Remove(temp))
	}
	return b.lake.Publish(temp, martFile(m.Name))
}

// copyStatement writes the table of a model to a Parquet file: sorted by its key, zstd, field ids in the order of the
// columns, list elements included, and the provenance as metadata of the file.
func copyStatement(m Model, file string, provenance map[string]string) string {
	columns := make([]string, len(m.Columns))
	ids := make([]string, len(m.Columns))
	id := 0
	for i, c := range m.Columns {
		columns[i] = c.Name
		id++
		ids[i] = fmt.Sprintf("%s: %d", quoteName(c.Name), id)
		if strings.HasSuffix(c.Type, "[]") {
			ids[i] = fmt.Sprintf("%s: {__duckdb_field_id: %d, element: %d}", quoteName(c.Name), id, id+1)
			id++
		}
	}
	var metadata []string
	for _, key := range slices.Sorted(maps.Keys(provenance)) {
		metadata = append(metadata, fmt.Sprintf("%s: %s", quoteName(key), quote(provenance[key])))
	}
	return fmt.Sprintf("copy (select %s from %s order by %s) to %s (format parquet, compression zstd, row_group_size 100000, field_ids {%s}, kv_metadata {%s})",
		quoteNames(columns), quoteName(m.Name), quoteNames(m.Key), quote(file), strings.Join(ids, ", "), strings.Join(metadata, ", "))
}

func syncFile(name string) error {
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
