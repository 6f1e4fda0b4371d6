-- shows: The first of each benchmark
-- reads: [benchmark_scores]
-- all: true
-- each: benchmark
-- columns:
--   - {name: captioner_name, head: Captioner}
--   - {name: place, decimals: 0}
--   - {name: score, decimals: 1}

with boards as (
    select *, replace(benchmark, '-auto', '') as board
    from benchmark_scores
    qualify dense_rank() over (partition by board, provenance order by prompt <> 'Simple', protocol <> 'captionqa/upstream', series_place, series) = 1
)

select * exclude (benchmark), board as benchmark, series_name as title, format('{} captioners.', count(*) over (partition by board, provenance)) as note
from boards
qualify row_number() over (partition by board, provenance order by place, captioner_name) <= 5
order by list_position(['captionqa', 'capability', 'cv-capbench', 'caparena'], board), place, captioner_name
