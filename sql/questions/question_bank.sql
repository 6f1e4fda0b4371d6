-- shows: How large is the question bank?

select bank, domain, questions, images, questions_per_image, top_level, subcategories, provenance, origin
from dataset_statistics
order by origin, bank, domain;
