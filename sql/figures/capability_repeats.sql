-- shows: How far repeated judgments lie apart
-- no_demo: "nothing in it is judged twice"
-- paper: CAPability, Figure 7
-- benchmark: capability
-- place: 4

with chosen as (
    select *
    from (select *, count_over(true, row(provenance, judge, captioner)) as n_rows from capability_repeats
        where benchmark = 'capability')
    qualify dense_rank() over (partition by provenance order by n_rows desc, judge, captioner) = 1
)

select
    coalesce(r.name, 'Average') as name, c.captioner, c.judge, c.provenance,
    least(greatest(c.mean, c.lowest), c.highest) as mean, c.lowest, c.highest, c.spread,
    case c.metric when 'precision' then 'Precision' when 'recall' then 'Recall' when 'f1' then 'F1'
        else 'Hit rate' end as facet,
    format(
        'Judged {} times, the average F1 stays within {:.1f} points',
        max_over(if(c.dimension = 'average' and c.metric = 'f1', c.n_repeats, null), c.provenance),
        max_over(if(c.dimension = 'average' and c.metric = 'f1', c.spread, null), c.provenance)
    ) as title,
    format('Captions of {}: mean and range over the judgments; numbers: range in points', c.captioner) as subtitle
from chosen as c
left join capability_rubric as r using (benchmark, dimension)
order by r.place nulls last, strpos('precision recall f1 hit_rate', c.metric)

VISUALISE name AS y
DRAW range MAPPING lowest AS xmin, highest AS xmax SETTING hinge => null, stroke => '#595959'
DRAW point MAPPING mean AS x SETTING fill => '#595959'
DRAW text MAPPING highest AS x, spread AS label SETTING format => '{:num %.1f}', hjust => 'left', offset => [5, 0]
FACET facet SETTING free => 'x'
LABEL title => 'How far repeated judgments lie apart', x => '%'
