-- model: reader_comparison
-- what: readers side by side: faithfulness without a caption, accuracy on one pool of captions, stability over repetitions, and speed
-- grain: one row per protocol, reader, provenance and origin
-- key: protocol, reader, provenance, origin
-- inputs: answers, captionqa_image_sums, calls, published, models
-- source: CaptionQA section 3.5 and Figure 2
-- columns:
--   protocol              varchar  -           how questions were put, parsed and scored
--   reader                varchar  -           model_id of the reader
--   provenance            varchar  -           published, measured or simulated
--   origin                varchar  -           answers: computed; published: stated in the paper, for its own reader alone
--   model                 varchar  -           name of the reader to show to people
--   faithfulness          double   percent     share of the questions with a cannot option that the reader answered with it when there was no caption; null without such answers
--   faithfulness_se       double   percent     standard error, clustered by image; null for a single image
--   faithfulness_low      double   percent     lower end of the 95 % t interval, images - 1 degrees of freedom
--   faithfulness_high     double   percent     upper end of that interval
--   accuracy              double   percent     accuracy on the pool: the captions and images that every reader of the protocol and provenance answered for
--   accuracy_se           double   percent     standard error, clustered by image; null for a single image
--   accuracy_low          double   percent     lower end of the 95 % t interval, images - 1 degrees of freedom
--   accuracy_high         double   percent     upper end of that interval
--   n_pool                bigint   count       answers of the reader in the pool; null for printed rows, as all counts and intervals
--   n_readers             bigint   count       readers that share the pool
--   n_repeats             bigint   count       repetitions of the captions that were repeated
--   accuracy_sd           double   points      standard deviation over the repetitions of the accuracy; null without repetition
--   flip_rate             double   percent     share of the repeated answers that differ from the first one to the same question; null without repetition
--   flip_rate_se          double   percent     standard error of flip_rate, clustered by image; null for a single image
--   flip_rate_low         double   percent     lower end of the 95 % t interval, images - 1 degrees of freedom
--   flip_rate_high        double   percent     upper end of that interval
--   n_repeated            bigint   count       repeated answers
--   questions_per_second  double   per_second  calls per second of time at work; a pause of more than a minute between two replies is no work; null without calls or times
--   mean_latency_ms       double   ms          mean time from the start of a request to its reply
--   cached_share          double   percent     share of the prompt tokens that the server took from its prefix cache; null when unknown
--   n_calls               bigint   count       calls; null when the answers were ingested
-- checks:
--   origin in answers, published
--   faithfulness between 0 and 100
--   accuracy between 0 and 100
--   flip_rate between 0 and 100
--   accuracy_sd >= 0
--   questions_per_second >= 0

with sums as (
    select protocol, reader, evidence, model_id, prompt, provenance, category, image_id, n_answers, n_repeats, n_correct, n_cannot, n_offered
    from captionqa_image_sums
),

repetitions as (
    select protocol, reader, evidence, captioner as model_id, prompt, provenance, question_id, image_id, repeat, outcome, choice_index
    from answers
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
    select protocol, reader, provenance, sum(n_cannot) as n_cannot, sum(n_offered) as n_offered, count(*) as n_images
    from blind
    group by protocol, reader, provenance
),

faithfulness as (
    select
        b.protocol, b.reader, b.provenance, t.n_images,
        percent_of(t.n_cannot, t.n_offered) as rate,
        cluster_error(sum(exact_square(surplus(b.n_cannot, b.n_offered, t.n_cannot, t.n_offered))), t.n_images, t.n_offered) as se
    from blind as b
    inner join blind_totals as t on t.protocol = b.protocol and t.reader = b.reader and t.provenance = b.provenance
    group by b.protocol, b.reader, b.provenance, t.n_images, t.n_cannot, t.n_offered
),

reader_counts as (
    select protocol, provenance, count(distinct reader) as n_readers
    from sums
    where evidence = 'caption'
    group by protocol, provenance
),

shared as (
    select s.protocol, s.provenance, s.model_id, s.prompt, s.category, s.image_id, max(c.n_readers) as n_readers
    from sums as s
    inner join reader_counts as c on c.protocol = s.protocol and c.provenance = s.provenance
    where s.evidence = 'caption'
    group by s.protocol, s.provenance, s.model_id, s.prompt, s.category, s.image_id
    having count(distinct s.reader) = max(c.n_readers)
),

pool_images as (
    select s.protocol, s.reader, s.provenance, s.image_id, max(h.n_readers) as n_readers, sum(s.n_answers) as n_answers, sum(s.n_correct) as n_correct
    from sums as s
    inner join shared as h
        on h.protocol = s.protocol and h.provenance = s.provenance and h.model_id = s.model_id and h.prompt = s.prompt
        and h.category = s.category and h.image_id = s.image_id
    where s.evidence = 'caption'
    group by s.protocol, s.reader, s.provenance, s.image_id
),

pool_totals as (
    select protocol, reader, provenance, max(n_readers) as n_readers, count(*) as n_images, sum(n_answers) as n_answers, sum(n_correct) as n_correct
    from pool_images
    group by protocol, reader, provenance
),

pool as (
    select
        i.protocol, i.reader, i.provenance, t.n_readers, t.n_images, t.n_answers,
        percent_of(t.n_correct, t.n_answers) as accuracy,
        cluster_error(sum(exact_square(surplus(i.n_correct, i.n_answers, t.n_correct, t.n_answers))), t.n_images, t.n_answers) as se
    from pool_images as i
    inner join pool_totals as t on t.protocol = i.protocol and t.reader = i.reader and t.provenance = i.provenance
    group by i.protocol, i.reader, i.provenance, t.n_readers, t.n_images, t.n_answers, t.n_correct
),

repeated_units as (
    select protocol, reader, provenance, model_id, prompt
    from sums
    where evidence = 'caption'
    group by protocol, reader, provenance, model_id, prompt
    having max(n_repeats) > 1
),

repeated as (
    select r.protocol, r.reader, r.provenance, r.model_id, r.prompt, r.question_id, r.image_id, r.repeat, r.outcome, r.choice_index
    from repetitions as r
    inner join repeated_units as u
        on u.protocol = r.protocol and u.reader = r.reader and u.provenance = r.provenance and u.model_id = r.model_id and u.prompt = r.prompt
    where r.evidence = 'caption'
),

by_repetition as (
    select protocol, reader, provenance, repeat, percent_of(sum(case when outcome = 'correct' then 1 else 0 end), count(*)) as accuracy
    from repeated
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
    select
        a.protocol, a.reader, a.provenance, a.image_id, count(*) as n,
        sum(case when a.outcome is distinct from b.outcome or a.choice_index is distinct from b.choice_index then 1 else 0 end) as n_flips
    from repeated as a
    inner join repeated as b
        on b.repeat > 0 and a.repeat = 0 and b.protocol = a.protocol and b.reader = a.reader and b.provenance = a.provenance
        and b.model_id = a.model_id and b.prompt = a.prompt and b.question_id = a.question_id
    group by a.protocol, a.reader, a.provenance, a.image_id
),

flip_totals as (
    select protocol, reader, provenance, sum(n) as n, sum(n_flips) as n_flips, count(*) as n_images
    from flip_images
    group by protocol, reader, provenance
),

flips as (
    select
        i.protocol, i.reader, i.provenance, t.n, t.n_images,
        percent_of(t.n_flips, t.n) as rate,
        parts_error(sum(exact_square(share_part(i.n_flips, i.n, t.n_flips, t.n))), t.n_images) as se
    from flip_images as i
    inner join flip_totals as t on t.protocol = i.protocol and t.reader = i.reader and t.provenance = i.provenance
    group by i.protocol, i.reader, i.provenance, t.n, t.n_images, t.n_flips
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
        f.rate as faithfulness, f.se as faithfulness_se, f.n_images as n_blind_images,
        p.accuracy, p.se as accuracy_se, p.n_images as n_pool_images, p.n_answers as n_pool, p.n_readers,
        s.n_repeats, s.sd as accuracy_sd, x.rate as flip_rate, x.se as flip_rate_se, x.n_images as n_flip_images,
        x.n as n_repeated,
        v.per_second as questions_per_second, v.latency as mean_latency_ms, v.cached as cached_share, v.n_calls
    from readers as r
    left join faithfulness as f on f.protocol = r.protocol and f.reader = r.reader and f.provenance = r.provenance
    left join pool as p on p.protocol = r.protocol and p.reader = r.reader and p.provenance = r.provenance
    left join stability as s on s.protocol = r.protocol and s.reader = r.reader and s.provenance = r.provenance
    left join flips as x on x.protocol = r.protocol and x.reader = r.reader and x.provenance = r.provenance
    left join speed as v on v.reader = r.reader and v.provenance = r.provenance
    union all
    select
        'captionqa/upstream' as protocol, reader, 'published' as provenance, 'published' as origin,
        faithfulness, null as faithfulness_se, null as n_blind_images,
        accuracy, null as accuracy_se, null as n_pool_images, null as n_pool, null as n_readers,
        null as n_repeats, accuracy_sd, null as flip_rate, null as flip_rate_se, null as n_flip_images,
        null as n_repeated,
        questions_per_second, null as mean_latency_ms, null as cached_share, null as n_calls
    from printed
)

select
    cast(b.protocol as varchar) as protocol,
    cast(b.reader as varchar) as reader,
    cast(b.provenance as varchar) as provenance,
    cast(b.origin as varchar) as origin,
    cast(coalesce(g.name, b.reader) as varchar) as model,
    cast(b.faithfulness as double) as faithfulness,
    cast(b.faithfulness_se as double) as faithfulness_se,
    cast(b.faithfulness - t_margin(b.faithfulness_se, b.n_blind_images) as double) as faithfulness_low,
    cast(b.faithfulness + t_margin(b.faithfulness_se, b.n_blind_images) as double) as faithfulness_high,
    cast(b.accuracy as double) as accuracy,
    cast(b.accuracy_se as double) as accuracy_se,
    cast(b.accuracy - t_margin(b.accuracy_se, b.n_pool_images) as double) as accuracy_low,
    cast(b.accuracy + t_margin(b.accuracy_se, b.n_pool_images) as double) as accuracy_high,
    cast(b.n_pool as bigint) as n_pool,
    cast(b.n_readers as bigint) as n_readers,
    cast(b.n_repeats as bigint) as n_repeats,
    cast(b.accuracy_sd as double) as accuracy_sd,
    cast(b.flip_rate as double) as flip_rate,
    cast(b.flip_rate_se as double) as flip_rate_se,
    cast(b.flip_rate - t_margin(b.flip_rate_se, b.n_flip_images) as double) as flip_rate_low,
    cast(b.flip_rate + t_margin(b.flip_rate_se, b.n_flip_images) as double) as flip_rate_high,
    cast(b.n_repeated as bigint) as n_repeated,
    cast(b.questions_per_second as double) as questions_per_second,
    cast(b.mean_latency_ms as double) as mean_latency_ms,
    cast(b.cached_share as double) as cached_share,
    cast(b.n_calls as bigint) as n_calls
from both_origins as b
left join registry as g on g.model_id = b.reader;

-- audit: pool_is_shared: readers that are compared have the same number of answers, or the pool would favour one
select protocol, provenance, min(n_pool) as least, max(n_pool) as most
from reader_comparison
where n_repeats is null
group by protocol, provenance
having min(n_pool) <> max(n_pool);

-- audit: repetitions_counted: a spread over repetitions needs two of them
select protocol, reader, n_repeats, accuracy_sd, flip_rate
from reader_comparison
where n_repeats < 2 and (accuracy_sd is not null or flip_rate is not null);

-- audit: interval_holds_estimate: an interval holds its estimate
select protocol, reader, provenance, faithfulness, accuracy, flip_rate
from reader_comparison
where faithfulness not between faithfulness_low and faithfulness_high
    or accuracy not between accuracy_low and accuracy_high
    or flip_rate not between flip_rate_low and flip_rate_high;
