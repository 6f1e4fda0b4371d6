-- shows: CapArena-Auto, the battles as caparena_auto_scores.py reads them
-- parameters: {captioner: null, judge: null}
-- form: json
-- file: "{captioner}/battles/{captioner}.json"

-- One verdict a battle, by the judge with most verdicts, in the order that the judge saw.
with judged as (
    select *, count(*) over (partition by provenance, judge) as n_votes
    from votes
    where protocol = 'caparena/battle-reference' and judge = coalesce($judge, judge)
),

verdicts as (
    select
        b.*, v.judge, v.reason, v.winner, coalesce(v.winner in ('a', 'b', 'tie'), false) as is_read,
        if(v.position = 'ba', 2, 1) as place, case b.captioner_b
            when 'gpt-4o-0806' then 'GPT-4o-0806' when 'cogvlm2-llama3-chat-19b' then 'CogVLM2-llama3-chat-19B'
            when 'minicpm-v2.6-8b' then 'MiniCPM-V2.6-8B' end as baseline
    from battles as b
    left join judged as v using (battle_id)
    where b.benchmark = 'caparena-auto' and b.captioner_a = coalesce($captioner, b.captioner_a)
    qualify row_number() over (partition by b.battle_id order by v.n_votes desc, v.judge desc, v.position, v.winner) = 1
)

select
    captioner_a as captioner, min(provenance) as provenance,
    list(json_merge_patch('{}', {
        'img': image_id || '.jpg', 'source1': if(place = 1, captioner_a, baseline),
        'source2': if(place = 1, baseline, captioner_a),
        'caption1': if(place = 1, caption_a, caption_b), 'caption2': if(place = 1, caption_b, caption_a),
        'ref': reference, 'ref_model': baseline,
        'judge': case when winner = 'tie' then 'Tie.'
            when is_read then format('Caption {} is better.', if(winner = 'a', place, 3 - place)) end,
        'judge_reason': if(is_read, reason, null)
    }) order by ordinal, battle_id) as content,
    nullif(concat_ws('; ',
        if(not bool_and(is_read), format(
            '{}: {} of {} battles have no verdict, and the authors'' scores leave them out', captioner_a,
            count(*) filter (where not is_read), count(*)
        ), null),
        captioner_a || ': the leaderboard''s judge is gpt-4o, not ' || nullif(max(judge), 'gpt-4o')
    ), '') as note
from verdicts
where baseline is not null
group by captioner_a
order by captioner_a
