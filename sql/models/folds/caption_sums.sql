-- what: the number of captions of each image, by captioner and prompt, with their words and tokens
-- key: [unit, provenance, captioner, prompt, domain, image_id]
-- source: a step towards CaptionQA Figure 13
-- fold: captions
-- checks: {rows: n_captions}
-- columns:
--   unit, provenance, captioner, prompt, domain:
--   image_id: [varchar, "item that the captions describe: the cluster of standard errors"]
--   n_captions: [bigint, count, 1.., captions]
--   words: [bigint, words, 0.., words of them]
--   n_counted: [bigint, count, captions whose tokens a server counted]
--   tokens: [bigint, tokens, tokens of these]
--   n_cut: [bigint, count, captions that ended at the limit of tokens]

select
    unit, provenance, captioner, prompt, domain, image_id, count(*) as n_captions, sum(words) as words,
    count(tokens) as n_counted, coalesce(sum(tokens), 0) as tokens,
    sum(case when finish_reason = 'length' then 1 else 0 end) as n_cut
from counted_captions()
group by unit, provenance, captioner, prompt, domain, image_id;
