-- what: example images with their captions, and a reader's answers from each caption
-- key: [protocol, reader, provenance, domain, place, captioner, prompt]
-- source: "CaptionQA Figure 5: an image whose Taxonomy-Hinted caption says less than its Long one; the texts are in the
--     table captions"
-- columns:
--   protocol, reader, provenance, domain:
--   place: [bigint, rank, 1..5, "1 the image on which the captioners' scores fall most from Long to Taxonomy-Hinted;
--       where nobody has both, on which the scores of captions lie farthest apart; equal images by name"]
--   captioner, prompt:
--   image_id: [varchar, item that the captions describe]
--   captioner_name:
--   loss: [double, points, -105..105, "score on the image under Long less that under Taxonomy-Hinted, over the
--       captioners that have both; null where nobody has"]
--   n_answers: [bigint, count, 1.., "answers from the caption, repetitions included"]
--   n_correct: [bigint, count, 0.., "of them, correct ones"]
--   n_cannot: [bigint, count, 0.., "number of these answers that chose the cannot option"]
--   score: [double, percent, 0..105, mean score of them]

with captions_read as (
    select
        key_of(protocol, reader, evidence, provenance) as asked_id, protocol, reader, provenance, domain, image_id,
        captioner, prompt, n_answers, n_correct, n_cannot, score_of_parts(percent_of(score_parts, n_answers)) as score
    from answered()
    where level = 'domain' and evidence = 'caption'
),

losses as (
    select
        key_of(protocol, reader, 'caption', provenance) as asked_id, image_id,
        score_of_parts(percent_of(score_parts_from, n_from) - percent_of(score_parts_to, n_to)) as loss
    from prompt_transition_images
    where level = 'domain' and transition = 'Long to Taxonomy-Hinted'
),

placed as (
    select
        asked_id, image_id, loss,
        row_number()
            over (partition by asked_id, domain order by loss desc nulls last, max(score) - min(score) desc, image_id)
                as place
    from captions_read
    left join losses using (asked_id, image_id)
    group by asked_id, domain, image_id, loss
)

select
    protocol, reader, provenance, domain, place, captioner, prompt, image_id,
    coalesce(name, captioner) as captioner_name, loss, n_answers, n_correct, n_cannot, score
from placed
inner join captions_read using (asked_id, image_id)
left join models on model_id = captioner
where place <= 5;

-- audit: one_image_a_place: a place has one image
select protocol, reader, provenance, domain, place, min(image_id) as one, max(image_id) as other
from caption_examples
group by protocol, reader, provenance, domain, place
having min(image_id) <> max(image_id);
