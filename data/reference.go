package data

import (
	"embed"
	"io/fs"
)

//go:embed models.yaml published/*.csv taxonomies/*.json
var reference embed.FS

// Reference gives the reference data embedded in the binary:
//
//   - published/*.csv: the figures of the four papers and of the public CaptionQA leaderboard, cell
//     for cell. captionqa_text_figures.csv and text_figures.csv have figures that only texts and
//     captions of figures state; statements.csv has the statements that the four papers' texts make
//     about their own tables. CapArena's Figure 1 is a drawing, so caparena_figure1_ranking.csv has
//     the ranking with which the paper's released code compares judges;
//   - taxonomies/*.json: the CaptionQA taxonomies of the four domains (CaptionQA section 4.1,
//     Tables 5 to 8);
//   - models.yaml: the model registry.
//
// The files have the figures as the papers print them, with errors: audits find errors in published
// figures, and nothing here corrects an error.
func Reference() fs.FS { return reference }
