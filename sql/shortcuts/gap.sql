-- macro: [model]
-- what: the utility gaps of a model, by its id or name, in every domain and overall
-- example: select prompt, domain, image_accuracy, caption_accuracy, gap, gap_low, gap_high, provenance from
--     gap('gpt-5')
-- like: captionqa_gap

with known as (
    select case
        when model is null or count(*) = 0 or bool_or(lower(n.name) = lower(model)) then true
        else error(format(
            'the lake has no gap of {}; nearest: {}', model,
            arg_min(n.name, damerau_levenshtein(lower(n.name), lower(model)) + damerau_levenshtein(n.name,
                model) / 100.0)
        ))
    end as is_known
    from (select g.captioner as name from captionqa_gap as g union select g.captioner_name from captionqa_gap as g) as n
)

select
    g.captioner, g.captioner_name, g.prompt, g.domain, g.image_accuracy, g.image_accuracy_low, g.image_accuracy_high,
    g.caption_accuracy, g.caption_accuracy_low, g.caption_accuracy_high, g.gap, g.gap_se, g.gap_low, g.gap_high,
    g.relative_gap, g.relative_gap_low, g.relative_gap_high, g.n_images, g.n_questions, g.protocol, g.reader,
    g.provenance, g.origin
from captionqa_gap as g
where lower(model) in (lower(g.captioner), lower(g.captioner_name)) and (select is_known from known)
order by
    case g.provenance when 'measured' then 1 when 'published' then 2 else 3 end, g.protocol, g.reader, g.prompt,
        g.origin,
    case when g.domain = 'Overall' then 1 else 0 end, g.domain;
