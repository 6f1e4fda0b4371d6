-- shows: Captioners by what their captions let a reader answer
-- paper: CaptionQA, Table 3
-- reads: [captionqa_ranks, captionqa_differences]
-- one: prompt

with scored as (
    select r.*, coalesce(d.difference_high >= 0, r.rank = 1 and r.value_low is not null) and r.rank_low is not null as level_with_best
    from captionqa_ranks as r
    left join captionqa_differences as d using (condition_id, domain, metric)
    where r.metric = 'score'
)

select
    *, case when level_with_best then min(value_low) filter (where level_with_best) over panel end as band_from,
    case when level_with_best then max(value_high) filter (where level_with_best) over panel end as band_to,
    case when domain = 'Overall' or rank = 1 then format('{:.1f}', value) end
    || case when domain = 'Overall' and rank_high > rank_low then format('  ({}–{})', rank_low, rank_high) else '' end as words,
    coalesce(value_high, value) as right_end, case when model_type = 'proprietary' then 'proprietary model' else 'open model' end as kind,
    list(captioner_name order by value desc, captioner) filter (where level_with_best and domain = 'Overall') over board as first,
    case
        when len(first) > 2 then format('{} captioners share the lead', len(first))
        when len(first) > 0 then array_to_string(first, ' and ') || if(len(first) = 1, ' leads: no other captioner reaches its score', ' share the lead')
        else format('Scores run from {:.1f} to {:.1f}', min(value) filter (where domain = 'Overall') over board, max(value) filter (where domain = 'Overall') over board)
    end as title,
    format('CaptionQA score (%), {} prompt{}', prompt, case when rank_low is null then '' else '; in brackets 95% of the places' end) as subtitle
from scored
window board as (partition by protocol, reader, prompt, provenance), panel as (partition by protocol, reader, prompt, provenance, domain)
order by
    prompt <> 'Simple', prompt, domain <> 'Overall', domain,
    max(value) filter (where domain = 'Overall') over (partition by protocol, reader, prompt, provenance, captioner) desc nulls last, value desc, captioner_name

VISUALISE captioner_name AS y, kind AS fill
DRAW range MAPPING band_from AS xmin, band_to AS xmax, 'level with the best' AS stroke SETTING linewidth => 14, hinge => null
DRAW range MAPPING value_low AS xmin, value_high AS xmax, kind AS stroke SETTING hinge => null
DRAW point MAPPING value AS x
DRAW text MAPPING right_end AS x, words AS label, null AS fill SETTING hjust => 'left', offset => [5, 0]
SCALE fill FROM ['open model', 'proprietary model'] TO ['#595959', '#a0a0a0']
SCALE stroke FROM ['open model', 'proprietary model', 'level with the best'] TO ['#595959', '#a0a0a0', '#e6e6e6']
FACET domain
LABEL title => 'Captioners by what their captions let a reader answer', x => 'score, %'
