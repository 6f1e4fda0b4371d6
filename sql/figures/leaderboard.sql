-- shows: Captioners by the questions that a reader can answer from their captions
-- paper: CaptionQA, Table 3
-- benchmark: captionqa
-- place: 1
-- one: prompt

-- The title is about the board that the subtitle names. If the board has rows of another provenance, which are drawn
-- apart, the title does not say who leads.
with scored as (
    select
        * exclude (note), rank_low = 1 as level_with_best, captioner_name || ': ' || note as note,
        -- A printed row has no interval, so beside measured rows its place alone decides whether it leads.
        coalesce(rank_low, if(any_over(rank_low is not null, row(provenance, board_id)), rank, null)) = 1 as may_lead,
        concat_ws('/', provenance, prompt) as prompts,
        first_value(board) over (partition by prompts order by is_headline desc, board_place, board_id) as board_told,
        is_headline and count_over(true, row(board_id, provenance)) = n_models and n_models > 1
        and board_id = first_value(board_id) over (partition by prompts order by is_headline desc, board_place,
            board_id) as is_told
    from captionqa_ranks
    semi join shown_boards using (board_id, captioner, origin)
    where metric = 'score' and value is not null
),

led as (
    select
        *, (list(captioner_name order by value desc,
            captioner) filter (may_lead and is_told) over (partition by prompts)) as first,
        max_over(if(is_told, n_models, null), prompts) as n_told,
        min_over(if(is_told, value, null), prompts) as last_value,
        max_over(if(is_told, value, null), prompts) as first_value
    from scored
)

select
    * exclude (prompts), case when level_with_best then min_over(if(level_with_best, value_low, null),
        row(provenance, prompt, domain)) end as band_from,
    case when level_with_best then max_over(if(level_with_best, value_high, null),
        row(provenance, prompt, domain)) end as band_to,
    case when is_headline or rank = 1 then format('{:.1f}', value) end
    || case when is_headline and rank_high > rank_low then format('  ({}–{})', rank_low, rank_high)
        else '' end as words,
    coalesce(value_high, value) as right_end, model_type || ' model' as kind,
    case
        when len(first) = n_told then null
        when len(first) > 2 then format('{} captioners share the lead', len(first))
        when len(first) = 2 then array_to_string(first, ' and ') || ' share the lead'
        when len(first) = 1 then format(
            '{} leads: no other of the {} captioners reaches its score', list_extract(first, 1), n_told
        )
        when round(last_value, 1) < round(first_value, 1)
            then format('Scores run from {:.1f} to {:.1f}', last_value, first_value)
    end as title,
    format(
        '{}, {} prompt: score (%){}', board_told, prompt,
        case when any_over(rank_low is not null, prompts) then '; in brackets 95% of the places' else '' end
    ) as subtitle
from led
order by
    prompt_place(prompt), is_headline desc, domain_place(domain), domain,
    max_over(if(is_headline, value, null), row(provenance, prompt, captioner)) desc nulls last, value desc,
    captioner_name, captioner

VISUALISE captioner_name AS y
DRAW range MAPPING band_from AS xmin, band_to AS xmax, 'level with the best' AS stroke SETTING linewidth => 14,
    hinge => null
DRAW range MAPPING value_low AS xmin, value_high AS xmax, kind AS stroke SETTING hinge => null
DRAW point MAPPING value AS x, kind AS fill
DRAW text MAPPING right_end AS x, words AS label SETTING hjust => 'left', offset => [5, 0]
SCALE fill FROM ['open model', 'proprietary model', 'unknown model', 'rehearsal model']
    TO ['#595959', '#00508a', '#008560', '#595959']
SCALE stroke FROM ['open model', 'proprietary model', 'unknown model', 'rehearsal model', 'level with the best']
    TO ['#595959', '#00508a', '#008560', '#595959', '#e6e6e6']
FACET domain
LABEL title => 'Captioners by the questions that a reader can answer from their captions', x => 'score, %'
