-- The few spellings that differ between engines or that must be the same in every model. A port of the models to
-- another engine defines these and three functions of numbers: t_quantile(df), the 0.975 quantile of Student's t, and
-- share_low and share_high(estimate, standard error, size, clusters), the ends of the 95% interval of a share by Korn
-- and Graubard, which analytics/STATISTICS.md explains.

-- A number with 15 digits after the point: sums of such numbers do not depend on the order of the rows or on threads.
create or replace temp macro exact(x) as cast(x as decimal(18, 15));

-- A longer number with 15 digits after the point, for sums that do not depend on the order of the rows.
create or replace temp macro exact_long(x) as cast(x as decimal(27, 15));

-- One number divided by another; null when there is nothing to divide by.
create or replace temp macro ratio_of(part, whole) as cast(part as double) / nullif(whole, 0);

-- A share in percent; null when there is nothing to take a share of.
create or replace temp macro percent_of(part, whole) as cast(part as double) * 100 / nullif(whole, 0);

-- The texts of a group, sorted, with commas between them; nulls are left out; null without any other text.
create or replace temp macro joined_text(x) as string_agg(x, ', ' order by x);

-- The model_id of the reader whose scores the CaptionQA paper prints (section 3.5: Qwen2.5 72B).
create or replace temp macro paper_reader() as 'qwen2.5-72b';

-- The caption prompt of CaptionQA's figures that show only one prompt.
create or replace temp macro paper_prompt() as 'Simple';

-- The protocol of the printed figures of CaptionQA.
create or replace temp macro paper_protocol() as 'captionqa/upstream';

-- The name of a model to show to people: the registry's, or else the printed one, or else its id.
create or replace temp macro model_name(id, printed := null, models := 'models') as
    coalesce((select name from query_table(models) where model_id = id), printed, id);

-- The name of a judge of battles, which may have seen a reference.
create or replace temp macro judge_name(judge, protocol, models := 'models') as
    model_name(judge, null, models) || case when protocol = 'caparena/battle-reference' then ' (with ref)' else '' end;

-- The printed value of a metric in a group of rows of the table published.
create or replace temp macro printed_value(metric, name, value) as max(case when metric = name then value end);

-- The bank that questions belong to, by their source. A bank often has several files, so the name of a file is not
-- enough.
create or replace temp macro bank_of(source) as
    case source when 'captionlake sample set' then 'sample' when 'captionlake simulation' then 'simulation'
        else 'ingested' end;

-- A number as text with so many digits after the point.
create or replace temp macro fixed_text(x, digits) as case digits
    when 0 then cast(cast(round(x, 0) as decimal(18, 0)) as varchar)
    when 1 then cast(cast(round(x, 1) as decimal(18, 1)) as varchar)
    when 2 then cast(cast(round(x, 2) as decimal(18, 2)) as varchar)
    else cast(cast(round(x, 4) as decimal(18, 4)) as varchar)
end;

-- The quantile of a group: a share of the group's values lies below it. It is interpolated between two values.
create or replace temp macro quantile_of(x, share) as quantile_cont(x, share);

-- The mean of a group, which does not depend on the order of the rows; nulls are left out.
create or replace temp macro mean_of(x) as cast(sum(exact(x)) as double) / nullif(count(x), 0);

-- A metric of the rubric from the counts of elements judged, mentioned and stated correctly: precision
-- P = correct / mentioned, 0 when nothing is; recall R = correct / judged; F1 = 2PR / (P + R), which is 2 correct /
-- (judged + mentioned).
create or replace temp macro rubric_figure(metric, n_all, n_hit, n_correct) as
    case when n_all > 0 then coalesce(case metric
    when 'precision' then percent_of(n_correct, n_hit)
    when 'recall' then percent_of(n_correct, n_all)
    when 'f1' then percent_of(2 * n_correct, n_all + n_hit)
    else percent_of(n_hit, n_all)
end, 0) end;

-- The dimensions behind each average of the rubric: every dimension alone, all dimensions of the paper's tables, the
-- static and the dynamic dimensions, and the dimensions of a view (CAPability Tables 3 to 5, CV-CapBench Tables 2 and
-- 3). The F1 of one dimension is the dimension's F1.
create or replace temp macro rubric_sections() as table
    select
        benchmark, s.section, s.kind, dimension, count(*) over (partition by benchmark, s.section) as n_expected,
        f1_of_means and s.kind <> 'dimension' as f1_of_means
    from rubric_columns()
    inner join rubric_protocols() using (benchmark)
    inner join rubric_dimensions() using (dimension)
    cross join lateral (
        values (dimension, 'dimension'), ('average', 'average'),
        (case when dynamic then 'dynamic' else 'static' end, 'part'), (view, 'part')
    ) as s (section, kind)
    where in_tables or s.kind = 'dimension';

-- The verdict from the categories of a closed set that the judge found: positive if the annotated category is among
-- them, miss if only N/A is, else negative (CAPability appendix B.2); null if the judge found no category.
create or replace temp macro verdict_of(predicted, annotated) as case
    when len(predicted) = 0 then null
    when list_contains(predicted, annotated) then 'positive'
    when len(list_filter(predicted, lambda category: category <> 'N/A')) = 0 then 'miss'
    else 'negative'
end;

-- A score in whole parts. The number of parts is a multiple of 20 and of every number of options up to 20, so the
-- scores of CaptionQA (1, 0 and 1/K + 0.05) are whole: sums are exact and ties are found, whatever the order of the
-- rows.
create or replace temp macro score_parts(score) as cast(round(score * 232792560) as bigint);
create or replace temp macro score_of_parts(parts) as cast(parts as double) / 232792560;

-- The score that an outcome gives, in whole parts: 1 for the key, 1/K + 0.05 for the cannot option where there are K
-- others (CaptionQA section 3.4).
create or replace temp macro outcome_parts(outcome, options) as case outcome
    when 'correct' then 232792560
    when 'cannot' then cast(round(cast(232792560 as double) / options) as bigint) + 11639628
    else 0
end;

-- The hits of a blind reader at which a candidate with so many options is dropped, as the authors' code has it
-- (CaptionQA section 4.3.2).
create or replace temp macro blind_drop_at(options, trials) as
    greatest((trials * case when options >= 5 then 6 when options = 4 then 7 when options = 3 then 8
        else 10 end + 9) // 10, 1);

-- The share, in percent, of candidates with so many options that the blind test drops although the reader guesses at
-- random: the probability of so many hits or more, each with the probability 1 / options.
create or replace temp macro random_drop_share(options, trials) as 100 * list_sum(list_transform(
    range(blind_drop_at(options, trials), trials + 1),
    lambda hits: exp(lgamma(trials + 1) - lgamma(hits + 1) - lgamma(trials - hits + 1) - hits * ln(options)
        + case when hits < trials then (trials - hits) * ln(1 - 1.0 / options) else 0 end)
));

-- A number as one with 12 digits after the point.
create or replace temp macro exact_twelve(x) as cast(x as decimal(38, 12));

-- The square of a deviation, with 12 digits after the point, so that sums of it do not depend on the order either.
create or replace temp macro exact_square(x) as cast((x) * (x) as decimal(38, 12));

-- The standard error of a mean in percent, from the sum over clusters of the squared deviations of the cluster's sum
-- from the sum that the mean predicts, the number of clusters and the denominator of the mean (the linearized variance
-- of a ratio with the correction clusters / (clusters - 1)); null below two clusters.
create or replace temp macro cluster_error(squares, clusters, denominator) as
    100 * sqrt(cast(squares as double) * clusters / nullif(clusters - 1, 0)) / nullif(denominator, 0);

-- A sum of whole numbers as a whole number.
create or replace temp macro total(x) as cast(sum(x) as bigint);

-- The product of two whole numbers, for sums that are exact.
create or replace temp macro whole_product(x, y) as cast(x as decimal(19, 0)) * cast(y as decimal(19, 0));

-- The sum over clusters of the squared deviations of x from r times n, from sums of x * x, x * n and n * n; 0 where
-- only rounding is left.
create or replace temp macro ratio_squares(r, xx, xn, nn) as case
    when cast(xx as double) - 2 * r * cast(xn as double) + r * r * cast(nn as double) <= 1e-12 * cast(xx as double)
        then 0
    else cast(xx as double) - 2 * r * cast(xn as double) + r * r * cast(nn as double)
end;

-- The standard error, in percent, of x / n from sums over so many clusters.
create or replace temp macro ratio_error_of(x, n, xx, xn, nn, clusters) as
    cluster_error(ratio_squares(ratio_of(x, n), xx, xn, nn), clusters, n);

-- The same for the ratio of two sums over a group in which each row is a cluster. x and n are whole numbers, and x is 0
-- in clusters where n is 0.
create or replace temp macro ratio_error(x, n) as ratio_error_of(
    sum(x), sum(n), sum(whole_product(x, x)), sum(whole_product(x, n)), sum(whole_product(n, n)),
    count(*) filter (where n > 0)
);

-- The effective number of clusters, from the sum of their sizes (total) and the sum of the squared sizes (squares): so
-- many clusters of equal size tell as much. It equals the number of clusters if all have the same size. The degrees of
-- freedom are this number minus one.
create or replace temp macro clusters_of(total, squares) as
    cast(total as double) * cast(total as double) / nullif(cast(squares as double), 0);

create or replace temp macro effective_clusters(n) as clusters_of(sum(n), sum(whole_product(n, n)));

-- Half the width of the 95% t interval of a mean over so many effective clusters.
create or replace temp macro t_margin(standard_error, clusters) as standard_error * t_quantile(clusters - 1.0);

-- Choices of a run of analyze: the seed of all sampling, the trials of the ranking stability, and the caption prompts
-- of the pool on which readers are compared. The first prompt is also the prompt of the ranking stability.
create or replace temp macro sampling_seed() as coalesce(getvariable('sampling_seed'), 1);
create or replace temp macro stability_trials() as coalesce(getvariable('stability_trials'), 100);
create or replace temp macro pool_prompts() as coalesce(getvariable('pool_prompts'), [paper_prompt()]);
create or replace temp macro in_pool(prompt) as list_contains(pool_prompts(), prompt);

-- The last 64 bits of an MD5 digest as a number, the same in every engine; md5_number_lower, which is this too, takes
-- four times as long.
create or replace temp macro last_digest_bits(x) as cast(md5_number(x) >> 64 as ubigint);

-- A number from 0 up to below 1 that depends on nothing but its arguments.
create or replace temp macro random_of(seed, label, trial, item) as
    last_digest_bits(concat_ws('/', seed, label, trial, item)) / 18446744073709551616.0;

-- A number of 40 bits made from the id of a question. The sum of these numbers tells sets of questions apart in every
-- engine.
create or replace temp macro question_number(question_id) as
    cast(last_digest_bits(question_id) % 1099511627776 as bigint);

-- The key by which a caption of a question is drawn for the pool of CaptionQA section 3.5, for a seed: the caption with
-- the least key, as text, is drawn. The stage that asks a reader about the pool alone draws with this macro, too.
create or replace temp macro pool_lot(seed, question_id, captioner, prompt) as
    md5(concat_ws(chr(10), 'captionlake/pool/1', seed, question_id, captioner, prompt));

-- The value of a group's row in which another value is least.
create or replace temp macro value_at_least(x, place) as arg_min(x, place);

-- The value of a group's row in which another value is least, the first by itself of several.
create or replace temp macro first_by(x, place) as first(x order by place, x);

-- The difference between a cluster's sum and the sum that the mean over all clusters predicts for a cluster of its
-- size.
create or replace temp macro surplus(part, size, whole_part, whole_size) as
    cast(part as double) - cast(whole_part as double) / nullif(whole_size, 0) * size;

-- A mean of counts with nine digits after the point, for sums that do not depend on the order of the rows.
create or replace temp macro exact_mean(x) as cast(x as decimal(27, 9));

-- The product of two numbers, for sums that do not depend on the order of the rows.
create or replace temp macro exact_product(x, y) as cast((x) * (y) as decimal(38, 12));

-- The mean over the n domains of a group, its standard error from the errors of the domains, which share no images, and
-- its effective number of clusters, one more than the degrees of freedom; null unless all n are known. In a mean over
-- several domains, a domain with equal results on all images has the error that share_error gives. The degrees of
-- freedom are Satterthwaite's, for images that vary alike in all domains: his ratio (Σv)² / Σ(v² / f) for variances v
-- and their degrees of freedom f, with the expected values of its numerator and denominator. A domain with few images
-- then has little weight, because its variance is little known.
create or replace temp macro domain_mean(x, n) as
    case when count(x) = max(n) then cast(sum(exact(x)) as double) / max(n) end;
create or replace temp macro domain_error(x, filled, n) as case
    when max(n) = 1 then max(x)
    when count(filled) = max(n) then sqrt(cast(sum(exact_square(filled)) as double)) / max(n)
end;
create or replace temp macro domain_clusters(x) as case when count(*) = 1 then max(x) when min(x) > 1 then
    (sum(exact_long(1 / x)) * sum(exact_long(1 / x)) + 2 * sum(exact_long(1 / (x * x * greatest(x - 1, 0.001)))))
    / cast(sum(exact_long((greatest(x - 1, 0.001) + 2) / power(x * greatest(x - 1, 0.001), 2))) as double) + 1
end;

-- The standard error that a domain adds to a mean of domains: the error of its share. If all its images have equal
-- results, it is half the width of its interval, divided by the quantile of Student's t: a few images with equal
-- results do not show that all images have them.
create or replace temp macro share_error(estimate, standard_error, size, clusters) as
    case when standard_error * standard_error > 1e-14 then standard_error
    else (share_high(estimate, 0, size, clusters) - share_low(estimate, 0, size, clusters)) / 2
        / t_quantile(clusters - 1.0) end;

-- The same for a difference of two shares.
create or replace temp macro difference_error(a, b, standard_error, size, clusters) as
    case when standard_error * standard_error > 1e-14 then standard_error
    else (difference_high(a, b, 0, size, clusters) - difference_low(a, b, 0, size, clusters)) / 2
        / t_quantile(clusters - 1.0) end;

-- The note on a figure if more than 5% of its answers could not be read or were not given; null otherwise.
create or replace temp macro unread_note(n_answers, n_unparsed, n_failed) as nullif(concat_ws(
    ', ', case when n_unparsed > 0.05 * n_answers
        then format('{:.0f}% of the replies cannot be read and score 0', percent_of(n_unparsed, n_answers)) end,
    case when n_failed > 0.05 * n_answers
        then format('{:.0f}% of the questions have no reply and score 0', percent_of(n_failed, n_answers)) end
), '');

-- The sum of squared deviations from the mean, from a count and sums; null when the values do not vary by more than
-- their squares were rounded.
create or replace temp macro deviations_of(n, x, xx) as
    case when cast(xx as double) - cast(x as double) * cast(x as double) / n > 1e-12 * cast(xx as double) + 1e-11 * n
        then cast(xx as double) - cast(x as double) * cast(x as double) / n end;

-- The standard deviation from a sum, a sum of squares and a count; null below two, and 0 when the values do not vary by
-- more than rounding.
create or replace temp macro deviation_of(total, squares, n) as
    sqrt(coalesce(deviations_of(n, total, squares), 0) / nullif(n - 1, 0));

-- A correlation, cut at its ends, since rounding can pass them; null stays null.
create or replace temp macro within_one(r) as case when r < -1 then -1.0 when r > 1 then 1.0 else r end;

-- Pearson's r from a count and sums; null when one side does not vary.
create or replace temp macro correlation_of(n, x, y, xx, yy, xy) as within_one(
    (cast(xy as double) - cast(x as double) * cast(y as double) / n)
        / (sqrt(deviations_of(n, x, xx)) * sqrt(deviations_of(n, y, yy)))
);

-- The same over the rows of a group that have both values.
create or replace temp macro pearson_of(x, y) as correlation_of(
    nullif(count(x + y), 0), sum(exact(case when y is not null then x end)),
    sum(exact(case when x is not null then y end)),
    sum(exact_square(case when y is not null then x end)), sum(exact_square(case when x is not null then y end)),
    sum(exact_product(x, y))
);


-- How far a cluster moves a share in percent, to first order. The parts of all clusters add up to zero; the parts of a
-- sum or a ratio of estimates over the same clusters follow from theirs by the rules of differentiation (the linearized
-- variance).
create or replace temp macro share_part(part, size, whole_part, whole_size) as
    100 * surplus(part, size, whole_part, whole_size) / nullif(whole_size, 0);

-- The standard error of an estimate from the sum of the squared parts of its clusters and their number, with the
-- correction clusters / (clusters - 1); null below two clusters.
create or replace temp macro parts_error(squares, clusters) as
    sqrt(cast(squares as double) * clusters / nullif(clusters - 1, 0));

-- The standard error, in percent, of a ratio of two estimates by the delta method, from their variances and covariance:
-- it moves by (da - a / b * db) / b.
create or replace temp macro quotient_error(a, b, aa, ab, bb) as
    100 * sqrt(ratio_squares(ratio_of(a, b), aa, ab, bb)) / abs(b);

-- The variance that one of several independent groups of clusters adds, for sums that do not depend on their order;
-- null below two clusters.
create or replace temp macro parts_variance(squares, clusters) as
    cast(cast(squares as double) * clusters / nullif(clusters - 1, 0) as decimal(38, 12));

-- An end of the 95% interval of a correlation over n independent rows by the z transformation of Fisher: side -1 is the
-- lower end, 1 the upper one; null below four rows.
create or replace temp macro correlation_bound(r, n, side) as
    tanh(atanh(case when r > 1 then 1.0 when r < -1 then -1.0 else r end) + side * 1.959963984540054
        / sqrt(nullif(greatest(n - 3, 0), 0)));

-- A digest of a text, as the stages write it into caption_digest and value_digest: MD5 in lower-case hex.
create or replace temp macro text_digest(x) as md5(x);

-- The short digest that stands for up to six texts: a key by which rows are joined.
create or replace temp macro key_of(a, b := '', c := '', d := '', e := '', f := '') as
    substr(md5(concat_ws(chr(10), a, b, c, d, e, f)), 1, 12);

-- The key of a condition, condition_id: of a protocol, reader, evidence, captioner, prompt and provenance. Boards and
-- benchmarks without readers have their own texts in these places.
create or replace temp macro condition_of(protocol, reader, evidence, captioner, prompt, provenance) as
    key_of(protocol, reader, evidence, captioner, prompt, provenance);

-- The key of the votes of a judge on the battles of a benchmark.
create or replace temp macro votes_of(benchmark, judge, protocol, provenance) as
    key_of(benchmark, judge, '', '', protocol, provenance);

-- Enough of a request hash to tell calls apart: 48 bits, short enough that engines hold it without a pointer.
create or replace temp macro call_key(request_hash) as substr(request_hash, 1, 12);

-- The changes of the caption prompt that CaptionQA sections 5 and 14 compare.
create or replace temp macro prompt_changes() as table
    select from_prompt || ' to ' || to_prompt as transition, from_prompt, to_prompt
    from (values ('Short', 'Simple'), ('Simple', 'Long'), ('Short', 'Long'), ('Long', 'Taxonomy-Hinted'))
        as t (from_prompt, to_prompt);

-- A moment as whole microseconds since 1970.
create or replace temp macro micros_of(moment) as epoch_us(moment);

-- The value of a name in the definition of a statement, NAME=VALUE with "; " between; basis is the last name; null when
-- it is not there.
create or replace temp macro defined(definition, name) as
    nullif(regexp_extract('; ' || definition, '; ' || name || case name when 'basis' then '=(.*)$' else '=([^;]*)' end,
        1), '');

-- The number of words of a text, separated by white space of any kind. Most words are separated by a blank, which is
-- much faster to find.
create or replace temp macro words_of(x) as len(list_filter(string_split(regexp_replace(
    x, '[\t-\r\x{85}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}]', ' ', 'g'
), ' '), lambda word: word <> ''));

-- The order in which rows of several provenances are trusted: published rows first, simulated rows last.
create or replace temp macro provenance_place(provenance) as
    case provenance when 'published' then 1 when 'measured' then 2 else 3 end;

-- The provenance of a comparison of two rows: the provenance that is trusted less.
create or replace temp macro weaker_provenance(a, b) as
    case when provenance_place(a) >= provenance_place(b) then a else b end;

-- A price for a million tokens (input, cached or output) as a run's detail has it; null when it has none.
create or replace temp macro price_of(detail, kind) as
    try_cast(regexp_extract(detail, '"price":\{[^}]*"' || kind || '":([0-9.eE+-]+)', 1) as double);

-- An end of the 95% interval of a rank correlation by the z transformation of Fisher with a given variance: side -1 is
-- the lower end, 1 the upper one; null for 1 and -1, where the variance says nothing, and without a variance.
create or replace temp macro rank_correlation_end(r, variance, side) as
    case when abs(r) < 1 - 1e-12 and isfinite(variance) and variance > 0
        then tanh(atanh(r) + side * 1.959963984540054 * sqrt(variance)) end;
