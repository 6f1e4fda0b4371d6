package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/iceberg"
	"github.com/captionlake/captionlake/stages"
	"github.com/captionlake/captionlake/stages/config"
)

func (a *app) registerCommand() *cobra.Command {
	var o iceberg.Options
	var path, files string
	c := &cobra.Command{
		Use:   "register",
		Short: "Register the tables as Iceberg tables, in a catalog",
		Long: `Register the files of the lake's tables as Iceberg tables in a catalog, for Spark, Trino, pyiceberg and whatever else finds tables there.
No file is rewritten: the catalog gets second names of the files, in the lake's folder iceberg, with the counts and bounds of their columns.

Without --catalog the catalog is a SQLite file in the lake, iceberg/catalog.db. An http or https address is that of a REST catalog.
--property gives other properties by Iceberg's names, and --secret those that are secret, such as token or credential, with the name of an
environment variable. The section catalog of captionlake.yaml can set the same; flags override it.

--files registers the files where push has copied them, for engines that read object storage: the tables are those of the last commit
there, and a SQLite catalog keeps their metadata below the same address. The lake must have been pushed. Credentials are found as by push.

Each call makes the tables agree with the lake, each in one snapshot whose summary names units and runs: new units are appended, those that
were made again replaced, removed ones dropped. Run it after every run, or again after it was interrupted; between two calls the tables stay
as they are. Files of replaced and removed units are kept as long as a snapshot has them; --expire gives snapshots up.`,
		Example: `  captionlake register
  captionlake register --tables answers,captions --dry-run
  captionlake register --catalog sqlite:////data/catalog.db --warehouse file:///data/warehouse --namespace evaluation.captions
  captionlake register --catalog https://catalog.example.org/iceberg --warehouse main --secret credential=CATALOG_CREDENTIAL
  captionlake register --files s3://my-bucket/lakes/captionqa --catalog https://catalog.example.org/iceberg --warehouse main
  captionlake register --expire 168h`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.Expire < 0 {
				return a.wrongFlag(cmd, "--expire %s is before now", o.Expire)
			}
			var c config.Config
			if _, err := os.Stat(path); err == nil || cmd.Flags().Changed("config") {
				if c, err = stages.ReadConfig(path); err != nil {
					return err
				}
			}
			o := withConfig(o, c.Catalog)
			if files = cmp.Or(files, c.Catalog.Files); files != "" {
				var err error
				if o.Files, err = a.remoteAddress(files); err != nil {
					return err
				}
			}
			all, err := a.register(cmd.Context(), o)
			return errors.Join(a.printRegistered(all, o.DryRun, err), err)
		},
	}
	f := c.Flags()
	f.StringVar(&o.Catalog.URI, "catalog", "", "the catalog: sqlite:///FILE or the address of a REST catalog (default iceberg/catalog.db in the lake)")
	f.StringVar(&o.Catalog.Name, "name", "", "name of the catalog, by which a SQL catalog keeps tables apart (default "+iceberg.DefaultName+")")
	f.StringVar(&o.Catalog.Warehouse, "warehouse", "", "the catalog's warehouse: a location, or what a REST catalog calls it (default iceberg/warehouse in the lake or below --files, or the REST catalog's)")
	f.StringVar(&files, "files", "", "register the files where the lake was pushed, s3://BUCKET/PREFIX (default those of the lake's folder)")
	f.StringVar(&o.Namespace, "namespace", "", "namespace of the tables, levels with dots between them (default "+iceberg.DefaultNamespace+")")
	f.StringSliceVar(&o.Tables, "tables", nil, "tables to register (default all that have rows)")
	f.StringToStringVar(&o.Catalog.Properties, "property", nil, "properties of the catalog, as NAME=VALUE")
	f.StringToStringVar(&o.Catalog.Secrets, "secret", nil, "secret properties of the catalog, as NAME=VARIABLE of the environment")
	f.DurationVar(&o.Expire, "expire", 0, "give up snapshots older than this, such as 168h, except the last one (default none)")
	f.BoolVar(&o.DryRun, "dry-run", false, "say what would change, and change nothing")
	f.StringVar(&path, "config", config.File, "configuration, where there is one")
	completeFlag(c, "tables", tableNames)
	return c
}

// withConfig gives what flags leave open the configuration's value.
func withConfig(o iceberg.Options, c config.Catalog) iceberg.Options {
	both := func(first, then map[string]string) map[string]string {
		all := maps.Clone(then)
		if all == nil {
			all = map[string]string{}
		}
		maps.Copy(all, first)
		return all
	}
	o.Catalog = iceberg.Catalog{
		Name: cmp.Or(o.Catalog.Name, c.Name), URI: cmp.Or(o.Catalog.URI, c.URI), Warehouse: cmp.Or(o.Catalog.Warehouse, c.Warehouse),
		Properties: both(o.Catalog.Properties, c.Properties), Secrets: both(o.Catalog.Secrets, c.Secrets),
	}
	o.Namespace = cmp.Or(o.Namespace, c.Namespace)
	return o
}

func (a *app) register(ctx context.Context, o iceberg.Options) ([]iceberg.Registered, error) {
	lake, err := a.readLake()
	if err != nil {
		return nil, err
	}
	bar := a.progress()
	defer bar.done()
	o.Progress = func(table string, done, total int) { bar.at("register "+table, done, total) }
	return iceberg.Register(ctx, lake, o)
}

// printRegistered prints what became of tables, those before an error, too.
func (a *app) printRegistered(all []iceberg.Registered, dry bool, err error) error {
	if a.asJSON {
		if len(all) == 0 && err != nil {
			return nil
		}
		return printJSON(a.stdout, append([]iceberg.Registered{}, all...)) // in JSON a list, too, when it is empty
	}
	header := table.Row{"table", "units added", "replaced", "removed", "files", "rows"}
	if dry {
		header = table.Row{"table", "units to add", "to replace", "to remove", "files now", "rows now"}
	}
	var rows []table.Row
	for _, r := range all {
		rows = append(rows, table.Row{r.Table, r.Added, r.Replaced, r.Removed, r.Files, count(r.Rows)})
	}
	switch {
	case len(rows) > 0:
		printTable(a.stdout, header, rows)
	case err == nil:
		fmt.Fprintln(a.stdout, "The lake has no rows to register.")
	}
	return nil
}

// tableNames are the names of the tables.
func tableNames() (names []string) {
	for _, t := range data.Tables() {
		names = append(names, t.Name())
	}
	return names
}
