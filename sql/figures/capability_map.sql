-- shows: Correctness against thoroughness of captioners
-- paper: CAPability and CV-CapBench; no figure of the papers
-- reads: [capability_figures]
-- all: true

-- Of the judge with the most captioners the first repetition.
with judged as (
    select *
    from (
        select *, count(*) over (partition by benchmark, provenance, judge) as n_rows
        from (
            select
                benchmark, provenance, origin, judge, repeat, captioner, captioner_name,
                max(figure) filter (where metric = 'hit_rate') as hit_rate, max(figure_low) filter (where metric = 'hit_rate') as hit_rate_low,
                max(figure_high) filter (where metric = 'hit_rate') as hit_rate_high, max(figure) filter (where metric = 'precision') as precision,
                max(figure_low) filter (where metric = 'precision') as precision_low, max(figure_high) filter (where metric = 'precision') as precision_high
            from capability_figures
            where section = 'average' and n_dimensions = n_expected
            group by all
        )
        where hit_rate is not null and precision is not null
    )
    qualify dense_rank() over (partition by benchmark, provenance order by n_rows desc, judge) = 1
        and repeat = min(repeat) over (partition by benchmark, provenance, judge)
),

panels as (
    select
        benchmark, provenance, judge, greatest(min(coalesce(hit_rate_low, hit_rate)) - 2, 1) as x0, least(max(coalesce(hit_rate_high, hit_rate)) + 2, 100) as x1,
        greatest(min(coalesce(precision_low, precision)) - 2, 0) as y0, least(max(coalesce(precision_high, precision)) + 2, 100) as y1
    from judged
    group by benchmark, provenance, judge
),

-- Lines of equal product of precision and hit rate, which in one dimension is the recall.
lines as (
    select benchmark, provenance, judge, recall, x0 + (x1 - x0) * step / 50 as line_x, 100 * recall / line_x as line_y
    from panels, range(5, 100, 5) as r (recall), range(51) as s (step)
    where line_y between y0 and y1
    qualify count(*) over (partition by benchmark, provenance, recall) >= 8
)

select
    captioner, captioner_name, hit_rate, precision, hit_rate_low, hit_rate_high, precision_low, precision_high,
    null as recall, null as line_x, null as line_y, null as line_end, provenance, judge,
    case benchmark when 'capability' then 'CAPability' else 'CV-CapBench' end || ', judged by ' || judge as facet
from judged
union all by name
select
    recall, line_x, line_y, case when line_x = max(line_x) over (partition by benchmark, provenance, recall) then recall end as line_end, provenance, judge,
    case benchmark when 'capability' then 'CAPability' else 'CV-CapBench' end || ', judged by ' || judge as facet
from lines
order by facet, recall nulls first, line_x, hit_rate desc

VISUALISE hit_rate AS x, precision AS y
DRAW path MAPPING line_x AS x, line_y AS y SETTING stroke => '#d0d0d0', linetype => 'dashed', linewidth => 0.6 PARTITION BY recall
DRAW text MAPPING line_x AS x, line_y AS y, line_end AS label SETTING hjust => 'left', offset => [2, 0], fill => '#595959'
DRAW text MAPPING captioner_name AS label
DRAW range MAPPING hit_rate_low AS xmin, hit_rate_high AS xmax SETTING hinge => null, stroke => '#595959', opacity => 0.5
DRAW range MAPPING precision_low AS ymin, precision_high AS ymax SETTING hinge => null, stroke => '#595959', opacity => 0.5
DRAW point SETTING fill => '#595959'
FACET facet SETTING ncol => 2, free => ['x', 'y']
LABEL title => 'Correctness against thoroughness of captioners', x => 'thoroughness: hit rate, %', y => 'correctness: precision, %',
    subtitle => 'Averages over the dimensions; dashed: equal recall in %'
