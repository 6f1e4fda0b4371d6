-- shows: Captioners by what their captions let a reader answer
-- paper: CaptionQA, Table 3
-- reads: [captionqa_ranks, captionqa_differences, captionqa_scores]
-- one: prompt

with scored as (
    select
        r.protocol, r.reader, r.prompt, r.provenance, r.domain, r.captioner, r.captioner_name, r.value, r.value_low, r.value_high, r.rank_low, r.rank_high,
        coalesce(d.difference_high >= 0, r.rank = 1 and r.value_low is not null) and r.rank_low is not null as level_with_best, max(s.model_type) as model_type
    from captionqa_ranks as r
    left join captionqa_differences as d using (protocol, reader, prompt, provenance, domain, metric, captioner)
    left join captionqa_scores as s
        on r.protocol = s.protocol and r.reader = s.reader and r.prompt = s.prompt and r.provenance = s.provenance and r.captioner = s.captioner
    where r.metric = 'score'
    group by all
)

select
    *, case when level_with_best then min(value_low) filter (where level_with_best) over panel end as band_from,
    case when level_with_best then max(value_high) filter (where level_with_best) over panel end as band_to,
    case
        when domain = 'Overall' or rank() over (panel order by value desc) = 1
            then format('{:.1f}', value) || case when domain = 'Overall' and rank_high > rank_low then format('  ({}–{})', rank_low, rank_high) else '' end
    end as words,
    coalesce(value_high, value) as right_end, case when model_type = 'proprietary' then 'proprietary model' else 'open model' end as kind,
    case count(*) filter (where level_with_best and domain = 'Overall') over board
        when 0 then null
        when 1 then format('{} leads: no other captioner reaches its score', arg_max(captioner_name, case when domain = 'Overall' then value end) over board)
        when 2 then format('{} share the lead', string_agg(captioner_name, ' and ') filter (where level_with_best and domain = 'Overall') over board)
        else format('{} captioners share the lead', count(*) filter (where level_with_best and domain = 'Overall') over board)
    end as title,
    format('CaptionQA score (%), {} prompt{}', prompt, case when rank_low is null then '' else '; in brackets 95% of the places' end) as subtitle
from scored
window board as (partition by protocol, reader, prompt, provenance), panel as (partition by protocol, reader, prompt, provenance, domain)
order by
    domain <> 'Overall', domain, max(value) filter (where domain = 'Overall') over (partition by protocol, reader, prompt, provenance, captioner) desc nulls last,
    value desc, captioner_name

VISUALISE captioner_name AS y, kind AS fill
DRAW range MAPPING band_from AS xmin, band_to AS xmax, 'level with the best' AS stroke SETTING linewidth => 14, hinge => null
DRAW range MAPPING value_low AS xmin, value_high AS xmax, kind AS stroke SETTING hinge => null
DRAW point MAPPING value AS x
DRAW text MAPPING right_end AS x, words AS label, null AS fill SETTING hjust => 'left', offset => [5, 0]
SCALE fill FROM ['open model', 'proprietary model'] TO ['#595959', '#a0a0a0']
SCALE stroke FROM ['open model', 'proprietary model', 'level with the best'] TO ['#595959', '#a0a0a0', '#e6e6e6']
FACET domain
LABEL title => 'Captioners by what their captions let a reader answer', x => 'score, %'
