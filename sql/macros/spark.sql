-- Folds of a lake, written by captionlake. For Spark 4 or later: spark-sql -f FILE, or statement by statement in a
-- notebook, in this order.

-- The meaning of the queries depends on these settings, so they do not come from the cluster: the time zone, errors
-- instead of nulls for overflow and for texts that are no numbers, names in quotation marks, escapes in literals, and
-- timestamps as instants.
set spark.sql.session.timeZone=UTC;
set spark.sql.ansi.enabled=true;
set spark.sql.ansi.doubleQuotedIdentifiers=true;
set spark.sql.caseSensitive=false;
set spark.sql.variable.substitute=false;
set spark.sql.parser.escapedStringLiterals=false;
set spark.sql.legacy.consecutiveStringLiterals.enabled=false;
set spark.sql.legacy.sizeOfNull=false;
set spark.sql.timestampType=TIMESTAMP_LTZ;
set spark.sql.parquet.writeLegacyFormat=false;
set spark.sql.parquet.int96RebaseModeInRead=CORRECTED;

-- The functions that folds call. Each function gives the same result as the macro of its name in spellings.sql gives in
-- DuckDB, to the last digit.

create or replace temporary function outcome_parts(outcome string, options int) returns bigint
return case outcome
    when 'correct' then 232792560
    when 'cannot' then cast(round(cast(232792560 as double) / options) as bigint) + 11639628
    else 0
end;

create or replace temporary function score_of_parts(parts bigint) returns double
return cast(parts as double) / 232792560;

create or replace temporary function micros_of(moment timestamp) returns bigint
return unix_micros(moment);

create or replace temporary function call_key(request_hash string) returns string
return substr(request_hash, 1, 12);

create or replace temporary function condition_of(
    protocol string, reader string, evidence string, captioner string, prompt string, provenance string
) returns string
    return substr(md5(concat_ws(chr(10), protocol, reader, evidence, captioner, prompt, provenance)), 1, 12);

create or replace temporary function text_digest(x string) returns string
return md5(encode(x, 'UTF-8'));

-- DuckDB multiplies in double precision and rounds the product. A cast in Spark would round the decimal text of the
-- number.
create or replace temporary function exact_twelve(x double) returns decimal(38,12)
return cast(cast(round(x * 1e12) as bigint) * cast(0.000000000001 as decimal(12,12)) as decimal(38,12));

create or replace temporary function whole_product(x bigint, y bigint) returns decimal(38,0)
return cast(x as decimal(19,0)) * cast(y as decimal(19,0));

create or replace temporary function words_of(x string) returns int
return array_size(filter(split(regexp_replace(
    x, '[\\t-\\r\\x{85}\\x{A0}\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}\\x{202F}\\x{205F}\\x{3000}]', ' '
), ' '), word -> word <> ''));

create or replace temporary function verdict_of(predicted array<string>, annotated string) returns string
return case
    when array_size(predicted) = 0 then null
    when array_contains(predicted, annotated) then 'positive'
    when array_size(filter(predicted, category -> category <> 'N/A')) = 0 then 'miss'
    else 'negative'
end;

-- DuckDB reads the last eight bytes of a digest as a number, the lowest byte first.
create or replace temporary function question_number(question_id string) returns bigint
return cast(conv(regexp_replace(substr(md5(encode(question_id, 'UTF-8')), 17, 10), '(..)(..)(..)(..)(..)',
    '$5$4$3$2$1'), 16, 10) as bigint);

create or replace temporary function pool_lot(seed bigint, question_id string, captioner string,
    prompt string) returns string
return md5(encode(concat_ws(char(10), 'captionlake/pool/1', cast(seed as string), question_id, captioner, prompt),
    'UTF-8'));
