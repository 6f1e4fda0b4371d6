-- shows: How long the captions of each prompt are
-- paper: CaptionQA, Figure 13
-- benchmark: captionqa
-- place: 9

select
    captioner, provenance, prompt, mean_words, mean_words_low, mean_words_high,
    coalesce(mean_words_high, mean_words) as label_at,
    case when captioner <> '' then captioner_name when origin = 'published' then prompt
        else 'Mean of the captioners' end as name,
    case when origin = 'published' then 'Mean over all captioners, as stated' else prompt end as panel,
    if(origin = 'published', 'Mean number of words', 'Mean number of words; domains have the same weight') as subtitle,
    case when captioner = '' then 'mean' else 'captioner' end as kind,
    case
        when max_over(if(of = 'Short', coalesce(mean_words_high, mean_words), null), board)
            < max_over(if(of = 'Long', coalesce(mean_words_low, mean_words), null), board)
                and (origin = 'published' or (
                min_over(if(of in ('Short', 'Long'), n_models, null), board) > 1
                and max_over(if(of in ('Short', 'Long'), n_models, null),
                    board) = count_over(has_both and prompt = 'Short', board)
            )) then format(
            'Short captions have {:.0f} words, Long ones {:.0f}', max_over(if(of = 'Short', mean_words, null), board),
            max_over(if(of = 'Long', mean_words, null), board)
        )
    end as title
-- The title compares means only if they are over the same captioners.
from (
    select
        *, case when captioner = '' then prompt end as of, concat_ws('/', provenance, origin) as board,
        captioner <> '' and any_over(prompt = 'Short', row(provenance, origin, captioner))
        and any_over(prompt = 'Long', row(provenance, origin, captioner)) as has_both
    from caption_lengths
    where domain = 'Overall' and (captioner <> '' or origin = 'published' or n_models > 1)
)
order by
    prompt_step(prompt), captioner = '' desc, max_over(mean_words, row(provenance, captioner, origin)) desc, name

VISUALISE name AS y
DRAW bar MAPPING mean_words AS x, kind AS fill
DRAW range MAPPING mean_words_low AS xmin, mean_words_high AS xmax SETTING hinge => null
DRAW text MAPPING label_at AS x, mean_words AS label SETTING format => '{:num %.0f}', hjust => 'left', offset => [3, 0]
SCALE fill FROM ['captioner', 'mean'] TO ['#b4b4b4', '#b34700'] RENAMING 'captioner' => '', 'mean' => ''
FACET panel
LABEL title => 'How long the captions of each prompt are', x => 'words'
