-- shows: Which battles should people judge next?

select
    captioner_a_name, captioner_b_name, n_battles, round(width, 1) as width, round(reduction, 2) as reduction,
    round(probability, 1) as probability
from arena_next
order by probability desc, captioner_a_name, captioner_b_name;
