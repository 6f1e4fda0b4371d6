-- shows: How many questions an image has
-- paper: CaptionQA, Figure 8
-- benchmark: captionqa
-- place: 7

select
    bank, domain, provenance, n_questions, case when place = 1
        then max_over(n_questions, row(provenance, domain)) end as top,
    case when count_over(true, provenance) > 1
        then format('An image has {:.1f} questions on average', avg_over(n_questions, provenance)) end as title,
    format('mean {:.1f}', avg_over(n_questions, row(provenance, domain))) as mean,
    format('{:,} images', count_over(true, row(provenance, domain))) as images
from (
    select *, row_number() over (partition by provenance, domain) as place
    from questions_per_image
    inner join shown_banks using (bank)
)
order by domain_order(domain), domain, n_questions

VISUALISE domain AS x, n_questions AS y, domain AS fill
DRAW violin
DRAW text MAPPING top AS y, mean AS label, null AS fill SETTING hjust => 'centre', offset => [0, 16]
DRAW text MAPPING top AS y, images AS label, null AS fill SETTING hjust => 'centre', offset => [0, 8]
SCALE y FROM [0, null]
LABEL title => 'How many questions an image has', y => 'questions per image',
    subtitle => 'Gaussian kernel, Silverman’s bandwidth; box: quartiles; dot: median'
