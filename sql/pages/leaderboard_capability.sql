-- for:
--   leaderboard_capability: {benchmark: capability, title: CAPability, decimals: 1}
--   leaderboard_cv_capbench: {benchmark: cv-capbench, title: CV-CapBench, decimals: 2}
-- shows: Leaderboard of $title
-- about: F1 is the mean over the dimensions of the F1 of each, and so are the other columns.
-- paper: $title, averages of the tables of dimensions
-- benchmark: $benchmark
-- columns:
--   - {name: captioner_name, head: Captioner}
--   - {name: board, page: first}
--   - {name: rank, decimals: 0}
--   - {name: f1, head: F1, decimals: $decimals, page: main}
--   - {name: precision, decimals: $decimals}
--   - {name: recall, decimals: $decimals}
--   - {name: hit_rate, decimals: $decimals}
--   - {name: repeat, decimals: 0, page: extra}
--   - {name: n_dimensions, head: Dimensions covered, decimals: 0, page: extra}

-- Published rows have the places that their digits in print give.
select
    w.captioner, b.captioner_name, b.board, w.judge, w.repeat, w.provenance, w.n_dimensions, f1_figure as f1, f1_low,
    f1_high,
    precision_figure as precision, precision_low, precision_high, recall_figure as recall, recall_low, recall_high,
    hit_rate_figure as hit_rate, hit_rate_low, hit_rate_high, b.captioner_name || ': ' || w.note as note,
    case when b.n_captioners > 1 and not b.is_replaced then rank() over (
        partition by b.board_id, b.is_replaced
        order by case w.provenance when 'published' then round(f1_figure, $decimals) else f1_figure end desc nulls last
    ) end as rank
from (
    pivot (
        select
            * exclude (kind, n_all, n_hit, n_correct)
            replace (max(note) filter (where metric = 'f1') over one as note)
        from capability_figures
        where benchmark = '$benchmark' and kind <> 'dimension'
        window one as (partition by condition_id, section)
    )
    on metric in ('f1', 'precision', 'recall', 'hit_rate')
    using max(figure) as figure, max(figure_low) as low, max(figure_high) as high
    group by condition_id, judge, captioner, repeat, provenance, section, n_dimensions, note
) as w
inner join boards as b on b.condition_id = w.condition_id and b.section = w.section
order by w.judge, w.repeat, b.board_place, rank nulls last, hit_rate desc, b.captioner_name, w.captioner
