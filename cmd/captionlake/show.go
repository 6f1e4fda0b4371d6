package main

import (
	"cmp"
	"errors"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/analytics/ask"
	"github.com/captionlake/captionlake/analytics/build"
	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/rows"
	"github.com/captionlake/captionlake/data/spelling"
	"github.com/captionlake/captionlake/plots"
	"github.com/captionlake/captionlake/plots/ggsql"
	"github.com/captionlake/captionlake/plots/report"
	"github.com/captionlake/captionlake/sql"
)

// showOptions are the flags of show.
type showOptions struct {
	out        string // file to write; empty for standard output
	form       string // form on standard output
	choices    string // file with choices, as report takes it
	export     string // name of an export
	provenance []string
	over       report.Selection // choices that replace the choices of the file
}

func (a *app) showCommand() *cobra.Command {
	var o showOptions
	decimals, bare := 0, false
	values := map[string]*string{}
	c := &cobra.Command{
		Use:   "show [NAME | FILE.sql]",
		Short: "Show an answer, a table or a figure, or your own file",
		Long: `Show the answer to a frequent question, a table of a paper, or a figure, by its name, or the rows of
a SELECT in your own file. Without a name the command lists all names; show tables lists the tables that a
SELECT can read.

--out writes a file. Its ending gives the form: md, tex, csv, json, parquet or arrow, and for a figure svg,
pdf or png. The ending sql writes the SELECT itself, which you can change and show. sql/tables/README.md says
how a SELECT becomes a table, sql/figures/README.md how it is drawn. If a table and a figure have one name,
the ending says which is meant.

--export writes submissions to leaderboards and records of public stores. Simulated rows never leave the lake.`,
		Example: `  captionlake show
  captionlake show best_captioner --prompt Long
  captionlake show readers --out readers.tex
  captionlake show best_captioner --format arrow > best.arrow
  captionlake show best_captioner --out mine.sql
  captionlake show mine.sql --out mine.csv
  captionlake show table_03_main --out scores.tex
  captionlake show utility_gap --provenance published --width acl --out gap.pdf
  captionlake show --export captionqa-submission --captioner gpt-5 --out mine`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			given := map[string]string{}
			for name, value := range values {
				if cmd.Flags().Changed(name) {
					given[name] = *value
				}
			}
			if o.export != "" {
				return a.export(o.export, given, o.out)
			}
			if len(args) == 0 {
				return a.listShown()
			}
			f, err := a.shown(args[0], o.ending())
			if err != nil {
				return err
			}
			if o.ending() == "sql" {
				return a.writeTo(o.out, func(w io.Writer) error {
					_, err := io.WriteString(w, f.Text)
					return err
				})
			}
			if cmd.Flags().Changed("decimals") {
				o.over.Decimals = &decimals
			}
			if bare {
				o.over.Title = "false" // as title: false in a file of choices
			}
			return a.show(f, given, o)
		},
	}
	flags(c,
		&o.out, "out, o", "file to write, its form by its ending, instead of a table on standard output",
		&o.form, "format, f", "form on standard output, one that a file may have, such as csv or arrow",
		&o.provenance, "provenance", "kind of rows that a table or figure shows: "+strings.Join(data.Provenances(),
			", ")+" (default the first that there is); published,measured shows both",
		&o.over.Width, "width",
		"page of a figure: "+strings.Join(plots.PageNames(), ", ")+", or a width such as 84mm (default 7.2in)",
		&o.export, "export",
		"name of an export, which writes the files of a submission or a public store into the folder --out",
		&o.choices, "choices", "YAML file with choices, as report takes it",
		&o.over.Columns, "columns", "these columns of a table, by their heads and in this order",
		&decimals, "decimals", "digits after the point in a table, except of counts",
		&o.over.Highlight, "highlight", "captioners to accent, by id",
		&bare, "no-title", "leave title and source of a figure to the caption of a paper",
	)
	for _, name := range ggsql.Parameters {
		help := "value of $" + name + ", a parameter of some files"
		if values[name] = new(string); name == "image" || name == "question" { // Ids may have commas.
			flags(c, values[name], name, help)
		} else {
			flags(c, oneName(values[name]), name, help)
		}
	}
	c.AddCommand(a.tablesCommand())
	return c
}

// listShown lists the questions, tables, figures and exports that show knows, a line for each.
func (a *app) listShown() error {
	lines, err := ggsql.List()
	return show(a, lines, err, func([]ggsql.Line) {
		for i, l := range lines {
			if i == 0 {
				a.say("%ss:\n", l.Form)
			} else if l.Form != lines[i-1].Form {
				a.say("\n%ss:\n", l.Form)
			}
			a.say("  %-26s %s\n", l.Name, l.Shows)
		}
	})
}

// shown returns the file of a name, or the user's own file if the name ends in .sql. If a table and
// a figure have the same name, a folder before the name chooses, as in figures/readers. Without a
// folder the ending of the output chooses: an ending of pictures means the figure.
func (a *app) shown(name, ending string) (*ggsql.File, error) {
	if filepath.Ext(name) == ".sql" {
		content, err := data.ReadInput(name, sql.MaxBytes)
		if err != nil {
			return nil, err
		}
		return ggsql.Parse(name, "", string(content))
	}
	named, err := ggsql.Named(name)
	if err != nil {
		return nil, err
	}
	if len(named) > 0 {
		drawn := slices.Contains(plots.Formats, ending)
		fits := slices.IndexFunc(named, func(f *ggsql.File) bool { return (f.Form == "figure") == drawn })
		return named[max(fits, 0)], nil // If no form fits, fits is -1, and the first file is chosen.
	}
	all, err := ggsql.All()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, f := range all {
		names = append(names, f.Name)
	}
	return nil, a.usage(among("table or figure", name, names, "list all with: captionlake show"))
}

// ending is the output form that the user asks for: --format, or else the ending of the --out file.
// It is empty if neither is given.
func (o showOptions) ending() string {
	return cmp.Or(o.form, strings.TrimPrefix(filepath.Ext(o.out), "."))
}

// endings are the forms of the rows of a SELECT. Figures have the forms of [plots.Formats], too.
var endings = []string{"md", "tex", "csv", "json", "parquet", "arrow"}

// show prints or writes the rows of a file as a table, a drawing or plain rows.
func (a *app) show(f *ggsql.File, values map[string]string, o showOptions) (err error) {
	figure, err := f.Plot()
	if err != nil {
		return err
	}
	query, err := f.Select(values)
	if err != nil {
		return err
	}
	if err := o.checkForm(f, figure != nil); err != nil {
		return a.usage(err)
	}
	// With values, a result without rows is an error, which unmet explains below.
	options := ask.Options{Whole: true, Format: o.form, Some: len(values) > 0}
	if err := a.chooseFormat(&options, o.out); err != nil {
		return err
	}
	lake, err := a.readLake()
	if err != nil {
		return err
	}
	unmet := func() error { return ask.Unmet(a.context, lake, f.Name, f.Parameters, values) }
	if f.Needs(values) {
		return unmet()
	}
	defer func() {
		if len(values) > 0 && errors.Is(err, rows.ErrNone) {
			err = unmet() // A value that the lake does not have explains the missing rows.
		}
	}()
	ending := o.ending()
	// json, parquet and arrow have the plain rows of the SELECT. Other forms have the layout of the
	// header, if it names columns, or a drawing.
	forPeople := slices.Contains([]string{"table", "markdown"}, options.Format)
	hasLayout := len(f.Columns) > 0 && (forPeople || options.Format == "csv")
	if slices.Contains(plots.Formats, ending) || ending == "tex" || hasLayout || figure != nil && forPeople {
		return a.showLaidOut(lake, f, query, values, o)
	}
	return f.Located(a.answerQuery(lake, query, options, o.out))
}

// checkForm refuses a form of the output that the file cannot have: only a figure can be drawn.
func (o showOptions) checkForm(f *ggsql.File, isFigure bool) error {
	if o.out == "" && o.form == "" {
		return nil
	}
	forms := endings
	if isFigure {
		forms = slices.Concat(plots.Formats, endings)
	}
	names := strings.Join(forms, ", ")
	if !isFigure && slices.Contains(plots.Formats, o.ending()) {
		// The place of the fault is the end of the file, where VISUALISE would stand.
		return data.WithHint(f.Fault(len(f.Text), "there is no VISUALISE, so nothing to draw"), "add how to draw it, "+
			"such as: VISUALISE captioner_name AS y, overall AS x DRAW point, or choose another form: %s", names)
	}
	return among("form", o.ending(), forms, "choose one of: "+names)
}

// showLaidOut prints or writes the rows of a file as the report does: with the layout of its
// header, or as a drawing.
func (a *app) showLaidOut(lake *data.Lake, f *ggsql.File, query string, values map[string]string,
	o showOptions) (err error) {
	a.noteBehind(build.Behind(lake, ask.MartsIn(query)...))
	reader, err := ask.OpenReader(a.context, lake, engine.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, reader.Close()) }()
	if err := reader.Check(query, true); err != nil { // true: digests of big tables, too
		return f.Located(err)
	}
	chosen, err := o.chosen(f.Name)
	if err != nil {
		return err
	}
	ending := o.ending()
	// Without a form only grids are printed. md is cheap to make; an empty list would mean all forms.
	chosen.Formats = []string{cmp.Or(ending, "md")}
	r, err := report.Build(a.context, reader, report.Options{File: f, Values: values, Choices: chosen})
	if err != nil {
		return err
	}
	if o.out == "" && o.form == "" {
		a.printGrids(r.Items, f.Reads)
		return nil
	}
	err = a.writeTo(o.out, func(w io.Writer) (err error) {
		for _, file := range r.Files { // several if the header has the word each: a file for each value
			if path.Ext(file.Name) == "."+ending {
				err = errors.Join(err, file.Write(w))
			}
		}
		return err
	})
	provenance := ""
	for _, i := range r.Items { // All items have the same provenance.
		provenance = i.Provenance
	}
	switch {
	case err != nil || o.out == "":
	case a.asJSON:
		return a.printJSON(map[string]string{"file": o.out, "provenance": provenance})
	case provenance != "":
		a.say("%s shows %s rows.\n", o.out, provenance)
	}
	return err
}

// chosen returns the choices for a table or figure. They come from the file of --choices, and flags
// replace single choices.
func (o showOptions) chosen(name string) (chosen report.Choices, err error) {
	if o.choices != "" {
		if chosen, err = report.ReadChoices(o.choices); err != nil {
			return chosen, err
		}
		chosen = chosen.For(name)
	}
	if _, err := plots.PageOf(o.over.Width); err != nil {
		return chosen, data.Errorf(spelling.Meant("see: captionlake show --help", plots.PageNames(), o.over.Width),
			"--width: %w", err)
	}
	chosen.Selection = chosen.With(o.over)
	if len(o.provenance) > 0 {
		chosen.Provenance = o.provenance
	}
	return chosen, nil
}

// printGrids prints the tables of a report for a terminal, with their titles and notes. marts are
// the names of the marts that the SELECT reads.
func (a *app) printGrids(items []report.Item, marts []string) {
	for _, i := range items {
		if i.Skipped != "" { // Another item has rows, or Build would have given an error.
			continue
		}
		g := i.Grid
		var heads []string
		for _, c := range g.Columns {
			heads = append(heads, c.Head)
		}
		a.say("%s\n", g.Title)
		for _, s := range g.Sections {
			if s.Head != "" {
				a.say("\n%s\n", s.Head)
			}
			t := table{heads}
			for _, row := range s.Rows {
				var cells []any
				for _, cell := range row {
					cells = append(cells, strings.TrimSpace(cell.Text+" "+cell.Interval))
				}
				t.add(cells...)
			}
			a.print(t)
		}
		if i.Provenance != "" {
			g.Notes = append(g.Notes, "Rows: "+i.Provenance+".")
		}
		if len(marts) > 0 {
			g.Notes = append(g.Notes,
				"Marts: "+strings.Join(marts, ", ")+"; show tables NAME names the file with the SQL of a mart.")
		}
		for _, n := range g.Notes {
			a.say("%s\n", fold(n))
		}
		a.say("\n")
	}
}
