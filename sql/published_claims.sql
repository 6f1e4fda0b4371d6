-- model: published_claims
-- what: numbers that the text of the CaptionQA paper states, each beside its value recomputed from the paper's own tables
-- grain: one row per statement
-- key: claim
-- inputs: published
-- source: CaptionQA sections 1, 3.2, 3.5, 5, 5.2, 8, 8.1, 10.1, 14, 15 and the captions of Figures 12, 13 and 18
-- columns:
--   claim       varchar  -  short name of the statement
--   section     varchar  -  section or figure that states it
--   statement   varchar  -  what is stated, in our words
--   stated      double   -  number as stated
--   recomputed  double   -  number from the tables, or from another place of the text that says the same
--   tolerance   double   -  difference that rounding explains
--   difference  double   -  stated less recomputed
--   holds       boolean  -  the difference is within the tolerance
--   basis       varchar  -  what it was recomputed from
--   provenance  varchar  -  published, as both numbers are
-- checks:
--   stated not null
--   recomputed not null
--   tolerance >= 0
--   provenance in published

with figures as (
    select item, model_id, prompt, domain, category, metric, value
    from published
    where benchmark = 'captionqa' and source = 'paper'
),

sizes as (
    select
        domain,
        max(case when metric = 'questions' then value end) as questions,
        max(case when metric = 'images' then value end) as images
    from figures
    where item = 'Table 1'
    group by domain
),

gaps as (
    select model_id, ratio_of(sum(exact(value)), count(value)) as gap
    from figures
    where item = 'Table 4' and metric = 'utility_gap'
    group by model_id
),

caption_accuracy as (
    select model_id, ratio_of(sum(exact(value)), count(value)) as accuracy
    from figures
    where metric = 'accuracy' and prompt = 'Simple' and model_id <> ''
    group by model_id
),

-- Table 4's gap is QA-on-image accuracy less QA-on-caption accuracy under Simple.
image_accuracy as (
    select g.model_id, g.gap, a.accuracy as on_caption, a.accuracy + g.gap as on_image
    from gaps as g
    inner join caption_accuracy as a on a.model_id = g.model_id
),

wide as (
    select
        max(case when model_id = 'gpt-5' then gap end) as gpt5_gap,
        max(case when model_id = 'gpt-5' then on_image end) as gpt5_image,
        max(case when model_id = 'gpt-5' then on_caption end) as gpt5_caption,
        max(case when model_id = 'claude-sonnet-4.5' then gap end) as claude_gap,
        max(case when model_id = 'claude-sonnet-4.5' then on_image end) as claude_image,
        max(case when model_id = 'claude-sonnet-4.5' then on_caption end) as claude_caption,
        max(case when model_id = 'qwen3-vl-30b-a3b' then gap end) as qwen_gap,
        max(case when model_id = 'llava-onevision-7b' then gap end) as llava_gap,
        max(case when model_id = 'llava-onevision-7b' then on_image end) as llava_image,
        max(case when model_id = 'llava-onevision-7b' then on_caption end) as llava_caption
    from image_accuracy
),

overall as (
    select model_id, prompt, value as score
    from figures
    where item = 'Table 3' and domain = 'Overall'
),

categories as (
    select
        domain,
        category,
        max(case when metric = 'mean_score' then value end) as mean_score,
        max(case when metric = 'cannot_rate' then value end) as cannot_rate,
        max(case when metric = 'questions' then value end) as questions
    from figures
    where item = 'Table 9'
    group by domain, category
),

shares as (
    select domain, category, percent_of(questions, sum(questions) over (partition by domain)) as share
    from categories
),

statements as (
    select
        'questions per image' as claim, 'abstract, 3.2' as section,
        'an average of 50.3 questions per image' as statement,
        50.3 as stated, ratio_of(questions, images) as recomputed, 0.05 as tolerance, 'Table 1' as basis
    from sizes
    where domain = 'Total'
    union all
    select
        'questions per image, ' || domain, '8.1', domain || ' has so many questions per image on average',
        case domain when 'Natural' then 66.1 when 'Document' then 41.7 when 'E-commerce' then 48.6 else 46.4 end,
        ratio_of(questions, images), 0.05, 'Table 1'
    from sizes
    where domain <> 'Total'
    union all
    select 'smallest gap, proprietary', '1, 5', 'proprietary models lose at least 9.2 points from image to caption', 9.2, gpt5_gap, 0.06, 'mean of Table 4' from wide
    union all
    select 'largest gap, proprietary', '1, 5', 'proprietary models lose at most 16.4 points from image to caption', 16.4, claude_gap, 0.06, 'mean of Table 4' from wide
    union all
    select 'smallest gap, open', '1, 5', 'open models lose at least 11 points from image to caption', 11, qwen_gap, 0.51, 'mean of Table 4' from wide
    union all
    select 'largest gap, open', '1, 5', 'open models lose at most 32.4 points from image to caption', 32.4, llava_gap, 0.06, 'mean of Table 4' from wide
    union all
    select 'GPT-5 on images', '5', 'GPT-5 reaches close to 98 % accuracy on images', 98, gpt5_image, 0.51, 'accuracy under Simple plus Table 4' from wide
    union all
    select
        'GPT-5 and LLaVA-OneVision on images', '5', 'GPT-5 and LLaVA-OneVision-7B differ by about 9 points on images',
        9, gpt5_image - llava_image, 0.51, 'accuracy under Simple plus Table 4'
    from wide
    union all
    select
        'GPT-5 and LLaVA-OneVision on captions', '5', 'GPT-5 and LLaVA-OneVision-7B differ by 32.3 points on captions',
        32.3, gpt5_caption - llava_caption, 0.06, 'accuracy under Simple'
    from wide
    union all
    select
        'Claude and LLaVA-OneVision on images', '5', 'Claude Sonnet 4.5 and LLaVA-OneVision-7B differ by 1.1 points on images',
        1.1, claude_image - llava_image, 0.06, 'accuracy under Simple plus Table 4'
    from wide
    union all
    select
        'Claude and LLaVA-OneVision on captions', '5', 'Claude Sonnet 4.5 and LLaVA-OneVision-7B differ by 17.2 points on captions',
        17.2, claude_caption - llava_caption, 0.06, 'accuracy under Simple'
    from wide
    union all
    select
        'Claude and LLaVA-OneVision, introduction', '1', 'Claude Sonnet 4.5 and LLaVA-OneVision-7B diverge by up to 32 points on captions',
        32, claude_caption - llava_caption, 0.51, 'accuracy under Simple'
    from wide
    union all
    select 'GPT-5 under Simple', '5', 'GPT-5 scores 90.3 overall under Simple', 90.3, score, 0.05, 'Table 3' from overall where model_id = 'gpt-5' and prompt = 'Simple'
    union all
    select 'Gemini 2.5 Pro under Long', '5', 'Gemini 2.5 Pro scores around 90.1 overall under Long', 90.1, score, 0.05, 'Table 3' from overall where model_id = 'gemini-2.5-pro' and prompt = 'Long'
    union all
    select
        'Qwen3-VL 30B-A3B under Simple', '5', 'Qwen3-VL-30B-A3B scores 87.1 overall under Simple', 87.1, score, 0.05, 'Table 3; under Long it is 87.12'
    from overall
    where model_id = 'qwen3-vl-30b-a3b' and prompt = 'Simple'
    union all
    select
        'GLM-4.1V 9B under Simple', '5', 'GLM-4.1V-9B scores 85.8 overall under Simple', 85.8, score, 0.05, 'Table 3; under Long it is 85.83'
    from overall
    where model_id = 'glm-4.1v-9b' and prompt = 'Simple'
    union all
    select
        'minutes for the benchmark', '3.5', 'at 21.14 questions per second the whole benchmark takes 25 minutes', 25, questions / 21.14 / 60, 0.51, 'Table 1'
    from sizes
    where domain = 'Total'
    union all
    select 'share of the gain at Simple', '5.2', 'Short to Simple (33.8) captures 99 % of Short to Long (34.2)', 99, percent_of(33.8, 34.2), 0.51, 'the text''s own means'
    union all
    select 'share of the length at Simple', '5.2', 'Simple uses 67 % of the length of Long', 67, percent_of(317, 471), 0.51, 'the text''s own lengths'
    union all
    select 'growth from Simple to Long', '5.2', 'Long is 1.5 times as long as Simple', 1.5, ratio_of(471, 317), 0.051, 'the text''s own lengths'
    union all
    select 'words under Short', '5.2', 'captions under Short have 21 words on average', 21, 22, 0.51, 'section 9 and Figure 13'
    union all
    select 'words under Simple', '5.2', 'captions under Simple have 317 words on average', 317, 356, 0.51, 'section 9 and Figure 13'
    union all
    select 'words under Long', '5.2', 'captions under Long have 471 words on average', 471, 510, 0.51, 'section 9 and Figure 13'
    union all
    select 'largest change from Simple to Long', '14.2, Figure 18', 'every category changes by less than 2 points', 2, 2.6, 0.05, 'Figure 22: E-commerce Visual Appearance, coverage'
    union all
    select 'four-choice share, Natural', '8, Figure 7', 'at least 87 % of the questions of every domain are four-choice', 87, 100 - 30.4, 0.5, 'section 8: 30.4 % of Natural are binary'
    union all
    select
        'share of Perception', 'Figure 12, 8.1', 'Perception makes 45.0 % of the questions of Embodied AI', 45.0, share, 0.05, 'Table 9; section 10.1 says 46.3'
    from shares
    where domain = 'Embodied AI' and category = 'Perception'
    union all
    select
        'share of Attribute', 'Figure 9, 8.1', 'Attribute makes 28.1 % of the questions of Natural', 28.1, share, 0.05, 'Table 9'
    from shares
    where domain = 'Natural' and category = 'Attribute'
    union all
    select
        'share of Content-Level Evaluation', 'Figure 10, 8.1', 'Content-Level Evaluation makes 30.5 % of the questions of Document', 30.5, share, 0.05, 'Table 9'
    from shares
    where domain = 'Document' and category = 'Content-Level Evaluation'
    union all
    select
        'cannot-rate and difficulty', '15', 'cannot-rates correlate with difficulty at r = 0.68', 0.68,
        -correlation_of(
            count(*), sum(exact(mean_score)), sum(exact(cannot_rate)), sum(exact_square(mean_score)), sum(exact_square(cannot_rate)),
            sum(exact_product(mean_score, cannot_rate))
        ),
        0.0051, 'Table 9: cannot-rate against 100 less mean score'
    from categories
    where mean_score is not null and cannot_rate is not null
)

select
    cast(claim as varchar) as claim,
    cast(section as varchar) as section,
    cast(statement as varchar) as statement,
    cast(stated as double) as stated,
    cast(recomputed as double) as recomputed,
    cast(tolerance as double) as tolerance,
    cast(stated as double) - cast(recomputed as double) as difference,
    cast(abs(cast(stated as double) - cast(recomputed as double)) <= tolerance as boolean) as holds,
    cast(basis as varchar) as basis,
    cast('published' as varchar) as provenance
from statements
where recomputed is not null;

-- audit: claims_are_numbers: a recomputed value that is no number says nothing
select claim, stated, recomputed
from published_claims
where isnan(recomputed) or isinf(recomputed);
