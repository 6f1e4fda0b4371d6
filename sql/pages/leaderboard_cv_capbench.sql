-- shows: Leaderboard of CV-CapBench
-- about: F1 is the mean over the dimensions of the F1 of each, and so are the other columns.
-- paper: CV-CapBench, averages of the tables of dimensions
-- benchmark: cv-capbench
-- columns:
--   - {name: captioner_name, head: Captioner}
--   - {name: board, page: first}
--   - {name: rank, decimals: 0}
--   - {name: f1, head: F1, decimals: 2, page: main}
--   - {name: precision, decimals: 2}
--   - {name: recall, decimals: 2}
--   - {name: hit_rate, decimals: 2}
--   - {name: repeat, decimals: 0, page: extra}
--   - {name: n_dimensions, head: Dimensions covered, decimals: 0, page: extra}

with wide as (
    pivot (select * exclude (kind, note, n_all, n_hit, n_correct) from capability_figures where benchmark = 'cv-capbench' and kind <> 'dimension')
    on metric in ('f1', 'precision', 'recall', 'hit_rate')
    using max(figure) as figure, max(figure_low) as low, max(figure_high) as high
    group by condition_id, judge, captioner, repeat, provenance, section, n_dimensions
)

select
    w.captioner, b.captioner_name, b.board, w.judge, w.repeat, w.provenance, w.n_dimensions, f1_figure as f1, f1_low, f1_high,
    precision_figure as precision, precision_low, precision_high, recall_figure as recall, recall_low, recall_high,
    hit_rate_figure as hit_rate, hit_rate_low, hit_rate_high, b.captioner_name || ': ' || f.note as note,
    -- Of published rows by the digits that are printed.
    case when b.n_captioners > 1 and not b.is_replaced then rank() over (
        partition by b.board_id, b.is_replaced order by case w.provenance when 'published' then round(f1_figure, 2) else f1_figure end desc nulls last
    ) end as rank
from wide as w
inner join capability_figures as f on f.metric = 'f1' and f.condition_id = w.condition_id and f.section = w.section
inner join boards as b on b.condition_id = w.condition_id and b.section = w.section
order by w.judge, w.repeat, b.board_place, rank nulls last, w.hit_rate_figure desc, b.captioner_name, w.captioner
