package data

import (
	"embed"
	"io/fs"
)

//go:embed models.yaml published/*.csv taxonomies/*.json audit/*.csv
var reference embed.FS

// Reference gives the reference data that the binary carries:
//
//   - published/*.csv: the figures printed in the four papers and on the public CaptionQA leaderboard, cell for cell, and
//     in captionqa_text_figures.csv and text_figures.csv those that papers state in their text and figure captions alone, and in
//     statements.csv what the texts of the four papers state of their own tables. CapArena's Figure 1 is a drawing: its
//     ranking is the one that the paper's released code compares judges with;
//   - taxonomies/*.json: the CaptionQA taxonomies of the four domains (CaptionQA section 4.1, Tables 5 to 8);
//   - models.yaml: the model registry;
//   - audit/*.csv: ours, not the papers': the checks of the audit of published figures with their messages, and which of the
//     papers' tables they are about.
//
// The files are as their sources have them, flaws included: what is wrong with a published figure is found by audits
// and never corrected here.
func Reference() fs.FS { return reference }
