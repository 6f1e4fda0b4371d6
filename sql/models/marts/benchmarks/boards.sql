-- what: "the captioners that may be ranked together. A board has captioners of one benchmark that were asked about the
--     same questions, elements or battles, by the same reader or judge, under the same protocol. It has no scores:
--     ranks, means over captioners and leaderboards are computed over its rows"
-- key: [board_id, condition_id, origin]
-- source: captionlake. Published rows are on a board with measured ones if the measured rows cover everything that the
--     paper asked, by the paper's reader or judge. Rows with simulated captions, answers or questions have their own
--     boards
-- columns:
--   board_id:
--   board: [varchar, not null, "the board in a few words: what was asked, the protocol and the reader or judge where
--       they are not the paper's, and whether it is simulated; boards of one benchmark and prompt have different
--       names"]
--   label: [varchar, not null, the board with its caption prompt]
--   benchmark: [varchar, "captionqa, capability, cv-capbench, caparena, caparena-auto, or the name of another
--       benchmark"]
--   prompt: [varchar, caption prompt; empty for benchmarks that have one]
--   protocol: [varchar, "how answers, judgments and votes were asked and scored; empty for other benchmarks"]
--   judge: [varchar, "model_id of the reader (CaptionQA) or judge, people for all people's votes; empty for other
--       benchmarks"]
--   repeat:
--   section: [varchar, "what the figures are about: a section of CaptionQA, a dimension or average of the rubric, a
--       baseline of CapArena-Auto; empty for all"]
--   captioner, captioner_name:
--   model_type: [varchar, "open, proprietary, human, metric or rehearsal; unknown when the registry does not know the
--       captioner"]
--   provenance:
--   origin: [varchar, [answers, judgments, battles, published], "base table that the figures come from"]
--   condition_id: [varchar, not null, "digest of the row's conditions, by which the marts of figures are joined"]
--   n_items: [bigint, count, 1.., "questions, elements or battles of the row; null for printed rows"]
--   n_all: [bigint, count, "questions, elements or battles that there are; null where that is not known"]
--   is_whole: [boolean, "the row is about all of them; of elements and battles one in a hundred may lack an outcome,
--       as in the papers' own
--       judgments"]
--   is_headline, is_replaced:
--   n_captioners: [bigint, count, 1.., captioners of the board]
--   board_place: [bigint, rank, 1.., "place of the board among the boards of the benchmark and prompt: the paper's
--       board is first, simulated boards are last, whole banks come before parts, means before their domains, then the
--       board with more captioners"]
--   is_first:

with bank as (
    select
        domain, count(*) as n_bank, sum(question_number(question_id)) as bank_set,
        bool_and(bank_of(source) = 'simulation') as all_made_up,
        sum(question_number(question_id)) filter (where bank_of(source) = 'simulation') as made_up_set
    from questions
    group by domain
),

answered_domains as (
    select condition_id, origin, domain, n_questions, n_images, question_set, provenance = 'simulated' as of_simulated
    from captionqa_scores
    where level = 'domain' and evidence = 'caption' and (origin = 'answers' or score is not null)
),

-- Where the lake has no bank, the largest set of questions is whole if no other one is as large.
largest as (
    select domain, of_simulated, question_set
    from answered_domains
    where origin = 'answers'
    group by domain, of_simulated, question_set
    qualify max(n_questions) = max(max(n_questions)) over (partition by domain, of_simulated)
        and count(*) over (partition by domain, of_simulated, max(n_questions)) = 1
),

questioned as (
    select
        a.condition_id, a.origin, section, whole as is_headline, joined_text(domain) as domains,
        bool_and(is_published_domain(domain)) as of_paper,
        -- A few of the paper's questions may lack an answer where the lake has no bank.
        bool_and(a.origin = 'published' or coalesce(
            n_images >= n_printed_images and n_questions >= 0.99 * n_printed_questions, false
        )) as paper_size,
        bool_or(a.origin = 'answers' and coalesce(all_made_up or a.question_set = made_up_set, false)) as is_made_up,
        bool_and(a.origin = 'published' or coalesce(a.question_set = bank_set, l.question_set is not null)) as is_whole,
        sum(n_questions) as n_items, sum(a.question_set) as item_set,
        case when count(n_bank) = count(*) then sum(n_bank) end as n_all
    from answered_domains as a
    inner join sections using (condition_id, domain)
    left join bank using (domain)
    left join captionqa_sizes() using (domain)
    left join largest as l using (domain, of_simulated, question_set)
    -- The mean of one domain is the domain.
    where n_domains > 1 or section = domain
    group by a.condition_id, a.origin, section, whole
    having count(*) = max(n_domains)
),

of_captionqa as (
    select
        'captionqa' as benchmark, prompt, protocol, reader as judge, 0 as repeat, section, captioner, captioner_name,
        model_type, provenance, q.origin, condition_id, n_items, n_all, item_set, is_headline, is_made_up, is_whole,
        is_whole and of_paper and paper_size and not is_made_up as is_paper,
        case when not (is_whole and of_paper and paper_size) then domains when section = 'Overall' then 'CaptionQA'
            else 'CaptionQA, ' || domains end as title,
        'questions' as items, protocol <> paper_protocol() as other_protocol,
        case when reader <> paper_reader() then 'read by ' || reader end as other_judge
    from questioned as q
    inner join conditions using (condition_id)
),

of_rubric as (
    select
        benchmark, '' as prompt, protocol, judge, repeat, section, captioner, captioner_name, m.model_type, provenance,
        origin, condition_id, n_all as n_items, n_annotated as n_all,
        element_set as item_set, section = 'average' as is_headline, is_whole,
        is_whole and judge = paper_judge and repeat = 0 as is_paper,
        t.title || case section when 'average' then '' else ', ' || replace(section, '_', ' ') end as title,
        'elements' as items, case when judge <> paper_judge then 'judged by ' || judge end as other_judge
    from capability_figures
    inner join rubric_protocols() using (benchmark)
    inner join benchmark_titles() as t using (benchmark)
    left join models as m on m.model_id = captioner
    where metric = 'f1' and n_dimensions = n_expected and figure is not null
),

-- Ratings compare captioners of different battles.
of_arena as (
    select
        benchmark, '' as prompt, protocol, judge, 0 as repeat, '' as section, captioner, captioner_name, model_type,
        provenance, origin,
        condition_of(benchmark, judge, origin, captioner, protocol, provenance) as condition_id, n_battles as n_items,
        true as is_headline, true as is_whole, origin = 'published' as is_paper,
        t.title || case when origin = 'published' then ', as printed' when provenance = 'published'
            then ', published votes' else '' end
            as title, 'battles' as items,
        case when judge <> 'people' then 'judged by ' || judge_name end as other_judge
    from arena_ranking
    inner join benchmark_titles() as t using (benchmark)
    where benchmark = 'caparena' and arena_ranking.place is not null and captioner <> 'human'
),

of_auto as (
    select
        'caparena-auto' as benchmark, '' as prompt, protocol, judge, 0 as repeat, baseline as section, captioner,
        captioner_name, model_type,
        provenance, origin, condition_id, n_battles as n_items, n_drawn as n_all, battle_set as item_set,
        baseline = '' as is_headline, is_whole,
        is_whole and is_paper as is_paper, 'CapArena-Auto' || case baseline when '' then ''
            else ', against ' || baseline_name end as title,
        'battles' as items, 'judged by ' || judge_name as other_judge
    from arena_auto
    where score is not null and captioner <> baseline
),

-- Scores on benchmarks that the papers compare their own with.
of_others as (
    select
        category as benchmark, '' as prompt, '' as protocol, '' as judge, 0 as repeat, '' as section,
        p.model_id as captioner,
        coalesce(max(m.name), p.model_id) as captioner_name, max(m.model_type) as model_type, 'published' as provenance,
        'published' as origin,
        condition_of(category, '', 'published', p.model_id, '', 'published') as condition_id, true as is_headline,
        true as is_whole, true as is_paper, category as title, '' as items
    from published as p
    left join models as m on m.model_id = p.model_id
    where benchmark = 'caparena' and metric = 'benchmark_score' and p.model_id <> ''
    group by category, p.model_id
),

asked as (
    select
        *, coalesce(is_made_up, false) as of_made_up,
        concat_ws(
            chr(10), benchmark, prompt, protocol, judge, repeat, section, provenance = 'simulated', of_made_up,
            is_paper, is_whole, case when is_whole then title else coalesce(cast(item_set as varchar), provenance) end
        ) as common
    from (
        select * from of_captionqa
        union all by name
        select * from of_rubric
        union all by name
        select * from of_arena
        union all by name
        select * from of_auto
        union all by name
        select * from of_others
    ) as every
),

chosen as (
    select
        *, concat_ws(
            ', ', '', case when not is_whole then concat_ws(' of ', format('{:,}', n_items), format('{:,}', n_all))
                || ' ' || if(n_items = 1 and n_all is null, rtrim(items, 's'), items) end,
            case when other_protocol then protocol end, other_judge,
                case when repeat > 0 then 'repetition ' || repeat end,
            case when of_made_up and provenance <> 'simulated' then 'simulated questions' end,
            case when provenance = 'simulated' then 'simulated' end
        ) as rest, bool_or(is_headline) over (partition by common) as any_headline,
        row_number() over (partition by common, captioner order by provenance_place(provenance) = 2 desc, origin) > 1
            as is_replaced
    from asked
),

counted as (
    select *, count(*) filter (where not is_replaced) over (partition by common) as n_captioners
    from chosen
),

-- Boards with the same name have different questions, and get letters to tell them apart.
lettered as (
    select
        common, title || parts as board, concat_ws(' ', title, nullif(prompt, '')) || parts as label
    from (
        select
            *, row_number() over one_name - 1 as letter, rest || case
                when count(*) over one_name > 1
                    then ', set ' || repeat(chr(cast(65 + letter % 26 as integer)), letter // 26 + 1) else ''
            end as parts
        from (select common, title, rest, benchmark, prompt, max(n_captioners) as n,
            min(captioner) as first from counted group by all) as b
        window one_name as (
            partition by benchmark, prompt, title, rest order by n desc, first, common
            rows between unbounded preceding and unbounded following
        )
    ) as p
),

placed as (
    select
        c.*, l.board, l.label, count(*) over (partition by common, provenance) as n_alike,
        dense_rank() over (
            partition by benchmark, prompt
            order by
                case when provenance = 'simulated' or of_made_up then 1 else 0 end,
                    case when is_paper then 0 else 1 end,
                case when other_protocol then 1 else 0 end, case when is_whole then 0 else 1 end,
                case when section in ('Overall', 'average', '') then 0 else 1 end, n_captioners desc, l.board
        ) as board_place
    from counted as c
    inner join lettered as l using (common)
)

select
    substr(md5(common), 1, 12) as board_id, board, label, benchmark, prompt, protocol, judge, repeat, section,
    captioner, captioner_name,
    coalesce(nullif(model_type, ''), 'unknown') as model_type, provenance, origin, condition_id, n_items, n_all,
    is_whole, any_headline as is_headline, is_replaced, n_captioners, board_place,
    common = first_value(common) over (
        partition by benchmark, prompt, protocol, judge, repeat, section, provenance
        order by n_alike desc, is_whole desc, n_items desc, common
    ) as is_first
from placed;

-- audit: names_tell_boards_apart: two boards of one name could not be told apart in a table
select benchmark, prompt, board, count(distinct board_id) as n_boards
from boards
group by benchmark, prompt, board
having count(distinct board_id) > 1;
