-- what: the captioners of an arena with their place, ratings and win rate, by people's votes and by each judge's votes
-- key: [origin, benchmark, judge, protocol, provenance, captioner]
-- source: "CapArena Figure 1; the printed order is that with which the paper's released code compares judges, because
--     the figure is a drawing"
-- columns:
--   origin: [varchar, [battles, published], "battles: from votes; published: printed, which has the order alone"]
--   benchmark: [varchar, [caparena, caparena-auto]]
--   judge: [varchar, "people for all people; else the name of a metric or a model_id"]
--   protocol: [varchar, protocol of the votes]
--   provenance:
--   captioner: [varchar, model_id of the captioner; human for a person's captions]
--   judge_name, captioner_name:
--   model_type: [varchar, "open, proprietary or human; empty when not known"]
--   place: [bigint, rank, 1.., "place by elo, as in the released code, or by bradley_terry where elo has not arrived,
--       or as printed"]
--   elo: [double, points, "sequential Elo, median over bootstrap samples of battles"]
--   bradley_terry: [double, points, "maximum likelihood, ties as half wins; null when a rating is not finite"]
--   bradley_terry_weighted: [double, points, "the same with weights against the sampling of pairs, as in the paper's
--       text"]
--   davidson: [double, points, by Davidson's model of ties]
--   style: [double, points, bradley_terry with the difference of lengths as a covariate]
--   win_rate: [double, percent, 0..100, "wins and half of the ties, as a share of the battles"]
--   n_battles: [bigint, count, 0.., battles]
--   note: [varchar, "why there is no rating by bradley_terry, or with whom none compares; empty when all can be
--       compared"]
-- intervals:
--   place: given
--   elo, bradley_terry, bradley_terry_weighted, davidson, style, win_rate: given

with wide as (
    pivot (select * from arena_ratings where outcomes = 'judge')
    on method in ('elo', 'bradley_terry', 'bradley_terry_weighted', 'davidson', 'style')
    using
        max(rating) as rating, max(rating_low) as low, max(rating_high) as high, max(rank) as rank,
        max(rank_low) as rank_low, max(rank_high) as rank_high, max(note) as note
    group by benchmark, judge, protocol, provenance, captioner, judge_name, captioner_name
),

win_rates as (
    select votes_of(benchmark, judge, protocol, provenance) as votes_id, captioner, win_rate, win_rate_low,
        win_rate_high, n_battles
    from arena_pairs
    where other = ''
),

both_origins as (
    select
        'battles' as origin, benchmark, judge, protocol, provenance, w.captioner, judge_name,
        captioner_name as printed_name,
        coalesce(elo_rank, bradley_terry_rank) as place, coalesce(elo_rank_low, bradley_terry_rank_low) as place_low,
        coalesce(elo_rank_high, bradley_terry_rank_high) as place_high, elo_rating as elo, elo_low, elo_high,
        bradley_terry_rating as bradley_terry, bradley_terry_low, bradley_terry_high,
        bradley_terry_weighted_rating as bradley_terry_weighted, bradley_terry_weighted_low,
        bradley_terry_weighted_high, davidson_rating as davidson, davidson_low, davidson_high,
        style_rating as style, style_low, style_high, coalesce(bradley_terry_note, '') as note,
        win_rate, win_rate_low, win_rate_high, n_battles
    from wide as w
    left join win_rates as p on p.votes_id = votes_of(benchmark, judge, protocol, provenance)
        and p.captioner = w.captioner
    union all by name
    select
        'published' as origin, benchmark, 'people' as judge, 'caparena/vote' as protocol, 'published' as provenance,
        model_id as captioner, 'Human' as judge_name, model as printed_name, cast(value as bigint) as place, '' as note
    from published
    where benchmark = 'caparena' and item = 'Figure 1' and metric = 'rank'
)

select
    b.* exclude (printed_name), coalesce(m.name, printed_name) as captioner_name,
    coalesce(m.model_type, '') as model_type
from both_origins as b
left join models as m on m.model_id = b.captioner;

-- audit: places_of_ratings: the better rating has the better place: elo, once it has arrived and has an interval
select a.benchmark, a.judge, a.captioner, b.captioner as other
from arena_ranking as a
inner join arena_ranking as b on b.origin = a.origin and votes_of(b.benchmark, b.judge, b.protocol, b.provenance)
    = votes_of(a.benchmark, a.judge, a.protocol, a.provenance)
where a.place > b.place and case when a.elo_low is not null then a.elo > b.elo
    else a.bradley_terry > b.bradley_terry end;
