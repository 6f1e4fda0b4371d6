-- what: "which dimensions each average is over: every dimension alone, all of the paper's tables, static, dynamic, and those of each view"
-- key: [benchmark, section, dimension]
-- source: "CAPability Tables 3, 4 and 5, column Avg.; CV-CapBench Tables 2 and 3, column Average. No provenance: what the benchmarks
--     define"
-- columns:
--   benchmark: [varchar, capability or cv-capbench]
--   section: [varchar, "dimension, average, static, dynamic, or a view: object, global, text, camera, temporal, knowledge"]
--   kind: [varchar, [dimension, average, part], "dimension for a single one, average for all of the tables, part for some of them"]
--   dimension: [varchar, dimension of the section]
--   n_expected: [bigint, count, 1..13, dimensions of the section]
--   f1_of_means: [boolean, "the section's F1 is that of its mean precision and mean recall, not the mean of the F1s"]

with sections as (
    select benchmark, dimension as section, 'dimension' as kind, dimension, false as f1_of_means from capability_rubric
    union all
    select benchmark, 'average' as section, 'average' as kind, dimension, f1_of_means from capability_rubric where in_tables
    union all
    select benchmark, case when dynamic then 'dynamic' else 'static' end as section, 'part' as kind, dimension, f1_of_means
    from capability_rubric
    where in_tables
    union all
    select benchmark, view as section, 'part' as kind, dimension, f1_of_means from capability_rubric where in_tables
)

select benchmark, section, kind, dimension, count(*) over (partition by benchmark, section) as n_expected, f1_of_means
from sections;
