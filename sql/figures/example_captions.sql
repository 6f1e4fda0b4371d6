-- shows: What a captioner says of one picture under two prompts
-- paper: CaptionQA, Figure 5
-- benchmark: captionqa
-- place: 21
-- one: picture
-- cards: true

-- Long and Taxonomy-Hinted captions, as the paper compares them. Without them, captions of the two prompts with scores
-- that are farthest apart.
with written as (
    select e.*, c.caption, c.words
    from caption_examples as e
    inner join captions as c on e.image_id = c.image_id and e.captioner = c.captioner and e.prompt = c.prompt
    semi join shown_readers as r on r.provenance = e.provenance and r.protocol = e.protocol and r.reader = e.reader
    where e.provenance = c.provenance
),

compared as (
    select
        *, prompt in ('Long', 'Taxonomy-Hinted') as in_paper,
        count(*) filter (where prompt in ('Long', 'Taxonomy-Hinted')) over one as n_in_paper,
        row_number() over (one order by score desc, prompt) as place_up,
        row_number() over (one order by score, prompt desc) as place_down
    from written
    window one as (partition by protocol, reader, provenance, domain, image_id, captioner)
)

select
    protocol, reader, provenance, domain, image_id, captioner, image_id || ' ' || captioner as picture,
    [caption] as lines,
    format('{}, {} words', prompt, words) as heading,
    format('{} of {} questions right, {} without an answer; score {:.1f}', n_correct, n_answers, n_cannot,
        score) as foot,
    max(score) over one - min(score) over one as apart,
    case
        when apart >= 1 and min(n_answers) over one = max(n_answers) over one then format(
            '{}’s caption scores {:.0f} under {}, {:.0f} under {}', captioner_name, max(score) over one,
            arg_max(prompt, score) over one,
            min(score) over one, arg_min(prompt, score) over one
        )
    end as title,
    format('Picture {} of the {} domain, and what a reader answered from each caption', image_id, domain) as subtitle
from compared
where if(n_in_paper = 2, in_paper, place_up = 1 or place_down = 1)
window one as (partition by protocol, reader, provenance, domain, image_id, captioner)
order by place, loss desc nulls last, domain, apart desc, captioner, prompt
