-- for:
--   stability_accuracy: {metric: accuracy, figure: "15", number: "11"}
--   stability_score: {metric: score, figure: "16", number: "12"}
-- shows: How the $metric of the best captioners settles with more images
-- paper: CaptionQA, Figure $figure
-- benchmark: captionqa
-- place: $number

select
    captioner, captioner_name, domain, protocol, reader, prompt, provenance, n_images, $metric,
    case when place <= 2 then greatest($metric - $metric_sd, 0) end as band_from,
    case when place <= 2 then least($metric + $metric_sd, 100) end as band_to,
    case when n_images = last_images then $metric end as last_value,
    case
        when min_over(n_captioners, board) > 1
            and round(min_over(if(of_ten, $metric_sd, null), board),
                1) < round(max_over(if(of_ten, $metric_sd, null), board), 1)
            then format(
                'With 10 images the $metric of a captioner varies by {:.1f} to {:.1f} points',
                min_over(if(of_ten, $metric_sd, null), board), max_over(if(of_ten, $metric_sd, null), board)
            )
    end as title
from (
    select
        *, max_over(n_images, part) as last_images, n_images = 10 and last_images >= 20 as of_ten,
        distinct_over(captioner, part) as n_captioners,
        dense_rank() over (partition by part order by final desc, captioner) as place
    from (
        select
            *, concat_ws('/', provenance, protocol, reader, prompt) as board, concat_ws('/', board, domain) as part,
            arg_max_over($metric, n_images, row(part, captioner)) as final
        from ranking_trajectories
        semi join shown_readers using (protocol, reader, provenance)
    )
)
where place <= 6
order by domain_order(domain), domain, place desc, n_images

VISUALISE n_images AS x
DRAW ribbon MAPPING band_from AS ymin, band_to AS ymax SETTING fill => '#e8b9a5', opacity => 0.4 PARTITION BY captioner
DRAW line MAPPING $metric AS y SETTING stroke => '#595959' PARTITION BY captioner
DRAW text MAPPING last_value AS y, captioner_name AS label SETTING hjust => 'left', offset => [8, 0]
SCALE x VIA log10
FACET domain SETTING ncol => 2, free => ['x', 'y']
LABEL title => 'How the $metric of the best captioners settles with more images', x => 'images', y => '$metric, %',
    subtitle => 'Mean over random orders of the images; bands of the two best: one standard deviation'
