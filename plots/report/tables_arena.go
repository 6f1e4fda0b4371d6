package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/arena"
	"github.com/captionlake/captionlake/plots"
)

// arenaTables lists the tables of CapArena.
func arenaTables() []paperTable {
	return []paperTable{
		{name: "arena_ranking", title: "Captioners ranked by people who compared their captions", paper: "CapArena, Figure 1", needs: []string{"arena_ranking"}, all: true, build: arenaRanking},
		{name: "arena_lengths", title: "Words of the captions that were compared", paper: "CapArena, Figure 2 and Table 8", needs: []string{"arena_lengths"}, all: true, build: arenaLengths},
		{name: "arena_wins", title: "How often the captioner of the row wins against that of the column, by people's votes (%)", paper: "CapArena, Figure 3", needs: []string{"arena_pairs"}, all: true, build: arenaWins},
		{name: "arena_judges", title: "Judges against people: the same outcome of single battles (%), and the same ranking of captioners", paper: "CapArena, Table 2", needs: []string{"arena_judges"}, all: true, build: arenaJudges},
		{name: "arena_bias", title: "Win rate by the judge less win rate by people on the same battles (points)", paper: "CapArena, Figure 5", needs: []string{"arena_bias"}, all: true, build: arenaBias},
		{name: "arena_benchmarks", title: "How benchmarks rank captioners, against people's votes", paper: "CapArena, Table 3 and Figure 4", needs: []string{"arena_correlations"}, all: true, build: arenaBenchmarks},
		{name: "arena_auto", title: "CapArena-Auto: wins less losses against each baseline, in percent of the battles", paper: "CapArena, Table 8", needs: []string{"arena_auto"}, all: true, build: arenaAuto},
		{name: "arena_positions", title: "Whether judges prefer the caption that they are shown first", paper: "beyond the paper", needs: []string{"arena_positions"}, all: true, build: arenaPositions},
		{name: "arena_annotators", title: "Annotators: votes, times, and agreement with each other", paper: "CapArena, Section 3.2, Table 2 and appendix E", needs: []string{"arena_annotators"}, all: true, build: arenaAnnotators},
		{name: "arena_costs", title: "What it costs to have battles judged", paper: "CapArena, Section 5", needs: []string{"arena_costs"}, all: true, build: arenaCosts},
		{name: "benchmark_agreement", title: "Whether benchmarks agree about captioners, and whether length alone would explain it", paper: "beyond the papers", needs: []string{"benchmark_agreement"}, all: true, build: benchmarkAgreement},
	}
}

// withoutHuman is the note of tables that leave battles with a person's caption out.
const withoutHuman = "Battles with a person's caption are left out."

// byPlace orders rows by a column, the smallest or greatest value first, rows without one last.
func (s *sheet) byPlace(column string, greatest bool) *sheet {
	values := s.Numbers(column)
	return s.sorted(func(a, b int) int {
		x, y := values[a], values[b]
		if greatest {
			x, y = y, x
		}
		return cmp.Or(first(values[a].Valid, values[b].Valid), cmp.Compare(x.Value, y.Value))
	})
}

func arenaRanking(ts plots.Tables) (*Grid, error) {
	s := open(ts, "arena_ranking").where("judge", arena.People).byPlace("place", false)
	benchmarks := s.TextOrNone("benchmark")
	place := figures("place", "Place", 0, Lowest)
	place.Range = true
	columns := []layoutColumn{place, words("captioner_name", "Captioner"), figures("elo", "Elo", 0, Highest), figures("bradley_terry", "Bradley-Terry", 0, Highest),
		figures("bradley_terry_weighted", "weighted", 0, Highest), figures("davidson", "Davidson", 0, Highest), figures("style", "Equal lengths", 0, Highest),
		figures("win_rate", "Win rate (%)", 1, Highest), figures("n_battles", "Battles", 0, Plain)}
	if elo := s.Numbers("elo"); !slices.ContainsFunc(elo, func(n plots.Number) bool { return n.Valid }) {
		columns = columns[:2] // the printed order
	}
	g, err := s.layout(columns, func(i int) (string, string) { return arenaName(benchmarks[i], benchmarks), "" })
	if err != nil {
		return nil, err
	}
	if len(columns) == 2 {
		g.note("The order alone: the paper prints ratings as a drawing, and its released code the order.")
	} else {
		g.note("Place and Elo: median over bootstrap samples of battles, as in the released code. Other ratings: maximum likelihood, intervals clustered by image; weighted: against the sampling of pairs, as in the paper's text; Davidson: with ties of their own; equal lengths: with the difference of lengths as a covariate. 1000 is the mean of the captioners, 400 points are odds of 10 to 1.")
	}
	return g, nil
}

// arenaName heads the rows of one arena where there are several.
func arenaName(benchmark string, all []string) string {
	if len(slices.Compact(slices.Sorted(slices.Values(all)))) < 2 {
		return ""
	}
	return plots.ArenaTitle(benchmark)
}

func arenaLengths(ts plots.Tables) (*Grid, error) {
	s := open(ts, "arena_lengths").byPlace("mean_words", true)
	benchmarks := s.TextOrNone("benchmark")
	return s.layout([]layoutColumn{
		words("captioner_name", "Captioner"), figures("mean_words", "Mean", 1, Plain), figures("words_05", "5 %", 0, Plain), figures("words_25", "25 %", 0, Plain),
		figures("words_50", "Median", 0, Plain), figures("words_75", "75 %", 0, Plain), figures("words_95", "95 %", 0, Plain), figures("n_captions", "Captions", 0, Plain),
	}, func(i int) (string, string) { return arenaName(benchmarks[i], benchmarks), "" })
}

func arenaWins(ts plots.Tables) (*Grid, error) {
	s := open(ts, "arena_pairs").where("benchmark", data.BenchmarkCapArena).where("judge", arena.People).byPlace("win_rate", true)
	// The order is that of the win rates over all battles.
	var order []string
	others, names := s.TextOrNone("other_name"), s.TextOrNone("captioner_name")
	for i, n := range names {
		if others[i] == "" {
			order = append(order, n)
		}
	}
	s = s.sorted(func(a, b int) int {
		return cmp.Compare(slices.Index(order, names[a]), slices.Index(order, names[b]))
	})
	s = s.named("other_name", "All others")
	g, err := pivot{words("captioner_name", "Captioner"), "shown", figures("win_rate", "", 1, Plain)}.grid(s, append([]string{"All others"}, order...))
	if err == nil {
		g.note("A tie is half a win. " + strings.Replace(withoutHuman, "are left out", "count", 1))
	}
	return g, err
}

// named adds the column shown: a text column, empty texts by a name.
func (s *sheet) named(column, empty string) *sheet {
	values := s.TextOrNone(column)
	return s.with("shown", func(i int) any { return cmp.Or(values[i], empty) })
}

// kindsOfJudges orders judges and heads them.
var kindsOfJudges = []struct{ kind, head string }{{data.ModelHuman, "People among themselves"}, {data.ModelMetric, "Metrics"}, {"model", "Models"}}

func arenaJudges(ts plots.Tables) (*Grid, error) {
	s := open(ts, "arena_judges").byPlace("agreement", true)
	kinds := s.TextOrNone("judge_type")
	place := func(kind string) int {
		for k, j := range kindsOfJudges {
			if j.kind == kind {
				return k
			}
		}
		return len(kindsOfJudges)
	}
	s = s.sorted(func(a, b int) int { return cmp.Compare(place(kinds[a]), place(kinds[b])) })
	kinds = s.TextOrNone("judge_type")
	g, err := s.layout([]layoutColumn{
		words("judge_name", "Judge"), figures("agreement", "Overall", 1, Highest), figures("agreement_1", "Level 1", 1, Highest), figures("agreement_2", "Level 2", 1, Highest),
		figures("agreement_3", "Level 3", 1, Highest), figures("agreement_4", "Level 4", 1, Highest), figures("without_ties", "Without ties", 1, Highest),
		figures("spearman", "Spearman's ρ", 3, Highest), figures("kendall", "Kendall's τ", 3, Highest), figures("mean_bias", "Mean bias", 1, Lowest),
		figures("tie_rate", "Ties", 1, Plain), figures("n_battles", "Battles", 0, Plain),
	}, func(i int) (string, string) {
		if k := place(kinds[i]); k < len(kindsOfJudges) {
			return kindsOfJudges[k].head, "judges"
		}
		return "", "judges"
	})
	if err == nil {
		g.note("Overall and levels: a tie is a third outcome; level 1: unequal captioners, 4: close ones. Without ties: battles that neither side tied. Metrics tie where their scores differ little, as often as people do. " +
			"Correlations: of Elo ratings on the same battles, their intervals as if captioners were drawn from many. Mean bias: mean absolute difference of win rates. " + withoutHuman)
	}
	return g, err
}

func arenaBias(ts plots.Tables) (*Grid, error) {
	s := open(ts, "arena_bias").where("benchmark", data.BenchmarkCapArena).byPlace("people_rate", true)
	judges := s.distinct("judge_name", strings.Compare)
	cell := figures("bias", "", 1, Plain).signed()
	g, err := pivot{words("captioner_name", "Captioner"), "judge_name", cell}.grid(s, judges)
	if err == nil {
		g.note("Positive: the judge overestimates the captioner. A tie is half a win. " + withoutHuman)
	}
	return g, err
}

func arenaBenchmarks(ts plots.Tables) (*Grid, error) {
	s := open(ts, "arena_correlations").where("kind", "benchmark").byPlace("spearman", true)
	origins, people := s.TextOrNone("origin"), s.TextOrNone("people_provenance")
	heads := map[string]string{"published": "As printed", "tables": "Computed from printed scores and the printed ranking", "battles": "Computed from votes"}
	g, err := s.layout([]layoutColumn{
		words("name", "Benchmark"), words("judge", "Judge"), figures("spearman", "Spearman's ρ", 3, Highest), figures("kendall", "Kendall's τ", 3, Highest),
		figures("n_captioners", "Captioners", 0, Plain),
	}, func(i int) (string, string) {
		head := heads[origins[i]]
		if origins[i] == "battles" {
			head += ", ranking by " + people[i] + " votes"
		}
		return head, head
	})
	if err == nil {
		g.note("Intervals: as if captioners were drawn from many. Mean and the name of a metric: the mean of the metric over a captioner's captions.")
	}
	return g, err
}

func arenaAuto(ts plots.Tables) (*Grid, error) {
	s := open(ts, "arena_auto")
	baselines, names := s.TextOrNone("baseline"), s.TextOrNone("baseline_name")
	ids, judges, scores := s.TextOrNone("captioner"), s.TextOrNone("judge_name"), s.Numbers("score")
	average := map[string]plots.Number{}
	for i, id := range ids {
		if baselines[i] == "" {
			average[judges[i]+"\x00"+id] = scores[i]
		}
	}
	s = s.sorted(func(a, b int) int {
		x, y := average[judges[a]+"\x00"+ids[a]], average[judges[b]+"\x00"+ids[b]]
		return cmp.Or(strings.Compare(judges[a], judges[b]), first(x.Valid, y.Valid), cmp.Compare(y.Value, x.Value), strings.Compare(ids[a], ids[b]),
			first(baselines[a] == "", baselines[b] == ""))
	})
	if s.Err != nil {
		return nil, s.Err
	}
	columns := []string{"Average"}
	for i, n := range names {
		if baselines[i] != "" && !slices.Contains(columns, n) {
			columns = append(columns, n)
		}
	}
	slices.Sort(columns[1:])
	var heads []string
	var grids []*Grid
	for _, judge := range s.distinct("judge_name", strings.Compare) {
		part := s.where("judge_name", judge)
		g, err := pivot{words("captioner_name", "Captioner"), "baseline_name", figures("score", "", 1, Highest)}.grid(part, columns)
		if err != nil {
			return nil, err
		}
		// The length is in the rows of the average.
		shown, lengths, of := part.TextOrNone("captioner_name"), part.Numbers("mean_words"), part.TextOrNone("baseline")
		length := map[string]plots.Number{}
		for i, n := range shown {
			if of[i] == "" {
				length[n] = lengths[i]
			}
		}
		g.Columns = append(g.Columns, Column{ID: "mean_words", Head: "Words", Decimals: 1})
		for k, row := range g.Sections[0].Rows {
			cell := Cell{Text: "–"}
			if n := length[row[0].Text]; n.Valid {
				cell = Cell{Value: n}
			}
			g.Sections[0].Rows[k] = append(row, cell)
		}
		heads, grids = append(heads, "Judge "+judge), append(grids, g)
	}
	if s.Err != nil {
		return nil, s.Err
	}
	g := join(heads, grids)
	g.note("+1 for a win, 0 for a tie, -1 for a loss, in percent of the battles: over the benchmark's 200 images for a baseline (wins - losses) / 2. 0 against itself. With 200 images, 95 % intervals reach up to 14 points to each side, and that of the average up to 8.")
	return g, nil
}

func arenaPositions(ts plots.Tables) (*Grid, error) {
	s := open(ts, "arena_positions").byPlace("first_rate", true)
	benchmarks := s.TextOrNone("benchmark")
	g, err := s.layout([]layoutColumn{
		words("judge_name", "Judge"), figures("first_rate", "Prefers the first (%)", 1, Plain), figures("n_votes", "Votes", 0, Plain), figures("n_ties", "Ties", 0, Plain),
		figures("same_rate", "Same in both orders (%)", 1, Highest), figures("n_both", "In both orders", 0, Plain), figures("n_both_first", "First twice", 0, Plain),
		figures("n_both_second", "Second twice", 0, Plain),
	}, func(i int) (string, string) { return arenaName(benchmarks[i], benchmarks), benchmarks[i] })
	if err == nil {
		g.note("A tie is half a vote for the first; 50 % without a position bias where orders are drawn. In both orders: battles that can be read in both.")
	}
	return g, err
}

func arenaAnnotators(ts plots.Tables) (*Grid, error) {
	s := open(ts, "arena_annotators")
	names, levels := s.TextOrNone("annotator"), s.TextOrNone("level")
	s = s.with("shown", func(i int) any { return plots.Annotator(names[i]) }).sorted(func(a, b int) int {
		return cmp.Or(first(levels[a] == "all", levels[b] == "all"), strings.Compare(levels[a], levels[b]), first(names[a] == "", names[b] == ""), strings.Compare(names[a], names[b]))
	})
	levels, benchmarks := s.TextOrNone("level"), s.TextOrNone("benchmark")
	g, err := s.layout([]layoutColumn{
		words("shown", "Annotator"), figures("agreement", "Agreement (%)", 1, Plain), figures("n_shared", "Shared", 0, Plain), figures("n_counted", "Votes", 0, Plain),
		figures("n_ties", "Ties", 0, Plain), figures("n_fast", "Under 5 s", 0, Plain), figures("n_skipped", "Skipped", 0, Plain), figures("median_seconds", "Median (s)", 0, Plain),
		figures("mean_seconds", "Mean (s)", 0, Plain), figures("n_speed_ups", "Faster", 0, Plain), figures("n_slow_downs", "Slower", 0, Plain),
	}, func(i int) (string, string) {
		head := "All levels"
		switch levels[i] {
		case "all":
		case "none":
			head = "Battles without a level"
		default:
			head = "Level " + levels[i]
		}
		if name := arenaName(benchmarks[i], benchmarks); name != "" {
			head = name + ", " + strings.ToLower(head[:1]) + head[1:]
		}
		return head, ""
	})
	if err == nil {
		g.note("Agreement: pairs of votes of two annotators on one battle that say the same, a tie being a third answer; the paper has 78.2 % on 400 battles in its text, and 68.3 % over four levels of 100 in Table 2. Faster, slower: votes at which at least 18 of the last 20 took less, or more, than the median of all.")
	}
	return g, err
}

func arenaCosts(ts plots.Tables) (*Grid, error) {
	s := open(ts, "arena_costs").named("captioner_name", "All battles")
	benchmarks, judges, names := s.TextOrNone("benchmark"), s.TextOrNone("judge_name"), s.TextOrNone("captioner_name")
	s = s.sorted(func(a, b int) int {
		return cmp.Or(strings.Compare(benchmarks[a], benchmarks[b]), strings.Compare(judges[a], judges[b]), strings.Compare(names[a], names[b]))
	})
	benchmarks, judges = s.TextOrNone("benchmark"), s.TextOrNone("judge_name")
	g, err := s.layout([]layoutColumn{
		words("shown", "Captioner tested"), figures("n_battles", "Battles", 0, Plain), figures("n_calls", "Calls", 0, Plain), figures("prompt_tokens", "Prompt tokens", 0, Plain),
		figures("cached_tokens", "from cache", 0, Plain), figures("completion_tokens", "Reply tokens", 0, Plain), figures("cost", "Cost", 2, Plain),
	}, func(i int) (string, string) {
		return arenaName(benchmarks[i], []string{"", "x"}) + ", judge " + judges[i], ""
	})
	if err != nil {
		return nil, err
	}
	for _, section := range g.Sections {
		for _, row := range section.Rows {
			if cost := &row[len(row)-1]; !cost.Value.Valid {
				cost.Text = "unknown"
			}
		}
	}
	g.note("Cost: by the prices that the configuration had when the calls were made, in its currency; unknown without a price, or where a server counted no tokens. The paper names 4 US dollars for a test.")
	return g, nil
}

func benchmarkAgreement(ts plots.Tables) (*Grid, error) {
	s := open(ts, "benchmark_agreement").byPlace("n_models", true)
	rho := s.Numbers("spearman")
	s = s.pick(func(i int) bool { return rho[i].Valid })
	kinds := s.TextOrNone("kind")
	heads := map[string]string{"scores": "Two benchmarks", "length": "A benchmark and the number of words of its captions"}
	g, err := s.layout([]layoutColumn{
		words("series_a_name", "Benchmark"), words("series_b_name", "Other"), figures("n_models", "Captioners", 0, Plain), figures("spearman", "Spearman's ρ", 2, Plain),
		figures("spearman_p", "p", 3, Plain), figures("kendall", "Kendall's τ", 2, Plain), figures("spearman_least", "ρ, least", 2, Plain),
		figures("spearman_most", "ρ, greatest", 2, Plain), figures("spearman_partial", "ρ, length fixed", 2, Plain),
	}, func(i int) (string, string) { return heads[kinds[i]], kinds[i] })
	if err == nil {
		g.note("Of the captioners that both have scores of; with few of them a correlation tells little, whatever its size. Intervals: as if captioners were drawn from many. p: share of the orders of the captioners that agree or disagree as much. " +
			"Least and greatest: when any one captioner is left out. Length fixed: partial correlation, the mean number of words held fixed.")
	}
	return g, err
}
