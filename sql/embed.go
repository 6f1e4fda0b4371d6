// Package sql holds the models: one .sql file for each mart, with its machine-read header, and the list of them.
//
// It must not know of the engine that runs the models, of the lake's files or of any other room; nothing but models
// and this file lives here.
package sql

import (
	"embed"
	"fmt"
)

//go:embed *.sql
var files embed.FS

// Models lists the name of every model. The order is for people; the runner finds its own from the models' inputs.
// To add a model: one file, one line here.
func Models() []string {
	return []string{
		"stale_answers",
		"stale_captions",
		"stale_judgments",
		"stale_element_answers",
		"stale_rows",
		"dataset_statistics",
		"captionqa_quality",
		"question_options",
		"questions_per_image",
		"questions_per_image_summary",
		"category_questions",
		"captionqa_image_sums",
		"captionqa_results",
		"captionqa_main",
		"captionqa_categories",
		"captionqa_ranks",
		"captionqa_gap",
		"caption_lengths",
		"utility_per_word",
		"prompt_transition_images",
		"prompt_transitions",
		"prompt_transition_summary",
		"coverage_accuracy",
		"short_cannot_categories",
		"captionqa_category_summary",
		"category_difficulty",
		"captionqa_subcategories",
		"question_difficulty",
		"difficulty_bins",
		"extreme_questions",
		"ranking_stability",
		"ranking_stability_summary",
		"ranking_trajectories",
		"reader_comparison",
		"parser_agreement",
		"published_audit",
		"published_quantities",
		"published_claims",
		"capability_rubric",
		"capability_draws",
		"capability_dimensions",
		"capability_averages",
		"capability_main",
		"capability_comparison",
		"capability_draw_figures",
		"capability_pairs",
		"capability_missed",
		"capability_values",
		"capability_repeats",
		"capability_judges",
		"capability_know_cannot_tell",
		"capability_know_cannot_tell_main",
	}
}

// File is the name of the file of a model.
func File(model string) string { return model + ".sql" }

// Source returns the text of a model's file. It is an error if there is no such model.
func Source(model string) (string, error) {
	text, err := files.ReadFile(File(model))
	if err != nil {
		return "", fmt.Errorf("model %s: %w", model, err)
	}
	return string(text), nil
}

// Files lists the names of the files that are embedded, so that a test can hold them against Models.
func Files() ([]string, error) {
	entries, err := files.ReadDir(".")
	if err != nil {
		return nil, err
	}
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names, nil
}
