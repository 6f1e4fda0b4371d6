-- model: published_quantities
-- what: what the tables of the four papers and the public leaderboard give for the quantities that the papers' texts state
-- grain: one row per quantity of a paper
-- key: [benchmark, quantity]
-- inputs: [published, models]
-- source: CaptionQA Tables 1, 3, 4, 9 to 26 and leaderboard; CAPability Tables 3 to 6; CV-CapBench Tables 2 and 3; CapArena Tables 2, 3 and
--    8
-- columns:
--   benchmark: [varchar, paper whose text states the quantity]
--   quantity: [varchar, "name of the quantity, as the statements have it"]
--   value: [double, not null, "its value from the tables, in the unit of the statements"]
--   slack: [double, 0.., how far rounding of the tables' figures can have moved the value]
--   basis: [varchar, what it was computed from]
--   provenance: [varchar, [published], "published, as the figures are"]

with figures as (
    select benchmark, source, item, model_id, prompt, domain, category, metric, value
    from published
    where source <> 'statement' and (item like 'Table %' or source = 'leaderboard')
),

-- CaptionQA
sizes as (
    select
        domain,
        max(case when metric = 'questions' then value end) as questions,
        max(case when metric = 'images' then value end) as images
    from figures
    where benchmark = 'captionqa' and item = 'Table 1'
    group by domain
),

gap_cells as (
    select f.model_id, f.domain, f.value as gap, m.model_type
    from figures as f
    inner join models as m using (model_id)
    where f.item = 'Table 4' and f.metric = 'utility_gap'
),

gap_places as (
    select
        model_id,
        arg_min(domain, gap) as smallest,
        arg_max(domain, gap) as largest
    from gap_cells
    group by model_id
),

gaps as (
    select model_id, model_type, ratio_of(sum(exact(gap)), count(gap)) as gap
    from gap_cells
    group by model_id, model_type
),

caption_accuracy as (
    select model_id, ratio_of(sum(exact(value)), count(value)) as accuracy
    from figures
    where benchmark = 'captionqa' and metric = 'accuracy' and prompt = 'Simple' and model_id <> ''
    group by model_id
),

-- Table 4's gap is QA-on-image accuracy less QA-on-caption accuracy under Simple.
on_image as (
    select
        max(case when model_id = 'gpt-5' then accuracy + gap end) as gpt5_image,
        max(case when model_id = 'gpt-5' then accuracy end) as gpt5_caption,
        max(case when model_id = 'gpt-5' then gap end) as gpt5_gap,
        max(case when model_id = 'claude-sonnet-4.5' then accuracy + gap end) as claude_image,
        max(case when model_id = 'claude-sonnet-4.5' then accuracy end) as claude_caption,
        max(case when model_id = 'llava-onevision-7b' then accuracy + gap end) as llava_image,
        max(case when model_id = 'llava-onevision-7b' then accuracy end) as llava_caption
    from gaps
    inner join caption_accuracy using (model_id)
),

table_3 as (
    select model_id, prompt, domain, value as score
    from figures
    where benchmark = 'captionqa' and item = 'Table 3' and metric = 'score'
),

prompt_means as (
    select prompt, metric, ratio_of(sum(exact(value)), count(value)) as mean_value
    from figures
    where benchmark = 'captionqa' and metric in ('score', 'accuracy') and source = 'paper' and prompt <> '' and category = ''
        and item not in ('Table 3', 'Table 9')
    group by prompt, metric
),

categories as (
    select
        domain,
        category,
        max(case when metric = 'mean_score' then value end) as mean_score,
        max(case when metric = 'cannot_rate' then value end) as cannot_rate,
        max(case when metric = 'questions' then value end) as questions
    from figures
    where benchmark = 'captionqa' and item = 'Table 9'
    group by domain, category
),

category_shares as (
    select domain, category, percent_of(questions, sum(questions) over (partition by domain)) as share
    from categories
),

difficulty as (
    select
        max(case when domain = 'E-commerce' and metric = 'easy_share' then value end) as easy,
        max(case when domain = 'Embodied AI' and metric = 'hard_share' then value end) as hard
    from figures
    where item = 'Table 10'
),

board as (
    select domain, category, model_id, value as score
    from figures
    where source = 'leaderboard' and metric = 'score' and prompt = 'Simple'
),

board_leaders as (
    select domain, category, arg_max(model_id, score) as leader
    from board
    group by domain, category
),

structure as (
    select model_id, score, max(case when model_id = 'gpt-5' then score end) over () as gpt5_score
    from board
    where domain = 'Document' and category = 'Structural Elements'
),

captionqa as (
    select 'questions per image' as quantity, ratio_of(questions, images) as value, 0 as slack, 'Table 1' as basis
    from sizes
    where domain = 'Total'
    union all
    select 'questions per image, ' || domain, ratio_of(questions, images), 0, 'Table 1'
    from sizes
    where domain <> 'Total'
    union all
    select 'smallest gap, ' || model_type, min(gap), 0.005, 'mean of Table 4 over the domains' from gaps group by model_type
    union all
    select 'largest gap, ' || model_type, max(gap), 0.005, 'mean of Table 4 over the domains' from gaps group by model_type
    union all
    select 'caption accuracy from 90, least', 90 - max(gap), 0.005, 'mean of Table 4 over the domains'
        from gaps where model_type = 'proprietary'
    union all
    select 'caption accuracy from 90, most', 90 - min(gap), 0.005, 'mean of Table 4 over the domains'
        from gaps where model_type = 'proprietary'
    union all
    select 'gap of GPT-5', gpt5_gap, 0.005, 'mean of Table 4 over the domains' from on_image
    union all
    select 'GPT-5 on images', gpt5_image, 0.01, 'accuracy under Simple plus Table 4' from on_image
    union all
    select 'GPT-5 and LLaVA-OneVision on images', gpt5_image - llava_image, 0.02, 'accuracy under Simple plus Table 4' from on_image
    union all
    select 'Claude and LLaVA-OneVision on images', claude_image - llava_image, 0.02, 'accuracy under Simple plus Table 4' from on_image
    union all
    select 'GPT-5 and LLaVA-OneVision on captions', gpt5_caption - llava_caption, 0.01, 'accuracy under Simple' from on_image
    union all
    select 'Claude and LLaVA-OneVision on captions', claude_caption - llava_caption, 0.01, 'accuracy under Simple' from on_image
    union all
    select
        case model_id
            when 'gpt-5' then 'GPT-5' when 'gemini-2.5-pro' then 'Gemini 2.5 Pro' when 'qwen3-vl-30b-a3b' then 'Qwen3-VL 30B-A3B'
            else 'GLM-4.1V 9B'
        end || ' under ' || prompt,
        score, 0, 'Table 3'
    from table_3
    where domain = 'Overall' and model_id in ('gpt-5', 'gemini-2.5-pro', 'qwen3-vl-30b-a3b', 'glm-4.1v-9b')
    union all
    select 'lowest score, ' || domain, min(score), 0, 'Table 3 under Long' from table_3 where prompt = 'Long'
        and domain <> 'Overall' group by domain
    union all
    select 'highest score, ' || domain, max(score), 0, 'Table 3 under Long' from table_3 where prompt = 'Long'
        and domain <> 'Overall' group by domain
    union all
    select 'smallest gap, ' || domain, min(gap), 0, 'Table 4' from gap_cells group by domain
    union all
    select 'largest gap, ' || domain, max(gap), 0, 'Table 4' from gap_cells group by domain
    union all
    select
        'models whose smallest gap is E-commerce''s', sum(case when smallest = 'E-commerce' then 1 else 0 end), 0,
        'Table 4; the smallest gap of ' || max(case when smallest <> 'E-commerce' then model_id || ' is in ' || smallest end)
    from gap_places
    union all
    select 'models whose largest gap is Embodied AI''s', sum(case when largest = 'Embodied AI' then 1 else 0 end), 0, 'Table 4'
        from gap_places
    union all
    select 'minutes for the benchmark', questions / 21.14 / 60, 0, 'Table 1 at the 21.14 questions per second of section 3.5'
    from sizes
    where domain = 'Total'
    union all
    select 'minutes for a domain', questions / 21.14 / 60, 0,
        'Natural''s questions in Table 1 at the 21.14 questions per second of section 3.5'
    from sizes
    where domain = 'Natural'
    union all
    select 'mean score under ' || prompt, mean_value, 0.005, 'mean of the scores of Tables 11 to 26'
        from prompt_means where metric = 'score'
    union all
    select
        'share of the domain in ' || n || ' images, most', max(percent_of(n, images)), 0,
            'Table 1; the smallest domain has ' || fixed_text(min(images), 0) || ' images'
    from sizes
    cross join (values (20), (40)) as counts (n)
    where domain <> 'Total'
    group by n
    union all
    select
        'images for a correlation of 0.95, ' || side, case side when 'least' then min(images) / 10 else max(images) / 10 end, 0,
        '10 % of a domain''s images in Table 1, which the same section says to be enough'
    from sizes
    cross join (values ('least'), ('most')) as sides (side)
    where domain <> 'Total'
    group by side
    union all
    select 'share of ' || category || ', ' || domain, share, 0, 'Table 9' from category_shares
    union all
    select 'mean score of ' || category, max(mean_score), 0, 'Table 9' from categories group by category
    union all
    select
        'cannot-rate and difficulty',
        -correlation_of(
            count(*), sum(exact(mean_score)), sum(exact(cannot_rate)), sum(exact_square(mean_score)), sum(exact_square(cannot_rate)),
            sum(exact_product(mean_score, cannot_rate))
        ),
        0.0001, 'Table 9: cannot-rate against 100 less mean score'
    from categories
    where mean_score is not null and cannot_rate is not null
    having count(*) > 2
    union all
    select 'categories that GPT-5 leads in ' || domain, sum(case when leader = 'gpt-5' then 1 else 0 end), 0, 'leaderboard under Simple'
        from board_leaders group by domain
    union all
    select 'Gemini models above GPT-5 in Structural Elements', sum(case when score > gpt5_score then 1 else 0 end), 0,
        'leaderboard under Simple'
    from structure
    where model_id in ('gemini-2.5-pro', 'gemini-2.5-flash')
    union all
    select 'easy questions, E-commerce', easy, 0, 'Table 10' from difficulty
    union all
    select 'hard questions, Embodied AI', hard, 0, 'Table 10' from difficulty
),

-- CAPability and CV-CapBench: ends of the columns of precision, recall, F1, hit rate and know-but-cannot-tell.
rubric as (
    select
        benchmark, item, model_id, category as dimension, value,
        case metric when 'f1' then 'F1' when 'hit_rate' then 'hit rate' when 'know_but_cannot_tell' then 'know but cannot tell'
            else metric end as metric
    from figures
    where benchmark in ('capability', 'cv-capbench')
),

rubric_names as (
    select
        benchmark, item, model_id, dimension, metric, value,
        metric || case when dimension = 'average' then '' else ' of ' || dimension end as name,
        rank() over (partition by benchmark, metric, dimension, item order by value desc) as place
    from rubric
),

rubric_ends as (
    select
        benchmark, metric, dimension, name,
        min(value) as least,
        max(value) as most,
        max(case when place = 2 then value end) as second,
        -- Two equal values share a place: the best is then no better than the second.
        case when sum(case when place = 1 then 1 else 0 end) = 1 then max(value) - max(case when place = 2 then value end)
            else 0 end as lead
    from rubric_names
    -- CAPability prints closed and 72B models in Table 3, and 7B models in Table 4.
    where benchmark <> 'capability' or item <> 'Table 4'
    group by benchmark, metric, dimension, name
),

dimension_ranks as (
    select benchmark, model_id, dimension, rank() over (partition by benchmark, model_id order by value) as place
    from rubric
    where metric = 'hit rate' and dimension <> 'average'
),

style as (
    select
        model_id,
        max(case when metric = 'precision' then value end) as precision_value,
        max(case when metric = 'recall' then value end) as recall_value
    from rubric
    where benchmark = 'capability' and dimension = 'style' and item = 'Table 3'
    group by model_id
),

rubrics as (
    select benchmark, name || ', best' as quantity, most as value, 0 as slack, 'best of its column' as basis from rubric_ends
    union all
    select benchmark, name || ', most', most, 0, 'most of its column' from rubric_ends
    union all
    select benchmark, name || ', least', least, 0, 'least of its column' from rubric_ends
    union all
    select benchmark, name || ', second', second, 0, 'second of its column' from rubric_ends where second is not null
    union all
    select benchmark, name || ', best above second', lead, 0, 'the two best of its column' from rubric_ends where lead is not null
    union all
    select benchmark, name || ', best of 7B', value, 0, 'best of its column in Table 4'
    from rubric_names
    where benchmark = 'capability' and item = 'Table 4' and place = 1
    group by benchmark, name, value
    union all
    select benchmark, 'models with know but cannot tell above 40', sum(case when value > 40 then 1 else 0 end), 0, 'Table 6'
    from rubric
    where metric = 'know but cannot tell' and dimension = 'average'
    group by benchmark
    union all
    select
        'capability', 'closed and 72B models with recall of style more than 1 below precision',
        sum(case when recall_value < precision_value - 1 then 1 else 0 end), 0, 'Table 3'
    from style
    having count(*) > 0
    union all
    select
        benchmark, 'models with the lowest hit rate in character_identification',
        sum(case when dimension = 'character_identification' then 1 else 0 end), 0, 'columns of the hit rate'
    from dimension_ranks
    where place = 1
    group by benchmark
    union all
    select benchmark, 'models with precision of dynamic_object_number below 20', sum(case when value < 20 then 1 else 0 end), 0, 'Table 2'
    from rubric
    where metric = 'precision' and dimension = 'dynamic_object_number'
    group by benchmark
    union all
    select benchmark, 'dimensions of the tables', count(distinct dimension), 0, 'columns of the tables'
        from rubric where dimension <> 'average' group by benchmark
),

-- CapArena
agreements as (
    select
        model_id, category, metric, value, substr(metric, length('agreement_level') + 1) as level
    from figures
    where benchmark = 'caparena' and item = 'Table 2'
),

judge_columns as (
    select
        metric,
        max(case when model_id = 'gpt-4o' then value end) as gpt4o,
        max(case when category <> 'reference' then value end) as most
    from agreements
    where metric like 'agreement%' or metric in ('spearman', 'kendall')
    group by metric
),

auto_parts as (
    select
        model_id,
        max(case when metric = 'score_avg' then value end) as score,
        sum(case when metric in ('score_gpt', 'score_cog', 'score_cpm') then value end) as total
    from figures
    where benchmark = 'caparena' and item = 'Table 8'
    group by model_id
),

arena as (
    select 'Spearman of CapArena-Auto' as quantity, 100 * value as value, 0 as slack, 'Table 3' as basis
    from figures
    where benchmark = 'caparena' and item = 'Table 3' and category = 'CapArena-Auto' and metric = 'spearman'
    union all
    select 'agreement between annotators', value, 0, 'Table 2: 100 battles of each level; the two may be other battles'
    from agreements
    where category = 'reference' and model_id = 'human' and metric = 'agreement'
    union all
    select 'agreement between annotators, level ' || level, value, 0, 'Table 2' from agreements where category = 'reference'
        and model_id = 'human' and level <> ''
    union all
    select 'agreement of the best judge, level ' || level, max(value), 0, 'Table 2' from agreements where category = 'vlm_as_a_judge'
        and level <> '' group by level
    union all
    select 'columns that a judge of GPT-4o leads', sum(case when gpt4o = most then 1 else 0 end), 0, 'Table 2'
        from judge_columns having count(*) > 0
    union all
    select 'score over the sum of its three parts', sum(score * total) / sum(total * total), 0.0001,
        'Table 8: least squares of the score on the sum of its parts'
    from auto_parts
    having sum(total * total) > 0
),

quantities as (
    select 'captionqa' as benchmark, quantity, value, slack, basis from captionqa
    union all
    select benchmark, quantity, value, slack, basis from rubrics
    union all
    select 'caparena', quantity, value, slack, basis from arena
)

select
    benchmark, quantity, value, slack, basis,
    'published' as provenance
from quantities
where value is not null;

-- audit: quantities_are_numbers: a value that is no number says nothing
select benchmark, quantity, value
from published_quantities
where isnan(value) or isinf(value);
