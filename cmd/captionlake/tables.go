package main

import (
	"cmp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/analytics/ask"
)

func (a *app) tablesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "tables [NAME...]",
		Short: "Print the dictionary of tables, marts and shortcuts",
		Long: `Print the dictionary of the names that SQL knows: base tables, the marts that analyze makes, and
shortcuts over them. Each entry says what a row is, its key, and the type, unit and meaning of each column.
Without arguments the command lists all names, one a line.`,
		Example: `  captionlake show tables
  captionlake show tables leaderboard answers`,
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, names []string) error {
			docs, err := ask.Docs()
			if err != nil {
				return err
			}
			chosen, err := chooseDocs(docs, names)
			if err != nil {
				return err
			}
			switch {
			case a.asJSON:
				return a.printJSON(chosen)
			case len(names) == 0:
				a.listDocs(docs)
				a.say("\nThe columns of one: captionlake show tables NAME\n")
			default:
				for i, d := range chosen {
					if i > 0 {
						a.say("\n")
					}
					a.printDoc(d)
				}
			}
			return nil
		},
	}
}

// chooseDocs returns the tables, marts and shortcuts with these names, or all if there are no
// names.
func chooseDocs(docs []ask.Doc, names []string) (chosen []ask.Doc, err error) {
	if len(names) == 0 {
		return docs, nil
	}
	known := make([]string, len(docs))
	for i, d := range docs {
		known[i] = d.Name
	}
	for _, name := range names {
		if err := among("table", name, known, "list the tables with: captionlake show tables"); err != nil {
			return nil, err
		}
		chosen = append(chosen, docs[slices.Index(known, name)])
	}
	return chosen, nil
}

// printDoc prints the description of a table, a mart or a shortcut, with its columns.
func (a *app) printDoc(d ask.Doc) {
	a.say("%s %s: %s\n", d.Kind, cmp.Or(d.Use, d.Name), d.What)
	for _, line := range [][2]string{{"key", strings.Join(d.Key, ", ")}, {"source", d.Source}, {"sql", d.SQL},
		{"example", d.Example}} {
		if line[1] != "" {
			a.say("%s: %s\n", line[0], line[1])
		}
	}
	a.say("\n")
	t := newTable("column | type | unit | meaning")
	for _, c := range d.Columns {
		kind := strings.ToLower(c.Type)
		if kind != "" && c.Nullable { // Columns of a shortcut may have no type.
			kind += ", nullable"
		}
		t.add(c.Name, kind, c.Unit, c.Comment)
	}
	a.print(t)
}
