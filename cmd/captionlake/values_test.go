package main

import (
	"bytes"
	"encoding/csv"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/analytics/ask"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/must"
)

// marts has, for each table, the query for the rows of marts behind its cells: the same texts in
// the first columns, and the same numbers.
var marts = map[string]string{
	"table_03_main": `select split_part(prompt, ' ', 1) || ' prompt. ' || if(model_type = 'open', 'Open',
		'Proprietary') || ' models' as section, captioner_name,
		max(score) filter (where domain = 'Overall') as overall, max(score) filter (where domain = 'Natural') as natural,
		max(score) filter (where domain = 'Document') as document,
		max(score) filter (where domain = 'E-commerce') as e_commerce,
		max(score) filter (where domain = 'Embodied AI') as embodied_ai
		from captionqa_scores where provenance = 'published' and level in ('domain', 'overall') group by prompt,
		model_type, captioner_name`,
	"table_04_gap": `select 'Gap in points' as section, captioner_name, max(gap) filter (where domain = 'Overall') as
		overall,
		max(gap) filter (where domain = 'Natural') as natural, max(gap) filter (where domain = 'Embodied AI') as embodied_ai
		from captionqa_gap where provenance = 'published' group by all`,
	"table_09_categories": `select domain || '. Basis: ' || basis as section, category, mean_score, min_score,
		max_score, n_questions
		from captionqa_category_summary where provenance = 'published' and prompt = 'Simple'`,
	"table_10_difficulty": `select domain, easy_share, medium_share, hard_share, n_questions from difficulty_bins
		where provenance = 'published'`,
	"prompt_transitions": `select transition || ', level ' || level as section, domain, category, accuracy_gain,
		score_gain, share_of_long
		from prompt_transitions where provenance = 'published'`,
	"readers": `select reader_name, faithfulness, accuracy, accuracy_sd, questions_per_second from reader_comparison
		where provenance = 'published'`,
	"ranks": `select captioner_name, max(rank) filter (where domain = 'Overall') as overall,
		max(rank) filter (where domain = 'Document') as document
		from captionqa_ranks where provenance = 'published' and metric = 'score' and prompt = 'Simple' group by all`,
	"arena_auto": `select captioner_name, score as average, mean_words as words
		from arena_auto where provenance = 'published' and coalesce(baseline, '') = ''`,
	"arena_lengths": `select captioner_name, mean_words from arena_lengths where provenance = 'published'`,
	"caption_lengths": `select 'All captioners, as the paper states' as captioner_name,
		max(mean_words) filter (where prompt = 'Short') as short,
		max(mean_words) filter (where prompt = 'Long') as long from caption_lengths where provenance = 'published'
		and domain = 'Overall'`,
}

// The cells of tables, as a report writes them into CSV files, are the numbers of the marts, with
// all of their digits.
func TestCellsAreThoseOfMarts(t *testing.T) {
	t.Parallel()
	folder, session := demoSession(t)
	dir := t.TempDir()
	only := strings.Join(slices.Collect(maps.Keys(marts)), ",")
	choices := filepath.Join(dir, "choices.yaml")
	must.Write(t, choices, "formats: [csv]\nprovenance: [published]\nout: out\n")
	command(t, "report", "--lake", folder, "--choices", choices, "--only", only)
	cells := 0
	for table, query := range marts {
		var of bytes.Buffer
		must.Get(session.Query(t.Context(), query, ask.Options{Format: "csv", Rows: -1}, &of))(t)
		want := must.Get(csv.NewReader(&of).ReadAll())(t)
		content := must.Get(data.ReadInput(filepath.Join(dir, "out", "tables", table+"_published.csv"), 1<<20))(t)
		shown := csv.NewReader(bytes.NewReader(content))
		shown.FieldsPerRecord = -1
		got := must.Get(shown.ReadAll())(t)
		found := 0
		for _, row := range got[1:] {
			at := slices.IndexFunc(want[1:], func(w []string) bool { return sameTexts(got[0], row, want[0], w) })
			if at < 0 {
				continue
			}
			for k, column := range want[0] {
				value, err := strconv.ParseFloat(want[at+1][k], 64)
				if err != nil {
					continue
				}
				cell, err := strconv.ParseFloat(row[slices.Index(got[0], column)], 64)
				if found++; err != nil || math.Abs(cell-value) > 1e-9*max(1, math.Abs(value)) {
					t.Errorf("%s, %s, %s: %v, and the mart has %v", table, strings.Join(row[:2], ", "), column,
						cell, value)
				}
			}
		}
		if found == 0 {
			t.Errorf("%s has no row of its mart: %q, %q", table, got[:2], want[:min(2, len(want))])
		}
		cells += found
	}
	if cells < 300 {
		t.Errorf("%d cells are compared, want 300", cells)
	}
}

// sameTexts reports whether the texts of a row of a mart are the texts of a row of a table.
func sameTexts(head, row, columns, mart []string) bool {
	for k, column := range columns {
		at := slices.Index(head, column)
		if _, err := strconv.ParseFloat(mart[k], 64); err != nil && mart[k] != "" && (at < 0 || row[at] != mart[k]) {
			return false
		}
	}
	return true
}
