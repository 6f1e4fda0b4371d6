-- what: how the questions of a bank that was made here are distributed, and whether the place or the length of an
--     option gives the key away
-- key: [domain, kind, label]
-- source: "CaptionQA section 8, Figures 7 to 12; place and length of keys: captionlake. No provenance: it counts the
--     questions of a bank, and each of their candidates has a provenance"
-- columns:
--   domain: [varchar, domain of the bank]
--   kind: [varchar, [questions_per_image, options, yes_no, key_position, longest_option, category]]
--   label: [varchar, "questions_per_image: questions of an image; options: their number; yes_no: yes or no, whether the
--       protocol takes the question for a yes/no question; key_position: place of the key among the options as
--       generated, from 1; longest_option: key, when it alone is the longest option, several, when it is one of several
--       longest, or other; category: first level of the taxonomy"]
--   n: [bigint, count, 0.., "questions; of questions_per_image images; 0 for a category of the taxonomy without a
--       question"]
--   share: [double, percent, 0..100, n as a share of its kind]
--   expected: [double, percent, 0..100, "the share if each option were the key as often as another, of key_position and
--       of the longest_option key; null for the others"]

with bank as (
    select
        domain, image_id, question_id, category, yes_no, answer_index, len(options) as k, options,
        list_transform(options, lambda o: length(o)) as lengths
    from questions
    where candidate_id is not null
),

asked as (
    select
        *, list_max(lengths) as longest, len(list_filter(lengths, lambda l: l = list_max(lengths))) as n_longest,
        lengths[answer_index + 1] as key_length
    from bank
),

per_image as (
    select domain, image_id, count(*) as n
    from asked
    group by domain, image_id
),

sizes as (
    select domain, count(*) as n_questions
    from asked
    group by domain
),

places as (
    select domain, k, unnest(range(1, k + 1)) as place, count(*) as n
    from asked
    group by domain, k
),

-- What each place and the longest option would get by chance, in questions.
chances as (
    select domain, 'key_position' as kind, cast(place as varchar) as label, sum(exact_long(ratio_of(n, k))) as by_chance
    from places
    group by domain, place
    union all
    select domain, 'longest_option', 'key', sum(exact_long(case when n_longest = 1 then ratio_of(1, k) else 0 end))
    from asked
    group by domain
),

counted as (
    select domain, 'questions_per_image' as kind, cast(n as varchar) as label, 1 as weight
    from per_image
    union all
    select domain, 'options', cast(k as varchar), 1
    from asked
    union all
    select domain, 'yes_no', case when yes_no then 'yes' else 'no' end, 1
    from asked
    union all
    select domain, 'key_position', cast(answer_index + 1 as varchar), 1
    from asked
    union all
    select domain, 'key_position', cast(place as varchar), 0
    from places
    union all
    select domain, 'longest_option', case when key_length < longest then 'other' when n_longest = 1 then 'key'
        else 'several' end, 1
    from asked
    union all
    select domain, 'longest_option', 'key', 0
    from sizes
    union all
    select domain, 'category', category, 1
    from asked
    union all
    select distinct t.domain, 'category', t.category, 0
    from taxonomy as t
    inner join sizes using (domain)
),

sums as (
    select domain, kind, label, sum(weight) as n
    from counted
    group by domain, kind, label
)

select
    domain, kind, label, cast(n as bigint) as n, percent_of(n, sum(n) over (partition by domain, kind)) as share,
    percent_of(by_chance, n_questions) as expected
from sums
left join chances using (domain, kind, label)
left join sizes using (domain);

-- audit: shares_add_up: the labels of a kind have all questions
select domain, kind, sum(share) as total
from construct_distributions
group by domain, kind
having abs(total - 100) > 1e-6;
