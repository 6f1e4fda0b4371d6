-- model: reader_comparison
-- what: "readers side by side: faithfulness without a caption, accuracy on one pool of captions, stability over repetitions, and speed"
-- grain: one row per protocol, reader, provenance and origin
-- key: [protocol, reader, provenance, origin]
-- inputs: [answers, stale_answers, captionqa_image_sums, calls, published, models]
-- source: CaptionQA section 3.5 and Figure 2; the pool's captions come from all captioners, as the paper's, under the prompts that the run
--    names, Simple unless it names any; the paper does not name its own, and its 68.98 fits Simple
-- columns:
--   protocol: [varchar, "how questions were put, parsed and scored"]
--   reader: [varchar, model_id of the reader]
--   provenance: [varchar, "published, measured or simulated"]
--   origin: [varchar, [answers, published], "answers: computed; published: stated in the paper, for its own reader alone"]
--   model: [varchar, name of the reader to show to people]
--   faithfulness: [double, percent, 0..100, "share of the questions with a cannot option that the reader answered with it when there was no
--       caption; null without such answers. The paper's 92.61 is taken for the same, as questions that do not offer the option leave less
--       of all questions"]
--   accuracy: [double, percent, 0..100, "accuracy on the pool, first repetition alone; null when the pool is empty"]
--   n_pool: [bigint, count, 0.., "questions in the pool, each with one captioner and prompt: of all under the pool's prompts for which
--       every reader of the protocol and provenance answered it, that whose md5 with the run's seed is least; a reader alone has a pool of
--       its own; 0 when no pair is shared, null without captions of these prompts and for printed rows, as all counts and intervals"]
--   n_readers: [bigint, count, "readers of captions of the pool's prompts under the protocol and provenance, which share the pool"]
--   n_repeats: [bigint, count, 2.., "repetitions of the reader, the highest number of one plus one; null when there is but one, or no pair
--       has them all"]
--   accuracy_sd: [double, points, 0.., "sample standard deviation over the repetitions of the accuracy on all pairs that have every
--       repetition, in the pool or not; null without repetition"]
--   flip_rate: [double, percent, 0..100, "share of the later answers to those pairs, each repetition counted, that differ in outcome or
--       choice from the first answer; null without repetition"]
--   n_repeated: [bigint, count, "later answers to those pairs: pairs times n_repeats - 1"]
--   questions_per_second: [double, per_second, 0.., calls per second of time at work; a pause of more than a minute between two replies is
--       no work; null without calls or times]
--   mean_latency_ms: [double, ms, mean time from the start of a request to its reply]
--   cached_share: [double, percent, share of the prompt tokens that the server took from its prefix cache; null when unknown]
--   n_calls: [bigint, count, calls; null when the answers were ingested]
-- intervals:
--   faithfulness: share(n_blind, blind_clusters)
--   accuracy: share(n_pool, pool_clusters)
--   flip_rate: share(n_flip_pairs, flip_clusters)

with sums as (
    select protocol, reader, evidence, model_id, prompt, provenance, image_id, n_questions, n_repeats, n_cannot, n_offered
    from captionqa_image_sums
),

-- What answers are taken for is imported once for each use: kept for several, so many rows would fill the memory.
lone_pairs as (
    select protocol, reader, provenance, captioner, prompt, question_id
    from counted_answers()
    where evidence = 'caption' and repeat = 0 and in_pool(prompt)
),

compared_pairs as (
    select protocol, provenance, captioner, prompt, question_id, image_id
    from counted_answers()
    where evidence = 'caption' and repeat = 0 and in_pool(prompt)
),

pool_answers as (
    select protocol, reader, provenance, captioner, prompt, question_id, image_id, outcome
    from counted_answers()
    where evidence = 'caption' and repeat = 0 and in_pool(prompt)
),

repetitions as (
    select protocol, reader, provenance, captioner, prompt, question_id, repeat, outcome, coalesce(choice_index, -1) as choice
    from counted_answers()
    where evidence = 'caption'
),

repeated_answers as (
    select protocol, reader, provenance, captioner, prompt, question_id, image_id, repeat, outcome, coalesce(choice_index, -1) as choice
    from counted_answers()
    where evidence = 'caption'
),

requests as (
    select
        model as reader, provenance, prompt_tokens, cached_tokens, latency_ms,
        seconds_of(finished_at) as finished, seconds_of(finished_at) - latency_ms / 1000 as started
    from calls
    where stage = 'answer' and state = 'ok'
),

printed as (
    select
        coalesce(nullif(model_id, ''), model) as reader,
        max(case when metric = 'faithfulness' then value end) as faithfulness,
        max(case when metric = 'accuracy' then value end) as accuracy,
        max(case when metric = 'accuracy_sd' then value end) as accuracy_sd,
        max(case when metric = 'questions_per_second' then value end) as questions_per_second
    from published
    where benchmark = 'captionqa' and source = 'paper' and item = 'Section 3.5'
    group by coalesce(nullif(model_id, ''), model)
),

registry as (
    select model_id, name
    from models
),

readers as (
    select distinct protocol, reader, provenance
    from sums
    where evidence in ('caption', 'none')
),

blind as (
    select protocol, reader, provenance, image_id, sum(n_cannot) as n_cannot, sum(n_offered) as n_offered
    from sums
    where evidence = 'none'
    group by protocol, reader, provenance, image_id
    having sum(n_offered) > 0
),

blind_totals as (
    select
        protocol, reader, provenance, sum(n_cannot) as n_cannot, sum(n_offered) as n_offered, count(*) as n_images,
        clusters_of(sum(n_offered), sum(n_offered * n_offered)) as clusters
    from blind
    group by protocol, reader, provenance
),

faithfulness as (
    select
        b.protocol, b.reader, b.provenance, t.n_offered, t.clusters,
        percent_of(t.n_cannot, t.n_offered) as rate,
        cluster_error(sum(exact_square(surplus(b.n_cannot, b.n_offered, t.n_cannot, t.n_offered))), t.n_images, t.n_offered) as se
    from blind as b
    inner join blind_totals as t on t.protocol = b.protocol and t.reader = b.reader and t.provenance = b.provenance
    group by b.protocol, b.reader, b.provenance, t.n_images, t.n_cannot, t.n_offered, t.clusters
),

caption_readers as (
    select protocol, reader, provenance, max(n_repeats) as n_repeats
    from sums
    where evidence = 'caption' and n_questions > 0
    group by protocol, reader, provenance
),

pool_readers as (
    select protocol, reader, provenance, count(*) over (partition by protocol, provenance) as n_readers
    from sums
    where evidence = 'caption' and n_questions > 0 and in_pool(prompt)
    group by protocol, reader, provenance
),

-- Captions and images about which all of several readers were asked. Numbers for them keep small what is counted next.
cells as (
    select
        s.protocol, s.provenance, s.model_id, s.prompt, s.image_id, max(c.n_readers) as n_readers,
        row_number() over (order by s.protocol, s.provenance, s.model_id, s.prompt, s.image_id) as cell
    from sums as s
    inner join pool_readers as c on c.protocol = s.protocol and c.reader = s.reader and c.provenance = s.provenance and c.n_readers > 1
    where s.evidence = 'caption' and s.n_questions > 0 and in_pool(s.prompt)
    group by s.protocol, s.provenance, s.model_id, s.prompt, s.image_id
    having count(distinct s.reader) = max(c.n_readers)
),

shared as (
    select c.cell, p.question_id
    from compared_pairs as p
    inner join cells as c
        on c.protocol = p.protocol and c.provenance = p.provenance and c.model_id = p.captioner and c.prompt = p.prompt
            and c.image_id = p.image_id
    group by c.cell, p.question_id
    having count(*) = max(c.n_readers)
),

lots as (
    select
        c.protocol, c.provenance, s.question_id, c.model_id as captioner, c.prompt,
        pool_lot(sampling_seed(), s.question_id, c.model_id, c.prompt) as lot
    from shared as s
    inner join cells as c on c.cell = s.cell
    union all
    select
        p.protocol, p.provenance, p.question_id, p.captioner, p.prompt,
        pool_lot(sampling_seed(), p.question_id, p.captioner, p.prompt) as lot
    from lone_pairs as p
    inner join pool_readers as c on c.protocol = p.protocol and c.reader = p.reader and c.provenance = p.provenance and c.n_readers = 1
),

drawn as (
    select protocol, provenance, question_id, value_at_least(captioner, lot) as captioner, value_at_least(prompt, lot) as prompt
    from lots
    group by protocol, provenance, question_id
),

pool_images as (
    select
        a.protocol, a.reader, a.provenance, a.image_id, count(*) as n_answers,
        sum(case when a.outcome = 'correct' then 1 else 0 end) as n_correct
    from pool_answers as a
    inner join drawn as d
        on d.protocol = a.protocol and d.provenance = a.provenance and d.captioner = a.captioner and d.prompt = a.prompt
        and d.question_id = a.question_id
    group by a.protocol, a.reader, a.provenance, a.image_id
),

pool_totals as (
    select
        protocol, reader, provenance, count(*) as n_images, sum(n_answers) as n_answers, sum(n_correct) as n_correct,
        clusters_of(sum(n_answers), sum(n_answers * n_answers)) as clusters
    from pool_images
    group by protocol, reader, provenance
),

pool as (
    select
        i.protocol, i.reader, i.provenance, t.clusters, t.n_answers,
        percent_of(t.n_correct, t.n_answers) as accuracy,
        cluster_error(sum(exact_square(surplus(i.n_correct, i.n_answers, t.n_correct, t.n_answers))), t.n_images, t.n_answers) as se
    from pool_images as i
    inner join pool_totals as t on t.protocol = i.protocol and t.reader = i.reader and t.provenance = i.provenance
    group by i.protocol, i.reader, i.provenance, t.n_images, t.n_answers, t.n_correct, t.clusters
),

-- Captioners and prompts of which something has every repetition: the others need no looking at.
repeated_units as (
    select
        s.protocol, s.reader, s.provenance, s.model_id, s.prompt, max(c.n_repeats) as n_repeats,
        row_number() over (order by s.protocol, s.reader, s.provenance, s.model_id, s.prompt) as unit
    from sums as s
    inner join caption_readers as c on c.protocol = s.protocol and c.reader = s.reader and c.provenance = s.provenance and c.n_repeats > 1
    where s.evidence = 'caption'
    group by s.protocol, s.reader, s.provenance, s.model_id, s.prompt
    having max(s.n_repeats) = max(c.n_repeats)
),

repeated as (
    select u.unit, r.question_id, value_at_least(r.outcome, r.repeat) as outcome, value_at_least(r.choice, r.repeat) as choice
    from repetitions as r
    inner join repeated_units as u
        on u.protocol = r.protocol and u.reader = r.reader and u.provenance = r.provenance and u.model_id = r.captioner
            and u.prompt = r.prompt
    group by u.unit, r.question_id
    having count(*) = max(u.n_repeats)
),

repetition_images as (
    select
        r.protocol, r.reader, r.provenance, r.image_id, r.repeat, count(*) as n,
        sum(case when r.outcome = 'correct' then 1 else 0 end) as n_correct,
        sum(case when r.outcome <> f.outcome or r.choice <> f.choice then 1 else 0 end) as n_flips
    from repeated_answers as r
    inner join repeated_units as u
        on u.protocol = r.protocol and u.reader = r.reader and u.provenance = r.provenance and u.model_id = r.captioner
            and u.prompt = r.prompt
    inner join repeated as f on f.unit = u.unit and f.question_id = r.question_id
    group by r.protocol, r.reader, r.provenance, r.image_id, r.repeat
),

by_repetition as (
    select protocol, reader, provenance, repeat, percent_of(sum(n_correct), sum(n)) as accuracy
    from repetition_images
    group by protocol, reader, provenance, repeat
),

stability as (
    select
        protocol, reader, provenance, count(*) as n_repeats,
        deviation_of(sum(exact(accuracy)), sum(exact_square(accuracy)), count(*)) as sd
    from by_repetition
    group by protocol, reader, provenance
),

flip_images as (
    select protocol, reader, provenance, image_id, sum(n) as n, sum(n_flips) as n_flips
    from repetition_images
    where repeat > 0
    group by protocol, reader, provenance, image_id
),

flip_totals as (
    select protocol, reader, provenance, sum(n) as n, sum(n_flips) as n_flips, count(*) as n_images, clusters_of(sum(n), sum(n
        * n)) as clusters
    from flip_images
    group by protocol, reader, provenance
),

flips as (
    select
        i.protocol, i.reader, i.provenance, t.n, t.clusters,
        percent_of(t.n_flips, t.n) as rate,
        parts_error(sum(exact_square(share_part(i.n_flips, i.n, t.n_flips, t.n))), t.n_images) as se
    from flip_images as i
    inner join flip_totals as t on t.protocol = i.protocol and t.reader = i.reader and t.provenance = i.provenance
    group by i.protocol, i.reader, i.provenance, t.n, t.n_images, t.n_flips, t.clusters
),

-- Work begins anew where a reply comes more than a minute after the one before it.
turns as (
    select
        reader, provenance, prompt_tokens, cached_tokens, latency_ms, started, finished,
        case when finished - lag(finished) over (partition by reader, provenance order by finished) <= 60 then 0 else 1 end as begins
    from requests
),

stretches as (
    select
        reader, provenance, prompt_tokens, cached_tokens, latency_ms, started, finished,
        sum(begins) over (partition by reader, provenance order by finished rows unbounded preceding) as stretch
    from turns
),

stretch_sums as (
    select
        reader, provenance, stretch,
        count(*) as n, sum(exact_mean(latency_ms)) as latency, sum(prompt_tokens) as prompt_tokens, sum(cached_tokens) as cached_tokens,
        max(finished) - min(started) as seconds
    from stretches
    group by reader, provenance, stretch
),

speed as (
    select
        reader, provenance,
        sum(n) as n_calls,
        ratio_of(sum(n), sum(exact_mean(seconds))) as per_second,
        ratio_of(sum(latency), sum(n)) as latency,
        case when sum(cached_tokens) > 0 then percent_of(sum(cached_tokens), sum(prompt_tokens)) end as cached
    from stretch_sums
    group by reader, provenance
),

both_origins as (
    select
        r.protocol, r.reader, r.provenance, 'answers' as origin,
        f.rate as faithfulness, f.se as faithfulness_se, f.n_offered as n_blind, f.clusters as blind_clusters,
        p.accuracy, p.se as accuracy_se, p.clusters as pool_clusters,
        case when c.n_readers > 0 then coalesce(p.n_answers, 0) end as n_pool, c.n_readers,
        s.n_repeats, s.sd as accuracy_sd, x.rate as flip_rate, x.se as flip_rate_se, ratio_of(x.n, s.n_repeats - 1) as n_flip_pairs,
            x.clusters as flip_clusters,
        x.n as n_repeated,
        v.per_second as questions_per_second, v.latency as mean_latency_ms, v.cached as cached_share, v.n_calls
    from readers as r
    left join faithfulness as f on f.protocol = r.protocol and f.reader = r.reader and f.provenance = r.provenance
    left join pool_readers as c on c.protocol = r.protocol and c.reader = r.reader and c.provenance = r.provenance
    left join pool as p on p.protocol = r.protocol and p.reader = r.reader and p.provenance = r.provenance
    left join stability as s on s.protocol = r.protocol and s.reader = r.reader and s.provenance = r.provenance
    left join flips as x on x.protocol = r.protocol and x.reader = r.reader and x.provenance = r.provenance
    left join speed as v on v.reader = r.reader and v.provenance = r.provenance
    union all
    select
        'captionqa/upstream' as protocol, reader, 'published' as provenance, 'published' as origin,
        faithfulness, null as faithfulness_se, null as n_blind, null as blind_clusters,
        accuracy, null as accuracy_se, null as pool_clusters, null as n_pool, null as n_readers,
        null as n_repeats, accuracy_sd, null as flip_rate, null as flip_rate_se, null as n_flip_pairs, null as flip_clusters,
        null as n_repeated,
        questions_per_second, null as mean_latency_ms, null as cached_share, null as n_calls
    from printed
)

select
    b.protocol, b.reader, b.provenance, b.origin,
    coalesce(g.name, b.reader) as model,
    b.faithfulness, b.faithfulness_se, b.accuracy, b.accuracy_se, b.n_pool, b.n_readers, b.n_repeats, b.accuracy_sd, b.flip_rate,
    b.flip_rate_se, b.n_repeated, b.questions_per_second, b.mean_latency_ms, b.cached_share, b.n_calls, b.n_blind, b.blind_clusters,
    b.pool_clusters, b.n_flip_pairs, b.flip_clusters
from both_origins as b
left join registry as g on g.model_id = b.reader;

-- audit: pool_is_shared: readers that are compared have the same number of pairs, or the pool would favour one
select protocol, provenance, min(n_pool) as least, max(n_pool) as most
from reader_comparison
group by protocol, provenance
having min(n_pool) <> max(n_pool);

-- audit: own_pool_is_whole: the pool of a reader alone has all questions that it answered about any captioner and prompt
select r.protocol, r.reader, r.provenance, r.n_pool, max(u.n_questions) as n_least, sum(u.n_questions) as n_most
from reader_comparison as r
inner join (
    select protocol, reader, provenance, model_id, prompt, sum(n_questions) as n_questions
    from captionqa_image_sums
    where evidence = 'caption' and in_pool(prompt)
    group by protocol, reader, provenance, model_id, prompt
) as u on u.protocol = r.protocol and u.reader = r.reader and u.provenance = r.provenance
where r.n_readers = 1
group by r.protocol, r.reader, r.provenance, r.n_pool
having r.n_pool < max(u.n_questions) or r.n_pool > sum(u.n_questions);

-- audit: repetitions_counted: a pair counts with all repetitions or not at all
select protocol, reader, provenance, n_repeats, n_repeated, accuracy_sd, flip_rate
from reader_comparison
where origin = 'answers' and (
    (n_repeats is null) <> (n_repeated is null) or (n_repeats is null) <> (accuracy_sd is null)
        or (n_repeats is null) <> (flip_rate is null)
    or n_repeated % (n_repeats - 1) <> 0
);

-- audit: spread_needs_flips: an accuracy differs from the first by no more than its flips: sd <= sqrt(n_repeats - 1) times the flip rate
select protocol, reader, provenance, n_repeats, accuracy_sd, flip_rate
from reader_comparison
where accuracy_sd > sqrt(n_repeats - 1) * flip_rate + 0.0001;
