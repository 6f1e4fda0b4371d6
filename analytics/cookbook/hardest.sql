-- recipe: hardest
-- asks: Which questions does hardly any captioner answer?
-- first: 6
-- parameters:
--   n: [20, rows at most]

select domain, category, question, answer, n_correct, n_models, question_id, picture
from hardest($n);
