-- shows: What benchmarks say of captioners, and what people say
-- paper: CapArena, Figure 4 and Table 3
-- benchmark: caparena
-- place: 4
-- computed: true

-- A panel has five captioners or more.
with drawn as (
    select *
    from arena_benchmarks
    qualify count_over(true, row(provenance, name, judge, protocol, people_provenance)) >= 5
)

select
    b.captioner, coalesce(b.captioner_name, b.captioner) as name, b.provenance, b.score, b.score_low, b.score_high,
    b.place,
    b.name || coalesce(format(', ρ = {:.2f}', c.spearman), '') as facet,
    case
        when round(min_over(c.spearman, b.provenance), 2) < round(max_over(c.spearman, b.provenance), 2)
            then replace(format(
            'Ranks by benchmarks and by people correlate with ρ from {:.2f} to {:.2f}',
            min_over(c.spearman, b.provenance), max_over(c.spearman, b.provenance)
        ), '-', '−')
    end as title
from drawn as b
left join arena_correlations as c on b.series_id = c.series_id and c.kind = 'benchmark' and c.origin <> 'published'
    and c.method = 'elo'
order by b.name <> 'CapArena-Auto', facet, b.place

VISUALISE score AS x, place AS y
DRAW text MAPPING name AS label
DRAW range MAPPING score_low AS xmin, score_high AS xmax SETTING hinge => null, stroke => '#595959', opacity => 0.5
DRAW point SETTING fill => '#595959'
SCALE y FROM [1, null] SETTING reverse => true
FACET facet SETTING ncol => 2, free => ['x', 'y']
LABEL title => 'What benchmarks say of captioners, and what people say', x => 'score', y => 'place by people',
    subtitle => 'ρ: Spearman’s rank correlation of the two'
