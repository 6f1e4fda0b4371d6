-- shows: How well does a captioner do in each dimension of the rubric?

select captioner_name, dimension, n_all, precision, recall, f1, hit_rate, judge, provenance
from capability_dimensions
where benchmark = 'capability'
order by provenance = 'simulated', captioner_name, judge, dimension;
