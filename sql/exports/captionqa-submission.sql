-- shows: CaptionQA, the captions that the team evaluates and a row of the public leaderboard
-- about: Mail the captions to captionqa.team@gmail.com; add the row to index.html of CaptionQA/website.
-- parameters: {captioner: null, prompt: null, reader: null}
-- form: json
-- file: "{captioner}/{prompt}.json"

-- One caption for each item of the bank; the authors evaluate all of them, and skip an item without one.
with bank as (select distinct image_id from questions),

asked as (
    select captioner, prompt, min(provenance) as provenance, nullif(countif(image_id not in (from bank)), 0) as outside
    from captions
    where captioner = coalesce($captioner, captioner) and prompt = coalesce($prompt, (from main_prompt))
    group by captioner, prompt
)

select
    captioner, prompt, any_value(a.provenance) as provenance,
    map_from_entries(list((image_id, c.caption) order by image_id) filter (where c.caption is not null)) as content,
    case
        when count(b.image_id) = 0 then 'the lake has no question bank to compare the captions with; ingest the bank'
        when count(c.caption) < count(*) then format(
            '{} under {} has no caption for {} of the {} items of the bank: {}; caption these items first',
            captioner, prompt, count(*) - count(c.caption), count(*),
            array_to_string((list(image_id order by image_id) filter (where c.caption is null))[:5], ', ')
        )
    end as refused,
    format('{} under {}: {} captions outside the bank are left out', captioner, prompt, any_value(outside)) as note
from asked as a
left join bank as b on true
left join captions as c using (captioner, prompt, image_id)
group by captioner, prompt
order by captioner, prompt
