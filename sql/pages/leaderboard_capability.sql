-- shows: Leaderboard of CAPability
-- about: F1 is the mean over the dimensions of the F1 of each, and so are the other columns.
-- paper: CAPability, averages of the tables of dimensions
-- benchmark: capability
-- reads: [capability_figures]
-- all: true
-- columns:
--   - {name: captioner_name, head: Captioner}
--   - {name: judge, page: first}
--   - {name: dimensions, page: first}
--   - {name: rank, decimals: 0}
--   - {name: f1, head: F1, decimals: 1, page: main}
--   - {name: precision, decimals: 1}
--   - {name: recall, decimals: 1}
--   - {name: hit_rate, decimals: 1}
--   - {name: repeat, decimals: 0, page: extra}
--   - {name: n_dimensions, head: Dimensions covered, decimals: 0, page: extra}

select
    captioner, captioner_name, judge, repeat, provenance, n_dimensions, case section when 'average' then 'all' else section end || ' dimensions' as dimensions,
    max(figure) filter (where metric = 'f1') as f1, max(figure_low) filter (where metric = 'f1') as f1_low,
    max(figure_high) filter (where metric = 'f1') as f1_high,
    max(figure) filter (where metric = 'precision') as precision, max(figure_low) filter (where metric = 'precision') as precision_low,
    max(figure_high) filter (where metric = 'precision') as precision_high,
    max(figure) filter (where metric = 'recall') as recall, max(figure_low) filter (where metric = 'recall') as recall_low,
    max(figure_high) filter (where metric = 'recall') as recall_high,
    max(figure) filter (where metric = 'hit_rate') as hit_rate, max(figure_low) filter (where metric = 'hit_rate') as hit_rate_low,
    max(figure_high) filter (where metric = 'hit_rate') as hit_rate_high,
    -- Of published rows by the digits that are printed.
    rank() over (
        partition by provenance, judge, repeat, section order by case provenance when 'published' then round(f1, 1) else f1 end desc nulls last
    ) as rank
from capability_figures
where benchmark = 'capability' and kind <> 'dimension' and n_dimensions = n_expected
group by captioner, captioner_name, judge, repeat, provenance, origin, n_dimensions, section
order by judge, repeat, list_position(['average', 'static', 'dynamic'], section), f1 desc nulls last, hit_rate desc, captioner_name
