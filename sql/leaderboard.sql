-- model: leaderboard
-- what: "the table to look at first: every captioner once for a caption prompt, with its scores, accuracy, cannot rates and utility gap"
-- grain: one row per prompt and captioner; QA-on-caption only
-- key: [prompt, captioner]
-- inputs: [captionqa_main, captionqa_scores, captionqa_gap]
-- source: "CaptionQA Tables 3, 4 and 11 to 26, one row of each for a captioner. Of several rows that captionqa_main has of a captioner and
--     a prompt, this is the first in the order: measured or published before simulated; with an overall score before without; the paper's
--     protocol, then others by name; the paper's reader, then the reader of most captioners with the same prompt and protocol, then by
--     name; measured before published; computed from answers before printed"
-- columns:
--   prompt: [varchar, caption prompt]
--   rank: [bigint, rank, 1.., "place by overall among the rows of the same prompt, protocol, reader and provenance, which are those to be
--       compared; null without overall"]
--   captioner: [varchar, id of the captioner]
--   captioner_name: [varchar, name of the captioner to show to people]
--   size: [varchar, parameters as printed; empty when undisclosed; null when the registry does not know the captioner]
--   model_type: [varchar, "open, proprietary, human, metric or stub; null when the registry does not know the captioner"]
--   provenance: [varchar, [published, measured, simulated], "best provenance that the lake has: published, measured or simulated"]
--   origin: [varchar, [answers, published], "base table that the figures come from: answers, or published for printed ones"]
--   protocol: [varchar, "how questions were put, parsed and scored"]
--   reader: [varchar, id of the model that answered]
--   overall: [double, percent, 0..105, "mean of the scores of the domains that overall_domains lists: the published four where the group
--       has any of them, else all its domains; null unless all are present"]
--   overall_se: [double, percent, 0.., "standard error of overall, clustered by image; null for printed rows, as of all figures"]
--   {domain}_score: [double, percent, 0..105, score in the domain {Domain}; null when absent]
--   {domain}_score_se: [double, percent, 0.., "standard error of {domain}_score, clustered by image"]
--   accuracy: [double, percent, 0..100, "share of answers that are correct, mean over the domains of overall; null without overall, as all
--       that follow but counts and the note"]
--   accuracy_se: [double, percent, 0.., "standard error of accuracy, clustered by image"]
--   cannot_rate: [double, percent, 0..100, "share of all answers that chose the cannot option: the rate of Table 9; null for printed
--       rows"]
--   cannot_rate_se: [double, percent, 0.., "standard error of cannot_rate, clustered by image"]
--   cannot_rate_offered: [double, percent, 0..100, "share of the answers to questions that offer the cannot option: the rate of Tables
--       11 to 26"]
--   cannot_rate_offered_se: [double, percent, 0.., "standard error of cannot_rate_offered, clustered by image"]
--   gap: [double, points, -100..100, "utility gap: accuracy of the captioner on the images minus accuracy; null where it was not asked
--       about images under the same conditions"]
--   gap_se: [double, points, 0.., "standard error of gap, paired and clustered by image"]
--   n_domains: [bigint, count, 1.., "domains present, beyond those of overall too"]
--   n_questions: [bigint, count, questions answered; null for printed rows]
--   n_unparsed: [bigint, count, "replies without a readable choice, scored 0; null for printed rows"]
--   n_failed: [bigint, count, "calls that gave no reply, scored 0; null for printed rows"]
--   note: [varchar, what a reader must know of the row; null when nothing]
-- intervals:
--   overall, {domain}_score, accuracy, cannot_rate, cannot_rate_offered, gap: given; clustered by image, as in the mart that the figure
--       comes from; null for printed rows

with readers as (
    select prompt, protocol, reader, count(distinct captioner) as n_captioners
    from captionqa_main
    group by prompt, protocol, reader
),

choices as (
    select
        *,
        row_number() over (
            partition by prompt, captioner
            order by
                case when provenance = 'simulated' then 1 else 0 end, case when overall is null then 1 else 0 end,
                case when protocol = paper_protocol() then 0 else 1 end, protocol,
                case when reader = paper_reader() then 0 else 1 end, n_captioners desc, reader,
                case when provenance = 'measured' then 0 else 1 end, origin
        ) as choice
    from captionqa_main
    inner join readers using (prompt, protocol, reader)
),

chosen as (
    select *, rank() over (partition by prompt, protocol, reader, provenance order by overall desc nulls last) as place
    from choices
    where choice = 1
),

shares as (
    select
        condition_id, origin, accuracy, accuracy_se, accuracy_low, accuracy_high,
        cannot_rate, cannot_rate_se, cannot_rate_low, cannot_rate_high,
        cannot_rate_offered, cannot_rate_offered_se, cannot_rate_offered_low, cannot_rate_offered_high
    from captionqa_scores
    where level = 'overall'
),

gaps as (
    select protocol, reader, prompt, provenance, origin, captioner, gap, gap_se, gap_low, gap_high
    from captionqa_gap
    where domain = 'Overall'
)

select
    prompt, case when overall is not null then place end as rank, captioner, captioner_name, size, model_type, provenance, origin,
    protocol, reader, overall, overall_se, overall_low, overall_high,
    {domain}_score, {domain}_score_se, {domain}_score_low, {domain}_score_high,
    accuracy, accuracy_se, accuracy_low, accuracy_high, cannot_rate, cannot_rate_se, cannot_rate_low, cannot_rate_high,
    cannot_rate_offered, cannot_rate_offered_se, cannot_rate_offered_low, cannot_rate_offered_high,
    gap, gap_se, gap_low, gap_high, n_domains, n_questions, n_unparsed, n_failed, note
from chosen
left join shares using (condition_id, origin)
left join gaps using (protocol, reader, prompt, provenance, origin, captioner);

-- audit: every_captioner: a captioner that captionqa_main has under a prompt is not lost
select prompt, captioner
from captionqa_main
where not exists (
    select 1 from leaderboard where leaderboard.prompt = captionqa_main.prompt and leaderboard.captioner = captionqa_main.captioner
);
