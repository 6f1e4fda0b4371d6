-- what: the score of CapArena-Auto against each baseline and the average score, computed from battles and as printed
-- key: [origin, judge, protocol, provenance, captioner, baseline]
-- source: CapArena section 5 and Table 8
-- columns:
--   origin: [varchar, [battles, published], "battles: computed from votes; published: printed"]
--   judge: [varchar, "model_id of the judge; the paper's for printed rows"]
--   protocol: [varchar, protocol of the votes]
--   provenance:
--   condition_id: [varchar, "digest of the benchmark's name, judge, origin, captioner, protocol and provenance, as in
--       boards"]
--   captioner: [varchar, model_id of the captioner tested]
--   baseline: [varchar, "model_id of the baseline, which is caption b of its battles; empty for the average"]
--   judge_name, captioner_name:
--   model_type: [varchar, "open or proprietary; empty when not known"]
--   baseline_name: [varchar, name of the baseline to show to people; Average for the average]
--   n_baselines: [bigint, count, 1.., baselines behind the row]
--   n_expected: [bigint, count, 1.., baselines that the judge compared any captioner with]
--   n_battles: [bigint, count, 0.., "battles with an outcome; null for printed rows, as all counts"]
--   n_wins: [bigint, count, 0.., "battles that the captioner won: +1 each"]
--   n_losses: [bigint, count, 0.., "battles that the baseline won: -1 each"]
--   n_ties: [bigint, count, 0.., "ties: 0 each"]
--   n_unread: [bigint, count, 0.., "battles without an outcome, because no reply could be read"]
--   n_images: [bigint, count, 0.., items of the battles with an outcome]
--   n_drawn: [bigint, count, "battles that there are for a captioner: pairs of an image and a baseline that any
--       captioner met"]
--   battle_set: [bigint, 0.., "sum over the battles with an outcome of a number made from image and baseline: scores
--       with equal ones are about the same battles; null for printed rows"]
--   is_whole: [boolean, "no more than one in a hundred of the battles that there are has no outcome"]
--   is_paper: [boolean, there are as many battles with each baseline as in the paper]
--   note:
--   score: [double, points, -100..100, "against a baseline (wins - losses) / battles in percent, which over the
--       benchmark's 200 battles is (wins - losses) / 2; 0 against itself. The average is the mean over all baselines,
--       null unless the captioner met them all"]
--   score_low: [double, points, -100..100, "lower end of the 95% interval of score, by Korn and Graubard for the share
--       of half wins on another scale, over images, with one degree of freedom less for every baseline; null against
--       itself and for printed rows"]
--   score_high: [double, points, -100..100, upper end of that interval]
--   mean_words: [double, words, 0.., "mean length of the captioner's captions in these battles, outcome or not; in
--       printed rows of the average, as printed"]
-- intervals:
--   score: given

-- The judges' battles of a captioner with a baseline, by image.
with images as (
    select
        votes_of(benchmark, judge, protocol, provenance) as votes_id, judge, protocol, provenance,
        captioner_a as captioner,
        captioner_b as baseline, image_id, count(outcome) as n, count(case when outcome = 'a' then 1 end) as wins,
        count(case when outcome = 'b' then 1 end) as losses, count(*) - count(outcome) as unread, sum(words_a) as words,
        count(words_a) as n_lengths,
        sum(question_number(concat_ws('/', image_id, captioner_b))) filter (where outcome is not null) as battle_set
    from arena_outcomes
    where benchmark = 'caparena-auto' and judge_type <> 'human'
    group by all
),

captioners as (
    select distinct votes_id, judge, protocol, provenance, captioner from images
),

drawn as (
    select baseline, provenance = 'simulated' as of_simulated, count(distinct image_id) as n_drawn
    from images
    group by baseline, of_simulated
),

baselines as (
    select votes_id, baseline, n_drawn, count(*) over (partition by votes_id) as n_expected
    from (select distinct votes_id, baseline, provenance = 'simulated' as of_simulated from images) as b
    inner join drawn using (baseline, of_simulated)
),

-- A captioner that is a baseline has no battles against itself, and scores 0 in this place.
against as (
    select
        votes_id, c.judge, c.protocol, c.provenance, captioner, baseline, n_expected, coalesce(sum(n), 0) as n_battles,
        case when captioner = baseline then 0 else n_drawn end as n_drawn, sum(battle_set) as battle_set,
            n_drawn >= 200 as is_paper,
        coalesce(sum(wins), 0) as n_wins, coalesce(sum(losses), 0) as n_losses, coalesce(sum(unread), 0) as n_unread,
        count(case when n > 0 then 1 end) as n_images, sum(words) as words, sum(n_lengths) as n_lengths,
        case when captioner = baseline then 0 else percent_of(sum(wins - losses), sum(n)) end as score
    from captioners as c
    inner join baselines using (votes_id)
    left join images using (votes_id, captioner, baseline)
    group by votes_id, c.judge, c.protocol, c.provenance, captioner, baseline, n_expected, n_drawn
),

scores as (
    select
        votes_id, judge, protocol, provenance, captioner, series.baseline, n_expected, count(score) as n_baselines,
        sum(n_battles) as n_battles, sum(n_wins) as n_wins, sum(n_losses) as n_losses, sum(n_unread) as n_unread,
        sum(n_images) as n_images,
        sum(n_drawn) as n_drawn, sum(battle_set) as battle_set, bool_and(is_paper and n_expected >= 3) as is_paper,
        sum(n_battles) >= 0.99 * sum(n_drawn) as is_whole,
        count(case when n_battles > 0 then 1 end) as n_met, ratio_of(sum(words), sum(n_lengths)) as mean_words,
        case when count(score) = count(*) then mean_of(score) end as score
    from against
    cross join lateral (values (against.baseline), ('')) as series (baseline)
    group by all
    having count(score) > 0
),

-- The effect of an image on a score, to first order. Its effect on the average is a share of the effects on the scores
-- against each baseline.
parts as (
    select
        votes_id, captioner, series.baseline, i.image_id, sum(i.n) as n,
        sum(exact(share_part(i.wins - i.losses, i.n, a.n_wins - a.n_losses, a.n_battles)
            / case when series.baseline = '' then a.n_expected else 1 end)) as part
    from images as i
    inner join against as a using (votes_id, captioner, baseline)
    cross join lateral (values (i.baseline), ('')) as series (baseline)
    where i.n > 0
    group by all
),

errors as (
    select
        votes_id, captioner, baseline, parts_error(sum(exact_square(part)), count(*)) as score_se,
        effective_clusters(n) as clusters
    from parts
    group by votes_id, captioner, baseline
),

both_origins as (
    select 'battles' as origin, scores.*, score_se, clusters - n_met + 1 as clusters
    from scores
    left join errors using (votes_id, captioner, baseline)
    union all by name
    select
        'published' as origin, 'gpt-4o' as judge, 'caparena/battle-reference' as protocol, 'published' as provenance,
        p.model_id as captioner, case p.metric
            when 'score_gpt' then 'gpt-4o-0806' when 'score_cog' then 'cogvlm2-llama3-chat-19b' when 'score_cpm'
                then 'minicpm-v2.6-8b'
            else ''
        end as baseline,
        p.model as printed_name, true as is_whole, true as is_paper, 3 as n_expected,
        case p.metric when 'score_avg' then 3 else 1 end as n_baselines, p.value as score,
        l.value as mean_words
    from published as p
    left join (select item, model, value from published where benchmark = 'caparena' and metric = 'length_avg') as l
        on l.item = p.item and l.model = p.model and p.metric = 'score_avg'
    where p.benchmark = 'caparena' and p.source = 'paper' and p.item = 'Table 8' and p.metric like 'score%'
)

select
    origin, judge, protocol, provenance,
    condition_of('caparena-auto', judge, origin, captioner, protocol, provenance) as condition_id,
    captioner, baseline, judge_name(judge, protocol) as judge_name,
    model_name(captioner, printed_name) as captioner_name, coalesce(c.model_type, '') as model_type,
    case when baseline = '' then 'Average' else model_name(baseline) end as baseline_name,
    n_baselines, n_expected, n_battles, n_wins, n_losses, n_battles - n_wins - n_losses as n_ties, n_unread, n_images,
    n_drawn, battle_set, is_whole, is_paper, case when n_unread > 0.05 * (n_battles + n_unread)
        then format('{:.0f}% of the battles have no outcome', percent_of(n_unread, n_battles + n_unread)) end as note,
            score,
    2 * share_low((score + 100) / 2, score_se / 2, n_battles, clusters) - 100 as score_low,
    2 * share_high((score + 100) / 2, score_se / 2, n_battles, clusters) - 100 as score_high, mean_words
from both_origins
left join models as c on c.model_id = captioner;

-- audit: score_of_counts: against one baseline the score is what the counts say
select judge, captioner, baseline, score
from arena_auto
where origin = 'battles' and baseline <> '' and n_battles > 0 and abs(score - 100.0 * (n_wins - n_losses) / n_battles)
    > 1e-9;

-- audit: one_tested: the captioner tested is caption a of its battles; caption b of any is a baseline
select judge, protocol, provenance, n_baselines, n_expected
from arena_auto
where n_baselines > n_expected;
