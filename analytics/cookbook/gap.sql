-- recipe: gap
-- asks: How much of what a model sees do its captions lose?
-- first: 7
-- parameters:
--   captioner: [null, id or name of a captioner]
-- example: {captioner: stub-captioner-large}

select prompt, domain, image_accuracy, caption_accuracy, gap, gap_low, gap_high, provenance
from gap($captioner)
order by prompt, domain;
