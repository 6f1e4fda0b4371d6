package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/stages/bank"
)

func (a *app) bankExportCommand() *cobra.Command {
	o := bank.ExportOptions{Dir: "bank", Licence: bank.UnknownLicence}
	c := &cobra.Command{
		Use:   "export --domain NAME --out FOLDER",
		Short: "Write a bank as a dataset of Hugging Face, and as JSON",
		Long: `Write the questions of a bank as Hugging Face Parquet with the pictures, in the shape in which
CaptionQA is released (id, images, questions), and as JSON without pictures. Both files name the candidate and
the bank of each question, and the Parquet file names the domain of each item. captionlake ingest reads either
file back to the same questions with the same ids and option orders. A bank of several domains is written
whole: name them all.

The folder also gets the dataset's card (README.md), the taxonomy, and the candidates that were merged into
questions because they ask nearly the same. The card says how the bank was made, by which models and prompts,
and under which licence.`,
		Example: `  captionlake bank export --domain kitchen --out exported --licence cc-by-4.0
  captionlake bank export --domain "Natural,Embodied AI" --out exported`,
		RunE: func(*cobra.Command, []string) error {
			lake, err := a.readLake()
			if err != nil {
				return err
			}
			e, err := bank.Export(lake, o)
			return show(a, e, err, func(e *bank.ExportReport) { a.printExported(e, o) })
		},
	}
	flags(c,
		&o.Domains, "domain", "domains of the bank, all of them; they must be named",
	)
	a.mustNameDomain(c)
	return flags(c,
		&o.Dir, "out", "folder that the files are written to",
		&o.Licence, "licence", "licence that the card names, as Hugging Face writes it: cc-by-4.0, other, …",
	)
}

// printExported lists the written files and what they leave out, and prints the commands that load
// the bank into another lake.
func (a *app) printExported(e *bank.ExportReport, o bank.ExportOptions) {
	a.say("%d %squestions about %d images:\n", e.Questions, stamp(e.Simulated), e.Images)
	for _, file := range e.Files {
		a.say("  %s\n", file)
	}
	if e.Unasked > 0 {
		a.say("Note: %d images without a question are left out\n", e.Unasked)
	}
	if e.NoPicture > 0 {
		a.say("Note: %d images have no picture in the lake, or not all of their frames. "+
			"The file has their names instead, which the datasets library takes for names of files\n", e.NoPicture)
	}
	if o.Licence == bank.UnknownLicence {
		a.say("Note: the card names no licence, so nobody may use the bank; name one with --licence\n")
	}
	order, domain := "", ""
	if !e.Default { // ingest would use another rule.
		order = map[string]string{captionqa.OrderFullBank: "--option-order full-bank ",
			captionqa.OrderPerSplit: "--option-order per-split "}[e.OrderRule]
	}
	if len(o.Domains) == 1 { // The JSON file does not name the domain.
		domain = fmt.Sprintf("--domain %q ", o.Domains[0])
	}
	// e.Files begins with the Parquet file and the JSON file.
	a.say("\nNext: captionlake --lake OTHER ingest %s%s, or ingest %s%s\n", order, e.Files[0],
		domain+order, e.Files[1])
}
