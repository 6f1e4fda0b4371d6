-- shows: CaptionQA, the row of the public leaderboard
-- parameters: {captioner: null, prompt: null, reader: null}
-- form: text
-- file: "{captioner}/leaderboard-{prompt}.html"

-- Overall and the four domains, by one reader, over all questions of the bank.
with asked as (
    select captioner, prompt, provenance
    from captions
    where captioner = coalesce($captioner, captioner) and prompt = coalesce($prompt, (from main_prompt))
    group by captioner, prompt, provenance
),

domains as (
    select 0 as place, 'Overall' as domain, count(*) as n_bank from questions
    union all
    select list_position(['Natural', 'Document', 'E-commerce', 'Embodied AI'], domain), domain, count(*) from questions group by domain
),

scores as (
    select
        s.captioner, s.prompt, s.reader, s.provenance, any_value(s.captioner_name) as name, any_value(s.size) as size,
        any_value(s.model_type) as model_type, list(printf('%.2f', s.score) order by d.place) as cells,
        bool_and(s.n_questions = d.n_bank) as is_whole
    from captionqa_scores as s
    inner join domains as d on d.domain = s.domain
    where s.level in ('overall', 'domain') and s.evidence = 'caption' and s.origin = 'answers' and s.protocol = 'captionqa/upstream'
        and s.reader = coalesce($reader, (select r.reader from shown_readers as r where r.provenance = s.provenance))
    group by s.captioner, s.prompt, s.reader, s.provenance
),

dates as (
    select a.captioner, a.prompt, a.reader, max(r.finished_at) as answered_at
    from (
        select captioner, prompt, reader, unit from answers where evidence = 'caption' and protocol = 'captionqa/upstream' group by all
    ) as a
    inner join runs as r on r.unit = a.unit and r.current
    group by a.captioner, a.prompt, a.reader
),

rows_of as (
    select
        asked.captioner, asked.prompt, coalesce(s.provenance, asked.provenance) as provenance, s.reader, s.cells, s.is_whole, s.size, dates.answered_at,
        replace(replace(replace(coalesce(s.name, asked.captioner), '&', '&amp;'), '<', '&lt;'), '>', '&gt;') as name,
        coalesce(nullif(m.organization, ''), '-') as organization,
        case coalesce(s.model_type, '')
            when 'open' then '<span class="badge badge-success">Open-Source</span>'
            when 'proprietary' then '<span class="badge badge-primary">Proprietary</span>'
            else '-'
        end as badge
    from asked
    left join scores as s on s.captioner = asked.captioner and s.prompt = asked.prompt
    left join dates on dates.captioner = s.captioner and dates.prompt = s.prompt and dates.reader = s.reader
    left join models as m on m.model_id = asked.captioner
)

select
    captioner, prompt, provenance,
    case when is_whole and len(cells) = 5 then concat(
        '<tr>', chr(10), array_to_string([
            format('  <td class="align-middle text-center">{}</td>', cell) for cell in list_concat(
                [
                    format('-<br><span class="eval-date">{}</span>', strftime(answered_at, '%Y-%b-%d')),
                    format('{}<br><span class="affiliation">{}</span>', name, organization), badge, coalesce(nullif(size, ''), '-')
                ],
                cells
            )
        ], chr(10)), chr(10), '</tr>'
    ) end as content,
    case
        when reader is null then format('{} under {} has no row for the leaderboard, since no reader has answered the questions of its captions', captioner, prompt)
        when not is_whole or len(cells) < 5 then format('{} under {} has no row for the leaderboard, since {} has not answered all questions of four domains', captioner, prompt, reader)
        when reader <> 'qwen2.5-72b' then format('{} under {}: the scores of the leaderboard are by qwen2.5-72b, and these are by {}', captioner, prompt, reader)
    end as note
from rows_of
order by captioner, prompt, reader
