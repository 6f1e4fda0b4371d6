-- shows: Where it is strong and where it is weak
-- about: ● its value with the interval, ○ the best of the others; what is furthest behind comes first. The best of
--     many is partly luck.
-- each: captioner
-- columns:
--   - {name: part}
--   - {name: value, decimals: 1, ends: true, page: main, beside: ahead}
--   - {name: place, decimals: 0}
--   - {name: n_captioners, head: of, decimals: 0}
--   - {name: ahead_name, head: Best of the others}
--   - {name: ahead, head: Its value, decimals: 1}
--   - {name: difference, decimals: 1, signed: true}

-- The board of each part says who is compared: the captioners that were asked alike.
with parts as (
    select
        1 as floor, 'All benchmarks' as section, series_name as part, s.captioner, captioner_name, s.provenance,
        s.origin, '' as prompt,
        series as board_id, s.is_replaced, score as value, score_low as value_low, score_high as value_high,
        false as lowest
    from benchmark_scores as s
    semi join shown_boards as b on b.board_id = s.series and b.captioner = s.captioner and b.origin = s.origin
    union all
    select
        2, 'CaptionQA: score of each domain', domain, captioner, captioner_name, provenance, origin, prompt, board_id,
        is_replaced, value,
        value_low, value_high, false
    from captionqa_ranks
    semi join shown_boards using (board_id, captioner, origin)
    where metric = 'score' and not (is_headline and contains(domain, ',') or domain = 'Overall')
    union all
    select
        3, 'CaptionQA: score of each category', s.category || ', ' || s.domain, s.captioner, s.captioner_name,
        s.provenance, s.origin, s.prompt,
        b.board_id, b.is_replaced, s.score, s.score_low, s.score_high, false
    from captionqa_scores as s
    inner join (
        select condition_id, origin, section as domain, board_id, is_replaced from shown_boards
    ) as b using (condition_id, origin, domain)
    where s.level = 'category' and s.evidence = 'caption'
    union all
    select
        4, 'CaptionQA: utility gap', g.domain, g.captioner, g.captioner_name, g.provenance, g.origin, g.prompt,
        b.board_id, b.is_replaced, gap,
        gap_low, gap_high, true
    from captionqa_gap as g
    inner join (
        select condition_id, origin, section as domain, board_id, is_replaced from shown_boards
    ) as b using (condition_id, origin, domain)
    union all
    select
        5, case f.benchmark when 'capability' then 'CAPability' else 'CV-CapBench' end || ': F1 of each dimension',
        replace(f.section, '_', ' '), f.captioner, f.captioner_name, f.provenance, f.origin, '', b.board_id,
        b.is_replaced, figure, figure_low,
        figure_high, false
    from capability_figures as f
    inner join shown_boards as b using (condition_id, section)
    where kind = 'dimension' and metric = 'f1'
    union all
    select
        6, 'CapArena-Auto: score against each baseline', baseline_name, a.captioner, a.captioner_name, a.provenance,
        a.origin, '', b.board_id,
        b.is_replaced, score, score_low, score_high, false
    from arena_auto as a
    inner join shown_boards as b
        on b.condition_id = a.condition_id and b.section = a.baseline
),

-- If there are several caption prompts, the one that people look at first.
shown as (
    select *
    from parts
    where value is not null
    qualify dense_rank() over (partition by floor, provenance order by prompt_place(prompt)) = 1
),

placed as (
    select
        *, rank() over better as place, count(*) over better_all as n_captioners,
        first_value(captioner) over better_all as first_captioner,
        first_value(captioner_name) over better_all as first_name,
        nth_value(captioner_name, 2) over better_all as second_name,
        first_value(value) over better_all as first, nth_value(value, 2) over better_all as second
    from shown
    where not is_replaced
    window
        better as (partition by floor, part, board_id order by case when lowest then value else -value end),
        better_all as (
            partition by floor, part, board_id order by case when lowest then value else -value end, captioner
            rows between unbounded preceding and unbounded following
        )
)

select
    floor, section || case prompt when '' then '' else ', ' || prompt || ' prompt' end as section, part, captioner,
    captioner_name as title,
    provenance, value, value_low, value_high, case when n_captioners > 1 then place end as place, n_captioners,
    case first_captioner when captioner then second_name else first_name end as ahead_name,
    case first_captioner when captioner then second else first end as ahead, value - ahead as difference
from placed
order by captioner, floor, section, provenance, case when lowest then ahead - value else value - ahead end nulls last,
    part
