-- shows: Readers side by side
-- paper: CaptionQA, Figure 2 and Section 3.5
-- benchmark: captionqa
-- place: 3

select
    reader, coalesce(reader_name, reader) || case when (select count(distinct protocol) from reader_comparison) = 1
        then '' else ', ' || protocol end as name,
    protocol, provenance, facet, value, low, high, coalesce(high, value) as label_at,
    case
        when min_over(if(facet = 'Accuracy, %', protocol, null),
            provenance) = max_over(if(facet = 'Accuracy, %', protocol, null), provenance)
            and round(min_over(accuracy, provenance), 1) < round(max_over(accuracy, provenance), 1)
            then format('Readers’ accuracy runs from {:.1f} to {:.1f}%', min_over(accuracy, provenance),
                max_over(accuracy, provenance))
    end as title
from (select *, count_over(true, provenance) as n_beside from reader_comparison), lateral (
    values
    ('Faithfulness, %', faithfulness, faithfulness_low, faithfulness_high),
    ('Accuracy, %', accuracy, accuracy_low, accuracy_high),
    ('Sd over repeats', accuracy_sd, null, null),
    ('Questions per second', questions_per_second, null, null)
) as f (facet, value, low, high)
where n_beside > 1 and value is not null
order by strpos('FASQ', substr(facet, 1, 1)), accuracy desc nulls last, name

VISUALISE name AS y
DRAW range MAPPING low AS xmin, high AS xmax SETTING hinge => null, stroke => '#595959'
DRAW point MAPPING value AS x SETTING fill => '#595959'
DRAW text MAPPING label_at AS x, value AS label SETTING format => '{:num %.1f}', hjust => 'left', offset => [5, 0]
FACET facet SETTING free => 'x'
LABEL title => 'Readers side by side',
    subtitle => 'Faithful readers say "cannot answer" without a caption; accuracy is on one pool of questions'
