-- what: the share of questions about annotated elements that a captioner answers correctly, and the share of these
--     elements that its captions do not state
-- key: [benchmark, judge, captioner, repeat, dimension, provenance, origin]
-- source: CAPability Table 6 and equation 4; the printed rows as the paper prints them
-- columns:
--   benchmark: [varchar, [capability, cv-capbench]]
--   judge: [varchar, model_id of the judge of the captions and of the open answers]
--   captioner: [varchar, model_id that wrote the captions and answered the questions]
--   captioner_name, repeat:
--   dimension: [varchar, "dimension, or average over those of the paper's tables"]
--   provenance: [varchar, [published, measured, simulated], "published, measured or simulated: simulated if the answers
--       or the judgments are"]
--   origin: [varchar, [answers, published], "answers, or published for the printed figures"]
--   n_answers: [bigint, count, 0.., "questions answered: correctly, wrongly, or by no option; null for printed rows, as
--       all counts"]
--   n_correct: [bigint, count, "of them, answered correctly"]
--   n_known: [bigint, count, "of them, with a readable verdict on the caption: the denominator of
--       know-but-cannot-tell"]
--   n_untold: [bigint, count, 0.., "of them, with the verdict negative or miss"]
--   n_unparsed: [bigint, count, open answers whose judgment cannot be read; in no denominator]
--   n_failed: [bigint, count, questions without a reply; in no denominator]
--   n_dimensions: [bigint, count, 1..13, "number of dimensions that the row is about: 1, or the number of present
--       dimensions of an average"]
--   n_media: [bigint, count, media files that the questions are about; null for printed rows]
--   qa_accuracy: [double, percent, 0..100, correct share of the questions answered]
--   qa_accuracy_se: [double, percent, "standard error of qa_accuracy, clustered by media file, of an average over all
--       dimensions that a file serves; null for printed rows and where a dimension has answers about fewer than two
--       files"]
--   know_cannot_tell: [double, percent, 0..100, share of the known elements that the caption states wrongly or not
--       at all; null when nothing is
--       known; an average is null unless all dimensions are present]
--   know_cannot_tell_se: [double, percent, "standard error of know_cannot_tell, clustered in the same way; null for
--       printed rows and if a dimension has known answers about fewer than two files"]
-- intervals:
--   qa_accuracy: share(n_answers, answered_clusters); effective media files - 1 degrees of freedom
--   know_cannot_tell: share(n_known, known_clusters); effective media files - 1 degrees of freedom

with verdicts as (
    select
        key_of(benchmark, judge, captioner, repeat, provenance) as verdict_id, benchmark, judge, captioner, repeat,
        provenance as verdict_provenance, concat_ws(chr(10), dimension, sample_id, element) as annotation,
        n_positive + n_negative + n_miss as n_told_or_not, n_negative + n_miss as n_untold
    from capability_verdicts
),

judges as (
    select distinct verdict_id, benchmark, judge, captioner, repeat, verdict_provenance from verdicts
),

-- Multiple-choice answers need no judge and stand beside the judgments of each judge; open answers stand beside their
-- own judge's.
by_media as (
    select
        j.benchmark, j.judge, j.captioner, j.repeat, a.dimension, a.media,
        case
            when 'simulated' in (a.provenance, j.verdict_provenance) then 'simulated'
            when 'measured' in (a.provenance, j.verdict_provenance) then 'measured'
            else 'published'
        end as provenance,
        condition_of(j.benchmark, j.judge, '', j.captioner, j.repeat, provenance) as condition_id,
        sum(a.n_correct + a.n_incorrect) as n_answers, sum(a.n_correct) as n_correct,
        sum(a.n_correct * coalesce(v.n_told_or_not, 0)) as n_known,
        sum(a.n_correct * coalesce(v.n_untold, 0)) as n_untold,
        sum(a.n_unparsed) as n_unparsed, sum(a.n_failed) as n_failed
    from capability_outcomes as a
    inner join judges as j using (benchmark, captioner, repeat)
    left join verdicts as v on v.verdict_id = j.verdict_id
        and v.annotation = concat_ws(chr(10), a.dimension, a.sample_id, a.element)
    where a.answer_judge in ('', j.judge)
    group by all
),

-- One row for each of the two figures: a part of a whole.
long as (
    select *, sum(part) over cell as all_parts, sum(whole) over cell as all_wholes,
        count(nullif(whole, 0)) over cell as n_files
    from (
        select
            condition_id, benchmark, dimension, media, metric, case metric when 'qa_accuracy' then n_correct
                else n_untold end as part,
            case metric when 'qa_accuracy' then n_answers else n_known end as whole
        from by_media
        cross join (values ('qa_accuracy'), ('know_cannot_tell')) as m (metric)
    ) as l
    window cell as (partition by condition_id, dimension, metric)
),

-- The effect of a media file on the value of a section, to first order. A file can have elements of several dimensions,
-- and affects all of them.
moves as (
    select
        condition_id, metric, s.section, s.n_expected, media, sum(whole) as whole,
        sum(exact(share_part(part, whole, all_parts, all_wholes))) as move
    from long
    inner join rubric_sections() as s using (benchmark, dimension)
    where s.kind <> 'part'
    group by all
),

errors as (
    select
        condition_id, metric, section, clusters_of(sum(whole), sum(whole * whole)) as clusters,
        parts_error(sum(exact_square(cast(move as double))), sum(case when whole > 0 then 1 else 0 end)) / n_expected
            as error
    from moves
    group by condition_id, metric, section, n_expected
),

figures as (
    select
        condition_id, metric, s.section,
        case when count(nullif(all_wholes, 0)) = s.n_expected then mean_of(percent_of(all_parts, all_wholes)) end
            as figure,
        min(n_files) as least_files
    from (select distinct condition_id, benchmark, dimension, metric, all_parts, all_wholes, n_files from long) as d
    inner join rubric_sections() as s using (benchmark, dimension)
    where s.kind <> 'part'
    group by condition_id, metric, s.section, s.n_expected
),

counts as (
    select
        condition_id, benchmark, judge, captioner, repeat, provenance, s.section,
        sum(m.n_answers) as n_answers, sum(m.n_correct) as n_correct, sum(m.n_known) as n_known,
        sum(m.n_untold) as n_untold, sum(m.n_unparsed) as n_unparsed, sum(m.n_failed) as n_failed,
        count(distinct dimension) as n_dimensions, count(distinct m.media) as n_media
    from by_media as m
    inner join rubric_sections() as s using (benchmark, dimension)
    where s.kind <> 'part'
    group by all
),

computed as (
    select
        benchmark, judge, captioner, repeat, section, provenance, n_answers, n_correct, n_known, n_untold, n_unparsed,
        n_failed, n_dimensions, n_media,
        max(case when metric = 'qa_accuracy' then figure end) as qa_accuracy,
        max(case when metric = 'qa_accuracy' and figure is not null and least_files >= 2 then error end)
            as qa_accuracy_se,
        max(case when metric = 'qa_accuracy' then clusters end) as answered_clusters,
        max(case when metric = 'know_cannot_tell' then figure end) as know_cannot_tell,
        max(case when metric = 'know_cannot_tell' and figure is not null and least_files >= 2 then error end)
            as know_cannot_tell_se,
        max(case when metric = 'know_cannot_tell' then clusters end) as known_clusters
    from counts
    inner join figures using (condition_id, section)
    inner join errors using (condition_id, section, metric)
    group by all
),

both_origins as (
    select * rename (section as dimension), 'answers' as origin
    from computed
    union all by name
    select
        benchmark, q.paper_judge as judge, coalesce(nullif(p.model_id, ''), p.model) as captioner, 0 as repeat,
        p.category as dimension, 'published' as provenance, 'published' as origin, max(p.model) as printed_name,
        case when dimension = 'average' then count(nullif(dimension, 'average'))
            over (partition by benchmark, captioner) else 1
            end as n_dimensions,
        printed_value(p.metric, 'qa_accuracy', p.value) as qa_accuracy,
        printed_value(p.metric, 'know_but_cannot_tell', p.value) as know_cannot_tell
    from published as p
    inner join rubric_protocols() as q using (benchmark)
    where p.source = 'paper' and p.metric in ('qa_accuracy', 'know_but_cannot_tell')
    group by benchmark, q.paper_judge, coalesce(nullif(p.model_id, ''), p.model), p.category
)

select
    b.* exclude (printed_name), model_name(b.captioner, b.printed_name) as captioner_name
from both_origins as b;

-- audit: counts_nest: untold elements are known, known elements are answered correctly, and correct answers are answers
select benchmark, judge, captioner, dimension, n_untold, n_known, n_correct, n_answers
from capability_know_cannot_tell
where n_untold > n_known or n_known > n_correct or n_correct > n_answers;
