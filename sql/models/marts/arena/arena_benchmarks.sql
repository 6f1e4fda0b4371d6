-- what: scores of captioners on benchmarks, beside the place that people's votes give the captioners
-- key: [score_provenance, people_provenance, name, judge, protocol, captioner]
-- source: CapArena Figure 4 and Table 3
-- columns:
--   series_id:
--   score_provenance: [varchar, [published, measured, simulated]]
--   people_provenance: [varchar, [published, measured, simulated], of the people's votes]
--   provenance: [varchar, [published, measured, simulated], "provenance of the scores or of the votes, whichever is
--       trusted less; simulated scores are shown only beside simulated votes"]
--   name: [varchar, "name of the score: CapArena-Auto, the name of another benchmark, or Mean and the name of a
--       metric"]
--   judge: [varchar, "model_id of the judge of CapArena-Auto, or the metric; empty for other benchmarks"]
--   protocol: [varchar, protocol of its votes; empty for other benchmarks]
--   captioner, captioner_name:
--   model_type: [varchar, open or proprietary]
--   billions: [double, count, "parameters in billions, all of them where not all are active; null when not disclosed"]
--   score: [double, "score of the captioner on its own scale: higher is better"]
--   rating: [double, points, "sequential Elo by people's votes, as in the released code; null when only the printed
--       ranking is known"]
--   place: [bigint, rank, 1.., "place among the captioners by people's votes, a person's captions left out; the printed
--       ranking where there are no votes"]
-- intervals:
--   score: given
--   rating: given

with people as (
    select provenance as people_provenance, captioner, elo as rating, elo_low as rating_low, elo_high as rating_high,
        -place as place_value
    from arena_ranking
    where origin = 'battles' and benchmark = 'caparena' and judge = 'people' and captioner <> 'human'
    union all by name
    -- Figure 1 prints ratings as a drawing; their order alone is known.
    select 'published' as people_provenance, model_id as captioner, -value as place_value
    from published
    where benchmark = 'caparena' and item = 'Figure 1' and metric = 'rank' and model_id <> 'human' and not exists (
        select 1 from arena_ranking where origin = 'battles' and benchmark = 'caparena' and judge = 'people'
            and provenance = 'published'
    )
),

placed as (
    select
        people_provenance, captioner, rating, rating_low, rating_high,
        rank() over (partition by people_provenance order by place_value desc) as place
    from people
    where place_value is not null
),

-- One caption is in several battles and has one score.
metric_scores as (
    select distinct v.provenance, v.judge, v.protocol, b.image_id, series.captioner, series.words, series.score
    from merged_arena_votes() as v
    inner join merged_arena_battles() as b using (battle_id)
    cross join lateral (
        values (b.captioner_a, b.words_a, v.score_a), (b.captioner_b, b.words_b, v.score_b)
    ) as series (captioner, words, score)
    where v.judge_type = 'metric' and b.benchmark = 'caparena' and series.score is not null
),

scores as (
    select provenance as score_provenance, 'CapArena-Auto' as name, judge, protocol, captioner, score, score_low,
        score_high
    from arena_auto
    where baseline = '' and score is not null
    union all by name
    select
        s.provenance as score_provenance, 'Mean ' || coalesce(max(r.name), s.judge) as name, s.judge, s.protocol,
        s.captioner, avg(cast(s.score as double)) as score
    from metric_scores as s
    left join models as r on r.model_id = s.judge
    group by s.provenance, s.judge, s.protocol, s.captioner
    union all by name
    select 'published' as score_provenance, category as name, '' as judge, '' as protocol, model_id as captioner,
        value as score
    from published
    where benchmark = 'caparena' and item = 'Figure 4' and metric = 'benchmark_score'
)

select
    key_of(s.name, judge, people_provenance, '', protocol, weaker_provenance(score_provenance, people_provenance))
        as series_id,
    score_provenance, people_provenance, weaker_provenance(score_provenance, people_provenance) as provenance, s.name,
    judge, protocol, captioner, coalesce(r.name, captioner) as captioner_name, coalesce(r.model_type, '') as model_type,
    try_cast(nullif(regexp_extract(r.size, '([0-9.]+)B', 1), '') as double) as billions, score, score_low, score_high,
    rating, rating_low, rating_high, place
from scores as s
inner join placed using (captioner)
left join models as r on r.model_id = captioner
where (score_provenance = 'simulated') = (people_provenance = 'simulated');
