-- shows: How many questions each category has
-- paper: CaptionQA, Figures 9 to 12
-- reads: [category_questions, dataset_statistics]
-- computed: true

with banks as (
    select bank, provenance
    from dataset_statistics
    where domain = 'Total'
    qualify row_number() over (partition by provenance order by questions desc, bank) = 1
),

counted as (
    select c.*, banks.provenance, sum(c.n_questions) over (partition by c.bank, c.domain) as n_domain, s.questions as n_stated
    from category_questions as c
    inner join banks using (bank)
    left join dataset_statistics as s on c.bank = s.bank and c.domain = s.domain
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
        '{:.0f}% of the {} questions are about {}', max(share) over (partition by provenance), arg_max(domain, share) over (partition by provenance),
        arg_max(coalesce(nullif(category, ''), 'nothing in particular'), share) over (partition by provenance)
    ) as title
from counted
order by domain, place

VISUALISE name AS y, domain AS fill
DRAW bar MAPPING share AS x
DRAW text MAPPING share AS x, words AS label, null AS fill SETTING hjust => 'left', offset => [3, 0]
FACET domain SETTING ncol => 2, free => 'y'
LABEL title => 'How many questions each category has', x => 'questions, %'
