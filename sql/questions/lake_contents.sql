-- shows: What is in this lake, and where is it from?

select 'answers' as in_table, protocol, reader, evidence, prompt, provenance, count(distinct captioner) as captioners,
    count(*) as rows
from answers
group by all
union all by name
select 'captions' as in_table, prompt, provenance, count(distinct captioner) as captioners, count(*) as rows
from captions
group by all
union all by name
select 'votes' as in_table, protocol, judge as reader, provenance, count(*) as rows
from votes
group by all
union all by name
select
    'judgments' as in_table, benchmark as protocol, judge as reader, provenance,
    count(distinct captioner) as captioners, count(*) as rows
from judgments
group by all
order by in_table, protocol, reader, evidence, prompt;
