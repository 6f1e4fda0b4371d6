-- shows: CaptionQA, the row of the public leaderboard
-- parameters: {captioner: null, prompt: null, reader: null}
-- form: text
-- file: "{captioner}/leaderboard-{prompt}.html"

-- Overall and the four domains, by one reader, over all questions of the bank.
with asked as (
    select distinct captioner, prompt, provenance
    from captions
    where captioner = coalesce($captioner, captioner) and prompt = coalesce($prompt, (from main_prompt))
),

scores as (
    select
        r.captioner, r.prompt, r.reader, r.provenance, r.name, r.finished_at,
        list(printf('%.2f', s.score) order by domain_place(s.domain)) as cells,
        len(cells) = 5 and max(s.n_questions) = (select count(*) from questions) as is_whole
    from captionqa_records() as r
    inner join captionqa_scores as s using (condition_id, origin)
    where origin = 'answers' and s.level in ('overall', 'domain') and r.protocol = 'captionqa/upstream'
        and r.reader = coalesce($reader, (select o.reader from shown_readers as o where o.provenance = r.provenance))
    group by r.captioner, r.prompt, r.reader, r.provenance, r.name, r.finished_at
),

rows_of as (
    select
        captioner, prompt, coalesce(s.provenance, asked.provenance) as provenance, s.reader, s.cells, s.is_whole,
        [
            format('-<br><span class="eval-date">{}</span>', strftime(s.finished_at, '%Y-%b-%d')),
            format(
                '{}<br><span class="affiliation">{}</span>',
                replace(replace(replace(s.name, '&', '&amp;'), '<', '&lt;'), '>', '&gt;'),
                coalesce(nullif(m.organization, ''), '-')
            ),
            case m.model_type
                when 'open' then '<span class="badge badge-success">Open-Source</span>'
                when 'proprietary' then '<span class="badge badge-primary">Proprietary</span>'
                else '-'
            end,
            coalesce(nullif(m.size, ''), '-')
        ] as about
    from asked
    left join scores as s using (captioner, prompt)
    left join models as m on m.model_id = captioner
)

select
    captioner, prompt, provenance,
    case when is_whole then concat_ws(chr(10), '<tr>', array_to_string([
        format('  <td class="align-middle text-center">{}</td>', cell) for cell in list_concat(about, cells)
    ], chr(10)), '</tr>') end as content,
    format('{} under {} ', captioner, prompt) || case
        when reader is null
            then 'has no row for the leaderboard: no reader has answered questions about its captions'
        when not is_whole
            then format('has no row for the leaderboard: {} has not answered all questions of four domains', reader)
        when reader <> 'qwen2.5-72b'
            then format('is read by {} in this row; the readers of the leaderboard''s scores are qwen2.5-72b', reader)
    end as note
from rows_of
order by captioner, prompt, reader
