-- shows: Which reader should I trust?

select
    reader_name, faithfulness, faithfulness_low, faithfulness_high, accuracy, n_pool, flip_rate, questions_per_second, provenance, protocol
from reader_comparison
order by provenance = 'simulated', protocol, faithfulness desc nulls last, reader_name;
