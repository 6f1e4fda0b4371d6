-- shows: Where it is strong and where it is weak
-- about: ● its value with the interval, ○ the best of the others; what is furthest behind comes first. The best of many is partly luck.
-- reads: [benchmark_scores, captionqa_scores, captionqa_gap, capability_figures, arena_auto]
-- each: captioner
-- columns:
--   - {name: part}
--   - {name: value, decimals: 1, ends: true, page: main, beside: ahead}
--   - {name: place, decimals: 0}
--   - {name: n_captioners, head: of, decimals: 0}
--   - {name: ahead_name, head: Best of the others}
--   - {name: ahead, head: Its value, decimals: 1}
--   - {name: difference, decimals: 1, signed: true}

with parts as (
    select
        1 as floor, 'All benchmarks' as section, series_name as part, captioner, captioner_name, provenance, null as protocol, null as reader, '' as prompt,
        series as conditions, score as value, score_low as value_low, score_high as value_high, false as lowest
    from benchmark_scores
    union all
    select
        2, 'CaptionQA: score of each domain', domain, captioner, captioner_name, provenance, protocol, reader, prompt, '', score, score_low, score_high, false
    from captionqa_scores
    where level = 'domain' and evidence = 'caption'
    union all
    select
        3, 'CaptionQA: score of each category', category || ', ' || domain, captioner, captioner_name, provenance, protocol, reader, prompt, '',
        score, score_low, score_high, false
    from captionqa_scores
    where level = 'category' and evidence = 'caption'
    union all
    select
        4, 'CaptionQA: utility gap', domain, captioner, captioner_name, provenance, protocol, reader, prompt, '', gap, gap_low, gap_high, true
    from captionqa_gap
    union all
    select
        5, case benchmark when 'capability' then 'CAPability' else 'CV-CapBench' end || ': F1 of each dimension', replace(section, '_', ' '), captioner,
        captioner_name, provenance, null, null, '', judge, figure, figure_low, figure_high, false
    from capability_figures
    where kind = 'dimension' and metric = 'f1' and repeat = 0
    qualify dense_rank() over (partition by benchmark, provenance order by judge) = 1
    union all
    select
        6, 'CapArena-Auto: score against each baseline', baseline_name, captioner, captioner_name, provenance, null, null, '', judge, score, score_low, score_high, false
    from arena_auto
    where baseline_name is not null
    qualify dense_rank() over (partition by provenance order by judge) = 1
),

-- Of the caption prompts the one that people look at first.
shown as (
    select *
    from parts
    where value is not null
    qualify dense_rank() over (partition by floor, provenance, protocol, reader order by prompt <> 'Simple', prompt) = 1
),

placed as (
    select
        *, rank() over better as place, count(*) over better_all as n_captioners,
        first_value(captioner) over better_all as first_captioner,
        first_value(captioner_name) over better_all as first_name, nth_value(captioner_name, 2) over better_all as second_name,
        first_value(value) over better_all as first, nth_value(value, 2) over better_all as second
    from shown
    window
        better as (
            partition by floor, section, part, provenance, protocol, reader, conditions order by case when lowest then value else -value end
        ),
        better_all as (
            partition by floor, section, part, provenance, protocol, reader, conditions order by case when lowest then value else -value end, captioner
            rows between unbounded preceding and unbounded following
        )
)

select
    floor, section || case prompt when '' then '' else ', ' || prompt || ' prompt' end as section, part, captioner, captioner_name as title,
    provenance, protocol, reader, value, value_low, value_high, place, n_captioners,
    case first_captioner when captioner then second_name else first_name end as ahead_name,
    case first_captioner when captioner then second else first end as ahead, value - ahead as difference
from placed
order by captioner, floor, section, case when lowest then ahead - value else value - ahead end nulls last, part
