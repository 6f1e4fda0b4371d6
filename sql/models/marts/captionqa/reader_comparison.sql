-- what: "readers side by side: faithfulness (how often they refuse to answer without a caption), accuracy on one pool
--     of captions, stability over repetitions, and speed"
-- key: [protocol, reader, provenance, origin]
-- source: CaptionQA section 3.5 and Figure 2; the pool's captions come from all captioners, as the paper's, under the
--     prompts that the run names, Simple unless it names any; the paper does not name its own, and its 68.98 fits
--     Simple
-- columns:
--   protocol, reader, provenance:
--   origin: [varchar, [answers, published], "answers: computed; published: stated in the paper, for its own reader
--       alone"]
--   reader_name:
--   faithfulness: [double, percent, 0..100, "share of the questions with a cannot option that the reader answered with
--       it when there was no caption; null without such answers. The paper's 92.61 is taken for the same, as questions
--       that do not offer the option leave less of all questions"]
--   blind_set: [bigint, 0.., "sum over the questions that the reader was asked without a caption of a number made from
--       the id of each: readers with equal ones were asked the same; null without such answers"]
--   accuracy: [double, percent, 0..100, "accuracy on the pool, first repetition alone; null when the pool is empty"]
--   n_pool: [bigint, count, 0.., "questions in the pool, each with one captioner and prompt: of all under the pool's
--       prompts for which every reader of the protocol and provenance answered it, that whose md5 with the run's seed
--       is least; a reader alone has a pool of its own; 0 when no pair is shared, null without captions of these
--       prompts and for printed rows, as all counts and intervals"]
--   n_readers: [bigint, count, "readers of captions of the pool's prompts under the protocol and provenance, which
--       share the pool"]
--   n_repeats: [bigint, count, 2.., "repetitions of the reader, the highest number of one plus one; null when there is
--       but one, or no pair has them all"]
--   accuracy_sd: [double, points, 0.., "sample standard deviation over the repetitions of the accuracy on all pairs
--       that have every repetition, in the pool or not; null without repetition"]
--   flip_rate: [double, percent, 0..100, "share of the answers in later repetitions that differ in outcome or choice
--       from the first answer to the same pair of question and caption; null without repetition"]
--   n_repeated: [bigint, count, "later answers to those pairs: pairs times n_repeats - 1"]
--   questions_per_second: [double, per_second, 0.., calls per second of time at work; a pause of more than a minute
--       between two replies is no work; null without calls or times]
--   mean_latency_ms: [double, ms, mean time from the start of a request to its reply]
--   cached_share: [double, percent, share of the prompt tokens of these calls that the server took from its prefix
--       cache; null if unknown]
--   n_calls: [bigint, count, calls that were asked live; null without any]
-- intervals:
--   faithfulness: share(n_blind, blind_clusters)
--   accuracy: share(n_pool, pool_clusters)
--   flip_rate: share(n_flip_pairs, flip_clusters)

-- Answers of the captions that were read in every repetition: their first outcome and choice beside each.
with repetitions as (
    select
        *, first_value(outcome) over pair as first_outcome, first_value(choice) over pair as first_choice,
        count(*) over (partition by protocol, reader, provenance, captioner, prompt, question_id) as n_here
    from compared_answers
    where repeated = 1
    window pair as (partition by protocol, reader, provenance, captioner, prompt, question_id order by repeat)
),

by_repetition as (
    select protocol, reader, provenance, repeat,
        percent_of(count(case when outcome = 1 then 1 end), count(*)) as accuracy
    from repetitions
    where n_here = n_repeats
    group by protocol, reader, provenance, repeat
),

stability as (
    select
        protocol, reader, provenance, count(*) as n_repeats,
        deviation_of(sum(exact(accuracy)), sum(exact_square(accuracy)), count(*)) as accuracy_sd
    from by_repetition
    group by protocol, reader, provenance
),

-- The pool has one caption for each question, drawn from the captions that all readers, or the only reader, were asked
-- about.
pooled as (
    select *, pool_lot(sampling_seed(), question_id, captioner, prompt) as lot
    from compared_answers
    where shared = 1 and repeat = 0
),

drawn as (
    select protocol, provenance, min(lot) as lot
    from (
        select protocol, provenance, question_id, lot
        from pooled
        group by protocol, provenance, question_id, lot, n_readers
        having count(*) = n_readers
    ) as read_by_all
    group by protocol, provenance, question_id
),

question_pool as (
    select protocol, reader, provenance, image_id, outcome = 1 as correct
    from pooled
    inner join drawn using (protocol, provenance, lot)
    union all
    select protocol, reader, provenance, image_id, split_part(drawn, chr(10), 2) = 'correct'
    from (
        select
            protocol, reader, provenance, max(image_id) as image_id, min(drawn) as drawn,
            min(reader) over (partition by protocol, provenance) = max(reader) over (partition by protocol, provenance)
                as alone
        from question_difficulty
        where drawn is not null
        group by protocol, reader, provenance, question_id
    ) as l
    where alone
),

-- The three shares of a reader by image: faithfulness without a caption, accuracy on the pool, and answers that differ
-- from the first.
images as (
    select
        protocol, reader, provenance, 'faithfulness' as figure, image_id, sum(n_cannot) as part, sum(n_offered) as size,
        sum(question_set) as question_set
    from answered()
    where level = 'domain' and evidence = 'none'
    group by protocol, reader, provenance, image_id
    having sum(n_offered) > 0
    union all
    select protocol, reader, provenance, 'accuracy', image_id, count(case when correct then 1 end), count(*), null
    from question_pool
    group by protocol, reader, provenance, image_id
    union all
    select
        protocol, reader, provenance, 'flip_rate', image_id,
        count(case when outcome <> first_outcome or choice <> first_choice then 1 end), count(*), null
    from repetitions
    where n_here = n_repeats and repeat > 0
    group by protocol, reader, provenance, image_id
),

shares as (
    select
        protocol, reader, provenance, figure, sum(size) as n, sum(question_set) as question_set,
        clusters_of(sum(size), sum(size * size)) as clusters,
        percent_of(max(whole), max(whole_size)) as rate,
        parts_error(sum(exact_square(share_part(part, size, whole, whole_size))), count(*)) as se
    from (
        select *, sum(part) over reader_figure as whole, sum(size) over reader_figure as whole_size
        from images
        window reader_figure as (partition by protocol, reader, provenance, figure)
    ) as i
    group by protocol, reader, provenance, figure
),

-- A pause of more than a minute between two replies ends a period of work. The replies of a second belong together.
turns as (
    select
        *,
        case when first_reply - lag(last_reply) over (partition by reader, provenance order by second) <= 60000000
            then 0 else 1 end
            as begins
    from merged_calls_by_second()
),

stretches as (
    select *, sum(begins) over (partition by reader, provenance order by second rows unbounded preceding) as stretch
    from turns
),

speed as (
    select
        reader, provenance, sum(n) as n_calls, 1000000 * ratio_of(sum(n), sum(work)) as questions_per_second,
        ratio_of(sum(latency), sum(n)) / 1000 as mean_latency_ms,
        case when sum(cached) > 0 then percent_of(sum(cached), sum(prompted)) end as cached_share
    from (
        select
            reader, provenance, stretch, sum(n_calls) as n, sum(latency) as latency, sum(cached_tokens) as cached,
            sum(prompt_tokens) as prompted, max(last_reply) - min(started) as work
        from stretches
        group by reader, provenance, stretch
    ) as s
    group by reader, provenance
),

readers as (
    select protocol, reader, provenance, 'answers' as origin, max(n_pooled) as n_readers
    from (
        select protocol, reader, provenance, null as n_pooled
        from answered()
        where level = 'domain' and evidence in ('caption', 'none')
        union all
        select protocol, reader, provenance, count(*) over (partition by protocol, provenance) as n_pooled
        from (select distinct protocol, reader, provenance from question_difficulty where drawn is not null) as p
    ) as r
    group by protocol, reader, provenance
),

figures as (
    select
        r.*, f.rate as faithfulness, f.se as faithfulness_se, f.question_set as blind_set, f.n as n_blind,
        f.clusters as blind_clusters,
        a.rate as accuracy, a.se as accuracy_se, a.clusters as pool_clusters,
        case when n_readers > 0 then coalesce(a.n, 0) end as n_pool,
        s.n_repeats, s.accuracy_sd, x.rate as flip_rate, x.se as flip_rate_se, x.n as n_repeated,
        x.clusters as flip_clusters,
        ratio_of(x.n, s.n_repeats - 1) as n_flip_pairs, questions_per_second, mean_latency_ms, cached_share, n_calls
    from readers as r
    left join (select * from shares where figure = 'faithfulness') as f using (protocol, reader, provenance)
    left join (select * from shares where figure = 'accuracy') as a using (protocol, reader, provenance)
    left join (select * from shares where figure = 'flip_rate') as x using (protocol, reader, provenance)
    left join stability as s using (protocol, reader, provenance)
    left join speed using (reader, provenance)
    union all by name
    select
        'captionqa/upstream' as protocol, coalesce(nullif(model_id, ''), model) as reader, 'published' as provenance,
        'published' as origin,
        printed_value(metric, 'faithfulness', value) as faithfulness,
        printed_value(metric, 'accuracy', value) as accuracy,
        printed_value(metric, 'accuracy_sd', value) as accuracy_sd,
        printed_value(metric, 'questions_per_second', value) as questions_per_second
    from published
    where benchmark = 'captionqa' and source = 'paper' and item = 'Section 3.5'
    group by coalesce(nullif(model_id, ''), model)
)

select
    protocol, reader, provenance, origin, model_name(reader) as reader_name, faithfulness, faithfulness_se, blind_set,
    accuracy,
    accuracy_se, n_pool, n_readers, n_repeats, accuracy_sd, flip_rate, flip_rate_se, n_repeated, questions_per_second,
    mean_latency_ms, cached_share, n_calls, n_blind, blind_clusters, pool_clusters, n_flip_pairs, flip_clusters
from figures;

-- audit: pool_is_shared: readers that are compared have the same number of pairs, or the pool would favour one
select protocol, provenance, min(n_pool) as least, max(n_pool) as most
from reader_comparison
group by protocol, provenance
having min(n_pool) <> max(n_pool);

-- audit: own_pool_is_whole: a reader's own pool has all questions that it answered about any captioner and prompt
select protocol, reader, provenance, n_pool, count(distinct l.question_id) as n_questions
from reader_comparison
inner join question_difficulty as l using (protocol, reader, provenance)
where n_readers = 1 and l.drawn is not null
group by protocol, reader, provenance, n_pool
having n_pool <> count(distinct l.question_id);

-- audit: repetitions_counted: a pair counts with all repetitions or not at all
select protocol, reader, provenance, n_repeats, n_repeated, accuracy_sd, flip_rate
from reader_comparison
where origin = 'answers' and (
    (n_repeats is null) <> (n_repeated is null) or (n_repeats is null) <> (accuracy_sd is null)
        or (n_repeats is null) <> (flip_rate is null)
    or n_repeated % (n_repeats - 1) <> 0
);

-- audit: spread_needs_flips: accuracies differ by no more than their flips: sd <= sqrt(n_repeats - 1) * flip rate
select protocol, reader, provenance, n_repeats, accuracy_sd, flip_rate
from reader_comparison
where accuracy_sd > sqrt(n_repeats - 1) * flip_rate + 0.0001;
