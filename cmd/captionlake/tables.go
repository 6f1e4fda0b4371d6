package main

import (
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/data"
)

func (a *app) tablesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "tables [TABLE...]",
		Short: "Print the data dictionary",
		Long: `Print the data dictionary: what a row of each table is, its key, and the type and meaning of each column.
Without arguments it lists the tables in one line each.`,
		RunE: func(_ *cobra.Command, names []string) error {
			docs, err := data.Dictionary()
			if err != nil {
				return err
			}
			chosen, err := chooseTables(docs, names)
			if err != nil {
				return err
			}
			switch {
			case a.asJSON:
				return printJSON(a.stdout, chosen)
			case len(names) == 0:
				var rows []table.Row
				for _, d := range docs {
					rows = append(rows, table.Row{d.Name, d.What, strings.Join(d.Key, ", ")})
				}
				printTable(a.stdout, table.Row{"table", "a row is", "key"}, rows)
				fmt.Fprintln(a.stdout, "\nThe columns of a table: captionlake tables NAME")
			default:
				for i, d := range chosen {
					if i > 0 {
						fmt.Fprintln(a.stdout)
					}
					a.printTableDoc(d)
				}
			}
			return nil
		},
	}
}

// chooseTables picks tables by name, all of them when there are no names.
func chooseTables(docs []data.TableDoc, names []string) ([]data.TableDoc, error) {
	if len(names) == 0 {
		return docs, nil
	}
	byName := map[string]data.TableDoc{}
	for _, d := range docs {
		byName[d.Name] = d
	}
	var chosen []data.TableDoc
	for _, name := range names {
		d, ok := byName[name]
		if !ok {
			return nil, data.WithHint(fmt.Errorf("there is no table %q", name), "list the tables with: captionlake tables")
		}
		chosen = append(chosen, d)
	}
	return chosen, nil
}

func (a *app) printTableDoc(d data.TableDoc) {
	fmt.Fprintf(a.stdout, "%s: %s\nkey: %s\n\n", d.Name, d.What, strings.Join(d.Key, ", "))
	var rows []table.Row
	for _, c := range d.Columns {
		kind := strings.ToLower(c.Type)
		if c.Nullable {
			kind += ", nullable"
		}
		rows = append(rows, table.Row{c.Name, kind, c.Comment})
	}
	printTable(a.stdout, table.Row{"column", "type", "meaning"}, rows)
}
