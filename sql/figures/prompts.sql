-- shows: How the caption prompt moves the score
-- paper: CaptionQA, Tables 11 to 26 and Section 5
-- benchmark: captionqa
-- place: 2
-- computed: true

-- A captioner with two prompts or more has a line; the mean is over the captioners that have all prompts of a domain.
with scored as (
    select
        s.*, prompt_step(s.prompt) as place,
        max_over(if(s.prompt = 'Simple', score, null), row(s.provenance, s.domain, s.captioner)) as by_simple,
        count_over(true, row(s.provenance, s.domain, s.captioner)) as n_prompts
    from captionqa_scores as s
    inner join boards as b on b.condition_id = s.condition_id and b.origin = s.origin and b.section = s.domain
    semi join shown_readers as r on r.provenance = s.provenance and r.protocol = s.protocol and r.reader = s.reader
    where s.level in ('overall', 'domain') and s.evidence = 'caption' and score is not null and b.is_first
    qualify n_prompts > 1
),

lines as (
    select
        * exclude (place_by_simple),
        case when place_by_simple in (1, count_over(true, row(provenance, domain, prompt)))
            or ends_with(captioner_name, '†') then score end as named
    from (
        select *, row_number() over (partition by provenance, domain, prompt order by by_simple desc nulls last,
            captioner) as place_by_simple
        from scored
    )
    union all by name
    select provenance, protocol, reader, domain, prompt, place, avg(score) as mean,
        format('mean of {}', count(*)) as captioner_name
    from (select *, n_prompts = max_over(n_prompts, row(provenance, domain)) as has_all from scored)
    where has_all
    group by all having count(*) > 2
),

-- The gain of captioners that have both prompts, on the questions that were asked under both.
gains as (
    select t.provenance, transition, score_gain, score_gain_low, score_gain_high, n_models
    from prompt_transitions as t
    semi join shown_readers as r on r.provenance = t.provenance and r.protocol = t.protocol and r.reader = t.reader
    where level in ('overall', 'domain')
    qualify count_over(true, row(provenance, transition, level)) = 1
        and rank() over (partition by provenance, transition order by level desc) = 1 -- overall before domain
),

told as (
    select a.provenance, a.score_gain as gain, -b.score_gain as loss
    from gains as a
    inner join gains as b on b.provenance = a.provenance and b.transition = 'Long to Taxonomy-Hinted'
    where a.transition = 'Short to Simple' and least(a.n_models, b.n_models) > 1
        and coalesce(a.score_gain_low, a.score_gain - 2) > 0 and coalesce(b.score_gain_high, b.score_gain + 2) < 0
        and least(round(a.score_gain), round(0 - b.score_gain)) > 1
)

select
    captioner, captioner_name, provenance, protocol, reader, domain, prompt, score, named, mean,
    coalesce(mean, named) as line_end,
    case when gain is not null
        then format(
            'From Short to Simple captions gain {:.0f} points; the taxonomy as a hint costs {:.0f} against Long',
            gain, loss
        ) end as title
from lines
left join told using (provenance)
order by domain_place(domain), domain, place, prompt, captioner

VISUALISE prompt AS x
DRAW line MAPPING score AS y SETTING stroke => '#949494', linewidth => 0.5 PARTITION BY captioner
DRAW line MAPPING named AS y SETTING stroke => '#b34700', linewidth => 1.2 PARTITION BY captioner
DRAW line MAPPING mean AS y SETTING stroke => '#1a1a1a', linewidth => 1.8
DRAW text MAPPING line_end AS y, captioner_name AS label SETTING hjust => 'left', offset => [8, 0]
    PARTITION BY captioner
FACET domain SETTING ncol => 3
SCALE x RENAMING 'Taxonomy-Hinted' => 'Hinted'
LABEL title => 'How the caption prompt moves the score', subtitle => 'Thick: the mean; named: first and last by Simple',
    y => 'score, %'
