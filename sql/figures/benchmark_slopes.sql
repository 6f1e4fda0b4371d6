-- shows: Where benchmarks disagree about captioners
-- paper: CaptionQA, CAPability, CV-CapBench and CapArena side by side; no paper has it
-- benchmark: caparena
-- place: 11
-- computed: true

-- Two benchmarks are compared under the prompts, readers and judges that share most captioners, five or more.
with chosen as (
    select *
    from (select *, count_over(true, row(provenance, series_a, series_b)) as n from benchmark_places)
    where n >= 5 and coalesce(prompt_a, '') in ('', 'Simple') and coalesce(prompt_b, '') in ('', 'Simple')
    qualify dense_rank() over (partition by provenance, benchmark_a, benchmark_b order by n desc, series_a,
        series_b) = 1
)

select
    c.captioner, coalesce(c.captioner_name, c.captioner) as name, c.provenance, side, place,
    abs(c.difference) >= 2 as moved,
    case when moved then place end as moved_place, case when c.difference <= -2 then 'better on the right'
        else 'worse on the right' end as kind,
    case when side = 'a' then format('{} {:g}', coalesce(c.captioner_name, c.captioner), place) end as left_words,
    case when side = 'b' then format('{:g} {}', place, coalesce(c.captioner_name, c.captioner)) end as right_words,
    format('{} of {} pairs of places differ by two or more', count_over(moved and side = 'a', c.provenance),
        count_over(side = 'a', c.provenance)) as title,
    format('{} and {}', c.series_a_name, c.series_b_name) || coalesce(format(', ρ = {:.2f}', a.spearman), '') as facet
from chosen as c
left join benchmark_agreement as a on a.series_a = c.series_a and a.series_b = c.series_b
    and a.provenance = c.provenance and a.kind = 'scores', lateral (
    values ('a', c.place_a), ('b', c.place_b)
) as f (side, place)
order by c.n desc, facet, side, place, c.captioner

VISUALISE side AS x, place AS y
DRAW line SETTING stroke => '#c4c4c4' PARTITION BY captioner
DRAW line MAPPING moved_place AS y, kind AS stroke SETTING linewidth => 1.4 PARTITION BY captioner
DRAW text MAPPING left_words AS label SETTING hjust => 'right', offset => [-4, 0]
DRAW text MAPPING right_words AS label SETTING hjust => 'left', offset => [4, 0]
SCALE x RENAMING 'a' => '', 'b' => ''
SCALE y SETTING reverse => true RENAMING * => ''
SCALE stroke FROM ['better on the right', 'worse on the right'] TO ['#1a1a1a', '#b34700']
FACET facet SETTING ncol => 2, free => 'y'
LABEL title => 'Where benchmarks disagree about captioners',
    subtitle => 'Places among the captioners that both have; coloured: two places or more apart'
