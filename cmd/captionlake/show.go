package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/analytics"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/spelling"
	"github.com/captionlake/captionlake/plots/ggsql"
	"github.com/captionlake/captionlake/plots/report"
	"github.com/captionlake/captionlake/sql"
)

func (a *app) showCommand() *cobra.Command {
	var out string
	values := map[string]*string{}
	c := &cobra.Command{
		Use:   "show [NAME | FILE.sql]",
		Short: "Show what the lake has to say: a question's answer, by name or from your own file",
		Long: `Show what the lake has to say: the answer to a question that is asked often, by its name, or what a SELECT of your own
file gives. Without a name it lists all.

--out writes a file, whose ending says the form: md, tex, csv, json, or parquet. With the ending sql it is the file that is
shown, to be changed: then show that. The flags below are parameters of files that have them, such as $captioner.`,
		Example: `  captionlake show
  captionlake show best_captioner --prompt Long
  captionlake show readers --out readers.tex
  captionlake show best_captioner --out mine.sql
  captionlake show mine.sql --out mine.csv`,
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
			if filepath.Ext(out) == ".sql" {
				return writeFile(out, 0o644, func(w io.Writer) error {
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
			return a.show(cmd, f, given, out)
		},
	}
	f := c.Flags()
	f.StringVarP(&out, "out", "o", "", "file to write, its form by its ending, instead of a table on standard output")
	for _, name := range ggsql.Parameters {
		values[name] = f.String(name, "", "value of $"+name)
	}
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

// show writes the rows of a file.
func (a *app) show(cmd *cobra.Command, f *ggsql.File, values map[string]string, out string) error {
	query, err := f.Select(values)
	if err != nil {
		return err
	}
	options := analytics.QueryOptions{}
	ending := strings.TrimPrefix(filepath.Ext(out), ".")
	if forms := []string{"md", "tex", "csv", "json", "parquet"}; out != "" && !slices.Contains(forms, ending) {
		a.usageErr = true
		return data.WithHint(fmt.Errorf("%s: its ending is no form of a table", out), "end it in .%s", strings.Join(forms, ", ."))
	}
	if err := a.chooseFormat(&options, out); err != nil {
		return err
	}
	lake, err := a.openToRead()
	if err != nil {
		return err
	}
	if ending == "tex" {
		return a.showLaTeX(cmd.Context(), lake, f, query, options, out)
	}
	return f.Located(a.answerQuery(cmd, lake, query, options, out))
}

// showLaTeX writes the rows as a table of LaTeX.
func (a *app) showLaTeX(ctx context.Context, lake *data.Lake, f *ggsql.File, query string, options analytics.QueryOptions, out string) error {
	var rows bytes.Buffer
	options.Format = "csv"
	if _, err := analytics.Query(ctx, lake, query, options, &rows); err != nil {
		return f.Located(err)
	}
	lines, err := csv.NewReader(&rows).ReadAll()
	if err != nil {
		return err
	}
	return writeFile(out, 0o644, func(w io.Writer) error {
		_, err := io.WriteString(w, report.LaTeX(f, lines))
		return err
	})
}
