package main

import (
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

// foldFlags say which engine computes the folds.
type foldFlags struct {
	engine  string // engineDuckDB or engineSpark
	export  string // folder for the script that Spark will run; empty to run Spark now
	results string // folder with the results of a script that was exported before; empty to compute the folds
	config  string // configuration file
}

// spark reads the section spark of the configuration file. The file may be missing unless the user
// named it.
func (f foldFlags) spark(named bool) (config.Spark, error) {
	if _, err := os.Stat(f.config); errors.Is(err, os.ErrNotExist) && !named {
		return config.Spark{}, nil
	}
	c, err := stages.ReadConfig(f.config)
	return c.Spark, err
}

// exportFolds writes the script for Spark and computes nothing.
func (a *app) exportFolds(lake *data.Lake, f foldFlags, c config.Spark, o build.Options) error {
	script, err := build.ExportFolds(a.context, lake, sqlmodel.All(), f.export,
		build.Addresses{Lake: c.Lake, Results: c.Results}, o)
	return show(a, map[string]string{"script": script}, err, func(map[string]string) {
		a.say("%s computes the folds. Run it with spark-sql -f, or in a notebook; "+
			"then: captionlake --lake %s analyze --engine spark --folds %s\n", script, a.lakeDir, f.export)
	})
}

// spark says how Spark is started by the configuration c. A message says when Spark starts.
func (a *app) spark(c config.Spark) *build.Spark {
	return &build.Spark{
		Options: spark.Options{Command: c.Command, Arguments: c.Arguments},
		Address: c.Lake,
		Begins: func(log string) {
			if !a.quiet {
				fmt.Fprintf(a.stderr, "Spark computes the folds; its messages go to %s\n", log)
			}
		},
	}
}
