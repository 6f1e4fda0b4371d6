-- shows: How much of what a model sees do its captions lose?
-- parameters: {captioner: ""}

select prompt, domain, image_accuracy, caption_accuracy, gap, gap_low, gap_high, provenance
from gap($captioner)
semi join shown_readers using (protocol, reader, provenance)
order by prompt, domain;
