-- shows: Which questions does hardly any captioner answer?

select domain, category, question, answer, n_correct, n_models, question_id, picture
from hardest(20);
