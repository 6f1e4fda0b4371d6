-- shows: Lengths of its captions
-- each: captioner
-- columns:
--   - {name: of, head: Captions}
--   - {name: mean_words, head: Words, decimals: 1}
--   - {name: mean_tokens, head: Tokens, decimals: 1}
--   - {name: n_captions, head: Captions counted, decimals: 0}
--   - {name: n_cut, head: Cut at the limit, decimals: 0}

select
    captioner, provenance, domain || ', ' || prompt || ' prompt' as of, mean_words, mean_words_low, mean_words_high,
    mean_tokens, mean_tokens_low, mean_tokens_high,
    n_captions, n_cut
from caption_lengths
where captioner <> ''
union all by name
select captioner, provenance, benchmark as of, mean_words, mean_words_low, mean_words_high, n_captions
from arena_lengths
order by captioner, of
