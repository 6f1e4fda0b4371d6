-- The few spellings that differ between engines or that must be the same in every model. A port of the models to
-- another engine defines these and nothing else.

-- A number with 15 digits after the point: sums of such numbers do not depend on the order of the rows or on threads.
create or replace temp macro exact(x) as cast(x as decimal(18, 15));

-- One number divided by another; null when there is nothing to divide by.
create or replace temp macro ratio_of(part, whole) as cast(part as double) / nullif(whole, 0);

-- A share in percent; null when there is nothing to take a share of.
create or replace temp macro percent_of(part, whole) as cast(part as double) * 100 / nullif(whole, 0);

-- The texts of a group, sorted, with commas between them; nulls are left out; null when there is none.
create or replace temp macro joined_text(x) as string_agg(x, ', ' order by x);

-- The model_id of the reader whose scores the CaptionQA paper prints (section 3.5: Qwen2.5 72B).
create or replace temp macro paper_reader() as 'qwen2.5-72b';

-- A number as text with so many digits after the point.
create or replace temp macro fixed_text(x, digits) as case digits
    when 0 then cast(cast(round(x, 0) as decimal(18, 0)) as varchar)
    when 1 then cast(cast(round(x, 1) as decimal(18, 1)) as varchar)
    when 2 then cast(cast(round(x, 2) as decimal(18, 2)) as varchar)
    else cast(cast(round(x, 4) as decimal(18, 4)) as varchar)
end;

-- A list of one number for each row of a group, in an order that is given: what weighted_sum takes.
create or replace temp macro vector_of(x, place) as list(cast(x as float) order by place);

-- A list of the keys of a group, in order: what poisson_weights takes.
create or replace temp macro keys_of(x) as list(x order by x);

-- The numbers of the bootstrap draws, and the seed that all of them start from. Another seed gives other draws, the
-- same seed the same ones whatever else is in the lake, with one version of the engine.
create or replace temp macro bootstrap_draws() as table select cast(range as integer) as draw from range(1000);
create or replace temp macro bootstrap_seed() as 20250319;

-- How often each key of a list is drawn: a Poisson number with mean 1, from the inverse of its distribution function at
-- 32 bits of a hash of seed, key and draw. The hash is hashed once more because the engine joins the hashes of several
-- values by a mere xor, which would make all keys of a draw rise and fall together.
create or replace temp macro poisson_weights(keys, seed, draw) as list_transform(
    list_transform(keys, lambda k: hash(hash(seed, k, draw)) % 4294967296),
    lambda u: cast(case
        when u < 1580030168 then 0 when u < 3160060337 then 1 when u < 3950075421 then 2 when u < 4213413783 then 3
        when u < 4279248373 then 4 when u < 4292415291 then 5 when u < 4294609777 then 6 when u < 4294923276 then 7
        when u < 4294962463 then 8 when u < 4294966817 then 9 else 10
    end as float)
);

-- The sum of a vector's numbers, each times its weight. It is exact for whole numbers up to 16,777,216.
create or replace temp macro weighted_sum(weights, vector) as cast(list_dot_product(weights, vector) as double);

-- The value below which a share of a group lies, between two values where it falls between them.
create or replace temp macro quantile_of(x, share) as quantile_cont(x, share);

-- The average F1 of several dimensions: the F1 of the average precision and recall where the protocol says so
-- (CV-CapBench Table 2), else the mean of the F1s (CAPability Table 3).
create or replace temp macro average_f1(f1_of_means, precision_mean, recall_mean, f1_mean) as
    case when f1_of_means then coalesce(2 * precision_mean * recall_mean / nullif(precision_mean + recall_mean, 0), 0) else f1_mean end;

-- One of four figures, by the name of the metric.
create or replace temp macro metric_value(metric, precision_value, recall_value, f1_value, hit_rate_value) as
    case metric when 'precision' then precision_value when 'recall' then recall_value when 'f1' then f1_value else hit_rate_value end;
