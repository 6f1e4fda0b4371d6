-- shows: What do models know and not tell?

select captioner_name, judge, average, object_category, object_color, spatial_relation, ocr, action, event, provenance
from capability_know_cannot_tell_main
where metric = 'know_cannot_tell'
order by provenance = 'simulated', average;
