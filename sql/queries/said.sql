-- What models said of the samples of a kind, a row of JSON for each condition that has a recorded reply or says
-- something of its own. There are millions, and they are put together for the few samples that are shown at a time:
-- DuckDB keeps rows on disk that memory cannot hold, but not lists that it is making.

create or replace temp table {kind}_said as
with replies as (
    {replies}
)

select
    a.i, a.c,
    cast(json_array(
        a.c, coalesce(nullif(r.reply, ''), a.own), r.prompt_tokens, r.completion_tokens, r.finish_reason,
        nullif(r.reasoning, ''), nullif(r.error, '')
    ) as varchar) as said
from {kind}_asked as a
left join replies as r on r.request_hash = a.request_hash and r.repeat = a.repeat
where r.request_hash is not null or a.own is not null;

create or replace temp table {kind}_captions as
select image_id, captioner, prompt, caption, words, tokens, finish_reason, provenance
from captions
where image_id in (select image from {kind}_items);
