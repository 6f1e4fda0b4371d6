-- Macros over marts, which models and SELECTs of the program read like tables. Each has the names of its marts as
-- parameters with a default, so that it can be made before they are there.

-- The answers of a condition about each image, added up over repetitions, so that each question has as many answers as
-- every other. A domain without a readable reply tells nothing and is left out, unless least_read is 0.
create or replace temp macro answered(images := 'captionqa_images', partial := 'partial_repetitions', least_read := 1)
as table
    with repeated as (select distinct condition_id from query_table(images) where repeat > 0),
    added as (
        select
            condition_id, protocol, reader, evidence, captioner, prompt, provenance, level, domain, category,
            subcategory, image_id,
            total(n_answers) as n_answers, total(n_correct) as n_correct, total(n_incorrect) as n_incorrect,
            total(n_cannot) as n_cannot,
            total(n_unparsed) as n_unparsed, total(n_failed) as n_failed, total(n_offered) as n_offered,
            total(score_parts) as score_parts, max(question_set) as question_set, max(n_answers) as n_questions
        from repeated -- before the macro, or the engine would look for that when this one is made
        inner join merged_captionqa_images() using (condition_id)
        anti join query_table(partial) using (condition_id, domain, repeat)
        group by all
        union all by name
        select * exclude (repeat), n_answers as n_questions
        from merged_captionqa_images()
        anti join repeated using (condition_id)
    )
    select *
    from added
    window cell as (partition by condition_id, domain)
    qualify coalesce(sum(n_unparsed + n_failed) over cell, 0) + least_read <= sum(n_answers) over cell;

-- The answers of two conditions, image by image, to the questions that both have answered. Other answers would compare
-- easy questions of one side with hard questions of the other. sides has a_id and b_id, the two condition_ids; images
-- has rows of answered(), of the levels that are wanted; questions has the answers by question about all images with
-- other questions in two conditions.
create or replace temp macro paired(sides, images, questions := 'captionqa_uneven_answers') as table
    -- Materialized, or the engine joins all conditions with one another first.
    with a_side as materialized (
        select s.a_id, s.b_id, i.* exclude (condition_id)
        from query_table(sides) as s
        inner join query_table(images) as i on i.condition_id = s.a_id
    ),
    both_sides as (
        select
            a.a_id, a.b_id, a.level, a.domain, a.category, a.image_id,
            a.question_set is distinct from b.question_set as uneven,
            a.n_answers as n_a, a.n_correct as correct_a, a.n_cannot as cannot_a, a.n_offered as offered_a,
            a.score_parts as score_a,
            b.n_answers as n_b, b.n_correct as correct_b, b.n_cannot as cannot_b, b.n_offered as offered_b,
            b.score_parts as score_b
        from a_side as a
        inner join query_table(images) as b
            on b.condition_id = a.b_id and b.level = a.level and b.category = a.category and b.image_id = a.image_id
    ),
    asked as (
        select q.* exclude (category), series.level, series.category
        from query_table(questions) as q
        cross join lateral (values ('domain', ''), ('category', q.category)) as series (level, category)
    )
    select * exclude (uneven)
    from both_sides
    where not uneven
    union all
    select
        p.a_id, p.b_id, p.level, p.domain, p.category, p.image_id,
        total(a.n_answers), total(a.n_correct), total(a.n_cannot), total(a.n_offered), total(a.score_parts),
        total(b.n_answers), total(b.n_correct), total(b.n_cannot), total(b.n_offered), total(b.score_parts)
    from both_sides as p
    inner join asked as a
        on a.condition_id = p.a_id and a.level = p.level and a.category = p.category and a.image_id = p.image_id
    inner join asked as b
        on b.condition_id = p.b_id and b.level = p.level and b.category = p.category and b.question_id = a.question_id
    where p.uneven
    group by p.a_id, p.b_id, p.level, p.domain, p.category, p.image_id;

-- Means of scores and of correct answers for both sides of pairs, and the error of their difference in each domain. An
-- image contributes to the error by the difference between its sums and the sums that the means predict. pairs has rows
-- of paired() of the level domain.
create or replace temp macro paired_means(pairs) as table
    with moved as (
        select
            *, share_part(part_a, n_a, sum(part_a) over cell, sum(n_a) over cell)
                - share_part(part_b, n_b, sum(part_b) over cell, sum(n_b) over cell) as moves
        from (
            select a_id, b_id, domain, n_a, n_b, m.*
            from query_table(pairs)
            cross join lateral (
                values ('score', score_a, score_b), ('accuracy', correct_a * score_parts(1), correct_b * score_parts(1))
            ) as m (metric, part_a, part_b)
        )
        window cell as (partition by a_id, b_id, metric, domain)
    )
    select
        a_id, b_id, domain, metric, score_of_parts(percent_of(sum(part_a), sum(n_a))) as mean_a,
        score_of_parts(percent_of(sum(part_b), sum(n_b))) as mean_b,
        parts_error(sum(exact_square(score_of_parts(moves))), count(*)) as se,
        least(effective_clusters(n_a), effective_clusters(n_b)) as clusters, count(*) as n_images,
        sum(n_a) as n_answers, least(sum(n_a), sum(n_b)) as n_both
    from moved
    group by a_id, b_id, domain, metric;

-- The same for answers from captions in all domains, for the pairs of conditions in sides.
create or replace temp macro paired_captions(sides) as table
    with images as (select * from answered() where level = 'domain' and evidence = 'caption'),
    pairs as (select * from paired(sides, 'images'))
    select * from paired_means('pairs');

-- The calls about each item with their cost by the prices for a million tokens of the unit's last run; null without a
-- price, or where tokens were not counted. A call without tokens in its reply needs no price for them.
create or replace temp macro priced_calls(calls := 'calls_by_item', runs := 'runs') as table
    with prices as (
        select
            unit, first_by(price_of(detail, 'input'), -coalesce(execution, 0)) as input_price,
            first_by(price_of(detail, 'cached'), -coalesce(execution, 0)) as cached_price,
            first_by(price_of(detail, 'output'), -coalesce(execution, 0)) as output_price
        from query_table(runs)
        group by unit
    )
    select
        c.*, case when n_uncounted = 0 then (
            input_price * (prompt_tokens - cached_tokens) + cached_price * cached_tokens
            + case when completion_tokens = 0 then 0 else output_price * completion_tokens end
        ) / 1000000 end as cost
    from query_table(calls) as c
    left join prices using (unit);
