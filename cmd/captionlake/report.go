package main

import (
	"cmp"
	"errors"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/analytics/ask"
	"github.com/captionlake/captionlake/analytics/build"
	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/plots/report"
	"github.com/captionlake/captionlake/plots/site"
)

func (a *app) reportCommand() *cobra.Command {
	var options report.Options
	var noPictures bool
	var file, out string
	return flags(&cobra.Command{
		Use:   "report",
		Short: "Write the paper's tables and figures from the results",
		Long: `Write the paper's tables and figures from the results: each table as Markdown, LaTeX and CSV, each
figure as SVG, PDF and PNG, report.tex, a document of all of them, and a site around them, which opens from
index.html without a server: an overview, a page for each benchmark, captioner and mart, and the audit of
published numbers. The pages show the rows, the SQL and the runs behind each number. Published, measured and
simulated rows have separate files; choices can show published and measured rows together. Tables and figures
without rows are left out, and the page of the benchmark says why. Run analyze first.

For a paper, --choices reads a YAML file that chooses tables and figures, captioners, prompts and provenances,
and sets widths, fonts and names; plots/README.md has an example. --only and --captioner override the file.
The folder then has the chosen files, report.tex and a list of the files, report.json, and no site.

If a folder has a report already, the command replaces or removes only the files that the report lists; other
files stay.`,
		Example: `  captionlake report
  captionlake report --only leaderboard,table_03_main --out figures
  captionlake report --choices paper.yaml`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if file != "" {
				chosen, err := report.ReadChoices(file)
				if err != nil {
					return err
				}
				if cmd.Flags().Changed("only") {
					chosen.Only = options.Choices.Only
				}
				if cmd.Flags().Changed("captioner") {
					chosen.Captioners = options.Choices.Captioners
				}
				options.Choices, out = chosen, cmp.Or(out, chosen.Out)
			}
			if !options.Choices.Whole() && noPictures {
				return a.usage(errors.New(
					"chosen tables and figures have no site, and so no sample viewer; leave --no-pictures out"))
			}
			if out == "" && !options.Choices.Whole() {
				return data.Errorf("name another folder: --out figures",
					"chosen tables and figures would replace the whole report in the lake's folder")
			}
			if out == "" { // The report is in the lake, so one command at a time writes it.
				return a.editLake(func(lake *data.Lake) error {
					release, err := lake.Hold("report")
					if err != nil {
						return err
					}
					defer release()
					return a.writeReport(lake, options, noPictures, lake.Path("report"))
				})
			}
			lake, err := a.readLake()
			if err != nil {
				return err
			}
			return a.writeReport(lake, options, noPictures, out)
		},
	},
		&out, "out, o", "folder of the report (default report in the lake's folder)",
		&options.Protocol, "protocol", "show answers of this protocol (default captionqa/upstream where there are any)",
		oneName(&options.Reader), "reader", "show answers of this reader (default the one with most results)",
		&options.Choices.Only, "only", "these tables and figures only, by name; * stands for any letters",
		&options.Choices.Captioners, "captioner", "these captioners only, by id and in this order",
		&file, "choices", "YAML file that chooses the tables and figures of a paper",
		&noPictures, "no-pictures", "leave the pictures out of the site's sample viewer",
	)
}

// writeReport computes the report and writes it into the folder out.
func (a *app) writeReport(lake *data.Lake, o report.Options, noPictures bool, out string) (err error) {
	// A folder with other files is refused before the work and not after it.
	if _, err := report.Listed(out); err != nil {
		return err
	}
	if err := mustBeWhole(lake); err != nil {
		return err
	}
	a.noteBehind(build.Behind(lake))
	reader, err := ask.OpenReader(a.context, lake, engine.Options{Protocol: o.Protocol, Reader: o.Reader,
		Held: true, Threads: (runtime.GOMAXPROCS(0) + 1) / 2}) // Two SELECTs run at once, each in its own DuckDB.
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, reader.Close()) }()
	o.Progress = a.progress()
	r, err := report.Build(a.context, reader, o)
	if err != nil {
		return err
	}
	var files []report.File
	if o.Choices.Whole() {
		note := staleNote(lake)
		pages, err := site.Build(a.context, reader, r,
			site.Options{NoPictures: noPictures, Note: func() string { return note }})
		if err != nil {
			return err
		}
		files = pages.Files
	}
	if err := r.Write(out, files...); err != nil {
		return err
	}
	return show(a, r, nil, func(r *report.Report) {
		if !o.Choices.Whole() {
			a.printItems(r, out)
			return
		}
		made, skipped := r.Made()
		a.say("%d tables and figures from %s rows in %s\nLook at %s\n%d had no rows; the pages of the benchmarks say why\n",
			made, strings.Join(r.Kinds(), ", "), out, out+"/index.html", skipped)
		a.tellTime()
	})
}

// staleNote says how many rows count in no result, because their question, caption or call is gone
// or has changed. It is empty if all rows count.
func staleNote(lake *data.Lake) string {
	if stale := build.StaleText(build.Stale(lake)); stale != "" {
		return "The lake has " + stale + "."
	}
	return ""
}

// printItems lists the requested tables and figures. For each of them it prints the files, or the
// reason why there are no files.
func (a *app) printItems(r *report.Report, out string) {
	for _, i := range r.Items {
		files := strings.Join(i.Files, " ")
		if i.Skipped != "" {
			files = "not made, because " + i.Skipped
		}
		a.say("%s %s, %s rows: %s\n", i.Form, i.Name, i.Provenance, files)
	}
	a.say("in %s; report.tex there shows them all\n", out)
}
