-- what: the cost of making a bank of questions, in tokens and money, beside the paper's numbers
-- key: [origin, domain, provenance, stage, model]
-- source: "CaptionQA section 12: about 17.7 million tokens and 40 to 60 US dollars for about 10,000 questions"
-- columns:
--   origin: [varchar, [calls, published], "calls: computed from recorded calls; published: printed"]
--   domain: [varchar, domain; empty for the paper's figures]
--   provenance:
--   stage: [varchar, [generate, blind, embed, validate, generate_and_validate, all], "generate_and_validate: the two
--       stages that the paper pays for by the token, and it counts the tokens of both; all: every stage"]
--   model: [varchar, model_id; empty for all models of the stage]
--   model_name: [varchar, name of the model to show to people; empty for all models]
--   n_calls: [bigint, count, 1.., "calls, all attempts; null for printed rows, as all counts but the tokens and
--       questions"]
--   n_failed: [bigint, count, 0.., calls without a reply]
--   n_uncounted:
--   prompt_tokens: [bigint, tokens, 0.., tokens of the prompts that were counted]
--   cached_tokens, completion_tokens:
--   tokens: [bigint, tokens, 0.., tokens of prompts and replies]
--   cost_low: [double, 0.., "cost of the calls by the prices that the configuration had when the calls were made, in
--       its currency; null when a price or tokens are not known; for printed rows the lower end of the paper's range,
--       in US dollars"]
--   cost_high: [double, 0.., the same; of printed rows the upper end]
--   n_questions: [bigint, count, 0.., questions of the domain's bank that came from candidates; 0 before it is
--       published]
--   tokens_per_1000: [double, tokens, 0.., "tokens for 1,000 questions of the bank; null without a bank, and when
--       tokens were not counted"]
--   cost_low_per_1000: [double, 0.., "cost_low for 1,000 questions of the bank"]
--   cost_high_per_1000: [double, 0.., "cost_high for 1,000 questions of the bank"]

with items as (
    select image_id, min(domain) as domain
    from images
    group by image_id
),

banks as (
    select domain, count(*) as n_questions
    from questions
    where candidate_id is not null
    group by domain
),

priced as (
    select
        coalesce(i.domain, '') as domain, c.provenance, split_part(c.protocol, '/', 2) as stage, c.model, c.n_calls,
        c.n_failed, c.n_uncounted, c.prompt_tokens, c.cached_tokens, c.completion_tokens, c.cost
    from priced_calls() as c
    left join items as i on i.image_id = c.item
    where split_part(c.protocol, '/', 1) = 'construct'
),

sums as (
    select
        domain, provenance, series.stage, series.model, sum(n_calls) as n_calls, sum(n_failed) as n_failed,
        sum(n_uncounted) as n_uncounted, sum(prompt_tokens) as prompt_tokens, sum(cached_tokens) as cached_tokens,
        sum(completion_tokens) as completion_tokens,
        case when count(cost) = count(*) then cast(sum(exact_long(cost)) as double) end as cost
    from priced as p
    cross join lateral (
        values (p.stage, p.model), (p.stage, ''), ('all', ''),
            (case when p.stage in ('generate', 'validate') then 'generate_and_validate' end, '')
    ) as series (stage, model)
    where series.stage is not null
    group by domain, provenance, series.stage, series.model
),

rows as (
    select
        'calls' as origin, domain, provenance, stage, model, n_calls, n_failed, n_uncounted, prompt_tokens,
        cached_tokens,
        completion_tokens, prompt_tokens + completion_tokens as tokens, cost as cost_low, cost as cost_high,
        coalesce(n_questions, 0) as n_questions
    from sums
    left join banks using (domain)
    union all by name
    select
        'published' as origin, '' as domain, 'published' as provenance, 'generate_and_validate' as stage, '' as model,
        printed_value(metric, 'construction_tokens', value) as tokens,
        printed_value(metric, 'construction_cost_low', value) as cost_low,
        printed_value(metric, 'construction_cost_high', value) as cost_high,
        printed_value(metric, 'construction_questions', value) as n_questions
    from published
    where benchmark = 'captionqa' and source = 'paper' and item = 'Section 12'
    having count(*) > 0
)

select
    origin, domain, provenance, stage, model, case when model = '' then '' else model_name(model) end as model_name,
    n_calls,
    n_failed, n_uncounted, prompt_tokens, cached_tokens, completion_tokens, cast(tokens as bigint) as tokens, cost_low,
    cost_high, cast(n_questions as bigint) as n_questions,
    case when coalesce(n_uncounted, 0) = 0 then ratio_of(1000 * tokens, n_questions) end as tokens_per_1000,
    ratio_of(1000 * cost_low, n_questions) as cost_low_per_1000,
    ratio_of(1000 * cost_high, n_questions) as cost_high_per_1000
from rows;

-- audit: stages_add_up: the stages of a domain have all calls
select a.domain, a.provenance, a.n_calls, s.n_calls as n_calls_of_stages
from construct_costs as a
inner join (
    select domain, provenance, sum(n_calls) as n_calls
    from construct_costs
    where origin = 'calls' and model <> ''
    group by domain, provenance
) as s using (domain, provenance)
where a.origin = 'calls' and a.stage = 'all' and a.n_calls <> s.n_calls;
