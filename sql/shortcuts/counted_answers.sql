-- what: the answers that count in results, which are those of the table answers without what stale_answers lists
-- example: select reader, prompt, outcome, count(*) from counted_answers group by all
-- like: answers

{answers};
