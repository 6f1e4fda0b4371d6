-- shows: What benchmarks say of captioners, and what people say
-- paper: CapArena, Figure 4 and Table 3
-- reads: [arena_benchmarks, arena_correlations]
-- all: true
-- computed: true

select
    b.captioner, coalesce(b.captioner_name, b.captioner) as name, b.provenance, b.score, b.score_low, b.score_high, b.place,
    b.name || coalesce(format(', ρ = {:.2f}', c.spearman), '') as facet,
    case
        when max(c.spearman_low) over (partition by b.provenance) > 0 then format(
            '{} ranks captioners most like people: ρ is {:.2f}', arg_max(b.name, c.spearman) over (partition by b.provenance),
            max(c.spearman) over (partition by b.provenance)
        )
    end as title
from arena_benchmarks as b
left join arena_correlations as c on b.series_id = c.series_id and c.kind = 'benchmark' and c.origin <> 'published'
qualify count(*) over (partition by b.provenance, b.name, b.judge, b.protocol, b.people_provenance) >= 5
order by b.name <> 'CapArena-Auto', facet, b.place

VISUALISE score AS x, place AS y
DRAW text MAPPING name AS label
DRAW range MAPPING score_low AS xmin, score_high AS xmax SETTING hinge => null, stroke => '#595959', opacity => 0.5
DRAW point SETTING fill => '#595959'
SCALE y SETTING reverse => true
FACET facet SETTING ncol => 2, free => ['x', 'y']
LABEL title => 'What benchmarks say of captioners, and what people say', x => 'score', y => 'place by people',
    subtitle => 'ρ: Spearman’s rank correlation of the two'
