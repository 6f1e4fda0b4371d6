-- shows: How many questions an image has
-- paper: CaptionQA, Figure 8
-- benchmark: captionqa
-- place: 7

select
    domain, provenance, n_questions, case when row_number() over images = 1 then max(n_questions) over images end as top,
    case when count(*) over (partition by provenance) > 1
        then format('An image has {:.1f} questions on average', avg(n_questions) over (partition by provenance)) end as title,
    format('mean {:.1f}', avg(n_questions) over images) as mean, format('{:,} images', count(*) over images) as images
from questions_per_image
inner join shown_banks using (bank)
window images as (partition by provenance, domain)
order by domain, n_questions

VISUALISE domain AS x, n_questions AS y, domain AS fill
DRAW violin
DRAW text MAPPING top AS y, mean AS label, null AS fill SETTING hjust => 'centre', offset => [0, 16]
DRAW text MAPPING top AS y, images AS label, null AS fill SETTING hjust => 'centre', offset => [0, 8]
SCALE y FROM [0, null]
LABEL title => 'How many questions an image has', y => 'questions per image',
    subtitle => 'Gaussian kernel, Silverman’s bandwidth; box: quartiles; dot: median'
