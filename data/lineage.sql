-- Rows made from the units $1 (separated by commas), and from units with all rows made from them. Rows loaded from
-- files have no origin in the lake, except votes, since files share their battles. Rows without a request hash came
-- from no call, so they have no origin in the lake either.
with going as (
    select unnest(string_split($1, ',')) as unit
),

-- Units with rows that have an origin in the lake. Units of reviews and ratings, which people made, are among them, but
-- such a unit is removed only if it is named itself.
made as (
    select unit
    from runs
    where current and unit not in (select unit from going) and not starts_with(stage, 'ingest')
),

-- Several units may have the same call, so a call is gone only if no unit that stays has it.
gone_calls as (
    select distinct request_hash, repeat
    from calls as c
    where unit in (select unit from going)
        and not exists (
            select 1
            from calls as o
            where o.request_hash = c.request_hash and o.repeat = c.repeat and o.unit not in (select unit from going)
        )
),

gone_annotations
    as (select benchmark, sample_id, dimension, element from annotations where unit in (select unit from going)),

-- First the rows that come from pictures and calls alone. place orders the result.
first_rows as (
    select
        1 as place, 'candidates' as made_of, unit,
        case
            when image_id in (select image_id from images where unit in (select unit from going)) then 'images'
            when request_hash in (select request_hash from gone_calls) then 'calls'
        end as cause
    from candidates
    union all
    select 11, 'captions', unit, case when request_hash in (select request_hash from gone_calls) then 'calls' end
    from captions
),

-- The units $1, and the units of first_rows in which every row has a cause.
going_then as (
    select unit from going
    union all
    select unit
    from first_rows
    where unit in (select unit from made)
    group by made_of, unit
    having count(cause) = count(*)
),

gone_candidates as (select candidate_id from candidates where unit in (select unit from going_then)),

gone_captions as (select image_id, captioner, prompt from captions where unit in (select unit from going_then)),

-- Rows about one candidate, with the request that gave them. Questions of a published bank have no request.
asked as (
    select 2 as place, 'blind_trials' as made_of, unit, candidate_id, request_hash from blind_trials
    union all
    select 3, 'embeddings', unit, candidate_id, request_hash from embeddings
    union all
    select 5, 'validations', unit, candidate_id, request_hash from validations
    union all
    select 7, 'questions', unit, candidate_id, null from questions
),

-- Then the rows that come from candidates, captions, annotations or calls.
then_rows as (
    select
        place, made_of, unit,
        case
            when candidate_id in (select candidate_id from gone_candidates) then 'candidates'
            when request_hash in (select request_hash from gone_calls) then 'calls'
        end as cause
    from asked
    union all
    -- Judgments do not name the prompt, so a removed caption under any prompt counts.
    select
        13, 'judgments', unit,
        case
            when request_hash = '' then null
            when (benchmark, sample_id, dimension, element) in (select benchmark, sample_id, dimension,
                element from gone_annotations) then 'annotations'
            when (request_hash, repeat) in (select request_hash, repeat from gone_calls) then 'calls'
            when (sample_id, captioner) in (select image_id, captioner from gone_captions) then 'captions'
        end
    from judgments
    union all
    select
        14, 'element_answers', unit,
        case
            when request_hash = '' then null
            when (benchmark, sample_id, dimension, element) in (select benchmark, sample_id, dimension,
                element from gone_annotations) then 'annotations'
            when (request_hash, repeat) in (select request_hash, repeat from gone_calls) then 'calls'
        end
    from element_answers
    union all
    select
        15, 'battles', unit,
        case
            when prompt = '' then null
            when (image_id, captioner_a, prompt) in (select image_id, captioner, prompt from gone_captions)
                or (image_id, captioner_b, prompt) in (select image_id, captioner, prompt from gone_captions)
                    then 'captions'
        end
    from battles
),

-- The units of going_then, and the units of then_rows in which every row has a cause.
going_last as (
    select unit from going_then
    union all
    select unit
    from then_rows
    where unit in (select unit from made)
    group by made_of, unit
    having count(cause) = count(*)
),

gone_questions as (select question_id from questions where unit in (select unit from going_last)),

-- Rows that were made of a candidate and of other rows about the candidate. In a quality sample of a loaded bank,
-- candidate_id is a question_id.
computed as (
    select 4 as place, 'question_groups' as made_of, unit, candidate_id from question_groups
    union all
    select 6, 'routes', unit, candidate_id from routes
    union all
    select 8, 'quality_samples', unit, candidate_id from quality_samples
    union all
    select 9, 'quality_ratings', unit, candidate_id from quality_ratings
    union all
    select 10, 'reviews', unit, candidate_id from reviews
),

-- Last the rows that may also come from embeddings, validations, questions or battles. The units in going_last have
-- the embeddings, validations, questions and battles that go.
last_rows as (
    select
        place, made_of, unit,
        case
            when candidate_id in (select candidate_id from gone_candidates) then 'candidates'
            when made_of = 'question_groups' then
                case when candidate_id in (select candidate_id from embeddings
                    where unit in (select unit from going_last)) then 'embeddings' end
            when made_of = 'routes' then
                case when candidate_id in (select candidate_id from validations
                    where unit in (select unit from going_last)) then 'validations' end
            when candidate_id in (select question_id from gone_questions) and made_of <> 'reviews' then 'questions'
        end as cause
    from computed
    union all
    select
        12, 'answers', unit,
        case
            when request_hash = '' then null
            when question_id in (select question_id from gone_questions) then 'questions'
            when (request_hash, repeat) in (select request_hash, repeat from gone_calls) then 'calls'
            when evidence = 'caption'
                and (image_id, captioner, prompt) in (select image_id, captioner, prompt from gone_captions)
                    then 'captions'
        end
    from answers
    union all
    select
        16, 'votes', unit,
        case
            when battle_id in (select battle_id from battles where unit in (select unit from going_last)) then 'battles'
            when request_hash in (select request_hash from gone_calls) then 'calls'
        end
    from votes
),

every_row as (
    select place, made_of, unit, cause from first_rows
    union all
    select place, made_of, unit, cause from then_rows
    union all
    select place, made_of, unit, cause from last_rows
)

select
    unit, made_of, count(cause) as n_rows, count(*) as n_all, string_agg(distinct cause, ', ' order by cause) as why,
    made_of in ('quality_ratings', 'reviews') as human
from every_row
-- Ratings, reviews and votes are listed even if they were loaded from files.
where unit in (select unit from made)
    or (made_of in ('quality_ratings', 'reviews', 'votes') and unit not in (select unit from going))
group by place, made_of, unit
having count(cause) > 0
order by place, unit
