-- shows: "CapArena-Auto: how often a judge prefers a captioner to three baselines"
-- paper: CapArena, Table 8
-- benchmark: caparena
-- place: 8

with judged as (
    select *, max_over(if(coalesce(baseline, '') = '', score, null), row(provenance, judge, captioner)) as average
    from arena_auto
    qualify dense_rank() over (partition by provenance order by judge_name) = 1
)

select
    captioner, coalesce(captioner_name, captioner) as captioner_name, provenance, score, score_low, score_high,
    case when score < 0 then coalesce(score_low, score) end as label_left,
    case when score >= 0 then coalesce(score_high, score) end as label_right,
    case when coalesce(baseline, '') = '' then 'Average' else baseline_name end as facet,
    format('{:,} images', max_over(n_images, provenance)) as note,
    format('Wins less losses in % of battles with three baselines, judged by {}', judge_name) as subtitle,
    case when count_over(facet = 'Average', provenance) > 1 then format(
        '{} of {} captioners win more often than they lose',
        count_over(facet = 'Average' and coalesce(score_low, score) > 0, provenance),
        count_over(facet = 'Average', provenance)
    ) end as title
from judged
where score is not null
order by average desc nulls last, captioner_name, captioner, coalesce(baseline, '') <> '', baseline_name

VISUALISE
DRAW rule MAPPING 0 AS x
DRAW range MAPPING captioner_name AS y, score_low AS xmin, score_high AS xmax SETTING hinge => null, stroke => '#595959'
DRAW point MAPPING captioner_name AS y, score AS x SETTING fill => '#595959'
DRAW text MAPPING captioner_name AS y, label_right AS x, score AS label SETTING format => '{:num %.1f}',
    hjust => 'left', offset => [5, 0]
DRAW text MAPPING captioner_name AS y, label_left AS x, score AS label SETTING format => '{:num %.1f}',
    hjust => 'right', offset => [-5, 0]
SCALE x FROM [-100, 100]
FACET facet
LABEL title => 'How often a judge prefers a captioner to three baselines'
