-- An example, its made up
-- For Spark 4 or later: spark-sql -f FILE, or statement by statement in a notebook, in this order.
-- Script 0123.

set spark.sql.session.timeZone=UTC;
set spark.sql.ansi.enabled=true;
set spark.sql.caseSensitive=false;
set spark.sql.parser.escapedStringLiterals=false;
set spark.sql.legacy.sizeOfNull=false;
set spark.sql.timestampType=TIMESTAMP_LTZ;
set spark.sql.parquet.writeLegacyFormat=false;
set spark.sql.parquet.int96RebaseModeInRead=CORRECTED;

create or replace temporary function score_parts(score double) returns bigint
return cast(round(score * 232792560) as bigint);
create or replace temporary function seed() returns bigint
return 7;
create or replace temporary function chosen() returns string
return 'a\u003Bb';
create or replace temporary function in_pool(x string) returns boolean
return array_contains(array('it\'s', 'Simple'), x);

create or replace temporary view `answers_files` (`reader` string, `score` double, `repeat` int, `options` array<string>, `asked_at` timestamp)
using parquet options (path '{/lake/answers/a-1.parquet,/a lake \\{1\\}/answers/b\\,2\\*.parquet}');
create or replace temporary view `answers` as
select *, regexp_extract(input_file_name(), '([^/]+)[.]parquet$', 1) as `unit`
from `answers_files`;
create or replace temporary view `votes_files` as
select cast(null as string) as `winner`
where false;
create or replace temporary view `votes` as
select *, regexp_extract(input_file_name(), '([^/]+)[.]parquet$', 1) as `unit`
from `votes_files`;
create or replace temporary view `changes` as
select cast(`name` as string) as `name`, cast(`place` as bigint) as `place`
from values
    ('it\'s\u003B a \\ "name"', '1'),
    (null, null)
as t (`name`, `place`);
create or replace temporary view `none` as
select cast(null as boolean) as `x`
where false;

-- left_out: rows that do not count, or so
insert overwrite directory 's3a://bucket/results/left_out' using parquet options (compression 'zstd')
select /*+ rebalance(`unit`) */ cast(`unit` as string) as `unit`, cast(`reader` as string) as `reader`
from (
select unit, `reader` from answers
where reader not like 'it\'s\u003B %'
) as computed
sort by `unit`, `reader`;
create or replace temporary view `left_out` (`unit` string, `reader` string)
using parquet options (path 's3a://bucket/results/left_out');
create or replace temporary view `counted_answers` as
select x.* from `answers` as x where not exists (select 1 from `left_out` as s where s.`unit` = x.`unit`);

-- middle: helps
create or replace temporary view `middle` as
select reader, sum(n) as n from left_out group by reader;

-- sums: counts and sums
insert overwrite directory 's3a://bucket/results/sums' using parquet options (compression 'zstd')
select /*+ rebalance(`reader`) */ cast(`reader` as string) as `reader`, cast(`n` as bigint) as `n`, cast(`parts` as decimal(38,12)) as `parts`
from (
select cast(reader as string) as reader, count(*) filter (where in_pool(reader)) as n, cast(sum(score_parts(score)) as decimal(38, 12)) as parts
from counted_answers inner join middle using (reader) inner join changes as c on c.name = chosen() where seed() = 7 group by reader
) as computed
sort by `reader`;
create or replace temporary view `sums` (`reader` string, `n` bigint, `parts` decimal(38,12))
using parquet options (path 's3a://bucket/results/sums');

-- again: all files again
insert overwrite directory 's3a://bucket/results/again' using parquet options (compression 'zstd')
select cast(`n` as bigint) as `n`
from (
select count(*) as n from answers
) as computed;
create or replace temporary view `again` (`n` bigint)
using parquet options (path 's3a://bucket/results/again');

-- What was written: results without this are not whole.
insert overwrite directory 's3a://bucket/results/finished' using parquet options (compression 'zstd')
select /*+ coalesce(1) */ cast('0123' as string) as script, cast(version() as string) as version, cast(folder as string) as folder, cast(n_rows as bigint) as n_rows
from (
    select 'left_out' as folder, count(*) as n_rows from `left_out`
    union all
    select 'sums' as folder, count(*) as n_rows from `sums`
    union all
    select 'again' as folder, count(*) as n_rows from `again`
) as counted;
