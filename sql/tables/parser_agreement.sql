-- shows: The published parser beside the strict one
-- paper: beyond the paper
-- benchmark: captionqa
-- columns:
--   - {name: evidence}
--   - {name: captioner}
--   - {name: prompt}
--   - {name: n_replies, head: Replies, decimals: 0}
--   - {name: agreement, head: Agree (%), decimals: 2}
--   - {name: n_differ, head: Differ, decimals: 0}
--   - {name: n_only_upstream, head: Only published, decimals: 0}
--   - {name: n_only_strict, head: Only strict, decimals: 0}
--   - {name: accuracy_upstream, head: Acc published (%), decimals: 2}
--   - {name: accuracy_strict, head: Acc strict (%), decimals: 2}

select *, 'Reader: ' || reader_name as section
from parser_agreement
order by reader, evidence, captioner, prompt, provenance
