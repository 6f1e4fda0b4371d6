-- shows: All captioners
-- about: All captioners with results of a benchmark. Scores under the conditions that a leaderboard shows first.
-- site: {page: models, nav: Captioners, title: Captioners, place: 2}
-- columns:
--   - {name: captioner_name, head: Captioner}
--   - {name: organization, head: Made by, page: facet}
--   - {name: model_type, head: Type, page: facet}
--   - {name: size}
--   - {name: score, decimals: 1, across: series_name}

select
    score.captioner, score.captioner_name, score.series_name, score.series_place as across_place, score.score,
    score.score_low, score.score_high,
    score.provenance, coalesce(model.organization, '') as organization, coalesce(score.model_type, '') as model_type,
    coalesce(model.size, '') as size
from benchmark_scores as score
semi join shown_boards as b on b.board_id = score.series and b.captioner = score.captioner and b.origin = score.origin
left join models as model on model.model_id = score.captioner
order by score.captioner_name, score.captioner, score.series_place
