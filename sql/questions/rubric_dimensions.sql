-- shows: How well does a captioner do in each dimension of the rubric?

with figures as (
    select captioner_name, section as dimension, n_all, metric, figure, judge, repeat, provenance, origin
    from capability_figures
    where benchmark = 'capability' and kind = 'dimension'
)

select * exclude (repeat, origin)
from figures
pivot (max(figure) for metric in ('precision', 'recall', 'f1', 'hit_rate') group by captioner_name, dimension, n_all, judge, repeat, provenance, origin)
order by provenance = 'simulated', captioner_name, judge, dimension;
