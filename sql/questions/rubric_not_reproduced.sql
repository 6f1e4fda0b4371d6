-- shows: Which printed figures of the rubric does the lake not reproduce?
-- no_demo: "the demo has no judgments of the rubric's annotations, which are for academic use"

select captioner_name, dimension, metric, printed, round(computed, 2) as computed, round(difference, 2) as difference, reason, item
from capability_comparison
where not agrees and paper_judge
order by abs(difference) desc, captioner_name, dimension, metric
limit 40;
