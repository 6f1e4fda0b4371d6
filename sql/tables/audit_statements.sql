-- shows: What the texts state against the tables
-- asks: Which statements of the papers do their own tables not bear out?
-- paper: CaptionQA, CAPability, CV-CapBench and CapArena, texts
-- columns:
--   - {name: section_of, head: Section}
--   - {name: statement, prose: true}
--   - {name: stated, decimals: 3}
--   - {name: recomputed, decimals: 3}
--   - {name: basis, head: From}

select
    * exclude (section), section as section_of, upper(left(kind, 1)) || substr(kind, 2) || ', ' || benchmark as section
from published_claims as c
order by list_position(['contradiction', 'wording', 'rounding', 'agreement'], kind), benchmark, c.section, claim
