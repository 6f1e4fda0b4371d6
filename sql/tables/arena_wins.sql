-- shows: How often the captioner of the row wins against the captioner of the column, by people's votes (%)
-- about: "A tie is half a win. Battles with a person's caption count."
-- paper: CapArena, Figure 3
-- benchmark: caparena
-- columns:
--   - {name: captioner_name, head: Captioner}
--   - {name: win_rate, decimals: 1, across: other_name}

with pairs as (
    select
        * replace (coalesce(nullif(other_name, ''), 'All others') as other_name),
        max(win_rate) filter (where coalesce(other_name, '') = '') over (partition by provenance, captioner) as over_all
    from arena_pairs
    where benchmark = 'caparena' and judge = 'people'
)

select p.*, coalesce(-o.over_all, -1000) as across_place
from pairs as p
left join (select distinct provenance, captioner, over_all from pairs) as o on o.provenance = p.provenance
    and o.captioner = p.other
order by p.over_all desc nulls last, p.captioner, p.win_rate desc
