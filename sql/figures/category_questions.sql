-- shows: How many questions each category has
-- paper: CaptionQA, Figures 9 to 12
-- benchmark: captionqa
-- place: 8
-- computed: true

with counted as (
    select
        c.*, shown_banks.provenance, sum(c.n_questions) over of_domain as n_domain, s.questions as n_stated, count(*) over of_domain as n_categories
    from category_questions as c
    inner join shown_banks using (bank)
    left join dataset_statistics as s on c.bank = s.bank and c.domain = s.domain
    window of_domain as (partition by c.bank, c.domain)
)

select
    domain, provenance, share, coalesce(nullif(category, ''), 'none given') as name,
    format('{:.1f}% ({:,})', share, n_questions) || coalesce(format('; stated {:.1f}%', stated_share), '') as words,
    coalesce(
        min(format('Table 9 counts {:,} {} questions, Table 1 {:,}; shares of the counts', n_domain, domain, n_stated))
            filter (where n_domain <> n_stated and provenance = 'published') over (partition by provenance),
        'Share of the questions of the domain, and their number'
    ) as subtitle,
    format(
        'Up to {:.0f}% of a domain’s questions are about one category',
        max(share) filter (where n_categories > 1 and category <> '') over (partition by provenance)
    ) as title
from counted
order by domain, place

VISUALISE name AS y, domain AS fill
DRAW bar MAPPING share AS x
DRAW text MAPPING share AS x, words AS label, null AS fill SETTING hjust => 'left', offset => [3, 0]
FACET domain SETTING ncol => 2, free => 'y'
LABEL title => 'How many questions each category has', x => 'questions, %'
