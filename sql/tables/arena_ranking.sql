-- shows: Captioners ranked by people who compared their captions
-- asks: Which captions do people prefer?
-- paper: CapArena, Figure 1
-- benchmark: caparena
-- columns:
--   - {name: place, decimals: 0, best: lowest, ends: true}
--   - {name: captioner_name, head: Captioner}
--   - {name: elo, decimals: 0, best: highest}
--   - {name: bradley_terry, head: Bradley-Terry, decimals: 0, best: highest}
--   - {name: bradley_terry_weighted, head: weighted, decimals: 0, best: highest}
--   - {name: davidson, decimals: 0, best: highest}
--   - {name: style, head: Equal lengths, decimals: 0, best: highest}
--   - {name: win_rate, head: Win rate (%), decimals: 1, best: highest}
--   - {name: n_battles, head: Battles, decimals: 0}

select
    * exclude (note), arena_heading(benchmark, provenance) as section, benchmark as best_among,
    case
        when max(elo) over (partition by provenance) is null
            then 'The order alone: the paper prints ratings as a drawing, and its released code the order.'
        else 'Place and Elo: median over bootstrap samples of battles, as in the released code. Other ratings: '
            || 'maximum likelihood, intervals clustered by image; weighted: against the sampling of pairs, as in the '
            || 'paper''s text; Davidson: with ties of their own; equal lengths: with the difference of lengths as a '
            || 'covariate. 1000 is the mean of the captioners, 400 points are odds of 10 to 1.'
    end as note
from arena_ranking
where judge = 'people'
order by place nulls last, benchmark, captioner
