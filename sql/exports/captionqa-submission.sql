-- shows: CaptionQA, the captions that the team evaluates and a row of the public leaderboard
-- about: Mail FOLDER/CAPTIONER/PROMPT.json to captionqa.team@gmail.com; add leaderboard-PROMPT.html to index.html of CaptionQA/website.
-- parameters: {captioner: null, prompt: null, reader: null}
-- form: json
-- file: "{captioner}/{prompt}.json"

-- One caption for each item of the bank; the authors evaluate all of them, and skip an item without one.
with bank as (select distinct image_id from questions),

asked as (
    select captioner, prompt, count(*) filter (where image_id not in (from bank)) as n_outside, min(provenance) as provenance
    from captions
    where captioner = coalesce($captioner, captioner) and prompt = coalesce($prompt, (from main_prompt))
    group by captioner, prompt
),

wanted as (
    select asked.*, bank.image_id, c.caption
    from asked
    left join bank on true
    left join captions as c on c.image_id = bank.image_id and c.captioner = asked.captioner and c.prompt = asked.prompt
)

select
    captioner, prompt, provenance, map_from_entries(list((image_id, caption) order by image_id) filter (where caption is not null)) as content,
    case
        when count(image_id) = 0 then 'the lake has no question bank to tell whether the captions are complete; ingest the bank'
        when count(caption) < count(*) then format(
            '{} under {} has no caption for {} of the {} items of the bank: {}; caption these items first', captioner, prompt,
            count(*) - count(caption), count(*), array_to_string((list(image_id order by image_id) filter (where caption is null))[:5], ', ')
        )
    end as refused,
    case when n_outside > 0 then format('{} under {}: {} captions of pictures outside the bank are left out', captioner, prompt, n_outside) end as note
from wanted
group by captioner, prompt, provenance, n_outside
order by captioner, prompt
