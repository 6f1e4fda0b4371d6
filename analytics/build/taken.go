package build

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/analytics/spark"
	"github.com/captionlake/captionlake/analytics/sqlmodel"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/sql"
)

// takenFolds are the rows of folds that Spark has computed and that the marts take from its files.
type takenFolds struct {
	engine string // Spark and its version
	folder string // has a folder of files for each fold
}

// engineKey names the metadata in a mart's file that says which engine computed the rows, if this
// was not DuckDB.
const engineKey = "captionlake.engine"

// has reports whether the rows of a model are taken from Spark's files. If t is nil, no rows are.
func (t *takenFolds) has(m sqlmodel.Model) bool { return t != nil && m.Fold != "" }

// files is the relation of the files that Spark wrote into a folder.
func (t *takenFolds) files(folder string) string {
	return "read_parquet(" + sql.Quote(sql.Pattern(t.folder+folder)+"/*.parquet") + ")"
}

// rows is the query that reads one part of a fold from Spark's files. narrowed is the input with
// the rows of the part alone: the part has the units, or the values of m.By, that the input has.
func (t *takenFolds) rows(m sqlmodel.Model, narrowed []engine.Relation) string {
	query := "select * from " + t.files(m.Name)
	for _, input := range narrowed {
		query += fmt.Sprintf(" where %[1]s in (select %[1]s from %[2]s)", cmp.Or(m.By, sqlmodel.UnitColumn),
			input.Name)
	}
	return query
}

// Hints of takeFolds.
const (
	runAgain    = "run the script again, whole, and copy all of its folders; the lake is as it was"
	exportAgain = "export the script again, with the same options, and run that; the lake is as it was"
)

// takeFolds checks Spark's results before anything is built. It is an error if results are missing,
// or if they come from another script than ExportFolds would write now. The digest of the script
// also covers the state of the tables.
func (b *builder) takeFolds(ctx context.Context, models []sqlmodel.Model) (*takenFolds, error) {
	_, digest, err := b.foldsScript(ctx, models)
	if err != nil {
		return nil, err
	}
	t := &takenFolds{folder: b.o.Folds}
	written := map[string]string{} // by folder: how many rows Spark wrote
	_, rows, err := b.engine.Strings(ctx, "select folder, n_rows, script, version from "+t.files(spark.Finished))
	if err != nil {
		return nil, data.Errorf(runAgain,
			"%s is not whole: the folder %s, which the script writes last, cannot be read: %w", b.o.Folds,
			spark.Finished, err)
	}
	for _, row := range rows {
		folder, count, script, version := row[0], row[1], row[2], row[3]
		if script != digest {
			return nil, data.Errorf(exportAgain,
				"%s has results of another script: the lake, captionlake or the options have changed since the export",
				b.o.Folds)
		}
		number, _, _ := strings.Cut(version, " ") // A commit follows the number.
		written[folder], t.engine = count, "Spark "+number
	}
	for _, m := range models {
		if !t.has(m) {
			continue
		}
		got, err := b.engine.Count(ctx, t.files(m.Name))
		if err != nil {
			return nil, data.Errorf(runAgain, "%s%s cannot be read: %w", b.o.Folds, m.Name, err)
		}
		if strconv.FormatInt(got, 10) != written[m.Name] {
			return nil, data.Errorf(runAgain,
				"%s%s has %d rows, and Spark wrote %s: files are missing, or were left from another run", b.o.Folds,
				m.Name, got, cmp.Or(written[m.Name], "none"))
		}
	}
	return t, nil
}
