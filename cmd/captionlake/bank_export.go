package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/stages/bank"
)

func (a *app) bankExportCommand() *cobra.Command {
	var o bank.ExportOptions
	var domains string
	c := &cobra.Command{
		Use:   "export --domain NAME --out FOLDER",
		Short: "Write a bank as Hugging Face Parquet with its pictures, and as JSON",
		Long: `Write the questions of a bank as Hugging Face Parquet with the pictures, in the shape in which CaptionQA is released (id, images,
questions), and as JSON without pictures. Both say of each question which candidate and which bank it came from, and the
Parquet file the domain of each item. captionlake ingest reads either back to the same questions with the same ids and
option orders. A bank of several domains is written whole: name them all, with commas.`,
		Example: `  captionlake bank export --domain kitchen --out exported
  captionlake bank export --domain "Natural,Document,E-commerce,Embodied AI" --out exported`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			for _, name := range strings.Split(domains, ",") {
				o.Domains = append(o.Domains, strings.TrimSpace(name))
			}
			lake, err := a.readLake()
			if err != nil {
				return err
			}
			e, err := bank.Export(lake, o)
			return show(a, e, err, func(e *bank.Exported) { a.printExported(e, o) })
		},
	}
	a.needDomain(c, &domains)
	c.Flags().StringVar(&o.Dir, "out", "bank", "folder that the files are written to")
	return c
}

func (a *app) printExported(e *bank.Exported, o bank.ExportOptions) {
	simulated := ""
	if e.Simulated {
		simulated = "SIMULATED "
	}
	fmt.Fprintf(a.stdout, "%s %squestions about %s images:\n", count(e.Questions), simulated, count(e.Images))
	for _, file := range e.Files {
		fmt.Fprintf(a.stdout, "  %s\n", file)
	}
	if e.Unasked > 0 {
		fmt.Fprintf(a.stdout, "Note: %s images without a question are left out\n", count(e.Unasked))
	}
	if e.NoPicture > 0 {
		fmt.Fprintf(a.stdout, "Note: %s images have no picture in the lake, or not all of their frames, and are written by their names\n", count(e.NoPicture))
	}
	order, domain := "", ""
	if !e.Default {
		order = map[string]string{captionqa.OrderFullBank: "--order full-bank ", captionqa.OrderPerSplit: "--order per-split "}[e.OrderRule]
	}
	if len(o.Domains) == 1 { // JSON files do not say it.
		domain = fmt.Sprintf("--domain %q ", o.Domains[0])
	}
	fmt.Fprintf(a.stdout, "\nNext: captionlake --lake OTHER ingest %s%s, or ingest %s%s\n", order, e.Files[0], domain+order, e.Files[1])
}
