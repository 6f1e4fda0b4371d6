-- Ids of one table without a counterpart in another table, and the ids of that table without a counterpart here. $1 are
-- units, separated by commas. Their answers are compared with the bank.
with items as (
    select image_id as id from questions
    union
    select sample_id from annotations
    union
    select image_id from battles
),

-- Captions of each captioner and prompt are compared with the questions of their domains. Captions by people are
-- compared without the prompt, because several captions of a picture by people have numbered prompts.
described as (
    select distinct
        domain, image_id, case when captioner = 'human' then 'captions by human'
            else format('captions by {} under {}', coalesce(name, captioner), prompt) end as source
    from captions
    left join models on model_id = captioner
    where domain in (select domain from questions)
),

-- For each source of captions, the images with questions in the domains of the source.
asked as (
    select distinct s.source, q.image_id
    from (select distinct domain, source from described) as s
    inner join (select distinct domain, image_id from questions) as q using (domain)
),

-- The question_ids of answers in the units $1.
named as (
    select distinct question_id as id, regexp_replace(question_id, '/[^/]*$', '') as image_id
    from answers
    where list_contains(string_split($1, ','), unit)
),

-- Each place compares two kinds of rows. The column these names the first kind: the ids of its rows are ours, and are
-- looked for among the ids of the second kind, which the column those names.
sides as (
    select 1 as place, 'captions' as these, 'questions, annotations or battles' as those, true as ours,
        image_id as id from captions
    union all
    select 1, 'captions', 'questions, annotations or battles', false, id from items
    union all
    select 2, 'answers', 'questions', true, image_id from answers
    union all
    select 2, 'answers', 'questions', false, image_id from questions
    union all
    select 3, 'pictures', 'questions, annotations or battles', true, image_id from images
    union all
    select 3, 'pictures', 'questions, annotations or battles', false, id from items
    union all
    select 3, 'pictures', 'questions, annotations or battles', false, image_id from candidates
    union all
    select 4, 'questions', 'pictures', true, image_id from questions
    union all
    select 4, 'questions', 'pictures', false, image_id from images
    union all
    select 5, 'questions', source, true, image_id from asked
    union all
    select 5, 'questions', source, false, image_id from described
    union all
    -- A question_id without a counterpart is listed only if the bank has other questions about the image. So ids of
    -- other images count as their own counterparts here.
    select 6, 'answers', 'questions', true, id from named
    union all
    select 6, 'answers', 'questions', false, id from named
    where id in (select question_id from questions) or image_id not in (select image_id from questions)
),

ids as (
    select place, these, those, id, bool_or(ours) as ours, bool_or(not ours) as theirs
    from sides
    group by place, these, those, id
),

unmatched as (
    select place, these, those, id, ours from ids where place < 6 and not (ours and theirs)
),

-- A spelling folds ids so that similar ids become equal. The spelling that explains the most ids counts; of
-- several such spellings, the first by rank.
spelled as (
    select place, these, those, id, ours, unnest([
        {rank: 1, what: 'letter case', spelling: lower(id)},
        {rank: 2, what: 'leading zeros', spelling: regexp_replace(id, '(^|[^0-9])0+([0-9])', '\1\2', 'g')},
        {rank: 3, what: 'spaces, dashes, underscores and dots', spelling: regexp_replace(id, '[-_ .]', '', 'g')},
        {rank: 4, what: 'a folder before the name', spelling: parse_filename(id)},
        {rank: 5, what: 'letter case and separators', spelling: regexp_replace(lower(id), '[-_ .]', '', 'g')}
    ], recursive := true)
    from unmatched
),

-- Pairs of ids in which one id is the other id with an ending or a beginning added.
added as (
    select a.place, a.these, a.those, 'ending' as what, a.id[length(b.id) + 1:] as more, a.id as long, b.id as short,
        a.ours
    from (select *, unnest(range(1, length(id))) as n from unmatched) as a
    inner join unmatched as b on a.place = b.place and a.those = b.those and a.ours <> b.ours and a.id[:n] = b.id
    union all
    select a.place, a.these, a.those, 'beginning', a.id[:n], a.id, b.id, a.ours
    from (select *, unnest(range(1, length(id))) as n from unmatched) as a
    inner join unmatched as b on a.place = b.place and a.those = b.those and a.ours <> b.ours and a.id[n + 1:] = b.id
),

pairs as (
    select a.place, a.these, a.those, a.rank, a.what, a.id, b.id as other
    from spelled as a
    inner join spelled as b using (place, these, those, rank, spelling)
    where a.ours and not b.ours
    union all
    select place, these, those, 6, format('the {} "{}"', what, more), if(ours, long, short), if(ours, short, long)
    from added
),

causes as (
    select
        place, these, those, rank, what, count(distinct id) as explained,
        format('{} of them differ by {} from ids that are there, such as {} and {}', count(distinct id), what,
            min(id), min_by(other, (id, other))) as cause
    from pairs
    group by place, these, those, rank, what
),

likeliest as (
    select place, these, those, first(cause order by explained desc, rank, what) as cause
    from causes
    group by place, these, those
)

select
    these as "rows", those as "without",
    count(*) filter (not theirs) as ids, count(*) filter (ours) as "of",
    list(id order by id) filter (not theirs)[:3] as examples,
    case when place = 6
        then 'the bank has other questions about the same images, so the text of the question or of an option differs'
        else any_value(cause) end as cause
from ids
left join likeliest using (place, these, those)
group by place, these, those
-- Without an id of the second kind, those rows are missing altogether and are not compared. In place 6 both kinds of
-- ids come from answers, so ids of the second kind may be missing.
having bool_or(not theirs) and (place = 6 or bool_or(theirs))
order by place, those
