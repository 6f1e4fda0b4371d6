-- shows: Battles and win rates of captioners against each other
-- paper: CapArena, Figure 3
-- benchmark: caparena
-- place: 3

with pairs as (
    select *
    from arena_pairs
    where benchmark = 'caparena' and judge = 'people'
),

placed as (
    select
        captioner, captioner_name, provenance,
        row_number() over (partition by provenance order by win_rate desc, captioner) as place,
        format('{:,} battles', (sum_over(n_battles, provenance) / 2)::bigint) as note,
        case
            when arg_max_over(win_rate_low, win_rate, provenance) > arg_min_over(win_rate_high, win_rate, provenance)
                then format('{} wins {:.0f}% of its battles, {} {:.0f}%',
                    arg_max_over(captioner_name, win_rate, provenance), max_over(win_rate, provenance),
                    arg_min_over(captioner_name, win_rate, provenance), min_over(win_rate, provenance))
        end as title
    from pairs
    where other = ''
)

select
    a.captioner, b.captioner as other, a.provenance,
    format('{}  {}', coalesce(a.captioner_name, a.captioner), a.place) as name, b.place || '' as against, a.title,
    a.note,
    facet, if(facet = 'Battles', null, win_rate) as shade, if(facet = 'Battles', n_battles, win_rate) as written
from placed as a
inner join placed as b using (provenance)
left join pairs as p on a.provenance = p.provenance and a.captioner = p.captioner and b.captioner = p.other
cross join (values ('Battles'), ('Win rate, %')) as f (facet)
order by a.place, b.place, facet

VISUALISE name AS y, against AS x
DRAW tile MAPPING shade AS fill
DRAW text MAPPING written AS label SETTING format => '{:num %.0f}'
SCALE fill FROM [0, 100] TO ['#e08a5f', '#ffffff', '#6b9dc0']
FACET facet
LABEL title => 'Battles and win rates of captioners against each other',
    subtitle => 'By people’s votes; rows against columns, which have the rows’ numbers; colours: win rate'
