-- shows: Do longer captions pay?

select
    captioner_name, domain, prompt, round(mean_words, 1) as words, round(score, 1) as score, score_per_100_words, gain_per_100_words,
    reader, provenance
from utility_per_word
semi join shown_readers using (protocol, reader, provenance)
where origin = 'answers'
order by provenance, reader, captioner_name, domain, mean_words;
