package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/analytics"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/plots/report"
	"github.com/captionlake/captionlake/plots/site"
)

func (a *app) reportCommand() *cobra.Command {
	var engine analytics.EngineOptions
	var options report.Options
	var out string
	c := &cobra.Command{
		Use:   "report",
		Short: "Write the paper's tables and figures from the results",
		Long: `Write the paper's tables and figures from the results: each table as Markdown, LaTeX and CSV, each figure as SVG, PDF
and PNG, tables.tex, a document of all tables, and a site around them, which opens from index.html without a server: an
overview, a page for each benchmark, captioner and mart, the audit, and from which rows, SQL and runs each number came.
Published, measured and simulated rows are never mixed: each kind has files of its own. What has no rows is left out, and
the page of the benchmark says why.

Of a report that is there already, the files that it lists are replaced or removed; all other files stay. Run analyze first.`,
		Example: `  captionlake report
  captionlake report --out paper --reader Qwen/Qwen2.5-72B-Instruct`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if out == "" { // the report is a part of the lake, so nothing else may write to the lake meanwhile
				return a.editLake(cmd, func(lake *data.Lake) error {
					return a.writeReport(cmd.Context(), lake, engine, options, lake.Path("report"))
				})
			}
			lake, err := a.readLake()
			if err != nil {
				return err
			}
			return a.writeReport(cmd.Context(), lake, engine, options, out)
		},
	}
	f := c.Flags()
	f.StringVarP(&out, "out", "o", "", "folder of the report (default report in the lake's folder)")
	f.StringVar(&options.Protocol, "protocol", "", "show answers of this protocol (default captionqa/upstream where there are any)")
	f.StringVar(&options.Reader, "reader", "", "show answers of this reader (default the one with most results)")
	a.engineFlags(c, &engine)
	return c
}

func (a *app) writeReport(ctx context.Context, lake *data.Lake, engine analytics.EngineOptions, o report.Options, out string) (err error) {
	if err := report.Replaceable(out); err != nil { // before the work, not after it
		return err
	}
	if err := mustBeWhole(lake); err != nil {
		return err
	}
	reader, err := analytics.OpenReader(ctx, lake, engine)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, reader.Close()) }()
	bar := a.progress()
	o.Progress = bar.told()
	source := newReportSource(lake, reader)
	r, err := report.Build(ctx, source, o)
	bar.done()
	if err != nil {
		return err
	}
	pages, err := site.Build(ctx, source, r, site.Options{})
	if err != nil {
		return err
	}
	if err := r.Write(out, pages.Files()...); err != nil {
		return err
	}
	if a.asJSON {
		return printJSON(a.stdout, r)
	}
	made, skipped := r.Made()
	_, err = fmt.Fprintf(a.stdout, "%d tables and figures from %s rows in %s\nLook at %s\n%d had no rows; the pages of the benchmarks say why\n",
		made, strings.Join(r.Kinds(), ", "), out, out+"/index.html", skipped)
	return err
}
