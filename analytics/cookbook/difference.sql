-- recipe: difference
-- asks: Is the difference between two captioners real?
-- tells: "points of accuracy that A leads by, paired and clustered by picture; captionlake compare corrects for many comparisons"
-- first: 8
-- parameters:
--   a: [null, id of a captioner]
--   b: [null, of another one]
--   prompt: [Simple, caption prompt]
--   protocol: [captionqa/upstream, how questions were put]
-- example: {a: stub-captioner-large, b: stub-captioner-small}

with two as (
    select
        x.image_id, x.domain, count(*) as questions,
        sum(case when x.outcome = 'correct' then 1 else 0 end) - sum(case when y.outcome = 'correct' then 1 else 0 end) as net
    from answers as x
    join answers as y using (protocol, reader, evidence, prompt, question_id, repeat)
    where x.evidence = 'caption' and x.repeat = 0 and x.prompt = $prompt and x.protocol = $protocol
        and x.captioner = $a and y.captioner = $b
    group by x.image_id, x.domain
),

domains as (
    select domain, sum(questions) as questions, count(*) as pictures, sum(net) / sum(questions) as lead
    from two
    group by domain
)

select
    domain, d.questions, d.pictures, round(100 * d.lead, 2) as lead,
    round(100 * sqrt(sum(power(t.net - d.lead * t.questions, 2)) * d.pictures / nullif(d.pictures - 1, 0)) / d.questions, 2) as lead_se
from two as t
join domains as d using (domain)
group by domain, d.questions, d.pictures, d.lead
order by domain;
