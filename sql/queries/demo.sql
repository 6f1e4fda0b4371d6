-- The results that captionlake demo prints, each below its name and title.

-- counts: The sample set: counts, MEASURED here
select domain, questions, images, round(questions_per_image, 1) as questions_per_image
from dataset_statistics
where origin <> 'published'
order by domain;

-- published: CaptionQA paper, prompt Simple: PUBLISHED scores (%), read by Qwen2.5 72B
select
    rank() over (order by max(score) filter (domain = 'Overall') desc) as rank, captioner_name as model,
    max(printed) filter (domain = 'Natural') as natural, max(printed) filter (domain = 'Document') as document,
    max(printed) filter (domain = 'E-commerce') as "e-commerce",
    max(printed) filter (domain = 'Embodied AI') as "embodied ai", max(printed) filter (domain = 'Overall') as overall
from (
    -- Two decimals, halves rounded up as in the paper.
    select *, cast(round(cast(score as decimal(12, 6)), 2) as decimal(6, 2)) as printed
    from captionqa_scores
    where
        prompt = 'Simple' and evidence = 'caption' and level in ('domain', 'overall') and provenance = 'published'
) as scores
group by captioner_name
order by rank, captioner_name;

-- scores: The sample set, prompt Simple: SIMULATED scores (%), with 95% intervals
{scores}
-- arena: The arena of the sample set: SIMULATED ratings, with 95% intervals
select
    people.captioner_name as model, cast(round(people.rating, 0) as integer) as rating,
    cast(round(people.rating_low, 0) as integer) as low, cast(round(people.rating_high, 0) as integer) as high,
    cast(round(1000 + 400 / ln(10) * (crowd.detail -> 'strengths' ->> people.captioner)::double, 0) as integer)
        as known,
    people.n_battles as battles, cast(round(careful.rating, 0) as integer) as judge,
    cast(round(hasty.rating, 0) as integer) as "hasty judge"
from arena_ratings as people
left join arena_ratings as careful
    on careful.judge = 'rehearsal-judge' and careful.outcomes = 'judge' and careful.method = people.method
    and careful.captioner = people.captioner
left join arena_ratings as hasty
    on hasty.judge = 'rehearsal-judge-hasty' and hasty.outcomes = 'judge' and hasty.method = people.method
    and hasty.captioner = people.captioner
cross join (select detail from runs where stage = 'simulate' and detail like '%strengths%' limit 1) as crowd
where people.judge = 'people' and people.provenance = 'simulated' and people.method = 'davidson'
order by people.rating desc;
