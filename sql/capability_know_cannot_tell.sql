-- model: capability_know_cannot_tell
-- what: accuracy on the question form of annotations, and the share of what a captioner knows there but does not tell in its caption
-- grain: one row per benchmark, judge, captioner, repeat, dimension or average, provenance and origin
-- key: benchmark, judge, captioner, repeat, dimension, provenance, origin
-- inputs: element_answers, judgments, capability_rubric, published, models
-- source: CAPability Table 6 and equation 4; the printed rows as the paper prints them
-- columns:
--   benchmark         varchar  -        capability or cv-capbench
--   judge             varchar  -        model_id of the judge of the captions and of the open answers
--   captioner         varchar  -        model_id that wrote the captions and answered the questions
--   model             varchar  -        name of the captioner to show to people
--   repeat            bigint   count    number of the repetition, from 0
--   dimension         varchar  -        dimension, or average over those of the paper's tables
--   provenance        varchar  -        published, measured or simulated: simulated if the answers or the judgments are
--   origin            varchar  -        answers, or published for the printed figures
--   n_answers         bigint   count    questions answered: correctly, wrongly, or by no option; null for printed rows, as all counts
--   n_correct         bigint   count    of them, answered correctly
--   n_known           bigint   count    of them, with a readable verdict on the caption: the denominator of know-but-cannot-tell
--   n_untold          bigint   count    of them, with the verdict negative or miss
--   n_unparsed        bigint   count    open answers whose judgment cannot be read; in no denominator
--   n_failed          bigint   count    questions without a reply; in no denominator
--   n_dimensions      bigint   count    dimensions that the row is about: 1, or those present of an average
--   qa_accuracy       double   percent  correct share of the questions answered
--   know_cannot_tell  double   percent  share of what is known that the caption states wrongly or not at all; null when nothing is known; an average is null unless all dimensions are present
-- checks:
--   benchmark in capability, cv-capbench
--   provenance in published, measured, simulated
--   origin in answers, published
--   qa_accuracy between 0 and 100
--   know_cannot_tell between 0 and 100
--   n_answers >= 0
--   n_untold >= 0
--   n_dimensions between 1 and 13

with answered as (
    select benchmark, model as captioner, judge as answer_judge, repeat, sample_id, element, dimension, outcome, provenance
    from element_answers
),

judged as (
    select benchmark, judge, captioner, repeat, sample_id, element, dimension, verdict, provenance
    from judgments
),

rubric as (
    select benchmark, dimension, in_tables, paper_judge, count(case when in_tables then 1 end) over (partition by benchmark) as n_expected
    from capability_rubric
),

registry as (
    select model_id, name
    from models
),

judges as (
    select distinct benchmark, judge, captioner, repeat, provenance
    from judged
),

-- Multiple-choice answers need no judge and stand beside the judgments of each; open ones beside those of their own.
paired as (
    select
        a.benchmark, g.judge, a.captioner, a.repeat, a.dimension, a.answer_judge, a.outcome, j.verdict,
        case
            when 'simulated' in (a.provenance, g.provenance) then 'simulated'
            when 'measured' in (a.provenance, g.provenance) then 'measured'
            else 'published'
        end as both_provenance
    from answered as a
    inner join judges as g
        on g.benchmark = a.benchmark and g.captioner = a.captioner and g.repeat = a.repeat and a.answer_judge in ('', g.judge)
    left join judged as j
        on j.benchmark = g.benchmark and j.judge = g.judge and j.captioner = g.captioner and j.repeat = g.repeat
        and j.provenance = g.provenance and j.sample_id = a.sample_id and j.dimension = a.dimension and j.element = a.element
),

-- A letter that names no option is the captioner's answer, if a wrong one; an unreadable judgment is no answer.
counted as (
    select
        benchmark, judge, captioner, repeat, dimension, both_provenance,
        sum(case when outcome in ('correct', 'incorrect') or outcome = 'unparsed' and answer_judge = '' then 1 else 0 end) as n_answers,
        sum(case when outcome = 'correct' then 1 else 0 end) as n_correct,
        sum(case when outcome = 'correct' and verdict in ('positive', 'negative', 'miss') then 1 else 0 end) as n_known,
        sum(case when outcome = 'correct' and verdict in ('negative', 'miss') then 1 else 0 end) as n_untold,
        sum(case when outcome = 'unparsed' and answer_judge <> '' then 1 else 0 end) as n_unparsed,
        sum(case when outcome = 'failed' then 1 else 0 end) as n_failed
    from paired
    group by benchmark, judge, captioner, repeat, dimension, both_provenance
),

dimensions as (
    select
        c.benchmark, c.judge, c.captioner, c.repeat, c.dimension, c.both_provenance, r.in_tables, r.n_expected,
        c.n_answers, c.n_correct, c.n_known, c.n_untold, c.n_unparsed, c.n_failed,
        percent_of(c.n_correct, c.n_answers) as accuracy,
        percent_of(c.n_untold, c.n_known) as untold
    from counted as c
    inner join rubric as r on r.benchmark = c.benchmark and r.dimension = c.dimension
),

averages as (
    select
        benchmark, judge, captioner, repeat, both_provenance, n_expected,
        sum(n_answers) as n_answers,
        sum(n_correct) as n_correct,
        sum(n_known) as n_known,
        sum(n_untold) as n_untold,
        sum(n_unparsed) as n_unparsed,
        sum(n_failed) as n_failed,
        count(*) as n_dimensions,
        case when count(accuracy) = n_expected then ratio_of(sum(exact(accuracy)), n_expected) end as accuracy,
        case when count(untold) = n_expected then ratio_of(sum(exact(untold)), n_expected) end as untold
    from dimensions
    where in_tables
    group by benchmark, judge, captioner, repeat, both_provenance, n_expected
),

printed as (
    select
        p.benchmark, coalesce(nullif(p.model_id, ''), p.model) as captioner, p.category as dimension,
        max(p.model) as printed_model,
        max(case when p.metric = 'qa_accuracy' then p.value end) as accuracy,
        max(case when p.metric = 'know_but_cannot_tell' then p.value end) as untold
    from published as p
    where p.benchmark in ('capability', 'cv-capbench') and p.source = 'paper' and p.metric in ('qa_accuracy', 'know_but_cannot_tell')
    group by p.benchmark, coalesce(nullif(p.model_id, ''), p.model), p.category
),

paper as (
    select benchmark, max(paper_judge) as paper_judge
    from rubric
    group by benchmark
),

printed_dimensions as (
    select benchmark, captioner, count(case when dimension <> 'average' then 1 end) as n_dimensions
    from printed
    group by benchmark, captioner
),

both_origins as (
    select
        benchmark, judge, captioner, null as printed_model, repeat, dimension, both_provenance, 'answers' as origin,
        n_answers, n_correct, n_known, n_untold, n_unparsed, n_failed, 1 as n_dimensions, accuracy, untold
    from dimensions
    union all
    select
        benchmark, judge, captioner, null as printed_model, repeat, 'average' as dimension, both_provenance, 'answers' as origin,
        n_answers, n_correct, n_known, n_untold, n_unparsed, n_failed, n_dimensions, accuracy, untold
    from averages
    union all
    select
        p.benchmark, q.paper_judge as judge, p.captioner, p.printed_model, 0 as repeat, p.dimension, 'published' as both_provenance,
        'published' as origin, null as n_answers, null as n_correct, null as n_known, null as n_untold, null as n_unparsed,
        null as n_failed, case when p.dimension = 'average' then d.n_dimensions else 1 end as n_dimensions, p.accuracy, p.untold
    from printed as p
    inner join paper as q on q.benchmark = p.benchmark
    inner join printed_dimensions as d on d.benchmark = p.benchmark and d.captioner = p.captioner
)

select
    cast(b.benchmark as varchar) as benchmark,
    cast(b.judge as varchar) as judge,
    cast(b.captioner as varchar) as captioner,
    cast(coalesce(m.name, b.printed_model, b.captioner) as varchar) as model,
    cast(b.repeat as bigint) as repeat,
    cast(b.dimension as varchar) as dimension,
    cast(b.both_provenance as varchar) as provenance,
    cast(b.origin as varchar) as origin,
    cast(b.n_answers as bigint) as n_answers,
    cast(b.n_correct as bigint) as n_correct,
    cast(b.n_known as bigint) as n_known,
    cast(b.n_untold as bigint) as n_untold,
    cast(b.n_unparsed as bigint) as n_unparsed,
    cast(b.n_failed as bigint) as n_failed,
    cast(b.n_dimensions as bigint) as n_dimensions,
    cast(b.accuracy as double) as qa_accuracy,
    cast(b.untold as double) as know_cannot_tell
from both_origins as b
left join registry as m on m.model_id = b.captioner;

-- audit: answers_are_annotated: a question is made from an annotation, or its answer is about nothing
select a.benchmark, a.model, a.dimension, a.sample_id, a.element
from element_answers as a
left join annotations as n
    on n.benchmark = a.benchmark and n.dimension = a.dimension and n.sample_id = a.sample_id and n.element = a.element
where n.sample_id is null;

-- audit: known_outcomes: an outcome that is none of the four would vanish from the figures
select benchmark, model, dimension, sample_id, outcome
from element_answers
where outcome not in ('correct', 'incorrect', 'unparsed', 'failed');

-- audit: counts_nest: what is not told is part of what is known, that of what is correct, and that of what is answered
select benchmark, judge, captioner, dimension, n_untold, n_known, n_correct, n_answers
from capability_know_cannot_tell
where n_untold > n_known or n_known > n_correct or n_correct > n_answers;
