-- shows: How many questions an image has
-- paper: CaptionQA, Figure 8
-- reads: [questions_per_image, dataset_statistics]

with banks as (
    select bank, provenance
    from dataset_statistics
    where domain = 'Total'
    qualify row_number() over (partition by provenance order by questions desc, bank) = 1
)

select
    domain, provenance, n_questions, case when row_number() over images = 1 then max(n_questions) over images end as top,
    format('An image has {} questions on average', round(avg(n_questions) over (partition by provenance))::integer) as title,
    format('mean {:.1f}', avg(n_questions) over images) as mean, format('{:,} images', count(*) over images) as images
from questions_per_image
inner join banks using (bank)
window images as (partition by provenance, domain)
order by domain, n_questions

VISUALISE domain AS x, n_questions AS y, domain AS fill
DRAW violin
DRAW text MAPPING top AS y, mean AS label, null AS fill SETTING hjust => 'centre', offset => [0, 16]
DRAW text MAPPING top AS y, images AS label, null AS fill SETTING hjust => 'centre', offset => [0, 8]
SCALE y FROM [0, null]
LABEL title => 'How many questions an image has', y => 'questions per image',
    subtitle => 'Gaussian kernel, Silverman’s bandwidth; box: quartiles; dot: median'
