-- shows: How often judges and people prefer the same caption
-- paper: CapArena, Table 2
-- benchmark: caparena
-- place: 5

select
    judge_name as judge, protocol, provenance, case level when '1' then '1, unequal' when '4' then '4, close'
        else level end as level,
    agreement as value, case when judge_type = 'human' then 'people' else judge_type end as who,
    case when level = max_over(if(level in ('3', '4'), level, null), row(judge, protocol, provenance, origin))
        then agreement end as end_value,
    format('{:,} battles', most) as note,
    case when round(min_over(if(compared, agreement, null), provenance))
        < round(max_over(if(compared, agreement, null), provenance)) then format(
        'Judges agree with people in {:.0f} to {:.0f}% of the battles',
        min_over(if(compared, agreement, null), provenance),
        max_over(if(compared, agreement, null), provenance)
    ) end as title
from (
    select
        *, max_over(n_battles, provenance) as most, level = 'all' and judge_type <> 'human' and is_whole
        and any_over(level in ('1', '2', '3', '4'), row(judge, protocol, provenance, origin)) as compared
    from arena_agreement
    where benchmark = 'caparena' and ties = 'included' and agreement is not null
)
qualify level in ('1', '1, unequal', '2', '3', '4', '4, close')
order by level, value desc, judge

VISUALISE level AS x, value AS y, who AS stroke
DRAW line PARTITION BY judge
DRAW text MAPPING end_value AS y, judge AS label, who AS fill SETTING hjust => 'left', offset => [16, 0]
SCALE stroke FROM ['model', 'metric', 'people'] TO ['#8a8a8a', '#b08a45', '#b34700']
SCALE fill FROM ['model', 'metric', 'people'] TO ['#595959', '#8f6100', '#b34700']
LABEL title => 'How often judges and people prefer the same caption',
    subtitle => '% of battles with the same outcome, by how close the captioners are',
    x => 'level', y => 'agreement, %'
