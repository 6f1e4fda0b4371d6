-- what: "the table to look at first: boards of captioners that can be compared, with their scores, accuracy, cannot
--     rates and utility gap; QA-on-caption only"
-- key: [prompt, board, captioner]
-- source: "CaptionQA Tables 3, 4 and 11 to 26. A board has what was asked alike: the same questions, by the same reader, under the same
--     protocol. Domains of one's own, parts of a bank and what is simulated have boards of their own. CaptionQA is the board of the paper:
--     its printed rows, and those measured over the whole bank by the paper's reader, which take the place of the captioner's printed row"
-- columns:
--   prompt:
--   board: [varchar, "CaptionQA, or the domains; how many of their questions were answered and a number for which, unless all were; the
--       protocol and the reader where they are not the paper's; whether it is simulated"]
--   rank: [bigint, rank, 1.., place by overall on the board]
--   captioner_name:
--   overall: [double, percent, 0..105, not null, mean of the scores of the domains]
--   overall_se: [double, percent, 0.., "standard error of overall, clustered by image; null for printed rows, as of all figures"]
--   provenance: [varchar, [published, measured, simulated], "published, measured or simulated"]
--   reader:
--   domains: [varchar, domains that the row is about]
--   captioner:
--   size: [varchar, parameters as printed; empty when undisclosed; null when the registry does not know the captioner]
--   model_type: [varchar, "open, proprietary, human, metric or rehearsal; null when the registry does not know the captioner"]
--   origin: [varchar, [answers, published], "base table that the figures come from: answers, or published for printed ones"]
--   protocol:
--   accuracy: [double, percent, 0..100, "share of answers that are correct, mean over the domains"]
--   accuracy_se: [double, percent, 0.., "standard error of accuracy, clustered by image"]
--   cannot_rate: [double, percent, 0..100, "share of all answers that chose the cannot option: the rate of Table 9; null for printed
--       rows"]
--   cannot_rate_se: [double, percent, 0.., "standard error of cannot_rate, clustered by image"]
--   cannot_rate_offered: [double, percent, 0..100, "share of the answers to questions that offer the cannot option: the rate of Tables
--       11 to 26"]
--   cannot_rate_offered_se: [double, percent, 0.., "standard error of cannot_rate_offered, clustered by image"]
--   gap: [double, points, -100..100, "utility gap: accuracy of the captioner on the images minus accuracy, over the questions that both
--       sides answered; null where it was not asked about images under the same conditions"]
--   gap_se: [double, points, 0.., "standard error of gap, paired and clustered by image"]
--   n_domains: [bigint, count, 1.., domains]
--   n_questions: [bigint, count, questions answered; null for printed rows]
--   n_unparsed: [bigint, count, "replies without a readable choice, scored 0; null for printed rows"]
--   n_failed: [bigint, count, "calls that gave no reply, scored 0; null for printed rows"]
--   board_place: [bigint, rank, 1.., "place of the board among those of the prompt: what is simulated last, CaptionQA first, whole banks
--       before parts, then the board with more captioners"]
--   note, condition_id:
-- intervals:
--   overall, accuracy, cannot_rate: share(n_questions, clusters)
--   cannot_rate_offered: share(n_questions_offered, offered_clusters)
--   gap: given; clustered by image, as in captionqa_gap; null for printed rows

with bank as (
    select domain, count(*) as n_bank
    from questions
    group by domain
),

printed_sizes as (
    select domain, max(value) as n_printed_images
    from published
    where benchmark = 'captionqa' and source = 'paper' and item = 'Table 1' and metric = 'images'
    group by domain
),

-- Where the lake has no bank of a domain, all questions are as many as anybody answered.
scores as (
    select
        *,
        is_published_domain(domain) as of_paper,
        case when origin = 'answers' then coalesce(n_bank, max(n_questions) over (partition by domain)) end as n_all,
        origin = 'published' or coalesce(n_images >= n_printed_images, false) as paper_size
    from captionqa_scores
    left join bank using (domain)
    left join printed_sizes using (domain)
    where evidence = 'caption' and level = 'domain' and score is not null
),

-- The published domains of a captioner and its other ones make two rows: no mean is over both.
sides as (
    select
        prompt, protocol, reader, provenance, origin, condition_id, captioner, captioner_name, size, model_type, of_paper,
        joined_text(domain) as domains, count(*) as n_domains, sum(n_all) as n_all, sum(question_set) as question_set,
        bool_and(coalesce(n_questions >= n_all, true)) as is_whole, bool_and(paper_size) as paper_size,
        domain_mean(score, n_sides) as overall, domain_error(score_se, n_sides) as overall_se,
        domain_mean(accuracy, n_sides) as accuracy, domain_error(accuracy_se, n_sides) as accuracy_se,
        domain_mean(cannot_rate, n_sides) as cannot_rate, domain_error(cannot_rate_se, n_sides) as cannot_rate_se,
        domain_mean(cannot_rate_offered, n_sides) as cannot_rate_offered,
        domain_error(cannot_rate_offered_se, n_sides) as cannot_rate_offered_se,
        domain_clusters(effective_images) as clusters, domain_clusters(effective_images_offered) as offered_clusters,
        sum(n_questions) as n_questions, sum(n_unparsed) as n_unparsed, sum(n_failed) as n_failed,
        sum(ratio_of(n_offered * n_questions, n_answers)) as n_questions_offered,
        'score from Table 3, absent from the table of the domain: '
            || joined_text(case when origin = 'published' and source_item = 'Table 3' then domain end) as note
    from (select *, count(*) over (partition by condition_id, origin, of_paper) as n_sides from scores) as s
    group by
        prompt, protocol, reader, provenance, origin, condition_id, captioner, captioner_name, size, model_type, of_paper
),

named as (
    select
        *,
        of_paper and n_domains = n_published_domains() and is_whole and paper_size as is_paper,
        count(*) over (partition by condition_id, origin) as n_sides
    from sides
),

boards as (
    select
        *,
        case when is_paper then 'CaptionQA' else domains end
            || case when is_whole then ''
                else ', ' || cast(n_questions as varchar) || ' of ' || cast(n_all as varchar) || ' questions (set '
                    || cast(question_set % 10000 as varchar) || ')' end
            || case when protocol = paper_protocol() then '' else ', ' || protocol end
            || case when reader = paper_reader() then '' else ', read by ' || reader end
            || case when provenance = 'simulated' then ', simulated' else '' end as board
    from named
),

chosen as (
    select
        *, row_number() over (partition by prompt, board, captioner order by provenance_place(provenance) = 2 desc, origin) as choice
    from boards
),

placed as (
    select
        *, rank() over (partition by prompt, board order by exact(overall) desc) as rank,
        count(*) over (partition by prompt, board) as n_captioners
    from chosen
    where choice = 1
),

gaps as (
    select condition_id, origin, domain as gap_domain, gap, gap_se, gap_low, gap_high
    from captionqa_gap
)

select
    prompt, board, rank, captioner_name, overall, overall_se, provenance, reader, domains, captioner, size, model_type, origin, protocol,
    accuracy, accuracy_se, cannot_rate, cannot_rate_se, cannot_rate_offered, cannot_rate_offered_se, gap, gap_se, gap_low, gap_high,
    n_domains, n_questions, n_unparsed, n_failed,
    dense_rank() over (
        partition by prompt
        order by
            case when provenance = 'simulated' then 1 else 0 end, case when board = 'CaptionQA' then 0 when is_paper then 1 else 2 end,
            case when is_whole then 0 else 1 end, n_captioners desc, board
    ) as board_place,
    note, condition_id, clusters, n_questions_offered, offered_clusters
from (
    -- The overall gap of a captioner is that of the published domains where it has any of them.
    select *, case when n_domains = 1 then domains when of_paper or n_sides = 1 then 'Overall' end as gap_domain
    from placed
) as p
left join gaps using (condition_id, origin, gap_domain);

-- audit: every_captioner: a captioner that has a score under a prompt is not lost
select prompt, captioner
from captionqa_scores
where evidence = 'caption' and level = 'domain' and score is not null and not exists (
    select 1 from leaderboard where leaderboard.prompt = captionqa_scores.prompt and leaderboard.captioner = captionqa_scores.captioner
);
