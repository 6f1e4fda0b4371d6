package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/laketest"
)

// The published tables come back from the simulated lake at full size: Tables 11 to 26, 3, 4 and 10.
func TestSimulatedLakeGivesThePublishedTables(t *testing.T) {
	laketest.Slow(t, "simulates 3.4 million answers")
	lake := filepath.Join(t.TempDir(), "lake")
	for _, args := range [][]string{{"simulate", "--lake", lake}, {"analyze", "--lake", lake}} {
		var stderr bytes.Buffer
		if code := run(args, strings.NewReader(""), &bytes.Buffer{}, &stderr); code != exitOK {
			t.Fatalf("%v: exit code %d: %s", args, code, stderr.String())
		}
	}
	for _, c := range []struct{ what, query, want string }{
		// 24 models, four prompts and four domains are 384 cells. Scores all agree to the printed digit. 38 accuracies
		// are no whole number of questions and one row, InternVL3 8B in Natural, prints none; two cannot-rates
		// contradict their rows. TestPublishedFigures of package simulate lists them one by one.
		{"Tables 11 to 26", `
			select count(*) as n,
				count(*) filter (abs(s.score - p.score) > 0.005001) as scores,
				count(*) filter (abs(s.accuracy - p.accuracy) > 0.005001) as accuracies,
				count(*) filter (abs(s.accuracy - p.accuracy) > 0.0085) as far_accuracies,
				count(*) filter (abs(s.cannot_rate_offered - p.cannot_rate_offered) > 0.050001) as cannot_rates
			from captionqa_results as p
			inner join captionqa_results as s on s.captioner = p.model_id and s.prompt = p.prompt and s.domain = p.domain
				and s.evidence = 'caption' and s.provenance = 'simulated'
			where p.provenance = 'published' and p.evidence = 'caption'`, "n,scores,accuracies,far_accuracies,cannot_rates\n384,0,38,0,2\n"},
		// An overall is the mean of four scores that are each within half a unit of the last digit.
		{"Table 3", `
			select count(*) as n, count(*) filter (abs(s.overall - p.value) > 0.01) as overalls
			from published as p
			inner join captionqa_main as s on s.captioner = p.model_id and s.prompt = p.prompt and s.provenance = 'simulated'
			where p.benchmark = 'captionqa' and p.item = 'Table 3' and p.domain = 'Overall'`, "n,overalls\n40,0\n"},
		{"Table 4", `
			select count(*) as n,
				count(*) filter (abs(s.gap - p.value) > 0.005001) as last_digit,
				count(*) filter (abs(s.gap - p.value) > 0.0101) as gaps
			from published as p
			inner join captionqa_gap as s on s.captioner = p.model_id and s.domain = p.domain and s.prompt = 'Simple' and s.provenance = 'simulated'
			where p.benchmark = 'captionqa' and p.metric = 'utility_gap'`, "n,last_digit,gaps\n28,3,0\n"},
		// Table 9 and section 14.5 print shares of all questions. Those of Table 9, weighted by its own counts, are 19.7, 20.4, 17.3
		// and 29.3; the simulated bank has the shares of the leaderboard, so rates come out near.
		{"Table 9 and Tables 12, 16, 20 and 24", `
			select domain, round(sum(n_cannot) * 100.0 / sum(n_answers), 1) as all_questions, round(sum(n_cannot) * 100.0 / sum(n_offered), 1) as offered
			from captionqa_results
			where provenance = 'simulated' and evidence = 'caption' and prompt = 'Simple'
			group by domain order by domain`, "domain,all_questions,offered\nDocument,20.3,21.6\nE-commerce,16.8,20.2\nEmbodied AI,29.8,32.1\nNatural,20.9,29.9\n"},
		// The text states 74.2, 73.7 and 72.1.
		{"Section 14.5", `
			select s.category, round(s.cannot_rate, 1) as all_questions, round(s.cannot_rate_offered, 1) as offered, s.above_70
			from short_cannot_categories as s
			inner join published as p on p.item = 'Section 14.5' and p.metric = 'cannot_rate' and p.domain = s.domain and p.category = s.category
			where s.provenance = 'simulated' order by 1`, "category,all_questions,offered,above_70\nPerception,73.3,73.3,true\nSpatial,74.2,74.5,true\nTextual Elements in Image,72,78.5,true\n"},
		// Figures 20 and 21 print mean coverage gains of 33.1 and 32.8 and r = 0.905 and 0.902.
		{"Figures 20 and 21", `
			select transition, round(mean_coverage_gain, 1) as all_questions, round(mean_coverage_offered_gain, 1) as offered, round(pearson, 2) as r
			from prompt_transition_summary
			where provenance = 'simulated' and level = 'category' and transition in ('Short to Long', 'Short to Simple') order by 1`,
			"transition,all_questions,offered,r\nShort to Long,33.9,39.8,0.91\nShort to Simple,33.4,39.1,0.92\n"},
		// The bins are not fixed by the other tables, so they come out near.
		{"Table 10", `
			select count(*) as n,
				count(*) filter (greatest(abs(s.easy_share - p.easy_share), abs(s.medium_share - p.medium_share), abs(s.hard_share - p.hard_share)) > 2) as far
			from difficulty_bins as p
			inner join difficulty_bins as s on s.domain = p.domain and s.prompt = 'Simple' and s.provenance = 'simulated'
			where p.provenance = 'published'`, "n,far\n4,0\n"},
	} {
		var stdout, stderr bytes.Buffer
		if code := run([]string{"sql", "--lake", lake, "--format", "csv", c.query}, strings.NewReader(""), &stdout, &stderr); code != exitOK {
			t.Fatalf("%s: exit code %d: %s", c.what, code, stderr.String())
		}
		if stdout.String() != c.want {
			t.Errorf("%s: got\n%swant\n%s", c.what, stdout.String(), c.want)
		}
	}
}

// Ratings of a simulated arena of the paper's size find the strengths behind its votes: of 15 captioners 13 or more are within their
// 95 % intervals, as chance has it for 96 seeds of a hundred.
func TestRatingsFindTheSimulatedStrengths(t *testing.T) {
	laketest.Slow(t, "rates 6,522 battles with bootstraps")
	lake := filepath.Join(t.TempDir(), "lake")
	var stdout bytes.Buffer
	for _, args := range [][]string{
		{"simulate", "--benchmark", "caparena", "--lake", lake}, {"analyze", "--lake", lake},
		{"sql", "--lake", lake, "--format", "csv", `
			select count(*) as captioners,
				count(*) filter (1000 + 400 / ln(10) * (c.detail -> 'strengths' ->> r.captioner)::double between r.rating_low and r.rating_high) >= 13 as found,
				corr(r.rating, (c.detail -> 'strengths' ->> r.captioner)::double) > 0.99 as in_order
			from arena_ratings as r
			cross join (select detail from runs where stage = 'simulate' and detail like '%strengths%') as c
			where r.judge = 'human' and r.method = 'davidson'`},
	} {
		var stderr bytes.Buffer
		stdout.Reset()
		if code := run(args, strings.NewReader(""), &stdout, &stderr); code != exitOK {
			t.Fatalf("%v: exit code %d: %s", args, code, stderr.String())
		}
	}
	if got := stdout.String(); got != "captioners,found,in_order\n15,true,true\n" {
		t.Errorf("got\n%s", got)
	}
}
