-- What engines might disagree about: texts with quotation marks, line breaks and rare white space, which are in the list twice so that
-- neighbours are in it, hashes, and nulls. The SELECT of a table follows.
with texts as (
    select ['a', 'it''s; a \ "b"', 'line' || chr(10) || 'break ab' || chr(10), 'ä' || chr(160) || 'ö' || chr(8195) || 'ü' || chr(12288) || chr(9) || 'x', '', 'x/y/z',
        '{1,2}*', chr(8232) || 'z', 'Ａ😀', '%_'] as texts
),
made as (
    select
        i, lpad(i::varchar, 3, '0') as id, texts[i % 10 + 1] as text, texts[(i + 1) % 10 + 1] as next_text, texts[(i // 3) % 10 + 1] as text_3,
        texts[(i // 7) % 10 + 1] as text_7, if(i % 5 = 0, lpad(i::varchar, 12, '0') || lpad(i::varchar, 36, '0'), '') as request_hash,
        if(i % 3 = 0, null, repeat('0', 32)) as caption_digest, 'measured' as provenance
    from texts, range(400) as r (i)
)
