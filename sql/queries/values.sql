-- The values that parameters of questions, tables and figures may have.
select 'captioner' as parameter, captioner as value from conditions
union select 'prompt', prompt from conditions
union select 'reader', reader from conditions where evidence = 'caption'
union select 'judge', judge from votes
union select 'domain', domain from captionqa_scores
union select 'image', image_id from images
union select 'question', question_id from questions
order by parameter, value
