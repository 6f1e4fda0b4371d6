-- shows: What longer captions are worth
-- paper: CaptionQA, Section 5.2
-- benchmark: captionqa
-- place: 10
-- computed: true

select
    captioner, coalesce(captioner_name, 'all captioners') as name, domain, prompt, protocol, reader, provenance,
    mean_words, score,
    max_over(if(captioner = '' and prompt = 'Long', score, null),
        provenance) - max_over(if(captioner = '' and prompt = 'Short', score, null), provenance) as gain,
    max_over(if(captioner = '' and prompt = 'Long', mean_words, null), provenance)
    / max_over(if(captioner = '' and prompt = 'Short', mean_words, null), provenance) as longer,
    case when gain > 2 and longer >= 1.5
        then format('Long captions have {:.0f} times the words of Short ones and score {:.0f} points more', longer,
            gain) end as title,
    if(captioner = '', 'Each point is the mean over all captioners under a prompt',
        'Each point is a captioner under a prompt') as subtitle
from utility_per_word
semi join shown_readers using (protocol, reader, provenance)
where (provenance = 'simulated') = (caption_provenance = 'simulated') and score is not null and mean_words > 0
qualify count_over(true, provenance) >= 8 -- fewer points are no figure
order by domain_order(domain), domain, prompt_step(prompt), prompt, name

VISUALISE mean_words AS x, score AS y, prompt AS fill, prompt AS stroke
DRAW point
SCALE x VIA log10
SCALE fill TO ['#c4450c', '#00508a', '#b0709a', '#009e73', '#b8860b', '#595959']
SCALE stroke TO ['#c4450c', '#00508a', '#b0709a', '#009e73', '#b8860b', '#595959']
FACET domain SETTING ncol => 2
LABEL title => 'What longer captions are worth', x => 'mean words of the captions', y => 'score'
