-- shows: CapArena-Auto, the captions of the 600 test images and the battles with the three baselines
-- about: Send both files with an issue at njucckevin/CapArena, which keeps the online leaderboard.
-- parameters: {captioner: null, judge: null}
-- form: json
-- file: "{captioner}/captions.json"

with tested as (
    select captioner_a as captioner, image_id || '.jpg' as image, any_value(caption_a) as caption,
        min(provenance) as provenance
    from battles
    where benchmark = 'caparena-auto' and captioner_a = coalesce($captioner, captioner_a)
    group by all
)

select
    captioner, min(provenance) as provenance, map_from_entries(list((image, caption) order by image)) as content,
    case
        when count(*) <> 600
            then format('{} has captions of {} of the 600 test images; caption and judge all', captioner, count(*))
        when count(nullif(caption, '')) < 600
            then format('the battles of {} have no text of {} captions', captioner, 600 - count(nullif(caption, '')))
    end as refused
from tested
group by captioner
order by captioner
