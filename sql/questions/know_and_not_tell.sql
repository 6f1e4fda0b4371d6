-- shows: What do models know and not tell?

select captioner_name, judge, dimension, round(know_cannot_tell, 1) as know_cannot_tell, n_known, n_untold, provenance
from capability_know_cannot_tell
where know_cannot_tell is not null
order by provenance = 'simulated', captioner_name, judge, dimension = 'average' desc, know_cannot_tell desc, dimension;
