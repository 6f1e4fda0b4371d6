-- shows: The first of each benchmark
-- each: benchmark
-- columns:
--   - {name: captioner_name, head: Captioner}
--   - {name: place, decimals: 0}
--   - {name: score, decimals: 1}

-- Each benchmark shows one board with several captioners. CaptionQA shows the prompt Simple, and the paper's board
-- before others.
with shown as (
    select s.*, replace(s.benchmark, '-auto', '') as about
    from benchmark_scores as s
    semi join shown_boards as b on b.board_id = s.series and b.captioner = s.captioner and b.origin = s.origin
    where s.place is not null
    qualify dense_rank() over (partition by about, s.provenance order by prompt_place(s.prompt), s.series_place,
        s.board_place) = 1
)

select
    * exclude (benchmark, note), about as benchmark, series_name as title,
    number_of(n_models, 'captioner') || '.' as note
from shown
qualify row_number() over (partition by about, provenance order by place, captioner_name, captioner) <= 5
order by list_position(['captionqa', 'capability', 'cv-capbench', 'caparena'], about), place, captioner_name, captioner
