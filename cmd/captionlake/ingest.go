package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/analytics/ask"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/gaps"
	"github.com/captionlake/captionlake/ingest"
	"github.com/captionlake/captionlake/ingest/shape"
)

func (a *app) ingestCommand() *cobra.Command {
	options := ingest.Options{Query: ask.ReadFiles, Map: map[string]string{}}
	var columns map[string]string
	return flags(&cobra.Command{
		Use:   "ingest PATH...",
		Short: "Load foreign files into the lake",
		Long:  "Load foreign files into the lake. The format is found by content:\n" + formatHelp(),
		Example: `  captionlake ingest captions/simple/Qwen_Qwen2.5-VL-3B-Instruct.json
  captionlake ingest --captioner m --prompt Simple --reader r results.json
  captionlake ingest --dry-run folder
  captionlake ingest --as captions --map "image=path, caption=pred" out.csv
  captionlake ingest --as bank questions.sql questions.parquet
  captionlake ingest --as taxonomy --domain Medical medical.yaml`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, paths []string) error {
			var known []string
			for _, s := range shape.Shapes() {
				known = append(known, s.Columns...)
			}
			for ours, theirs := range columns {
				ours = strings.TrimSpace(ours)
				if err := among("column of a shape", ours, known, "see: captionlake ingest --help"); err != nil {
					return a.usage(err)
				}
				options.Map[ours] = strings.TrimSpace(theirs)
			}
			open := a.writeLake
			if options.DryRun {
				open = a.tryLake
			}
			return open(func(lake *data.Lake) error {
				a.warnOfNewModel(lake, "captioner", options.Captioner)
				a.warnOfNewModel(lake, "reader", options.Reader)
				options.Progress = a.progress()
				results, skipped, err := ingest.LoadPaths(a.context, lake, paths, options)
				if a.asJSON {
					return errors.Join(err, a.printJSON(results))
				}
				a.printLoaded(results, skipped...)
				a.printNewUnmatched(lake, results)
				if slices.ContainsFunc(results, func(r ingest.Result) bool { return r.Changed }) {
					a.next("run --dry-run", "analyze")
				}
				return err
			})
		},
	},
		&options.Format, "as",
		"format or shape of the files, instead of detection; with a shape, a file .sql is a SELECT over the others",
		&columns, "map", "names of the shape's columns in the files, such as \"image=img_path, caption=pred\"",
		oneName(&options.Captioner), "captioner", "model that wrote the captions",
		oneName(&options.Prompt), "prompt",
		"caption prompt: Long, Short, Simple, Taxonomy-Hinted or a name of your own",
		oneName(&options.Reader), "reader",
		"model that answered the questions or judged the captions, or metric that scored them",
		oneName(&options.Domain), "domain", "domain of the items; the lake's bank counts more for captions and answers",
		&options.DryRun, "dry-run",
		"check the files and count their rows, and load nothing; "+
			"a file that needs the rows of another needs these in the lake",
		&options.Frames, "frames",
		"take the pictures of each subfolder for the frames of one item, in the natural order of their names",
		&options.Order, "option-order", "rule of a bank's option orders: full-bank or per-split",
		&options.Provenance, "provenance", "where the rows are from: published, measured or simulated",
	)
}

// tryLake passes the lake to a dry run. If there is no lake, the dry run gets an empty lake, which
// is removed afterwards.
func (a *app) tryLake(f func(*data.Lake) error) error {
	if _, err := a.readLake(); !errors.Is(err, data.ErrNotALake) { // editLake reports any other error.
		return a.editLake(f)
	}
	dir, err := os.MkdirTemp("", "captionlake-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	return a.within(a.waiter().Create, dir, f)
}

// warnOfNewModel warns of a new model if its name is close to a known one.
func (a *app) warnOfNewModel(lake *data.Lake, role, name string) {
	if id, near := ingest.NewModel(lake, name); near != "" {
		a.warn(fmt.Sprintf("the %s %s is new; did you mean %s? To remove its rows: captionlake --lake %s remove UNIT", role,
			id, near, a.lakeDir))
	}
}

// formatHelp lists the formats and the shapes for the help text.
func formatHelp() string {
	var b strings.Builder
	for _, f := range ingest.Formats() {
		fmt.Fprintf(&b, "\n  %-28s  %s", f.Name, f.What)
	}
	b.WriteString("\n\nAnything tabular comes in by a mapping or a SELECT that fills a shape; " +
		"columns in brackets may be missing:\n")
	for _, s := range shape.Shapes() {
		fmt.Fprintf(&b, "\n  %-28s  %s\n  %-28s  %s", s.Name, s.What, "", strings.Join(s.Columns[:s.Needs], ", "))
		fmt.Fprintf(&b, " [%s]", strings.Join(s.Columns[s.Needs:], ", "))
	}
	return b.String()
}

// printLoaded prints a line for each file: the rows of each table, or why nothing was loaded.
func (a *app) printLoaded(results []ingest.Result, skipped ...string) {
	t := newTable("file | format | rows")
	for _, r := range results {
		outcome := r.State
		if r.Changed || r.State == ingest.StateSound {
			var counts []string
			for _, name := range slices.Sorted(maps.Keys(r.Rows)) {
				counts = append(counts, thousands.Sprintf("%d %s", r.Rows[name], name))
			}
			outcome = strings.Join(counts, ", ")
			if !r.Changed {
				outcome = "would load " + outcome
			}
		}
		t.add(withMore(append([]string{r.Path}, r.Files...)), r.Format, outcome)
	}
	if len(skipped) > 0 {
		t.add(withMore(skipped), "", "skipped: of no known format")
	}
	a.print(t)
	for _, r := range results {
		for _, note := range r.Notes {
			a.say("Note: %s\n", note)
		}
	}
}

// withMore names the first file and counts the others.
func withMore(files []string) string {
	if more := len(files) - 1; more > 0 {
		return thousands.Sprintf("%s and %d more", files[0], more)
	}
	return files[0]
}

// printNewUnmatched notes ids in the lake without a counterpart, such as captions of unknown
// pictures, if rows were loaded. It looks up the question ids of answers only for the loaded units.
// It also notes candidate questions about nodes that a loaded taxonomy no longer has.
func (a *app) printNewUnmatched(lake *data.Lake, results []ingest.Result) {
	var units []string
	taxonomy := false
	for _, r := range results {
		if r.Changed {
			units = append(units, r.Unit)
		}
		taxonomy = taxonomy || r.Rows[data.Taxonomy.Name()] > 0
	}
	if taxonomy {
		a.printGone(lake)
	}
	if len(units) == 0 {
		return
	}
	unmatched, err := gaps.FindUnmatched(lake, units...)
	if err == nil { // After an error a file of another unit is damaged, and the loaded rows are sound.
		a.printUnmatched(unmatched)
	}
}
