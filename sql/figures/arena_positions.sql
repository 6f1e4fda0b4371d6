-- shows: Whether judges prefer the caption that they are shown first
-- paper: CapArena; no figure of the paper
-- benchmark: caparena
-- place: 9

select
    name as judge, provenance, protocol,
    facet, value, low, high, coalesce(high, value) as label_at, first_rate, chance,
    format('{:,} votes', sum_over(if(chance = 50, n_votes, null), provenance)::bigint) as note,
    case when max_over(first_rate_low, provenance) > 50 then format(
        'The caption that comes first gets {:.1f}% of the votes of {}',
        max_over(if(first_rate_low > 50, first_rate, null), provenance),
        arg_max_over(name, if(first_rate_low > 50, first_rate, null), provenance)
    ) end as title
from (
    select
        *, judge_name || case when (select count(distinct benchmark) from arena_positions) = 1
            then '' else ', ' || benchmark end as name
    from arena_positions
), lateral (
    values
    ('Prefers the first, % of votes', first_rate, first_rate_low, first_rate_high, 50),
    ('Same in both orders, % of battles', same_rate, same_rate_low, same_rate_high, null)
) as f (facet, value, low, high, chance)
where value is not null
order by first_rate desc, name, protocol, facet

VISUALISE
DRAW rule MAPPING chance AS x SETTING stroke => '#595959', linetype => 'dashed'
DRAW range MAPPING judge AS y, low AS xmin, high AS xmax SETTING hinge => null, stroke => '#595959'
DRAW point MAPPING judge AS y, value AS x SETTING fill => '#595959'
DRAW text MAPPING judge AS y, label_at AS x, value AS label SETTING format => '{:num %.1f}', hjust => 'left',
    offset => [5, 0]
FACET facet
LABEL title => 'Whether judges prefer the caption that they are shown first',
    subtitle => 'Ties count half; at 50 the order makes no difference'
