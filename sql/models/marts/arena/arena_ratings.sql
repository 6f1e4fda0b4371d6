-- what: ratings of the captioners from their battles, by people and by each judge, in five ways, with intervals and
--     ranks
-- key: [benchmark, judge, protocol, provenance, outcomes, method, captioner]
-- source: "CapArena Figure 1 and section 3.2: the text has bradley_terry_weighted, the released code elo; the
--     intervals clustered by image,
--   davidson and style are beyond the paper"
-- compute: arena_ratings
-- columns:
--   benchmark: [varchar, [caparena, caparena-auto]]
--   judge: [varchar, "people for all people; else the name of a metric or a model_id"]
--   protocol: [varchar, protocol of the votes]
--   provenance:
--   outcomes: [varchar, [judge, people], "judge: the judge's own outcomes; people: outcomes by people on the battles
--       that both decided, by elo
--       and bradley_terry: the ranking that the judge's is compared with"]
--   method: [varchar, [elo, bradley_terry, bradley_terry_weighted, davidson, style], "elo: sequential, K 4 from 1000,
--       the median of samples of battles; bradley_terry: maximum likelihood, ties as half wins; bradley_terry_weighted:
--       each pair with the weight 1/P, P being its share of the battles; davidson: with a parameter of ties; style:
--       bradley_terry with the difference of lengths as a covariate"]
--   captioner: [varchar, model_id of the captioner; human for a person's captions]
--   judge_name, captioner_name:
--   rating: [double, points, "1000 for the mean of a group, and 400 more for odds of 10 to 1; null where no rating is
--       finite, for the reason in note"]
--   rating_se: [double, points, 0.., "standard error: clustered by image; of elo the deviation of the samples, which
--       are of battles"]
--   strength: [double, "log-odds, 0 for the mean of a group; null for elo"]
--   one_pass: [double, points, "elo after one pass in the order of the battles; null for other methods"]
--   rank: [bigint, rank, 1.., "1 for the best; null for who cannot be compared with all others, and where elo has not
--       arrived, for the reason in note"]
--   rank_low: [bigint, rank, 1.., "2.5% quantile of the places in draws of all ratings around the estimates, with their
--       errors and degrees of freedom; of elo in bootstrap samples of battles; null without an interval of the rating"]
--   rank_high: [bigint, rank, 1.., 97.5% quantile of these places]
--   share_first: [double, percent, 0..100, share of these draws in which the captioner is first]
--   n_battles: [bigint, count, 0.., battles of the captioner that the method takes]
--   effective_images: [double, count, 1.., "(Σn)² / Σn² for n battles of an image, of all battles of the series; the
--       intervals have one degree of freedom less"]
--   n_samples: [bigint, count, draws]
--   comparable_group: [bigint, "captioners of one group can be compared by their ratings: each has scored against each
--       other one, directly or through other captioners; elo has one group"]
--   tie_odds: [double, 0.., "Davidson's parameter: equal captioners tie with these odds to 2; null for other methods"]
--   length_effect: [double, points, "by how much a typical difference of lengths, (a - b)/(a + b) divided by its root
--       mean square, moves the odds; null for methods other than style"]
--   typical_difference: [double, 0..1, root mean square of the differences of lengths; null for methods other than
--       style]
--   note: [varchar, "why there is no rating, or with whom none compares; empty when all can be compared"]
-- intervals:
--   rating: "given; by its standard error with effective images - 1 degrees of freedom; of elo the quantiles of the
--       samples; null where all
--       battles agree with the rating, and of elo below 520 battles of a captioner"
--   length_effect: "given; by its standard error clustered by image with effective images - 1 degrees of freedom"

-- People also rate captions that people wrote. The votes of other judges on such captions are left out, because judges
-- are compared without them.
with series as (
    select
        benchmark, judge, protocol, provenance, 'judge' as outcomes, image_id, captioner_a, captioner_b, outcome,
        words_a, words_b, ordinal, battle_id
    from arena_outcomes
    where outcome is not null and (judge = 'people' or not by_human)
    union all
    select
        benchmark, judge, protocol, provenance, 'people', image_id, captioner_a, captioner_b, people, words_a, words_b,
        ordinal, battle_id
    from arena_outcomes
    where outcome is not null and people is not null and judge <> 'people' and not by_human
)

select
    benchmark, judge, protocol, provenance, outcomes, model_name(judge) as judge_name, image_id, captioner_a,
    captioner_b,
    model_name(captioner_a) as name_a, model_name(captioner_b) as name_b, outcome, words_a, words_b,
    sampling_seed() as seed, 1000 as samples
from series
order by benchmark, judge, protocol, provenance, outcomes, ordinal, battle_id;

-- audit: mean_of_groups: ratings that are not centred differ from other judges' ratings by a constant
select benchmark, judge, protocol, provenance, outcomes, method, comparable_group, avg(rating) as rating
from arena_ratings
where rating is not null and method <> 'elo'
group by benchmark, judge, protocol, provenance, outcomes, method, comparable_group
having abs(avg(rating) - 1000) > 0.000001;

-- audit: points_are_kept: what one captioner gains by a battle of Elo the other loses
select benchmark, judge, protocol, provenance, outcomes, avg(one_pass) as one_pass
from arena_ratings
where method = 'elo'
group by benchmark, judge, protocol, provenance, outcomes
having abs(avg(one_pass) - 1000) > 0.000001;

-- audit: reason_given: a captioner without a rating or a rank has a note that says why
select benchmark, judge, protocol, provenance, outcomes, method, captioner
from arena_ratings
where (rating is null or rank is null) and note = '';
