-- shows: What the registry knows of a captioner
-- each: captioner
-- columns:
--   - {name: captioner, head: Id in the tables}
--   - {name: organization, head: Made by}
--   - {name: family}
--   - {name: size, head: Parameters}
--   - {name: model_type, head: Type}
--   - {name: aliases, head: Other names}

with seen as (
    select captioner, captioner_name from benchmark_scores
    union all select captioner, captioner_name from capability_figures
    union all select captioner, captioner_name from captionqa_scores
    union all select captioner, captioner_name from arena_pairs
    union all select captioner, captioner_name from caption_lengths
)

select
    seen.captioner, coalesce(max(seen.captioner_name), seen.captioner) as title,
    coalesce(max(model.organization), 'unknown') as organization,
    coalesce(max(model.family), '') as family, coalesce(max(model.size), '') as size,
    coalesce(max(model.model_type), '') as model_type,
    coalesce(max(array_to_string(model.aliases, ', ')), '') as aliases
from seen
left join models as model on model.model_id = seen.captioner
where seen.captioner <> ''
group by seen.captioner
order by lower(title), seen.captioner
