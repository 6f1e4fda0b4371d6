-- shows: How often judges and people prefer the same caption
-- paper: CapArena, Table 2
-- reads: [arena_judges]
-- all: true

select
    coalesce(judge_name, judge) as judge, protocol, provenance, level, value,
    case when judge_type = 'human' then 'people' else judge_type end as who, case when level = last_level then value end as end_value,
    format(
        'Judges agree with people in {:.0f} to {:.0f}% of the battles', min(agreement) filter (where judge_type <> 'human') over board,
        max(agreement) filter (where judge_type <> 'human') over board
    ) as title
from arena_judges, lateral (
    values ('1, unequal', agreement_1), ('2', agreement_2), ('3', agreement_3), ('4, close', agreement_4)
) as f (level, value), lateral (select case when agreement_4 is null then '3' else '4, close' end as last_level)
where benchmark = 'caparena' and value is not null
window board as (partition by provenance)
order by level, value desc, judge

VISUALISE level AS x, value AS y, who AS stroke
DRAW line PARTITION BY judge
DRAW text MAPPING end_value AS y, judge AS label, who AS fill SETTING hjust => 'left', offset => [4, 0], fontsize => 6.3
SCALE stroke FROM ['model', 'metric', 'people'] TO ['#8a8a8a', '#c9b8a0', '#b34700']
SCALE fill FROM ['model', 'metric', 'people'] TO ['#595959', '#8f6100', '#b34700']
LABEL title => 'How often judges and people prefer the same caption',
    subtitle => '% of battles with the same outcome, by how close the captioners are',
    x => 'level', y => 'agreement, %'
