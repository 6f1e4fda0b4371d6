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

// takenFolds are the rows of folds that Spark has computed.
type takenFolds struct{ engine, folder string }

// engineKey is the metadata of a fold's mart that names the engine that computed it last, if this
// was another engine than this program's.
const engineKey = "captionlake.engine"

// has reports whether the rows of a model are to be taken.
func (t *takenFolds) has(m sqlmodel.Model) bool { return t != nil && m.Fold != "" }

// files is the relation of the files that Spark wrote into a folder.
func (t *takenFolds) files(folder string) string {
	return "read_parquet(" + sql.Quote(engine.Pattern(t.folder+folder)+"/*.parquet") + ")"
}

// rows is the query that reads one part of a fold. The part reads a part of a table or of another
// fold; its rows have the units, or the values of m.By, of that part.
func (t *takenFolds) rows(m sqlmodel.Model, narrowed []engine.Relation) string {
	query := "select * from " + t.files(m.Name)
	for _, of := range narrowed {
		query += fmt.Sprintf(" where %[1]s in (select %[1]s from %[2]s)", cmp.Or(m.By, sqlmodel.UnitColumn), of.Name)
	}
	return query
}

const (
	runAgain    = "run the script again, whole, and copy all of its folders; the lake is as it was"
	exportAgain = "export the script again, with the same options, and run that; the lake is as it was"
)

// takeFolds compares Spark's results with the script that the lake would be given now, before
// anything is built. It is an error if the results were computed by another script, or from other
// files, or are not whole.
func (b *builder) takeFolds(ctx context.Context, models []sqlmodel.Model) (*takenFolds, error) {
	_, digest, err := b.foldsScript(ctx, models)
	if err != nil {
		return nil, err
	}
	t, counts := &takenFolds{folder: b.o.Folds}, map[string]string{}
	_, rows, err := b.engine.Strings(ctx, "select folder, n_rows, script, version from "+t.files(spark.Finished))
	if err != nil {
		return nil, data.Errorf(runAgain,
			"%s is not whole: the folder %s, which the script writes last, cannot be read: %w", b.o.Folds,
			spark.Finished, err)
	}
	for _, row := range rows {
		if row[2] != digest {
			return nil, data.Errorf(exportAgain,
				"%s has results of another script: the lake, captionlake or the options have changed since the export",
				b.o.Folds)
		}
		version, _, _ := strings.Cut(row[3], " ")
		counts[row[0]], t.engine = row[1], "Spark "+version
	}
	for _, m := range models {
		if !t.has(m) {
			continue
		}
		got, err := b.engine.Count(ctx, t.files(m.Name))
		if err != nil {
			return nil, data.Errorf(runAgain, "%s%s cannot be read: %w", b.o.Folds, m.Name, err)
		}
		if strconv.FormatInt(got, 10) != counts[m.Name] {
			return nil, data.Errorf(runAgain,
				"%s%s has %d rows, and Spark wrote %s: files are missing, or were left from another run", b.o.Folds,
				m.Name, got, cmp.Or(counts[m.Name], "none"))
		}
	}
	return t, nil
}
