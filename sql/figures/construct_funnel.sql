-- shows: Questions that are left after each step of the construction
-- no_demo: "it has no questions under construction"
-- paper: CaptionQA, Section 4 and Figure 3
-- benchmark: captionqa
-- place: 22

select
    domain, provenance, n_candidates, n_waiting, n_candidates + n_waiting as right_end,
    case when n_waiting > 0 then right_end end as waiting_to,
    case step
        when 'generated' then 'generated' when 'well_formed' then 'well-formed' when 'sighted' then 'not known blindly'
            when 'distinct' then 'distinct'
        when 'accepted' then 'accepted by validators' when 'discard' then 'flagged by both' when 'review'
            then 'for a person' else 'in the bank'
    end as name,
    n_candidates || case when position > 1 and share is not null then format(' ({:.1f}%)', share) else '' end as words,
    format(
        'Of {} generated questions {} are in the bank',
        sum_over(if(step = 'generated', n_candidates, null), provenance),
        sum_over(if(step = 'published', n_candidates, null), provenance)
    ) as title
from construct_funnel
order by position, domain_order(domain), domain

VISUALISE name AS y
DRAW bar MAPPING waiting_to AS x, 'waits for this step' AS fill
DRAW bar MAPPING n_candidates AS x, 'left' AS fill
DRAW text MAPPING right_end AS x, words AS label SETTING hjust => 'left', offset => [3, 0]
SCALE fill FROM ['left', 'waits for this step'] TO ['#9a9a9a', '#d4d4d4'] RENAMING 'left' => ''
SCALE x FROM [0, null]
FACET domain
LABEL title => 'Questions left after each step of the construction',
    subtitle => 'Questions after each step; validators send distinct ones on one of three routes'
