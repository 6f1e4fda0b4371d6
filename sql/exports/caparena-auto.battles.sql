-- shows: CapArena-Auto, the battles as caparena_auto_scores.py reads them
-- parameters: {captioner: null, judge: null}
-- form: json
-- file: "{captioner}/battles/{captioner}.json"

-- One verdict a battle, in the order that the judge saw; the authors' names of the baselines are what their scores go by.
with baselines as (
    select unnest(['gpt-4o-0806', 'cogvlm2-llama3-chat-19b', 'minicpm-v2.6-8b']) as captioner,
        unnest(['GPT-4o-0806', 'CogVLM2-llama3-chat-19B', 'MiniCPM-V2.6-8B']) as name
),

judges as (
    select provenance, arg_max(judge, (n_votes, judge)) as judge
    from (select provenance, judge, count(*) as n_votes from votes where protocol = 'caparena/battle-reference' group by provenance, judge)
    group by provenance
),

verdicts as (
    select b.*, n.name as baseline, v.judge, v.winner, coalesce(v.position, 'ab') as position, v.reason
    from battles as b
    inner join baselines as n on n.captioner = b.captioner_b
    left join votes as v on v.battle_id = b.battle_id and v.protocol = 'caparena/battle-reference'
        and v.judge = coalesce($judge, (select j.judge from judges as j where j.provenance = b.provenance))
    where b.benchmark = 'caparena-auto' and b.captioner_a = coalesce($captioner, b.captioner_a)
    qualify row_number() over (partition by b.battle_id order by v.position, v.winner) = 1
),

ordered as (
    select *, case when position = 'ba' then 2 else 1 end as place, coalesce(winner in ('a', 'b', 'tie'), false) as is_read
    from verdicts
)

select
    captioner_a as captioner, min(provenance) as provenance,
    list(json_merge_patch('{}', json_object(
        'img', image_id || '.jpg', 'source1', if(place = 1, captioner_a, baseline), 'source2', if(place = 1, baseline, captioner_a),
        'caption1', if(place = 1, caption_a, caption_b), 'caption2', if(place = 1, caption_b, caption_a), 'ref', reference, 'ref_model', baseline,
        'judge', case when winner = 'tie' then 'Tie.' when is_read then format('Caption {} is better.', if(winner = 'a', place, 3 - place)) end,
        'judge_reason', case when is_read then reason end
    )) order by ordinal, battle_id) as content,
    nullif(concat_ws('; ',
        case when not bool_and(is_read) then format(
            '{}: {} of {} battles have no verdict, and the authors'' scores leave them out', captioner_a, count(*) filter (where not is_read), count(*)
        ) end,
        case when max(judge) <> 'gpt-4o' then format('{}: the leaderboard''s judge is gpt-4o, and this one is {}', captioner_a, max(judge)) end
    ), '') as note
from ordered
group by captioner_a
order by captioner_a
