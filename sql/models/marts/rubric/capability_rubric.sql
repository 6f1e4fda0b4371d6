-- what: the thirteen dimensions of CAPability and CV-CapBench, with the numbers of their annotations
-- key: [benchmark, dimension]
-- source: "CAPability Table 1, section 3.1 and appendix B.1; CV-CapBench Table 1. No provenance: what the benchmarks
--     define"
-- columns:
--   benchmark: [varchar, [capability, cv-capbench]]
--   dimension: [varchar, "dimension, as annotations and judgments name it"]
--   protocol: [varchar, metric protocol of the benchmark's paper]
--   place: [bigint, rank, 1..13, "place among the columns of the papers' tables, from 1"]
--   name: [varchar, name to show to people]
--   heading: [varchar, "the name as the head of CAPability's Tables 3 to 6 shortens it"]
--   view: [varchar, [object, global, text, camera, temporal, knowledge]]
--   dynamic: [boolean, the dimension cannot be told from a single frame]
--   media_type: [varchar, [image, video]]
--   closed_set: [boolean, the judge sorts captions into categories instead of comparing them with the annotation]
--   in_tables: [boolean, the paper's tables print the dimension and average over it]
--   paper_judge: [varchar, model_id of the judge of the paper's figures]
--   decimals: [bigint, count, digits that the paper prints after the decimal point]
--   f1_of_means: [boolean, "the average F1 is that of average precision and average recall, not the mean of the F1s"]
--   n_media: [bigint, count, 0.., media files annotated]
--   n_elements: [bigint, count, elements annotated]
--   n_values: [bigint, count, different annotated values]

with annotated as (
    select
        benchmark, dimension,
        count(distinct coalesce(nullif(media, ''), sample_id)) as n_media,
        count(*) as n_elements,
        count(distinct value) as n_values
    from annotations
    group by benchmark, dimension
)

select
    benchmark, dimension, protocol, place, name, heading, view, dynamic, media_type, closed_set, in_tables, paper_judge,
    decimals,
    f1_of_means, coalesce(n_media, 0) as n_media, coalesce(n_elements, 0) as n_elements,
    coalesce(n_values, 0) as n_values
from rubric_columns()
inner join rubric_protocols() using (benchmark)
inner join rubric_dimensions() using (dimension)
left join annotated using (benchmark, dimension);

-- audit: annotations_fit_the_rubric: every table would lose an annotation with another dimension, view or medium
select a.benchmark, a.sample_id, a.dimension, a.view, a.dynamic, a.media_type
from annotations as a
left join capability_rubric as r on r.benchmark = a.benchmark and r.dimension = a.dimension
where r.dimension is null or a.view <> r.view or a.dynamic <> r.dynamic or a.media_type <> r.media_type;
