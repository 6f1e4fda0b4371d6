-- shows: Does a reader prefer a position among the options?
-- about: A reader that is right as often at every letter has no preference that costs it anything.

with shown as (
    select a.reader, a.provenance, list_position(q.option_order, a.choice_index) as place,
        list_position(q.option_order, q.answer_index) as right_place
    from counted_answers as a
    join questions as q using (question_id)
    where a.evidence = 'caption' and a.choice_index is not null and a.protocol = 'captionqa/upstream'
        and len(q.options) >= 3
)

select
    reader, provenance, chr(cast(64 + place as integer)) as letter, count(*) as chosen,
    round(100 * count(*) / sum(count(*)) over (partition by reader, provenance), 1) as share,
    round(100 * avg(case when place = right_place then 1 else 0 end), 1) as right_when_chosen
from shown
group by reader, provenance, place
order by reader, provenance, place;
