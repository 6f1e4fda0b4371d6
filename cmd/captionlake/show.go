package main

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/analytics"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/spelling"
	"github.com/captionlake/captionlake/plots"
	"github.com/captionlake/captionlake/plots/ggsql"
	"github.com/captionlake/captionlake/plots/report"
	"github.com/captionlake/captionlake/sql"
)

// showOptions say what is written.
type showOptions struct {
	out, provenance, width string
	bare                   bool
}

func (a *app) showCommand() *cobra.Command {
	var o showOptions
	values := map[string]*string{}
	c := &cobra.Command{
		Use:   "show [NAME | FILE.sql]",
		Short: "Show an answer, a table or a figure, by name or from your own file",
		Long: `Show what the lake has to say: the answer to a question that is asked often, or a figure, by its name, or what a SELECT
of your own file gives. Without a name it lists all; show tables lists what a SELECT can read.

--out writes a file, whose ending says the form: md, tex, csv, json or parquet, and of a figure svg, pdf or png. With the
ending sql it is the file that is shown, to be changed: then show that. sql/figures/README.md says how a SELECT is drawn.`,
		Example: `  captionlake show
  captionlake show best_captioner --prompt Long
  captionlake show trusted_reader --out readers.tex
  captionlake show best_captioner --out mine.sql
  captionlake show mine.sql --out mine.csv
  captionlake show utility_gap --provenance published --width acl --out gap.pdf`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			files, err := ggsql.All(sql.Shown())
			if err != nil {
				return err
			}
			if len(args) == 0 {
				return a.listShown(files)
			}
			f, err := a.shown(files, args[0])
			if err != nil {
				return err
			}
			if filepath.Ext(o.out) == ".sql" {
				return writeFile(o.out, 0o644, func(w io.Writer) error {
					_, err := io.WriteString(w, f.Text)
					return err
				})
			}
			given := map[string]string{}
			for name, value := range values {
				if cmd.Flags().Changed(name) {
					given[name] = *value
				}
			}
			return a.show(cmd, f, given, o)
		},
	}
	f := c.Flags()
	f.StringVarP(&o.out, "out", "o", "", "file to write, its form by its ending, instead of a table on standard output")
	f.StringVar(&o.provenance, "provenance", "", "kind of rows that a figure shows: "+strings.Join(data.Provenances(), ", ")+" (default the first that there is)")
	f.StringVar(&o.width, "width", "", "width of a figure, such as 84mm, or one of "+strings.Join(slices.Sorted(maps.Keys(widths)), ", ")+" (default 7.2in)")
	f.BoolVar(&o.bare, "no-title", false, "leave title and source of a figure to the caption of a paper")
	for _, name := range ggsql.Parameters {
		values[name] = f.String(name, "", "value of $"+name+", a parameter of some files")
	}
	c.AddCommand(a.tablesCommand())
	return c
}

// listShown writes a line for each file.
func (a *app) listShown(files []*ggsql.File) error {
	if a.asJSON {
		type line struct {
			Name  string `json:"name"`
			Form  string `json:"form"`
			Shows string `json:"shows"`
		}
		lines := make([]line, len(files))
		for i, f := range files {
			lines[i] = line{f.Name, f.Form, f.Shows}
		}
		return printJSON(a.stdout, lines)
	}
	for _, f := range files {
		if _, err := fmt.Fprintf(a.stdout, "%-24s %s\n", f.Name, f.Shows); err != nil {
			return err
		}
	}
	return nil
}

// shown is the file of a name, or the user's own.
func (a *app) shown(files []*ggsql.File, name string) (*ggsql.File, error) {
	if filepath.Ext(name) == ".sql" {
		content, err := data.ReadInput(name, ggsql.MaxBytes)
		if err != nil {
			return nil, err
		}
		return ggsql.Parse(name, "", string(content))
	}
	var names []string
	for _, f := range files {
		if f.Name == name {
			return f, nil
		}
		names = append(names, f.Name)
	}
	a.usageErr = true
	return nil, data.WithHint(fmt.Errorf("there is nothing called %q to show", name), "%s", spelling.Meant("list all with: captionlake show", names, name))
}

// endings are the forms of the rows of a SELECT, beside those of figures.
var endings = []string{"md", "tex", "csv", "json", "parquet"}

// show writes the rows of a file, or draws them.
func (a *app) show(cmd *cobra.Command, f *ggsql.File, values map[string]string, o showOptions) error {
	figure, err := f.Plot()
	if err != nil {
		return err
	}
	query, err := f.Select(values)
	if err != nil {
		return err
	}
	ending := strings.TrimPrefix(filepath.Ext(o.out), ".")
	forms := endings
	if figure != nil {
		forms = slices.Concat(plots.Formats, endings)
	}
	if o.out != "" && !slices.Contains(forms, ending) {
		a.usageErr = true
		return data.WithHint(fmt.Errorf("%s: %s has no such form", o.out, f.Name), "end it in .%s", strings.Join(forms, ", ."))
	}
	options := analytics.QueryOptions{}
	if err := a.chooseFormat(&options, o.out); err != nil {
		return err
	}
	lake, err := a.openToRead()
	if err != nil {
		return err
	}
	switch {
	case slices.Contains(plots.Formats, ending):
		options.Format, options.Rows = "json", -1
	case ending == "tex":
		options.Format = "csv"
	default:
		return f.Located(a.answerQuery(cmd, lake, query, options, o.out))
	}
	var rows bytes.Buffer
	a.noteBehind(analytics.BehindQuery(lake, query))
	if _, err := analytics.Query(cmd.Context(), lake, query, options, &rows); err != nil {
		return f.Located(err)
	}
	var content []byte
	if ending == "tex" {
		lines, err := csv.NewReader(&rows).ReadAll()
		if err != nil {
			return err
		}
		content = []byte(report.LaTeX(f, lines))
	} else if content, err = drawn(f, rows.Bytes(), o, ending); err != nil {
		return err
	}
	return writeFile(o.out, 0o644, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

// widths are names for the widths of figures: columns of papers, and slides.
var widths = map[string]string{"acl": "3.03in", "cvpr": "3.25in", "neurips": "5.5in", "page": "7in", "slide": "10in"}

// drawn draws a figure from its rows as JSON: those of one kind, which are measured before published and simulated where none is asked for.
func drawn(f *ggsql.File, content []byte, o showOptions, form string) ([]byte, error) {
	t, err := plots.ReadJSON(plots.RowsOf(f.Name), content)
	if err != nil {
		return nil, err
	}
	ts := plots.Tables{plots.RowsOf(f.Name): t}
	kinds := []string{o.provenance}
	if o.provenance == "" {
		kinds = []string{data.ProvenanceMeasured, data.ProvenancePublished, data.ProvenanceSimulated}
	}
	for _, kind := range kinds {
		if of := ts.Only(kind); t.Has("provenance") && len(of) > 0 {
			ts = of
			break
		} else if o.provenance != "" {
			return nil, data.WithHint(fmt.Errorf("%s has no %s rows", f.Name, kind), "leave --provenance out")
		}
	}
	if rows := plots.RowsOf(f.Name); !f.All && ts[rows] != nil {
		if ts[rows], err = ts[rows].OfOneReader(); err != nil {
			return nil, err
		}
	}
	width, err := report.Selection{Width: cmp.Or(widths[o.width], o.width)}.PageWidth()
	if err != nil {
		return nil, fmt.Errorf("--width: %w", err)
	}
	figure, err := plots.FileFigure(f)
	if err != nil {
		return nil, err
	}
	drawing, err := figure.Draw(ts, plots.Page{Width: width, Bare: o.bare})
	if err != nil {
		return nil, err
	}
	return drawing.Encode(form)
}
