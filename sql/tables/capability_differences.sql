-- shows: Figures computed from judgments that are not the printed ones
-- asks: Which printed figures of the rubric does the lake not reproduce?
-- no_demo: "the demo has no judgments of the rubric's annotations, which are for academic use"
-- paper: CAPability, Tables 3 to 5; CV-CapBench, Tables 2 and 3
-- benchmark: capability
-- columns:
--   - {name: captioner_name, head: Captioner}
--   - {name: dimension}
--   - {name: metric}
--   - {name: printed, decimals: 2}
--   - {name: computed, decimals: 4}
--   - {name: n_missing, head: Missing, decimals: 0}
--   - {name: reason}

-- A judge that is not the paper's is not expected to give the paper's numbers.
select *, benchmark || ', judge ' || judge as section
from capability_comparison
where not agrees and paper_judge
order by benchmark, judge, captioner, repeat, dimension, metric, item
