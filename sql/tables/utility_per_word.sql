-- shows: Score per hundred words of caption
-- asks: Do longer captions pay?
-- paper: CaptionQA, Section 5.2
-- benchmark: captionqa
-- columns:
--   - {name: captioner_name, head: Captioner}
--   - {name: score_per_100_words, decimals: 2, best: highest, across: prompt}

-- Simulated captions say nothing of the captions behind scores of another kind. Boards of other questions stand below,
-- each with its best value.
select
    u.*, coalesce(min(apart) over (partition by provenance, captioner, domain, caption_provenance),
        u.domain) as section,
    prompt_step(prompt) as across_place
from utility_per_word as u
semi join shown_readers using (protocol, reader, provenance)
left join (
    select condition_id, origin, section as domain, case when not is_first then board end as apart from boards
) as b using (condition_id, origin, domain)
where (provenance = 'simulated') = (caption_provenance = 'simulated')
order by
    domain_order(domain), domain,
    min(apart) over (partition by provenance, captioner, domain, caption_provenance) nulls first, captioner_name, prompt
