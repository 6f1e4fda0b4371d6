package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/analytics/ask"
	"github.com/captionlake/captionlake/analytics/build"
	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/plots/report"
	"github.com/captionlake/captionlake/plots/site"
	"github.com/captionlake/captionlake/stages/web"
	"github.com/captionlake/captionlake/stages/web/query"
)

// serveOptions are the flags of serve about its pages and its queries.
type serveOptions struct {
	report report.Options
	limit  time.Duration // of one query
	memory string        // that DuckDB may use for one query
}

func (a *app) serveCommand() *cobra.Command {
	o := serveOptions{limit: 30 * time.Second, memory: boxMemory}
	port := 8767
	return flags(&cobra.Command{
		Use:   "serve",
		Short: "Serve results, every sample and a box for SQL in a browser",
		Long: `Serve the pages that report writes as a site that follows the lake: results, figures, the audit, the
provenance of every number, and the sample viewer, with every question, rubric element and battle beside its
picture, captions and raw replies. After analyze has written other marts, the pages are made anew; after
tables were written to, the pages say so.

A page takes SQL: one select over the lake. Two queries run at a time, each in a process of its own. The
process ends after --timeout, when the query is cancelled, or when it takes much more than --memory (default
` + boxMemory + `), which DuckDB may use before it spills. Rows are shown as a table, or downloaded as CSV, Parquet,
Arrow or JSON.

The command prints an address with a token, which works in a browser on this machine, or through a tunnel to
it. If the variable ` + web.TokenVariable + ` has ` + fmt.Sprint(web.LeastToken) + ` characters or more,
it is the token at every start.`,
		Example: `  captionlake serve
  captionlake serve --port 0 --timeout 2m`,
		RunE: func(*cobra.Command, []string) error {
			token, err := web.Token()
			switch {
			case err != nil:
				return err
			case o.limit < time.Second || o.limit > time.Hour:
				return a.usage(fmt.Errorf("--timeout %v is no time that a browser waits; write 1s to 1h", o.limit))
			}
			lake, err := a.readLake()
			if err != nil {
				return err
			}
			return a.serve(lake, o, port, token)
		},
	},
		&port, "port", "port to serve on; 0 takes any free one",
		&o.limit, "timeout", "time after which a query is stopped",
		&o.report.Protocol, "protocol",
		"show answers of this protocol (default captionqa/upstream where there are any)",
		oneName(&o.report.Reader), "reader", "show answers of this reader (default the one with most results)",
		&o.memory, "memory", "memory that a query may use before it spills to disk, such as 4GB",
	)
}

// serve serves the site of the report, which follows the lake, and below sql/ the page for queries.
func (a *app) serve(lake *data.Lake, o serveOptions, port int, token string) (err error) {
	o.report.Progress = a.progress()
	pages, err := site.OpenLive(a.context, lake, site.LiveOptions{
		Report: o.report, Links: []site.Link{{Path: "sql/", Words: "SQL"}}, // A written report has no such page.
		Open: func(ctx context.Context) (site.LiveSource, error) {
			if err := mustBeWhole(lake); err != nil {
				return nil, err
			}
			return ask.OpenReader(ctx, lake, engine.Options{Protocol: o.report.Protocol, Reader: o.report.Reader})
		},
		Know:   func() (string, error) { return resultsNote(lake) },
		Failed: func(err error) { a.warn(fmt.Sprintf("the pages were not made anew: %v", err)) },
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, pages.Close()) }()
	box, err := query.New(query.Options{
		Ask: func(ctx context.Context, text, format string, rows int64, out io.Writer) error {
			return a.askBox(ctx, o.memory, text, format, rows, out)
		},
		Tables: func() ([]query.Table, error) { return queryTables(lake) }, Note: pages.Note, Limit: o.limit,
	})
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("/sql/", http.StripPrefix("/sql", box.Handler()))
	mux.Handle("/", pages)
	return web.Serve(a.context, port, token, mux, func(address string) {
		a.say("Open %s\nCtrl-C stops the server.\n", address)
	})
}

// resultsNote says that the results are older than the tables, or else how many rows count in no
// result. It is empty if the results are up to date and all rows count.
func resultsNote(lake *data.Lake) (string, error) {
	behind, err := build.Behind(lake)
	if len(behind) > 0 {
		return fmt.Sprintf("The results are older than the tables %s: captionlake analyze makes them anew.",
			strings.Join(behind, ", ")), err
	}
	return staleNote(lake), err
}

// queryTables are the tables, marts and shortcuts that the lake has now, for the page of queries.
func queryTables(lake *data.Lake) ([]query.Table, error) {
	docs, err := ask.LakeDocs(lake)
	if err != nil {
		return nil, err
	}
	tables := make([]query.Table, len(docs))
	for i, d := range docs {
		tables[i] = query.Table{Name: cmp.Or(d.Use, d.Name), Kind: d.Kind, What: d.What, Example: d.Example,
			Columns: d.Columns}
	}
	return tables, nil
}
