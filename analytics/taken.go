package analytics

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/captionlake/captionlake/analytics/spark"
	"github.com/captionlake/captionlake/data"
)

// takenFolds are the rows of folds that another engine has computed.
type takenFolds struct {
	engine string              // and its version
	paths  map[string][]string // of the files with the rows of each fold
}

// engineKey is the metadata of a fold's mart that names the engine that computed it last, where another than this program's did.
const engineKey = "captionlake.engine"

// has reports whether the rows of a fold can be taken.
func (t *takenFolds) has(m Model) bool {
	if t == nil {
		return false
	}
	_, ok := t.paths[m.Name]
	return ok
}

// all is the query of the rows of a fold.
func (t *takenFolds) all(m Model) string {
	var columns []string
	for _, c := range m.Columns {
		if c.made == "" {
			columns = append(columns, quoteName(c.Name))
		}
	}
	if len(t.paths[m.Name]) == 0 {
		return "select null as " + strings.Join(columns, ", null as ") + " where false"
	}
	return "select " + strings.Join(columns, ", ") + " from " + readFiles(t.paths[m.Name])
}

// rows is the query of the rows of a part of a fold.
func (t *takenFolds) rows(m Model, p part) string {
	if !m.inBuckets() || len(t.paths[m.Name]) == 0 {
		return t.all(m)
	}
	return t.all(m) + " where list_contains(cast(" + quoteList(p.units) + " as varchar[]), unit)"
}

func readFiles(paths []string) string {
	escaped := make([]string, len(paths))
	for i, path := range paths {
		escaped[i] = globEscape.Replace(path)
	}
	return "read_parquet(" + quoteList(escaped) + ")"
}

// notWhole is the error of results that cannot be taken.
func notWhole(hint, format string, args ...any) error {
	return data.WithHint(fmt.Errorf(format, args...), "%s", hint)
}

const (
	runAgain    = "run the script again, whole, and copy all of its folders; the lake is as it was"
	exportAgain = "export the script again, with the same options, and run that; the lake is as it was"
)

// takeFolds holds the folder of another engine's results against the script that the lake would be given now, before anything is built: it
// is an error if they were computed by another script, or from other files, or are not whole.
func (b *builder) takeFolds(ctx context.Context, models []Model) (*takenFolds, error) {
	script, err := b.handOver(ctx, models, Addresses{})
	if err != nil {
		return nil, err
	}
	paths, err := resultFiles(b.given + spark.Finished)
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, notWhole(runAgain, "%s is not whole: the folder %s, which the script writes last, is missing", b.given, spark.Finished)
	}
	_, rows, err := b.engine.strings(ctx, "select script, version, folder, n_rows from "+readFiles(paths), 0)
	if err != nil {
		return nil, notWhole(runAgain, "%s%s cannot be read: %w", b.given, spark.Finished, err)
	}
	t, counts := &takenFolds{paths: map[string][]string{}}, map[string]int64{}
	for _, row := range rows {
		if row[0] != script.ID {
			return nil, notWhole(exportAgain, "%s has results of another script: the lake, captionlake or the options are not those of the export", b.given)
		}
		version, _, _ := strings.Cut(row[1], " ")
		t.engine = "Spark " + version
		if counts[row[2]], err = strconv.ParseInt(row[3], 10, 64); err != nil {
			return nil, err
		}
	}
	for _, m := range models {
		if m.Fold == "" {
			continue
		}
		want, written := counts[m.Name]
		if !written {
			return nil, notWhole(runAgain, "%s is not whole: the script did not get to %s", b.given, m.Name)
		}
		if t.paths[m.Name], err = resultFiles(b.given + m.Name); err != nil {
			return nil, err
		}
		got, err := b.engine.count(ctx, "("+t.all(m)+")")
		if err != nil {
			return nil, notWhole(runAgain, "%s%s cannot be read: %w", b.given, m.Name, err)
		}
		if got != want {
			return nil, notWhole(runAgain, "%s%s has %d rows, and the engine wrote %d: files are missing, or were left from another run", b.given, m.Name, got, want)
		}
	}
	return t, nil
}

// resultFiles are the Parquet files of a folder of results, without what engines keep there for themselves.
func resultFiles(folder string) (paths []string, err error) {
	entries, err := os.ReadDir(folder)
	if os.IsNotExist(err) {
		return nil, nil
	}
	for _, entry := range entries {
		if name := entry.Name(); strings.HasSuffix(name, ".parquet") && name[0] != '_' && name[0] != '.' {
			paths = append(paths, filepath.ToSlash(filepath.Join(folder, name)))
		}
	}
	return paths, err
}
