-- what: "whether benchmarks agree about captioners: rank correlations of their headline scores, and whether the length
--     of captions alone would explain them"
-- key: [kind, series_a, series_b, provenance]
-- source: "captionlake: the comparison across papers; CapArena Table 3 compares its own ranking with other benchmarks"
-- columns:
--   kind: [varchar, [scores, length], "scores: two benchmarks; length: a benchmark and the mean number of words of its
--       own captions, where longer is taken for better"]
--   series_a: [varchar, "scores on one benchmark, as in benchmark_scores"]
--   series_b: [varchar, scores on the other; empty for length]
--   series_a_name: [varchar, name of the one to show to people]
--   series_b_name: [varchar, name of the other to show to people; Caption length for length]
--   benchmark_a: [varchar, benchmark of the one]
--   benchmark_b: [varchar, benchmark of the other; empty for length]
--   prompt_a: [varchar, caption prompt of the one; empty when it has no choice]
--   prompt_b: [varchar, caption prompt of the other]
--   provenance: [varchar, [published, measured, simulated], "published: over printed scores; measured: over these and
--       measured ones, which take the place of printed ones; simulated: over simulated scores alone"]
--   n_models: [bigint, count, 1.., "captioners that are in both: all that is said of benchmarks rests on so few"]
--   spearman: [double, correlation, -1..1, "Spearman's rank correlation, ties at their mean place; null for fewer than
--       three captioners or all tied"]
--   kendall: [double, correlation, -1..1, "Kendall's tau-b; null where spearman is"]
--   spearman_p: [double, share, 0..1, "share of the orders of the captioners whose Spearman is as far from 0 or
--       farther: all orders for eight captioners or fewer, else random ones, this one counted"]
--   kendall_p: [double, share, 0..1, the same by Kendall's tau-b]
--   n_orders: [bigint, count, 1.., orders tried; null where spearman is]
--   spearman_least: [double, correlation, -1..1, "least Spearman when any one captioner is left out; null below four
--       captioners, as the two that follow"]
--   spearman_most: [double, correlation, -1..1, greatest of them]
--   decisive: [varchar, "captioner that changes Spearman's correlation most when it is left out, the first by id of
--       several; null when leaving out one captioner changes nothing"]
--   most_apart: [varchar, "captioner with the largest difference of its two places, the first by id of several; null
--       when no places differ"]
--   places_apart: [double, places, "its place by the other less that by the one"]
--   n_with_words: [bigint, count, 0.., captioners with a known mean number of words; null for length]
--   spearman_with_words: [double, correlation, -1..1, Spearman over these captioners]
--   spearman_a_words: [double, correlation, -1..1, "Spearman of the places on the one with the number of words,
--       positive where longer captions score better"]
--   spearman_b_words: [double, correlation, -1..1, the same of the places on the other]
--   spearman_partial: [double, correlation, -1..1, "partial Spearman of the two with the number of words held fixed;
--       null below four captioners and where words alone give the order"]
-- intervals:
--   spearman: z((1 + spearman * spearman / 2) / (n_models - 3)); with the variance (1 + rho² / 2) / (n - 3) of Bonett
--       and Wright, as if captioners were drawn from many; null below four captioners and for 1 and -1
--   kendall: z(0.437 / (n_models - 4)); with the variance 0.437 / (n - 4); null below five captioners and for 1 and -1
--   spearman_partial: z((1 + spearman_partial * spearman_partial / 2) / (n_with_words - 4)); as for spearman,
--       with one captioner less

with captioners as (
    select
        'scores' as kind, series_a, series_b, series_a_name, series_b_name, benchmark_a, benchmark_b, prompt_a,
        prompt_b, provenance, captioner, cast(-place_a as double) as a,
        cast(-place_b as double) as b, mean_words as words
    from benchmark_places
    union all
    select
        'length', series, '', series_name, 'Caption length', benchmark, '', prompt, '', p.provenance, captioner,
        coalesce(score, -place), mean_words, null
    from benchmark_scores as s
    cross join (values ('published'), ('measured'), ('simulated')) as p (provenance)
    where mean_words is not null and is_first and coalesce(score, -place) is not null and case p.provenance
        when 'published' then s.provenance = 'published'
        when 'measured' then s.provenance <> 'simulated' and not is_replaced
        else s.provenance = 'simulated'
    end
    qualify p.provenance <> 'measured' or bool_or(s.provenance = 'measured') over (partition by series, p.provenance)
),

pairs as (
    select
        kind, series_a, series_b, series_a_name, series_b_name, benchmark_a, benchmark_b, prompt_a, prompt_b,
        provenance, key_of(kind, series_a, series_b, provenance) as pair_id,
        count(*) as n_models, list(captioner order by captioner) as captioners,
        list(a order by captioner) as a, list(b order by captioner) as b,
        list(a order by captioner) filter (where words is not null) as worded_a,
        list(b order by captioner) filter (where words is not null) as worded_b,
        list(words order by captioner) filter (where words is not null) as words,
        first(captioner order by abs(a - b) desc, captioner) filter (where a <> b) as most_apart,
        first(a - b order by abs(a - b) desc, captioner) filter (where a <> b) as places_apart,
        count(words) as n_with_words
    from captioners
    group by
        kind, series_a, series_b, series_a_name, series_b_name, benchmark_a, benchmark_b, prompt_a, prompt_b, provenance
),

correlations as (
    select
        *, spearman(a, b) as spearman, kendall(a, b) as kendall, spearman(worded_a, worded_b) as with_words,
        spearman(worded_a, words) as a_words, spearman(worded_b, words) as b_words
    from pairs
),

places as (
    select pair_id, captioners, a, b, spearman, unnest(range(1, n_models + 1)) as place
    from correlations
    where n_models >= 4 and spearman is not null
),

-- Spearman's rank correlation when one captioner is left out.
left_out as (
    select
        pair_id, captioners[place] as captioner, spearman,
        spearman(list_filter(a, lambda x, i: i <> place), list_filter(b, lambda x, i: i <> place)) as rest
    from places
),

extremes as (
    select
        pair_id, min(rest) as least, max(rest) as most,
        first(captioner order by round(abs(rest - spearman), 8) desc, captioner)
            filter (where abs(rest - spearman) > 0.000000002) as decisive
    from left_out
    group by pair_id
)

select
    kind, c.series_a, c.series_b, c.series_a_name, c.series_b_name, c.benchmark_a, c.benchmark_b, c.prompt_a,
    c.prompt_b, provenance, c.n_models, c.spearman, c.kendall,
    spearman_p(c.a, c.b, [sampling_seed(), 1999]) as spearman_p,
    kendall_p(c.a, c.b, [sampling_seed(), 1999]) as kendall_p,
    case
        when c.spearman is not null then if(c.n_models <= 8, factorial(cast(c.n_models as integer)), 2000)
    end as n_orders,
    e.least as spearman_least, e.most as spearman_most, e.decisive,
    case when kind = 'scores' then c.most_apart end as most_apart,
    case when kind = 'scores' then c.places_apart end as places_apart,
    case when kind = 'scores' then c.n_with_words end as n_with_words, c.with_words as spearman_with_words,
    c.a_words as spearman_a_words, c.b_words as spearman_b_words,
    case when c.n_with_words >= 4 and (1 - c.a_words * c.a_words) * (1 - c.b_words * c.b_words) >= 1e-12 then greatest(
        -1, least(1, (c.with_words - c.a_words * c.b_words) / sqrt(
            (1 - c.a_words * c.a_words) * (1 - c.b_words * c.b_words)
        ))
    ) end as spearman_partial
from correlations as c
left join extremes as e using (pair_id);

-- audit: as_many_captioners: no captioner of a pair is lost
select series_a, series_b, a.provenance, n_models
from benchmark_agreement as a
where kind = 'scores' and n_models <> (
    select count(*) from benchmark_places as p where p.series_a = a.series_a and p.series_b = a.series_b
        and p.provenance = a.provenance
);
