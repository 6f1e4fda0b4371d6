package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/laketest"
)

// The published tables come back from the simulated lake at full size: Tables 11 to 26, 3 and 4.
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
		// 24 models, four prompts and four domains are 384 cells. Accuracies and cannot-rates are
		// those of the nearest whole number of answers; one row, InternVL3 8B in Natural, prints
		// none. Scores follow from them and the options, but for two rows whose printed cannot-rate
		// contradicts accuracy and score, and gives way.
		{"Tables 11 to 26", `
			select count(*) as n,
				count(*) filter (abs(s.score - p.score) > 0.2) as scores,
				count(*) filter (abs(s.accuracy - p.accuracy) > 0.0085) as accuracies,
				count(*) filter (abs(s.cannot_rate_offered - p.cannot_rate_offered) > 0.050001) as cannot_rates
			from captionqa_scores as p
			inner join captionqa_scores as s on s.level = 'domain' and s.captioner = p.captioner and s.prompt = p.prompt and s.domain = p.domain
				and s.evidence = 'caption' and s.provenance = 'simulated'
			where p.level = 'domain' and p.provenance = 'published' and p.evidence = 'caption'`, "n,scores,accuracies,cannot_rates\n384,0,0,2\n"},
		{"Table 3", `
			select count(*) as n, count(*) filter (abs(s.score - p.value) > 0.25) as overalls
			from published as p
			inner join captionqa_scores as s on s.level = 'overall' and s.evidence = 'caption' and s.captioner = p.model_id and s.prompt = p.prompt
				and s.provenance = 'simulated'
			where p.benchmark = 'captionqa' and p.item = 'Table 3' and p.domain = 'Overall'`, "n,overalls\n40,0\n"},
		{"Table 4", `
			select count(*) as n,
				count(*) filter (abs(s.gap - p.value) > 0.0201) as gaps
			from published as p
			inner join captionqa_gap as s on s.captioner = p.model_id and s.domain = p.domain and s.prompt = 'Simple' and s.provenance = 'simulated'
			where p.benchmark = 'captionqa' and p.metric = 'utility_gap'`, "n,gaps\n28,0\n"},
	} {
		var stdout, stderr bytes.Buffer
		if code := run([]string{"sql", "--lake", lake, "--format", "csv", c.query}, strings.NewReader(""), &stdout,
			&stderr); code != exitOK {
			t.Fatalf("%s: exit code %d: %s", c.what, code, stderr.String())
		}
		if stdout.String() != c.want {
			t.Errorf("%s: got\n%swant\n%s", c.what, stdout.String(), c.want)
		}
	}
}

// Ratings of a simulated arena of the paper's size find the strengths behind its votes: of 15
// captioners 13 or more are within their
// 95% intervals, as chance has it for 96 seeds of a hundred.
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
			where r.judge = 'people' and r.method = 'davidson'`},
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
