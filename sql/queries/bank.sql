-- The report of the bank of a domain, each part below its name and title: rows of the domain beside rows of the paper.

-- funnel: Candidates that are left after each step
select domain, provenance, step, n_candidates, n_images, share, n_waiting
from construct_funnel
where domain = {domain} or provenance = 'published'
order by provenance, position;

-- routes: What became of the validated candidates, by category (accepted in %, 95% interval)
select
    domain, provenance, category, n_candidates, n_accept, n_discard, n_review, n_reviewed, n_kept, n_fixed, n_dropped,
    n_waiting, n_questions, accepted, accepted_low, accepted_high
from construct_routes
where domain = {domain} or provenance = 'published'
order by provenance, category;

-- agreement: Agreement of the validators (%), and Cohen's kappa
select
    domain, provenance, validator_a_name, validator_b_name, n_candidates, n_both_key, n_both_flag, agreement, expected,
    kappa
from construct_agreement
where domain = {domain} or provenance = 'published'
order by all;

-- confusion: What one validator chose where the other chose something
select domain, provenance, validator_a, validator_b, choice_a, choice_b, n_candidates, n_same
from construct_confusion
where domain = {domain} or provenance = 'published'
order by all;

-- blind: The blind test beside random guessing (%); 0 options: all
select
    domain, provenance, reader_name, n_options, drop_at, n_candidates, hit_rate, random_hit_rate, n_dropped, dropped,
    dropped_low, dropped_high, random_dropped
from construct_blind
where domain = {domain} or provenance = 'published'
order by all;

-- quality: Questions that are right (%), before and after the quality control; CaptionQA's are in its Table 2
select domain, provenance, stage, n_drawn, n_rated, n_right, accuracy, accuracy_low, accuracy_high
from captionqa_quality
where domain = {domain} or provenance = 'published'
order by origin desc, stage desc, domain;

-- costs: Tokens and money, and for 1,000 questions; CaptionQA's are in its section 12; a cost is null without a price
select
    domain, provenance, stage, model_name, n_calls, prompt_tokens, cached_tokens, completion_tokens, tokens, cost_low,
    cost_high, tokens_per_1000, cost_low_per_1000, cost_high_per_1000
from construct_costs
where domain = {domain} or provenance = 'published'
order by origin, provenance, stage, model_name;

-- distributions: How the questions of the bank are distributed (%), and what chance would give
select domain, kind, label, n, share, expected
from construct_distributions
where domain = {domain}
order by kind, length(label), label;

-- checks: What a reader of section 4 would check of the bank
select domain, statement, n_questions, n_failed, example
from construct_checks
where domain = {domain}
order by position;
