-- The results that captionlake demo --construct prints, each below its name and title.

-- funnel: From candidates to a bank (CaptionQA, Figure 3): SIMULATED, left after each step
select
    step, max(n_candidates) filter (domain = 'Natural') as natural,
    max(n_candidates) filter (domain = 'Document') as document,
    max(n_candidates) filter (domain = 'E-commerce') as "e-commerce",
    max(n_candidates) filter (domain = 'Embodied AI') as "embodied AI", sum(n_candidates) as "all",
    round(100.0 * sum(n_candidates) / max(sum(n_candidates)) over (), 1) as share
from construct_funnel
where provenance = 'simulated'
group by step, position
order by position;

-- questions: The banks: SIMULATED questions, with their keys and generators
select
    q.domain, q.category, q.question, list_aggregate(q.options, 'string_agg', ' / ') as options,
    q.options[q.answer_index + 1] as key, c.generator
from questions as q
inner join candidates as c using (candidate_id)
qualify row_number() over (partition by q.domain order by q.question_id) = 1
order by q.domain;

-- scores: The leaderboard over these banks, prompt Simple: SIMULATED scores (%)
{scores}