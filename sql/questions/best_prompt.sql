-- shows: Which caption prompt is best for each captioner?

select captioner_name, prompt, round(overall, 1) as overall, overall_low, overall_high, reader, provenance
from captionqa_main
where overall is not null and protocol = 'captionqa/upstream'
order by provenance = 'published', captioner_name, reader, overall desc;
