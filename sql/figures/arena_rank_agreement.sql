-- shows: Whether judges rank captioners as people do
-- paper: CapArena, Table 2 and Section 4.3
-- benchmark: caparena
-- place: 6

-- The title is of judges that decided all battles that people decided.
with compared as (
    select c.*, case when coalesce(a.is_whole, true) then spearman end as rho
    from arena_correlations as c
    left join (
        select series_id, is_whole from arena_agreement where level = 'all' and ties = 'included'
    ) as a using (series_id)
    where kind = 'judge' and method = 'elo' and c.benchmark = 'caparena'
)

select
    name as judge, case when protocol = 'caparena/metric' then 'metric' else 'model' end as judge_type, protocol,
    provenance,
    facet, value, low, high, coalesce(high, value) as label_at,
    case
        when round(min_over(rho, provenance), 2) < round(max_over(rho, provenance), 2)
            then replace(format('Ranks by judges and by people correlate with ρ from {:.2f} to {:.2f}',
                min_over(rho, provenance), max_over(rho, provenance)), '-', '−')
    end as title
from compared, lateral (
    values
    ('Spearman''s ρ', spearman, spearman_low, spearman_high),
    ('Kendall''s τ', kendall, kendall_low, kendall_high)
) as f (facet, value, low, high)
where value is not null
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
