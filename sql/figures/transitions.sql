-- shows: What each step of the caption prompt gains
-- paper: CaptionQA, Figures 17 to 19 and Section 14.3
-- benchmark: captionqa
-- place: 14
-- computed: true

select
    case level when 'domain' then domain else category || case when n_domains > 1 then ' (' || domain || ')'
        else '' end end as name,
    domain, transition, protocol, reader, provenance, accuracy_gain,
    case when accuracy_gain_low > -100 then accuracy_gain_low when accuracy_gain_low <= -100 then -100 end as low,
    case when accuracy_gain_high < 100 then accuracy_gain_high when accuracy_gain_high >= 100 then 100 end as high,
    case
        when min_over(if(transition in ('Short to Simple', 'Simple to Long'), n_models, null), provenance) > 1
            and max_over(if(transition = 'Short to Simple', mean_low, null), provenance)
            > greatest(0, max_over(if(transition = 'Simple to Long', mean_high, null), provenance))
            and max_over(if(transition = 'Simple to Long', mean_high, null), provenance) is not null
            then format(
                'From Short to Simple {} {:.0f} points, from Simple to Long {}',
                if(level = 'domain', 'domains gain on average', 'captions gain'),
                max_over(if(transition = 'Short to Simple', mean_gain, null), provenance),
                replace(round(max_over(if(transition = 'Simple to Long', mean_gain, null),
                    provenance))::integer::varchar, '-', '−')
            )
    end as title, note
from (
    select *, distinct_over(domain, row(provenance, level, transition, category)) as n_domains
    from prompt_transitions
    left join (
        select
            change_id, level, mean_accuracy_gain as mean_gain,
            coalesce(mean_accuracy_gain_low, mean_accuracy_gain) as mean_low,
            coalesce(mean_accuracy_gain_high, mean_accuracy_gain) as mean_high
        from prompt_transition_summary
    ) using (change_id, level)
    semi join shown_readers using (protocol, reader, provenance)
    where level in ('category', 'domain') and transition <> 'Short to Long'
) as s
qualify any_over(level = 'category', provenance) = (level = 'category')
order by
    domain_order(domain), domain, max_over(if(transition = 'Short to Simple', accuracy_gain, null),
        row(provenance, domain, category)) desc, name,
    transition = 'Long to Taxonomy-Hinted', transition

VISUALISE
DRAW rule MAPPING 0 AS x
DRAW range MAPPING name AS y, low AS xmin, high AS xmax, domain AS stroke SETTING hinge => null
DRAW point MAPPING name AS y, accuracy_gain AS x, domain AS fill, domain AS stroke
FACET transition
SCALE panel RENAMING 'Long to Taxonomy-Hinted' => 'Long to Hinted'
LABEL title => 'What each step of the caption prompt gains', x => 'points',
    subtitle => 'Gain in mean accuracy over captioners'
