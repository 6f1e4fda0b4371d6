-- shows: What the lake holds
-- columns:
--   - {name: what, head: Table}
--   - {name: n, head: Rows, decimals: 0}

select what, n
from (
    unpivot (select
        (select count(*) from images) as images, (select count(*) from questions) as questions,
        (select count(*) from captions) as captions, (select count(*) from calls) as calls,
        (select count(*) from answers) as answers,
        (select count(*) from annotations) as annotations, (select count(*) from judgments) as judgments,
        (select count(*) from element_answers) as element_answers, (select count(*) from battles) as battles,
        (select count(*) from votes) as votes, (select count(*) from published) as published,
        (select count(*) from models) as models,
        (select count(*) from candidates) as candidates, (select count(*) from blind_trials) as blind_trials,
        (select count(*) from embeddings) as embeddings, (select count(*) from validations) as validations,
        (select count(*) from routes) as routes, (select count(*) from reviews) as reviews,
        (select count(*) from quality_samples) as quality_samples,
        (select count(*) from quality_ratings) as quality_ratings
    ) on columns(*) into name what value n
)
where n > 0
