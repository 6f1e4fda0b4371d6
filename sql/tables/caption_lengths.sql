-- shows: Words per caption by prompt
-- paper: CaptionQA, Figure 13
-- benchmark: captionqa
-- columns:
--   - {name: captioner_name, head: Captioner}
--   - {name: mean_words, decimals: 1, across: prompt}

select
    * replace (
        case
            when captioner <> '' then captioner_name when origin = 'published'
                then 'All captioners, as the paper states' else 'Mean of the captioners'
        end as captioner_name
    ), prompt_step(prompt) as across_place
from caption_lengths
where domain = 'Overall'
order by coalesce(captioner, '') = '', origin, captioner_name, prompt
