-- what: the captioners of an arena side by side, with their place, ratings and win rate by people's votes and by each judge's
-- key: [origin, benchmark, judge, protocol, provenance, captioner]
-- source: "CapArena Figure 1; the printed order is that with which the paper's released code compares judges, because the figure is a
--    drawing"
-- columns:
--   origin: [varchar, [battles, published], "battles: from votes; published: printed, of which only the order can be had"]
--   benchmark: [varchar, [caparena, caparena-auto]]
--   judge: [varchar, "people for all people; else the name of a metric or a model_id"]
--   protocol: [varchar, protocol of the votes]
--   provenance:
--   captioner: [varchar, model_id of the captioner; human for a person's captions]
--   judge_name, captioner_name:
--   model_type: [varchar, "open, proprietary or human; empty when not known"]
--   place: [bigint, rank, 1.., "place by elo, as in the released code, or by bradley_terry where elo has not arrived, or as printed"]
--   elo: [double, points, "sequential Elo, median over bootstrap samples of battles"]
--   bradley_terry: [double, points, "maximum likelihood, ties as half wins; null when a rating is not finite"]
--   bradley_terry_weighted: [double, points, "the same with weights against the sampling of pairs, as in the paper's text"]
--   davidson: [double, points, by Davidson's model of ties]
--   style: [double, points, bradley_terry with the difference of lengths as a covariate]
--   win_rate: [double, percent, 0..100, "wins and half of the ties, as a share of the battles"]
--   n_battles: [bigint, count, 0.., battles]
--   note: [varchar, "why there is no rating by bradley_terry, or with whom none compares; empty when all can be compared"]
-- intervals:
--   place: given
--   elo, bradley_terry, bradley_terry_weighted, davidson, style, win_rate: given

with ratings as (
    select
        'battles' as origin, benchmark, judge, protocol, provenance, captioner, max(judge_name) as judge_name,
        max(captioner_name) as printed_name,
        coalesce(max(case when method = 'elo' then rank end), max(case when method = 'bradley_terry' then rank end)) as place,
        coalesce(max(case when method = 'elo' then rank_low end), max(case when method = 'bradley_terry' then rank_low end)) as place_low,
        coalesce(max(case when method = 'elo' then rank_high end), max(case when method = 'bradley_terry' then rank_high end))
            as place_high,
        max(case when method = 'elo' then rating end) as elo,
        max(case when method = 'elo' then rating_low end) as elo_low, max(case when method = 'elo' then rating_high end) as elo_high,
        max(case when method = 'bradley_terry' then rating end) as bradley_terry,
        max(case when method = 'bradley_terry' then rating_low end) as bradley_terry_low,
        max(case when method = 'bradley_terry' then rating_high end) as bradley_terry_high,
        max(case when method = 'bradley_terry_weighted' then rating end) as bradley_terry_weighted,
        max(case when method = 'bradley_terry_weighted' then rating_low end) as bradley_terry_weighted_low,
        max(case when method = 'bradley_terry_weighted' then rating_high end) as bradley_terry_weighted_high,
        max(case when method = 'davidson' then rating end) as davidson,
        max(case when method = 'davidson' then rating_low end) as davidson_low,
        max(case when method = 'davidson' then rating_high end) as davidson_high, max(case when method = 'style' then rating end) as style,
        max(case when method = 'style' then rating_low end) as style_low,
        max(case when method = 'style' then rating_high end) as style_high,
        coalesce(max(case when method = 'bradley_terry' then note end), '') as note
    from arena_ratings
    where outcomes = 'judge'
    group by benchmark, judge, protocol, provenance, captioner
),

both_origins as (
    select r.*, p.win_rate, p.win_rate_low, p.win_rate_high, p.n_battles
    from ratings as r
    left join (select * from arena_pairs where other = '') as p using (benchmark, judge, protocol, provenance, captioner)
    union all by name
    select
        'published' as origin, benchmark, 'people' as judge, 'caparena/vote' as protocol, 'published' as provenance, model_id as captioner,
        'Human' as judge_name, model as printed_name, cast(value as bigint) as place, '' as note
    from published
    where benchmark = 'caparena' and item = 'Figure 1' and metric = 'rank'
)

select
    b.* exclude (printed_name), coalesce(m.name, printed_name) as captioner_name, coalesce(m.model_type, '') as model_type
from both_origins as b
left join models as m on m.model_id = b.captioner;

-- audit: places_of_ratings: a captioner with a better rating has the better place, by elo where it has arrived and has an interval
select a.benchmark, a.judge, a.captioner, b.captioner as other
from arena_ranking as a
inner join arena_ranking as b using (origin, benchmark, judge, protocol, provenance)
where a.place > b.place and case when a.elo_low is not null then a.elo > b.elo else a.bradley_terry > b.bradley_terry end;
