-- shows: How many questions each category has
-- paper: CaptionQA, Figures 9 to 12
-- benchmark: captionqa
-- place: 8
-- computed: true

with counted as (
    select
        c.*, shown_banks.provenance, sum_over(c.n_questions, row(c.bank, c.domain)) as n_domain,
        s.questions as n_stated, count_over(true, row(c.bank, c.domain)) as n_categories
    from category_questions as c
    inner join shown_banks using (bank)
    left join dataset_statistics as s on c.bank = s.bank and c.domain = s.domain
)

select
    domain, provenance, share, coalesce(nullif(category, ''), 'none given') as name,
    bank, format('{:.1f}% ({:,})', share, n_questions) as words,
    coalesce(
        min_over(if(n_domain <> n_stated and provenance = 'published',
            format('Table 9 counts {:,} {} questions, Table 1 {:,}; shares of the counts', n_domain, domain, n_stated),
            null), provenance),
        'Share of the questions of the domain, and their number'
    ) as subtitle,
    format(
        'Up to {:.0f}% of a domain’s questions are about one category',
        max_over(if(n_categories > 1 and category <> '', share, null), provenance)
    ) as title
from counted
order by domain_order(domain), domain, place, name

VISUALISE name AS y, domain AS fill
DRAW bar MAPPING share AS x
DRAW text MAPPING share AS x, words AS label, null AS fill SETTING hjust => 'left', offset => [3, 0]
FACET domain SETTING ncol => 2, free => 'y'
LABEL title => 'How many questions each category has', x => 'questions, %'
