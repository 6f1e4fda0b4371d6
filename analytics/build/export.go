package build

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/captionlake/captionlake/analytics/spark"
	"github.com/captionlake/captionlake/analytics/sqlmodel"
	"github.com/captionlake/captionlake/data"
)

// Addresses are the lake's folder and the folder for results as Spark sees them, such as
// s3a://bucket/lake. An empty address stands for the folder's path on this machine.
type Addresses struct{ Lake, Results string }

// ExportFolds writes the folds as a script of Spark SQL into a folder. The script will write its
// results into the same folder. at says where Spark sees the lake and the folder. The lake must be
// open for writing, as for Analyze; nothing in the lake changes. ExportFolds returns the script's
// path.
func ExportFolds(ctx context.Context, lake *data.Lake, models []sqlmodel.Model, folder string, at Addresses,
	o Options) (script string, err error) {
	o.Folds = "" // The results do not exist yet.
	full, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	var text string
	err = withBuilder(ctx, lake, o, func(b *builder) error {
		if text, _, err = b.foldsScript(ctx, models); err == nil {
			// A cluster takes a path without file:// for a path in its own store.
			text = spark.Addressed(text, cmp.Or(at.Lake, "file://"+b.folder),
				cmp.Or(at.Results, "file://"+filepath.ToSlash(full)))
		}
		return err
	})
	if err != nil {
		return "", err
	}
	script = filepath.Join(folder, spark.ScriptFile)
	return script, errors.Join(os.MkdirAll(folder, 0o777), os.WriteFile(script, []byte(text), 0o666))
}

// A Spark says how Apache Spark is started to compute the folds.
type Spark struct {
	spark.Options                  // command and arguments; computeFolds sets Folder and Log
	Address       string           // the lake's folder as Spark sees it; empty for its path on this machine
	Begins        func(log string) // called with the log of Spark before it starts
}

// sparkFolder is the folder of a lake with the results of a Spark that Analyze starts.
const sparkFolder = "journal/spark"

// computeFolds has Spark compute the folds of all SQL models into sparkFolder.
func (s Spark) computeFolds(ctx context.Context, lake *data.Lake, o Options) error {
	folder := lake.Path(sparkFolder)
	if err := os.RemoveAll(folder); err != nil { // A run that was killed may have left the folder.
		return err
	}
	at := Addresses{Lake: s.Address}
	if s.Address != "" {
		at.Results = s.Address + "/" + sparkFolder
	}
	script, err := ExportFolds(ctx, lake, sqlmodel.All(), folder, at, o)
	if err != nil {
		return err
	}
	s.Folder, s.Log = filepath.Join(folder, "scratch"), lake.Path("cache/spark.log")
	if err := errors.Join(os.MkdirAll(s.Folder, 0o777), os.MkdirAll(filepath.Dir(s.Log), 0o777)); err != nil {
		return err
	}
	s.Begins(s.Log)
	return spark.Run(ctx, s.Options, script)
}

// foldsScript is the script of all folds, before its addresses are filled in, and its digest.
func (b *builder) foldsScript(ctx context.Context, models []sqlmodel.Model) (script, digest string, err error) {
	// the seed, and the prompts as SQL literals with commas between them
	sampling, err := b.engine.Values(ctx, `
		select sampling_seed(),
			string_agg(chr(39) || replace(p, chr(39), repeat(chr(39), 2)) || chr(39), ', ' order by p)
		from unnest(pool_prompts()) as t (p)`)
	if err != nil {
		return "", "", err
	}
	// rowsAsJSON computes a model with DuckDB, so that the script can hold its rows.
	rowsAsJSON := func(m sqlmodel.Model) (string, error) {
		if err := b.showInputs(ctx, b.engine, m); err != nil {
			return "", err
		}
		rows, err := b.engine.Values(ctx,
			"select coalesce(cast(to_json(list(r order by r)) as varchar), '[]') from ("+m.Typed(m.Select)+") as r")
		if err != nil {
			return "", err
		}
		return rows[0], nil
	}
	return spark.Script(models,
		spark.Lake{Units: b.units, Rows: rowsAsJSON, Seed: sampling[0], Prompts: sampling[1]})
}
