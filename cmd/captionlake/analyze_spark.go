package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/captionlake/captionlake/analytics/build"
	"github.com/captionlake/captionlake/analytics/spark"
	"github.com/captionlake/captionlake/analytics/sqlmodel"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages"
	"github.com/captionlake/captionlake/stages/config"
)

// Engines that compute folds.
const (
	engineDuckDB = "duckdb"
	engineSpark  = "spark"
)

// foldFlags say who computes the folds, and where results come from or go to.
type foldFlags struct{ engine, export, folds, config string }

// spark reads the section of the configuration, which need not be there.
func (f foldFlags) spark(chosen bool) (config.Spark, error) {
	if _, err := os.Stat(f.config); errors.Is(err, os.ErrNotExist) && !chosen {
		return config.Spark{}, nil
	}
	c, err := stages.ReadConfig(f.config)
	return c.Spark, err
}

// exportFolds writes the script alone.
func (a *app) exportFolds(ctx context.Context, lake *data.Lake, f foldFlags, c config.Spark, o build.Options) error {
	script, err := build.ExportFolds(ctx, lake, sqlmodel.All(), f.export,
		build.Addresses{Lake: c.Lake, Results: c.Results}, o)
	return show(a, map[string]string{"script": script}, err, func(map[string]string) {
		a.say("%s computes the folds. Run it with spark-sql -f, or in a notebook; then: captionlake --lake %s analyze --engine spark --folds %s\n",
			script, a.lakeDir, f.export)
	})
}

// runSpark has Spark compute the folds. It returns the folder with the results; done removes it.
func (a *app) runSpark(ctx context.Context, lake *data.Lake, c config.Spark, o build.Options) (folder string,
	done func() error, err error) {
	return build.OnSpark(ctx, lake, c.Lake, spark.Options{Command: c.Command, Arguments: c.Arguments}, o,
		func(log string) {
			if !a.quiet {
				fmt.Fprintf(a.stderr, "Spark computes the folds; what it says goes to %s\n", log)
			}
		})
}
