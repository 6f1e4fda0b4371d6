-- shows: Which captions do people prefer?

select
    place, place_low, place_high, captioner_name, round(elo) as elo, round(bradley_terry) as bradley_terry, win_rate, n_battles,
    provenance, note
from arena_ranking
where judge = 'people' and benchmark = 'caparena'
order by provenance, place;
