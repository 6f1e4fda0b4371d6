-- shows: Whether judges rank captioners as people do
-- paper: CapArena, Table 2 and Section 4.3
-- reads: [arena_correlations]
-- all: true

select
    name as judge, case when protocol = 'caparena/metric' then 'metric' else 'model' end as judge_type, protocol, provenance,
    facet, value, low, high, coalesce(high, value) as label_at,
    case
        when min(spearman) over board < max(spearman) over board
            then replace(format('Judges rank captioners as people do with ρ from {:.2f} to {:.2f}', min(spearman) over board, max(spearman) over board), '-', '−')
    end as title
from arena_correlations, lateral (
    values
    ('Spearman''s ρ', spearman, spearman_low, spearman_high),
    ('Kendall''s τ', kendall, kendall_low, kendall_high)
) as f (facet, value, low, high)
where kind = 'judge' and method = 'elo' and benchmark = 'caparena' and value is not null
window board as (partition by provenance)
order by facet desc, value desc, judge, protocol

VISUALISE judge AS y
DRAW range MAPPING low AS xmin, high AS xmax, judge_type AS stroke SETTING hinge => null
DRAW point MAPPING value AS x, judge_type AS fill
DRAW text MAPPING label_at AS x, value AS label SETTING format => '{:num %.2f}', hjust => 'left', offset => [5, 0]
SCALE fill FROM ['model', 'metric'] TO ['#b34700', '#8a8a8a']
SCALE stroke FROM ['model', 'metric'] TO ['#b34700', '#8a8a8a']
SCALE x FROM [-1, 1]
FACET facet
LABEL title => 'Whether judges rank captioners as people do',
    subtitle => 'Rank correlations of Elo ratings by judge and by people'
