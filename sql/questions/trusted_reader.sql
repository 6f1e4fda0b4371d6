-- shows: Which reader should I trust?
-- about: Faithfulness compares readers that were asked the same questions without a caption, those with one blind_set.

select
    reader_name, faithfulness, faithfulness_low, faithfulness_high, accuracy, n_pool, flip_rate, questions_per_second, provenance, protocol,
    blind_set
from reader_comparison
order by provenance = 'simulated', protocol, count(*) over (partition by protocol, provenance, blind_set) desc, blind_set, faithfulness desc nulls last, reader_name;
