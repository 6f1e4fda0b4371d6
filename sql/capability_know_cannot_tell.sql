-- model: capability_know_cannot_tell
-- what: accuracy on the question form of annotations, and the share of what a captioner knows there but does not tell in its caption
-- grain: one row per benchmark, judge, captioner, repeat, dimension or average, provenance and origin
-- key: [benchmark, judge, captioner, repeat, dimension, provenance, origin]
-- inputs: [element_answers, stale_element_answers, judgments, stale_judgments, annotations, capability_rubric, published, models]
-- source: CAPability Table 6 and equation 4; the printed rows as the paper prints them
-- columns:
--   benchmark: [varchar, [capability, cv-capbench]]
--   judge: [varchar, model_id of the judge of the captions and of the open answers]
--   captioner: [varchar, model_id that wrote the captions and answered the questions]
--   model: [varchar, name of the captioner to show to people]
--   repeat: [bigint, count, "number of the repetition, from 0"]
--   dimension: [varchar, "dimension, or average over those of the paper's tables"]
--   provenance: [varchar, [published, measured, simulated], "published, measured or simulated: simulated if the answers or the judgments
--       are"]
--   origin: [varchar, [answers, published], "answers, or published for the printed figures"]
--   n_answers: [bigint, count, 0.., "questions answered: correctly, wrongly, or by no option; null for printed rows, as all counts"]
--   n_correct: [bigint, count, "of them, answered correctly"]
--   n_known: [bigint, count, "of them, with a readable verdict on the caption: the denominator of know-but-cannot-tell"]
--   n_untold: [bigint, count, 0.., "of them, with the verdict negative or miss"]
--   n_unparsed: [bigint, count, open answers whose judgment cannot be read; in no denominator]
--   n_failed: [bigint, count, questions without a reply; in no denominator]
--   n_dimensions: [bigint, count, 1..13, "dimensions that the row is about: 1, or those present of an average"]
--   n_media: [bigint, count, media files that the questions are about; null for printed rows]
--   qa_accuracy: [double, percent, 0..100, correct share of the questions answered]
--   qa_accuracy_se: [double, percent, "standard error of qa_accuracy, clustered by media file, of an average over all dimensions that a
--       file serves; null for printed rows and where a dimension has answers about fewer than two files"]
--   know_cannot_tell: [double, percent, 0..100, share of what is known that the caption states wrongly or not at all; null when nothing is
--       known; an average is null unless all dimensions are present]
--   know_cannot_tell_se: [double, percent, "standard error of know_cannot_tell, clustered in the same way; null for printed rows and where
--       a dimension has what is known of fewer than two files"]
-- intervals:
--   qa_accuracy: share(n_answers, answered_clusters); effective media files - 1 degrees of freedom
--   know_cannot_tell: share(n_known, known_clusters); effective media files - 1 degrees of freedom

with answered as (
    select benchmark, model as captioner, judge as answer_judge, repeat, sample_id, element, dimension, outcome, provenance
    from counted_element_answers()
),

judged as (
    select benchmark, judge, captioner, repeat, sample_id, element, dimension, verdict, provenance
    from counted_judgments()
),

files as (
    select benchmark, dimension, sample_id, element, coalesce(nullif(media, ''), sample_id) as media
    from annotations
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
        coalesce(f.media, a.sample_id) as media,
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
    left join files as f
        on f.benchmark = a.benchmark and f.dimension = a.dimension and f.sample_id = a.sample_id and f.element = a.element
),

-- A letter that names no option is the captioner's answer, if a wrong one; an unreadable judgment is no answer.
by_media as (
    select
        benchmark, judge, captioner, repeat, dimension, both_provenance, media,
        sum(case when outcome in ('correct', 'incorrect') or outcome = 'unparsed' and answer_judge = '' then 1 else 0 end) as n_answers,
        sum(case when outcome = 'correct' then 1 else 0 end) as n_correct,
        sum(case when outcome = 'correct' and verdict in ('positive', 'negative', 'miss') then 1 else 0 end) as n_known,
        sum(case when outcome = 'correct' and verdict in ('negative', 'miss') then 1 else 0 end) as n_untold,
        sum(case when outcome = 'unparsed' and answer_judge <> '' then 1 else 0 end) as n_unparsed,
        sum(case when outcome = 'failed' then 1 else 0 end) as n_failed
    from paired
    group by benchmark, judge, captioner, repeat, dimension, both_provenance, media
),

counted as (
    select
        benchmark, judge, captioner, repeat, dimension, both_provenance,
        sum(n_answers) as n_answers, sum(n_correct) as n_correct, sum(n_known) as n_known, sum(n_untold) as n_untold,
        sum(n_unparsed) as n_unparsed, sum(n_failed) as n_failed, count(*) as n_media,
        sum(case when n_answers > 0 then 1 else 0 end) as n_answered_media,
        sum(case when n_known > 0 then 1 else 0 end) as n_known_media,
        clusters_of(sum(n_answers), sum(n_answers * n_answers)) as answered_clusters,
        clusters_of(sum(n_known), sum(n_known * n_known)) as known_clusters
    from by_media
    group by benchmark, judge, captioner, repeat, dimension, both_provenance
),

dimensions as (
    select
        c.benchmark, c.judge, c.captioner, c.repeat, c.dimension, c.both_provenance, r.in_tables, r.n_expected,
        c.n_answers, c.n_correct, c.n_known, c.n_untold, c.n_unparsed, c.n_failed, c.n_media, c.n_answered_media, c.n_known_media,
        c.answered_clusters, c.known_clusters,
        percent_of(c.n_correct, c.n_answers) as accuracy,
        percent_of(c.n_untold, c.n_known) as untold
    from counted as c
    inner join rubric as r on r.benchmark = c.benchmark and r.dimension = c.dimension
),

-- What a media file moves the two figures of a dimension, to first order.
moves as (
    select
        m.benchmark, m.judge, m.captioner, m.repeat, m.dimension, m.both_provenance, m.media, d.in_tables, m.n_answers, m.n_known,
        share_part(m.n_correct, m.n_answers, d.n_correct, d.n_answers) as accuracy_part,
        share_part(m.n_untold, m.n_known, d.n_untold, d.n_known) as untold_part
    from by_media as m
    inner join dimensions as d
        on d.benchmark = m.benchmark and d.judge = m.judge and d.captioner = m.captioner and d.repeat = m.repeat
        and d.dimension = m.dimension and d.both_provenance = m.both_provenance
),

dimension_errors as (
    select
        benchmark, judge, captioner, repeat, dimension, both_provenance,
        parts_error(sum(exact_square(accuracy_part)), sum(case when n_answers > 0 then 1 else 0 end)) as accuracy_se,
        parts_error(sum(exact_square(untold_part)), sum(case when n_known > 0 then 1 else 0 end)) as untold_se
    from moves
    group by benchmark, judge, captioner, repeat, dimension, both_provenance
),

-- A file can serve several dimensions, and then moves the figures of all of them.
media_sums as (
    select
        benchmark, judge, captioner, repeat, both_provenance, media,
        sum(n_answers) as n_answers, sum(n_known) as n_known,
        sum(exact(accuracy_part)) as accuracy_part, sum(exact(untold_part)) as untold_part
    from moves
    where in_tables
    group by benchmark, judge, captioner, repeat, both_provenance, media
),

average_errors as (
    select
        benchmark, judge, captioner, repeat, both_provenance, count(*) as n_media,
        clusters_of(sum(n_answers), sum(n_answers * n_answers)) as answered_clusters,
        clusters_of(sum(n_known), sum(n_known * n_known)) as known_clusters,
        parts_error(sum(exact_square(cast(accuracy_part as double))), sum(case when n_answers > 0 then 1 else 0 end)) as accuracy_se,
        parts_error(sum(exact_square(cast(untold_part as double))), sum(case when n_known > 0 then 1 else 0 end)) as untold_se
    from media_sums
    group by benchmark, judge, captioner, repeat, both_provenance
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
        min(n_answered_media) as least_answered, min(n_known_media) as least_known,
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
        d.benchmark, d.judge, d.captioner, null as printed_model, d.repeat, d.dimension, d.both_provenance, 'answers' as origin,
        d.n_answers, d.n_correct, d.n_known, d.n_untold, d.n_unparsed, d.n_failed, 1 as n_dimensions,
        d.n_media, d.answered_clusters, d.known_clusters, d.accuracy, d.untold, e.accuracy_se, e.untold_se
    from dimensions as d
    inner join dimension_errors as e
        on e.benchmark = d.benchmark and e.judge = d.judge and e.captioner = d.captioner and e.repeat = d.repeat
        and e.dimension = d.dimension and e.both_provenance = d.both_provenance
    union all
    select
        a.benchmark, a.judge, a.captioner, null as printed_model, a.repeat, 'average' as dimension, a.both_provenance, 'answers' as origin,
        a.n_answers, a.n_correct, a.n_known, a.n_untold, a.n_unparsed, a.n_failed, a.n_dimensions,
        e.n_media, e.answered_clusters, e.known_clusters, a.accuracy, a.untold,
        case when a.accuracy is not null and a.least_answered >= 2 then e.accuracy_se / a.n_expected end as accuracy_se,
        case when a.untold is not null and a.least_known >= 2 then e.untold_se / a.n_expected end as untold_se
    from averages as a
    inner join average_errors as e
        on e.benchmark = a.benchmark and e.judge = a.judge and e.captioner = a.captioner and e.repeat = a.repeat
        and e.both_provenance = a.both_provenance
    union all
    select
        p.benchmark, q.paper_judge as judge, p.captioner, p.printed_model, 0 as repeat, p.dimension, 'published' as both_provenance,
        'published' as origin, null as n_answers, null as n_correct, null as n_known, null as n_untold, null as n_unparsed,
        null as n_failed, case when p.dimension = 'average' then d.n_dimensions else 1 end as n_dimensions,
        null as n_media, null as answered_clusters, null as known_clusters, p.accuracy, p.untold, null as accuracy_se, null as untold_se
    from printed as p
    inner join paper as q on q.benchmark = p.benchmark
    inner join printed_dimensions as d on d.benchmark = p.benchmark and d.captioner = p.captioner
)

select
    b.benchmark, b.judge, b.captioner,
    coalesce(m.name, b.printed_model, b.captioner) as model,
    b.repeat, b.dimension,
    b.both_provenance as provenance,
    b.origin, b.n_answers, b.n_correct, b.n_known, b.n_untold, b.n_unparsed, b.n_failed, b.n_dimensions, b.n_media,
    b.accuracy as qa_accuracy,
    b.accuracy_se as qa_accuracy_se,
    b.untold as know_cannot_tell,
    b.untold_se as know_cannot_tell_se,
    b.answered_clusters, b.known_clusters
from both_origins as b
left join registry as m on m.model_id = b.captioner;

-- audit: answers_are_annotated: a question is made from an annotation, or its answer is about nothing
select a.benchmark, a.model, a.dimension, a.sample_id, a.element
from counted_element_answers() as a
left join annotations as n
    on n.benchmark = a.benchmark and n.dimension = a.dimension and n.sample_id = a.sample_id and n.element = a.element
where n.sample_id is null;

-- audit: known_outcomes: an outcome that is not one of the four would vanish from the figures
select benchmark, model, dimension, sample_id, outcome
from counted_element_answers()
where outcome not in ('correct', 'incorrect', 'unparsed', 'failed');

-- audit: counts_nest: what is not told is part of what is known, that of what is correct, and that of what is answered
select benchmark, judge, captioner, dimension, n_untold, n_known, n_correct, n_answers
from capability_know_cannot_tell
where n_untold > n_known or n_known > n_correct or n_correct > n_answers;
