-- shows: How the caption prompt moves the score
-- paper: CaptionQA, Tables 11 to 26 and Section 5
-- reads: [captionqa_scores]
-- computed: true

with scored as (
    select
        *, coalesce(list_position(['Short', 'Simple', 'Long', 'Taxonomy-Hinted'], prompt), 5) as place,
        max(score) filter (where prompt = 'Simple') over (partition by protocol, reader, provenance, domain, captioner) as by_simple
    from captionqa_scores
    where level in ('overall', 'domain') and evidence = 'caption' and score is not null
),

lines as (
    select *, case when row_number() over (one order by by_simple desc nulls last, captioner) in (1, count(*) over one) then score end as named
    from scored window one as (partition by protocol, reader, provenance, domain, prompt)
    union all by name
    select protocol, reader, provenance, domain, prompt, place, avg(score) as mean, format('mean of {}', count(*)) as captioner_name
    from scored
    group by all having count(*) > 2
)

select
    captioner, captioner_name, protocol, reader, provenance, domain, prompt, score, named, mean, coalesce(mean, named) as line_end,
    case when place = max(place) over (partition by protocol, reader, provenance, domain) then captioner_name end as line_name,
    max(mean) filter (where domain = 'Overall' and prompt = 'Simple') over board as simple,
    simple - max(mean) filter (where domain = 'Overall' and prompt = 'Short') over board as gain,
    simple - max(mean) filter (where domain = 'Overall' and prompt = 'Taxonomy-Hinted') over board as loss,
    case when least(gain, loss) > 2 then format('From Short to Simple captions gain {:.0f} points; the taxonomy as a hint costs {:.0f}', gain, loss) end as title
from lines window board as (partition by protocol, reader, provenance)
order by domain <> 'Overall', domain, place, prompt, captioner

VISUALISE prompt AS x
DRAW line MAPPING score AS y SETTING stroke => '#c4c4c4', linewidth => 0.7 PARTITION BY captioner
DRAW line MAPPING named AS y SETTING stroke => '#b34700', linewidth => 1.2 PARTITION BY captioner
DRAW line MAPPING mean AS y SETTING stroke => '#1a1a1a', linewidth => 1.8
DRAW text MAPPING line_end AS y, line_name AS label SETTING hjust => 'left', offset => [4, 0]
FACET domain SETTING ncol => 3
SCALE x RENAMING 'Taxonomy-Hinted' => 'Hinted'
LABEL title => 'How the caption prompt moves the score', subtitle => 'Thick: the mean; named: first and last by Simple', y => 'score, %'
