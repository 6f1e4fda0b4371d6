-- shows: How far each captioner lies behind the best one
-- asks: How far is each captioner behind the best?
-- paper: CaptionQA, order of Tables 3 and 11–26; the differences are beyond the paper
-- benchmark: captionqa
-- one: prompt
-- columns:
--   - {name: captioner_name, head: Captioner}
--   - {name: difference, decimals: 2, signed: true, across: domain}

with differences as (
    select
        * exclude (note), domain_place(domain) as across_place,
        row_number() over (partition by provenance, prompt, domain, best order by captioner) = 1 as names_best
    from captionqa_differences
    semi join shown_readers using (protocol, reader, provenance)
    where metric = 'score'
)

select
    *, format('How far each captioner lies behind the best one (score, points), {} prompt', prompt) as title,
    'Score less that of the best captioner on the questions that both answered, paired by image; the best: '
    || string_agg(domain || ' ' || best_name, ', ' order by across_place, domain, best_name)
        filter (where names_best) over board
    || '. A stroke: the best itself, or no question that both answered. An interval without 0 tells the two apart, '
    || 'before any correction for many comparisons.' as note
from differences
window board as (partition by provenance, prompt), row as (partition by provenance, prompt, captioner)
order by
    prompt_place(prompt), max(difference) filter (where domain = 'Overall') over row desc nulls last,
    max(difference) over row desc nulls last, captioner_name,
    captioner, domain
