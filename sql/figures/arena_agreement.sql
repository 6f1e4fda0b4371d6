-- shows: How often judges and people prefer the same caption
-- paper: CapArena, Table 2
-- reads: [arena_agreement]
-- all: true

select
    judge_name as judge, protocol, provenance, case level when '1' then '1, unequal' when '4' then '4, close' else level end as level,
    agreement as value, case when judge_type = 'human' then 'people' else judge_type end as who,
    case when level = max(level) filter (where level in ('3', '4')) over (partition by judge, protocol, provenance, origin) then agreement end as end_value,
    format(
        'Judges agree with people in {:.0f} to {:.0f}% of the battles',
        min(agreement) filter (where level = 'all' and judge_type <> 'human') over (partition by provenance),
        max(agreement) filter (where level = 'all' and judge_type <> 'human') over (partition by provenance)
    ) as title
from arena_agreement
where benchmark = 'caparena' and ties = 'included' and agreement is not null
qualify arena_agreement.level in ('1', '2', '3', '4')
order by level, value desc, judge

VISUALISE level AS x, value AS y, who AS stroke
DRAW line PARTITION BY judge
DRAW text MAPPING end_value AS y, judge AS label, who AS fill SETTING hjust => 'left', offset => [4, 0], fontsize => 6.3
SCALE stroke FROM ['model', 'metric', 'people'] TO ['#8a8a8a', '#c9b8a0', '#b34700']
SCALE fill FROM ['model', 'metric', 'people'] TO ['#595959', '#8f6100', '#b34700']
LABEL title => 'How often judges and people prefer the same caption',
    subtitle => '% of battles with the same outcome, by how close the captioners are',
    x => 'level', y => 'agreement, %'
