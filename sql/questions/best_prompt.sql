-- shows: Which caption prompt is best for each captioner?

select captioner_name, prompt, round(score, 1) as overall, score_low as overall_low, score_high as overall_high, reader, provenance
from captionqa_scores
where level = 'overall' and evidence = 'caption' and protocol = 'captionqa/upstream'
order by provenance = 'published', captioner_name, reader, overall desc;
