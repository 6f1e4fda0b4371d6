package build

// captionqaBreaks is what breaks each audit of the CaptionQA models, and each whose name several
// models share, by model and audit, after a good build.
var captionqaBreaks = map[string]string{
	"captionqa_quality/right_is_rated": `insert into captionqa_quality (n_drawn, n_rated, n_right)
		values (4, 2, 3)`,
	"construct_routes/decisions_add_up": `insert into construct_routes (n_reviewed, n_kept, n_fixed,
		n_dropped) values (4, 1, 1, 1)`,
	"construct_routes/reviews_of_candidates": `insert into reviews (candidate_id, reviewer)
		values ('nothing', 'ann')`,
	"construct_routes/routes_of_candidates": `insert into routes (candidate_id, route) values ('nothing',
		'accept')`,
	"construct_confusion/validations_of_candidates": `insert into validations (candidate_id, validator)
		values ('nothing', 'v')`,
	"construct_checks/every_question_is_checked": `insert into construct_checks (domain, check_name, n_questions)
		values ('d', 'key', 3), ('d', 'node', 2)`,
	"construct_distributions/shares_add_up": `insert into construct_distributions (domain, kind, share)
		values ('d', 'options', 50)`,
	"construct_blind/options_add_up": `insert into construct_blind (domain, provenance, reader,
		n_options, n_candidates) values ('d', 'measured', 'r', 0, 3), ('d', 'measured', 'r', 2, 2)`,
	"construct_costs/stages_add_up": `insert into construct_costs (origin, domain, provenance,
		stage, model, n_calls) values ('calls', 'd', 'measured', 'all', '', 3), ('calls', 'd', 'measured', 'blind', 'm', 2)`,
	"construct_funnel/routes_add_up": `insert into construct_funnel (domain, step, position,
		n_candidates, n_waiting) values ('d', 'distinct', 4, 1, 0)`,
	"construct_funnel/trials_of_candidates": `insert into blind_trials (candidate_id, reader)
		values ('nothing', 'r')`,
	"question_options/shares_add_up": `insert into question_options (bank, domain, n_options, share)
		values ('b', 'd', 4, 90)`,
	"question_options/two_options": `insert into question_options (bank, domain, n_options)
		values ('b', 'd', 1)`,
	"questions_per_image/all_questions": "insert into questions (question_id) values ('q')",
	"category_questions/shares_add_up": `insert into category_questions (origin, bank, domain, share)
		values ('questions', 'b', 'd', 90)`,
	"category_questions/stated_shares_have_counts": `insert into published (benchmark, source, item, metric,
		domain, category, value) values ('captionqa', 'paper', 'Section 8.1', 'question_share', 'Natural', 'Nothing', 5)`,
	"captionqa_images/one_domain": `insert into captionqa_images (image_id, domain) values ('i',
		'Natural'), ('i', 'Document')`,
	"captionqa_scores/outcomes_add_up": "update captionqa_scores set n_correct = n_correct + 1",
	"conditions/digests_differ": `insert into conditions (condition_id) select condition_id
		from conditions`,
	"captionqa_scores/no_answer_lost": "update captionqa_scores set n_answers = 7",
	"captionqa_ranks/someone_is_first": `insert into captionqa_ranks (board_id, metric, rank, n_models)
		values ('b', 'score', 2, 2)`,
	"captionqa_ranks/interval_in_order": "update captionqa_ranks set rank_low = 2, rank_high = 1",
	"captionqa_differences/nobody_is_better": `insert into captionqa_differences (same_board, difference)
		values (true, 1)`,
	"taxonomy_nodes/parent_before_child": `insert into taxonomy_nodes (domain, category, subcategory,
		aspect, level, place) values ('d', 'c', 's', '', 2, 1)`,
	"caption_examples/one_image_a_place": `insert into caption_examples (protocol, reader, provenance,
		domain, place, captioner, prompt, image_id) values ('p', 'r', 'm', 'd', 1, 'c', 's', 'i'), ('p', 'r', 'm', 'd',
		1, 'c', 't', 'j')`,
	"captionqa_gap/gap_is_the_difference": `insert into captionqa_gap (image_accuracy, caption_accuracy,
		gap) values (80, 70, 11)`,
	"leaderboard/every_captioner":  "delete from leaderboard",
	"caption_lengths/all_captions": "insert into caption_sums (image_id, n_captions) values ('i', 1)",
	"caption_lengths/mean_within_captioners": `insert into caption_lengths (provenance, origin, captioner,
		prompt, domain, mean_words) values ('p', 'captions', '', 's', 'd', 9), ('p', 'captions', 'm', 's', 'd', 10)`,
	"utility_per_word/empty_captions_score_little": "insert into utility_per_word (mean_words, score) values (0, 76)",
	"prompt_transitions/gain_is_the_difference": `insert into prompt_transitions (accuracy_from, accuracy_to,
		accuracy_gain) values (60, 70, 11)`,
	"prompt_transitions/gain_within_bounds": `insert into prompt_transitions (accuracy_from, accuracy_to,
		accuracy_gain) values (60, 101, 41)`,
	"prompt_transition_summary/losers_within_rows": `insert into prompt_transition_summary (n_rows, n_losing,
		n_losing_5) values (2, 3, 0)`,
	"prompt_transition_summary/mean_between_extremes": `insert into prompt_transition_summary (mean_accuracy_gain,
		least_gain, greatest_gain) values (5, 1, 4)`,
	"prompt_transitions/few_outliers": `insert into prompt_transitions (transition, outlier)
		values ('t', true), ('t', false)`,
	"captionqa_category_summary/mean_within_range": `insert into captionqa_category_summary (basis, min_score,
		mean_score, max_score) values ('answers', 10, 9, 20)`,
	"captionqa_category_summary/spread_within_range": `insert into captionqa_category_summary (basis, min_score,
		max_score, sd, n_models) values ('answers', 10, 20, 8, 2)`,
	"captionqa_category_summary/all_within_offered": `insert into captionqa_category_summary (basis, cannot_rate,
		cannot_rate_offered) values ('answers', 30, 20)`,
	"difficulty_bins/no_answer_lost": "update question_difficulty set n_models = n_models + 1",
	"question_difficulty/difficulty_follows_share": `insert into question_difficulty (share_correct, difficulty)
		values (80, 'medium')`,
	"difficulty_bins/shares_add_up": `insert into difficulty_bins (origin, easy_share, medium_share,
		hard_share) values ('answers', 50, 30, 19)`,
	"difficulty_bins/bins_add_up": `insert into difficulty_bins (n_questions, n_easy, n_medium, n_hard)
		values (4, 1, 1, 1)`,
	"ranking_stability/all_images_agree": `insert into ranking_stability (n_images, all_images, spearman_min,
		kendall_min) values (3, 3, 0.9, 1)`,
	"ranking_stability/every_size": "insert into ranking_stability (n_images, all_images) values (1, 3), (3, 3)",
	"ranking_trajectories/ends_at_the_mean": `insert into ranking_trajectories (n_images, all_images, accuracy_sd)
		values (3, 3, 0.1)`,
	"reader_comparison/pool_is_shared": `insert into reader_comparison (protocol, reader, n_pool) values ('p',
		'a', 5), ('p', 'b', 6)`,
	"reader_comparison/own_pool_is_whole": "update reader_comparison set n_pool = 0 where n_readers = 1",
	"reader_comparison/repetitions_counted": `insert into reader_comparison (origin, n_repeats, n_repeated,
		accuracy_sd, flip_rate) values ('answers', 3, 5, 1, 3)`,
	"reader_comparison/spread_needs_flips": `insert into reader_comparison (n_repeats, accuracy_sd, flip_rate)
		values (3, 12.5, 0)`,
	"parser_agreement/readings_add_up": `insert into parser_agreement (n_replies, n_agree, n_differ,
		n_only_upstream, n_only_strict, n_neither) values (5, 1, 1, 1, 1, 0)`,
	"prompt_transition_images/parts_balance": `insert into prompt_transition_images (level, score_to_part)
		values ('domain', 1), ('domain', 2)`,
	"prompt_transition_summary/one_error": `insert into prompt_transition_summary (protocol, reader, provenance,
		origin, level, transition, n_rows, mean_accuracy_gain, mean_accuracy_gain_se) values ('p', 'q', 'm', 'answers',
		'domain', 't', 4, 5, 1); insert into prompt_transitions (change_id, level, accuracy_gain, accuracy_gain_se)
		values (key_of('p', 'q', 'answers', '', 't', 'm'), 'overall', 5, 2)`,
	"caption_lengths/one_domain": `insert into caption_sums (image_id, provenance, prompt, domain)
		values ('i', 'm', 's', 'Natural'), ('i', 'm', 's', 'Document')`,
	"capability_repeats/interval_in_order":  "insert into capability_repeats (mean_low, mean_high) values (2, 1)",
	"capability_figures/interval_has_width": "insert into capability_figures (figure_low, figure_high) values (100, 100)",

	"arena_agreement/levels_add_up": `insert into arena_agreement (benchmark, judge, protocol, provenance,
		ties, origin, level, n_battles) values ('caparena', 'j', 'p', 'm', 't', 'battles', 'all', 3), ('caparena', 'j',
		'p', 'm', 't', 'battles', '1', 2)`,
	"arena_annotators/all_votes": "insert into arena_votes (battle_id, judge_type) values ('b', 'human')",
	"arena_auto/score_of_counts": `insert into arena_auto (origin, baseline, n_battles, n_wins,
		n_losses, score) values ('battles', 'b', 4, 3, 1, 49)`,
	"arena_auto/one_tested": "insert into arena_auto (n_baselines, n_expected) values (4, 3)",
	"arena_battles/two_captioners": `insert into arena_battles (battle_id, captioner_a, captioner_b)
		values ('b', 'm', 'm')`,
	"boards/names_tell_boards_apart": `insert into boards (benchmark, prompt, board, board_id)
		values ('captionqa', 's', 'same', 'x'), ('captionqa', 's', 'same', 'y')`,
	"benchmark_scores/names_tell_series_apart": `insert into benchmark_scores (series, series_name, captioner)
		values ('x', 'same', 'a'), ('y', 'same', 'a')`,
	"benchmark_places/places_balance": `insert into benchmark_places (series_a, series_b, captioner,
		difference) values ('x', 'y', 'a', 1)`,
	"benchmark_agreement/as_many_captioners": `insert into benchmark_agreement (kind, series_a, series_b, n_models)
		values ('scores', 'x', 'y', 3)`,
	"arena_bias/biases_cancel": `insert into arena_bias (benchmark, judge, protocol, provenance, bias,
		n_battles) values ('caparena', 'j', 'p', 'm', 5, 10), ('caparena', 'j', 'p', 'm', -4, 10)`,
	"arena_next/probabilities": `insert into arena_next (benchmark, judge, protocol, provenance,
		probability) values ('caparena', 'j', 'p', 'm', 60), ('caparena', 'j', 'p', 'm', 41)`,
	"arena_outcomes/every_vote_accounted_for": `insert into arena_outcomes (n_votes, n_counted, n_fast, n_repeated,
		n_skipped, n_unparsed, n_failed) values (3, 1, 1, 0, 0, 0, 0)`,
	"arena_outcomes/all_votes": "insert into arena_votes (battle_id) values ('b')",
	"arena_outcomes/ties_as_people": `insert into arena_outcomes (judge_type, people, outcome, difference, by_human)
		values ('metric', 'tie', 'a', 1, false)`,
	"arena_pairs/both_sides": `insert into arena_pairs (benchmark, judge, protocol, provenance, captioner,
		other, n_wins, n_losses, n_ties) values ('caparena', 'j', 'p', 'm', 'x', 'y', 3, 1, 0), ('caparena', 'j', 'p',
		'm', 'y', 'x', 1, 2, 0)`,
	"arena_positions/orders_add_up": `insert into arena_positions (n_same, n_both_first, n_both_second, n_both,
		n_first, n_ties, n_votes) values (2, 1, 1, 3, 1, 1, 8)`,
	"arena_ratings/mean_of_groups": `insert into arena_ratings (benchmark, judge, protocol, provenance, method,
		rating) values ('caparena', 'j', 'p', 'm', 'bradley_terry', 1001)`,
	"arena_ratings/points_are_kept": `insert into arena_ratings (benchmark, judge, protocol, provenance, method,
		one_pass) values ('caparena', 'j', 'p', 'm', 'elo', 1001)`,
	"arena_ratings/reason_given": `insert into arena_ratings (benchmark, judge, protocol, provenance, method,
		note) values ('caparena', 'j', 'p', 'm', 'elo', '')`,
	"arena_votes/every_vote_counted": "insert into arena_votes (n_unknown) values (1)",
	"arena_ranking/places_of_ratings": `insert into arena_ranking (origin, benchmark, judge, protocol, provenance,
		captioner, elo, elo_low, place) values ('o', 'caparena', 'j', 'p', 'm', 'x', 1100, 1000, 2), ('o', 'caparena',
		'j', 'p', 'm', 'y', 1000, 900, 1)`,
}
