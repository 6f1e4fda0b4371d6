-- shows: Which captioners a judge prefers more often than people do
-- paper: CapArena, Figure 5
-- benchmark: caparena
-- place: 7

with biases as (
    select
        *, coalesce(judge_name, judge) as judge_shown, coalesce(captioner_name, captioner) as name,
        avg_over(abs(bias), row(provenance, judge, protocol)) as size,
        max_over(people_rate, row(provenance, captioner)) as rate
    from arena_bias
    where benchmark = 'caparena'
)

select
    captioner, name, judge, judge_shown, protocol, provenance, size, rate, bias,
    replace(format('{:+.1f}', bias), '-', '−') as words,
    format(
        'Win rate by judge less by people, points; {} of {} intervals hold 0',
        count_over(bias_low <= 0 and bias_high >= 0, provenance), count_over(true, provenance)
    ) as subtitle,
    format('{:,} images', max_over(n_images, provenance)) as note,
    case
        when any_over(bias_low > 0, provenance) then format(
            '{} prefers {} {:.1f} points more often than people do', arg_max_over(judge_shown, bias_low, provenance),
            arg_max_over(name, bias_low, provenance),
            arg_max_over(bias, bias_low, provenance)
        )
    end as title
from biases
union all by name
select distinct '' as captioner, 'Mean absolute bias' as name, judge, judge_shown, protocol, provenance, size,
    -1 as rate, 0 as bias, format('{:.1f}', size) as words
from biases
order by rate desc, name, size, judge

VISUALISE name AS y, judge_shown AS x
DRAW tile MAPPING bias AS fill
DRAW text MAPPING words AS label
SCALE fill FROM [-25, 25] TO ['#e08a5f', '#ffffff', '#6b9dc0']
LABEL title => 'Which captioners a judge prefers more often than people do'
