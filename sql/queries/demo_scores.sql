select -- the scores of rehearsal models that both demos print, with intervals
    rank, captioner_name as model, reader, round(overall, 2) as overall, round(overall_low, 1) as low,
    round(overall_high, 1) as high
from leaderboard
where prompt = 'Simple' and provenance = 'simulated' and protocol = 'captionqa/upstream'
order by board_place, rank, captioner_name;
