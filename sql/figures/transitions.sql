-- shows: What each step of the caption prompt gains
-- paper: CaptionQA, Figures 17 to 19 and Section 14.3
-- benchmark: captionqa
-- place: 14
-- computed: true

select
    case level when 'domain' then domain else category || case when n_domains > 1 then ' (' || domain || ')' else '' end end as name,
    domain, transition, protocol, reader, provenance, accuracy_gain,
    case when accuracy_gain_low > -100 then accuracy_gain_low when accuracy_gain_low <= -100 then -100 end as low,
    case when accuracy_gain_high < 100 then accuracy_gain_high when accuracy_gain_high >= 100 then 100 end as high,
    case
        when min(n_models) filter (where transition in ('Short to Simple', 'Simple to Long')) over board > 1
            and max(mean_low) filter (where transition = 'Short to Simple') over board
            > greatest(0, max(mean_high) filter (where transition = 'Simple to Long') over board)
            and max(mean_high) filter (where transition = 'Simple to Long') over board is not null
            then format(
                'From Short to Simple captions gain {:.0f} points, from Simple to Long {}',
                max(mean_gain) filter (where transition = 'Short to Simple') over board,
                replace(round(max(mean_gain) filter (where transition = 'Simple to Long') over board)::integer::varchar, '-', '−')
            )
    end as title, note
from (
    select *, count(distinct domain) over (partition by provenance, level, transition, category) as n_domains
    from prompt_transitions
    left join (
        select
            change_id, level, mean_accuracy_gain as mean_gain, coalesce(mean_accuracy_gain_low, mean_accuracy_gain) as mean_low,
            coalesce(mean_accuracy_gain_high, mean_accuracy_gain) as mean_high
        from prompt_transition_summary
    ) using (change_id, level)
    semi join shown_readers using (protocol, reader, provenance)
    where level in ('category', 'domain') and transition <> 'Short to Long'
) as s
window board as (partition by provenance)
qualify bool_or(level = 'category') over board = (level = 'category')
order by
    domain, max(accuracy_gain) filter (where transition = 'Short to Simple') over (partition by provenance, domain, category) desc, name,
    transition = 'Long to Taxonomy-Hinted', transition

VISUALISE name AS y, domain AS fill, domain AS stroke
PLACE rule SETTING x => 0
DRAW range MAPPING low AS xmin, high AS xmax SETTING hinge => null
DRAW point MAPPING accuracy_gain AS x
FACET transition
SCALE panel RENAMING 'Long to Taxonomy-Hinted' => 'Long to Hinted'
LABEL title => 'What each step of the caption prompt gains', x => 'points',
    subtitle => 'Gain in mean accuracy over captioners'
