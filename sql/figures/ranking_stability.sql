-- shows: How many images a stable ranking needs
-- paper: CaptionQA, Section 11
-- benchmark: captionqa
-- place: 13

select
    domain, metric, protocol, reader, prompt, provenance, n_images, spearman,
    greatest(spearman - spearman_sd, -1) as band_from,
    least(spearman + spearman_sd, 1) as band_to, kendall,
    min_over(if(n_images > too_few, n_images, null), provenance) as enough,
    case when min_over(n_models, provenance) > 2
        and max_over(if(spearman - spearman_sd < 0.95, 2 * n_images / all_images, null), provenance) < 1
        then format('From {} images on, captioners rank as with all images: ρ is above 0.95', enough) end as title
from (
    select *, max_over(if(spearman - spearman_sd < 0.95, n_images, null), provenance) as too_few
    from ranking_stability
    semi join shown_readers using (protocol, reader, provenance)
    where metric = 'score' and spearman is not null
)
order by domain_order(domain), domain, n_images

VISUALISE
DRAW rule MAPPING 0.95 AS y SETTING linetype => 'dashed', stroke => '#8a8a8a'
DRAW ribbon MAPPING n_images AS x, band_from AS ymin, band_to AS ymax SETTING fill => '#e8b9a5', opacity => 0.6
DRAW line MAPPING n_images AS x, spearman AS y, 'Spearman’s ρ' AS stroke
DRAW line MAPPING n_images AS x, kendall AS y, 'Kendall’s τ' AS stroke
SCALE x VIA log10
SCALE stroke TO ['#b34700', '#7f7f7f']
FACET domain SETTING ncol => 2, free => 'x'
LABEL title => 'How many images a stable ranking needs', x => 'images', y => 'correlation with the full ranking',
    subtitle => 'Mean over random subsets by score; band: one standard deviation of ρ; dashed: 0.95'
