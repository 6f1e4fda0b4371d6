-- what: "the table to look at first: boards of captioners that can be compared, with their scores, accuracy, cannot
--     rates and utility gap; QA-on-caption only"
-- key: [board_id, captioner]
-- source: "CaptionQA Tables 3, 4 and 11 to 26. Boards are the boards of the mart boards over all questions that some
--     captioner was asked: CaptionQA is the paper's"
-- columns:
--   prompt, board:
--   rank: [bigint, rank, 1.., "place by overall on the board; null where nobody else is on it"]
--   rank_low: [bigint, rank, 1.., "best place that the captioner may have, as in captionqa_ranks"]
--   rank_high: [bigint, rank, 1.., worst place that it may have]
--   captioner_name:
--   overall: [double, percent, 0..105, "mean of the scores of the domains; null where no reply could be read"]
--   overall_se: [double, percent, 0.., "standard error of overall, clustered by image; null for printed rows, as of all
--       figures"]
--   provenance: [varchar, [published, measured, simulated], "published, measured or simulated"]
--   reader:
--   domains: [varchar, domains that the row is about]
--   captioner:
--   size: [varchar, parameters as printed; empty when undisclosed; null when the registry does not know the captioner]
--   model_type: [varchar, "open, proprietary, human, metric or rehearsal; unknown when the registry does not know the
--       captioner"]
--   origin: [varchar, [answers, published], "base table that the figures come from: answers, or published for printed
--       ones"]
--   protocol:
--   accuracy: [double, percent, 0..100, "share of answers that are correct, mean over the domains"]
--   accuracy_se: [double, percent, 0.., "standard error of accuracy, clustered by image"]
--   cannot_rate: [double, percent, 0..100, "share of all answers that chose the cannot option: the rate of Table 9;
--       null for printed rows"]
--   cannot_rate_se: [double, percent, 0.., "standard error of cannot_rate, clustered by image"]
--   cannot_rate_offered: [double, percent, 0..100, "share of the answers to questions that offer the cannot option: the
--       rate of Tables 11 to 26"]
--   cannot_rate_offered_se: [double, percent, 0.., "standard error of cannot_rate_offered, clustered by image"]
--   gap: [double, points, -100..100, "utility gap: accuracy of the captioner on the images minus accuracy, over the
--       questions that both sides answered; null where it was not asked about images under the same conditions"]
--   gap_se: [double, points, 0.., "standard error of gap, paired and clustered by image"]
--   n_domains: [bigint, count, 1.., domains]
--   n_questions: [bigint, count, questions answered; null for printed rows]
--   n_unparsed: [bigint, count, "replies without a readable choice, scored 0; null for printed rows"]
--   n_failed: [bigint, count, "calls that gave no reply, scored 0; null for printed rows"]
--   board_place, board_id, note, condition_id:
-- intervals:
--   overall, accuracy, cannot_rate, cannot_rate_offered: given; as in captionqa_scores
--   gap: given; clustered by image, as in captionqa_gap; null for printed rows

with sectioned as (
    select condition_id, section as domain, joined_text(domain) as domains, count(*) as n_domains
    from sections
    group by condition_id, section
)

select
    r.prompt, r.board, r.rank, r.rank_low, r.rank_high, r.captioner_name, s.score as overall, s.score_se as overall_se,
    s.score_low as overall_low, s.score_high as overall_high, r.provenance, r.reader, domains, r.captioner, r.size,
    r.model_type, r.origin,
    r.protocol, s.accuracy, s.accuracy_se, s.accuracy_low, s.accuracy_high, s.cannot_rate, s.cannot_rate_se,
    s.cannot_rate_low,
    s.cannot_rate_high, s.cannot_rate_offered, s.cannot_rate_offered_se, s.cannot_rate_offered_low,
    s.cannot_rate_offered_high,
    gap, gap_se, gap_low, gap_high, n_domains, s.n_questions, s.n_unparsed, s.n_failed, r.board_place, r.board_id,
    r.note, condition_id
from captionqa_ranks as r
inner join sectioned as d using (condition_id, domain)
inner join captionqa_scores as s using (condition_id, origin, domain)
left join captionqa_gap as g using (condition_id, origin, domain)
where r.metric = 'score' and r.is_headline and not r.is_replaced and s.level in ('overall', 'domain');

-- audit: every_captioner: a captioner that has a score under a prompt is not lost
select prompt, captioner
from captionqa_scores
where evidence = 'caption' and level = 'domain' and (origin = 'answers' or score is not null) and not exists (
    select 1 from leaderboard where leaderboard.prompt = captionqa_scores.prompt
        and leaderboard.captioner = captionqa_scores.captioner
);
