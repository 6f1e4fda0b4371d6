-- model: utility_per_word
-- what: what a caption is worth for its length: score and accuracy per hundred words
-- grain: one row per protocol, reader, prompt, provenance, origin, captioner, domain and provenance of the captions
-- key: protocol, reader, prompt, provenance, origin, model_id, domain, caption_provenance
-- inputs: captionqa_results, caption_lengths
-- source: CaptionQA section 5.2 and Figure 13
-- columns:
--   protocol                varchar  -        how questions were put, parsed and scored
--   reader                  varchar  -        model_id of the model that answered
--   prompt                  varchar  -        caption prompt
--   provenance              varchar  -        published, measured or simulated
--   origin                  varchar  -        base table that the figures come from: answers or published
--   model_id                varchar  -        captioner; empty for the means over all captioners, which is all that can be had of printed lengths
--   domain                  varchar  -        domain; Overall, the mean of the four domains, for the means over all captioners
--   caption_provenance      varchar  -        whether the captions that were counted are published, measured or simulated
--   model                   varchar  -        name of the model to show to people
--   score                   double   percent  mean score
--   accuracy                double   percent  share of correct answers
--   mean_words              double   words    mean number of words of the captions
--   score_per_100_words     double   points   score divided by the words, times 100
--   accuracy_per_100_words  double   points   accuracy divided by the words, times 100
--   gain_per_100_words      double   points   score gained over the Short prompt per 100 words added; null for Short and where nothing was added
-- checks:
--   mean_words >= 0
--   score between 0 and 105
--   score_per_100_words >= 0

with results as (
    select protocol, reader, prompt, provenance, origin, model_id, model, domain, score, accuracy
    from captionqa_results
    where evidence = 'caption'
),

lengths as (
    select provenance, model_id, prompt, domain, mean_words
    from caption_lengths
    where model_id <> '' and domain <> 'Overall'
),

printed_lengths as (
    select provenance, model_id, prompt, domain, model, mean_words
    from caption_lengths
    where origin = 'published' and model_id = '' and domain = 'Overall'
),

-- Of an accuracy that is not printed (InternVL3 8B in Table 12) the mean over the others stands in.
domain_means as (
    select
        protocol, reader, prompt, provenance, origin, domain,
        ratio_of(sum(exact(score)), count(score)) as score,
        ratio_of(sum(exact(accuracy)), count(accuracy)) as accuracy
    from results
    where origin = 'published' and domain in ('Natural', 'Document', 'E-commerce', 'Embodied AI')
    group by protocol, reader, prompt, provenance, origin, domain
),

overall_means as (
    select
        protocol, reader, prompt, provenance, origin,
        cast(sum(exact(score)) as double) / 4 as score,
        cast(sum(exact(accuracy)) as double) / 4 as accuracy
    from domain_means
    group by protocol, reader, prompt, provenance, origin
    having count(score) = 4 and count(accuracy) = 4
),

measured as (
    select
        r.protocol, r.reader, r.prompt, r.provenance, r.origin, r.model_id, r.model, r.domain, r.score, r.accuracy,
        l.provenance as caption_provenance, l.mean_words
    from results as r
    inner join lengths as l on l.model_id = r.model_id and l.prompt = r.prompt and l.domain = r.domain
    union all
    select
        o.protocol, o.reader, o.prompt, o.provenance, o.origin, p.model_id, p.model, p.domain, o.score, o.accuracy,
        p.provenance as caption_provenance, p.mean_words
    from overall_means as o
    inner join printed_lengths as p on p.prompt = o.prompt
),

joined as (
    select
        m.protocol, m.reader, m.prompt, m.provenance, m.origin, m.model_id, m.model, m.domain, m.score, m.accuracy,
        m.caption_provenance, m.mean_words,
        s.score as short_score, s.mean_words as short_words
    from measured as m
    left join measured as s
        on s.protocol = m.protocol and s.reader = m.reader and s.provenance = m.provenance and s.origin = m.origin
        and s.model_id = m.model_id and s.domain = m.domain and s.caption_provenance = m.caption_provenance
        and s.prompt = 'Short' and m.prompt <> 'Short'
)

select
    cast(j.protocol as varchar) as protocol,
    cast(j.reader as varchar) as reader,
    cast(j.prompt as varchar) as prompt,
    cast(j.provenance as varchar) as provenance,
    cast(j.origin as varchar) as origin,
    cast(j.model_id as varchar) as model_id,
    cast(j.domain as varchar) as domain,
    cast(j.caption_provenance as varchar) as caption_provenance,
    cast(j.model as varchar) as model,
    cast(j.score as double) as score,
    cast(j.accuracy as double) as accuracy,
    cast(j.mean_words as double) as mean_words,
    cast(100 * j.score / nullif(j.mean_words, 0) as double) as score_per_100_words,
    cast(100 * j.accuracy / nullif(j.mean_words, 0) as double) as accuracy_per_100_words,
    cast(100 * (j.score - j.short_score) / nullif(greatest(j.mean_words - j.short_words, 0), 0) as double) as gain_per_100_words
from joined as j;

-- audit: empty_captions_score_little: a captioner without a word cannot have a score above what blind guessing of yes/no questions gives
select model_id, prompt, domain, score, mean_words
from utility_per_word
where mean_words = 0 and score > 75;
