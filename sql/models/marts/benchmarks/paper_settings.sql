-- what: settings with which the authors of a benchmark, and other programs, run the benchmark, unless a log records
--     them
-- key: [program, benchmark, part, setting]
-- source: the papers, and the code that their authors released
-- columns:
--   program: [varchar, [authors, lmms-eval, captionlake], "whose settings they are"]
--   benchmark: [varchar, [captionqa, capability, cv-capbench, caparena-auto]]
--   part: [varchar, [captioner, reader], "captioner, or reader: the reader or judge of the captions"]
--   setting: [varchar, [prompt, temperature, max tokens, model, protocol, access, failures, missing captions]]
--   place: [bigint, 1.., place of the setting in lists]
--   value: [varchar, not null, "value; several values that are equally good have 'or' between them"]
--   basis: [varchar, not null, "section of the benchmark's paper, or file or command of the program"]
--   provenance: [varchar, [published]]

-- Ids of prompts, models and protocols are captionlake's.
select facts.* exclude (ordinal), row_number() over (order by ordinal) as place, 'published' as provenance
from (
    values
    (1, 'authors', 'captionqa', 'captioner', 'prompt', 'Long or Short or Simple or Taxonomy-Hinted', 'section 3.3'),
    (2, 'authors', 'captionqa', 'captioner', 'temperature', '0.7', 'caption.py, default of --temperature'),
    (3, 'authors', 'captionqa', 'captioner', 'max tokens', '500', 'caption.py, default of --max-tokens'),
    (4, 'authors', 'captionqa', 'captioner', 'missing captions', 'left out', 'qa.py skips an item without a caption'),
    (5, 'authors', 'captionqa', 'reader', 'model', 'qwen2.5-72b', 'section 3.5'),
    (6, 'authors', 'captionqa', 'reader', 'protocol', 'captionqa/upstream', 'qa.py, shuffled options, first letter'),
    (7, 'authors', 'captionqa', 'reader', 'temperature', '0', 'qa.py'),
    (8, 'authors', 'captionqa', 'reader', 'max tokens', '4', 'qa.py, default of --max-tokens'),
    (9, 'authors', 'captionqa', 'reader', 'access', 'offline', 'qa.py calls vLLM in its own process'),
    (10, 'authors', 'captionqa', 'reader', 'failures', 'end the run', 'qa.py does not catch errors of vLLM'),
    (11, 'authors', 'capability', 'captioner', 'prompt', 'capability', 'appendix B.2'),
    (12, 'authors', 'capability', 'captioner', 'temperature', '0', 'appendix A.1; APIs keep their default'),
    (13, 'authors', 'capability', 'captioner', 'max tokens', '8192', 'appendix A.1'),
    (14, 'authors', 'capability', 'reader', 'model', 'gpt-4-turbo', 'section 4.1, and eval.py'),
    (15, 'authors', 'capability', 'reader', 'temperature', 'default of the API', 'eval.py sends none'),
    (16, 'authors', 'capability', 'reader', 'access', 'API', 'eval.py'),
    (17, 'authors', 'capability', 'reader', 'failures', 'up to 5 of a dimension left out', 'eval.py max_allow_missing'),
    (18, 'authors', 'cv-capbench', 'captioner', 'prompt', 'cv-capbench', 'section 4.1'),
    (19, 'authors', 'cv-capbench', 'reader', 'model', 'qwen2.5-72b', 'section 4.1'),
    (20, 'authors', 'caparena-auto', 'reader', 'model', 'gpt-4o or gpt-4o-0806', 'section 5, and vlm_as_a_judge.py'),
    (21, 'authors', 'caparena-auto', 'reader', 'protocol', 'caparena/battle-reference', 'section 5'),
    (22, 'authors', 'caparena-auto', 'reader', 'temperature', '0.1', 'vlm_as_a_judge.py overrides its 0.5'),
    (23, 'authors', 'caparena-auto', 'reader', 'max tokens', '1500', 'vlm_as_a_judge.py'),
    (24, 'authors', 'caparena-auto', 'reader', 'access', 'API', 'vlm_as_a_judge.py'),
    (25, 'authors', 'caparena-auto', 'reader', 'failures', 'left out', 'caparena_auto_scores.py skips the battle'),
    (26, 'lmms-eval', 'captionqa', 'captioner', 'missing captions', 'left out', 'a log has the asked samples'),
    (27, 'lmms-eval', 'captionqa', 'reader', 'protocol', 'captionqa/upstream', 'utils.py: prompts and parser of qa.py'),
    (28, 'lmms-eval', 'captionqa', 'reader', 'temperature', '0', 'utils.py'),
    (29, 'lmms-eval', 'captionqa', 'reader', 'max tokens', '4', 'utils.py'),
    (30, 'lmms-eval', 'captionqa', 'reader', 'access', 'API', 'utils.py: one request at a time'),
    (31, 'lmms-eval', 'captionqa', 'reader', 'failures', 'wrong answers', 'utils.py: an error gives an empty reply'),
    (32, 'lmms-eval', 'capability', 'reader', 'temperature', 'default of the API', 'utils.py sends none'),
    (33, 'lmms-eval', 'capability', 'reader', 'access', 'API', 'utils.py'),
    (34, 'lmms-eval', 'capability', 'reader', 'failures', 'up to 5 of a dimension left out', 'eval_max_allow_missing'),
    (35, 'captionlake', 'captionqa', 'captioner', 'missing captions', 'left out', 'run answer asks about captions'),
    (36, 'captionlake', 'captionqa', 'reader', 'access', 'API', 'run answer asks servers'),
    (37, 'captionlake', 'captionqa', 'reader', 'failures', 'asked again, then score 0 and are counted', 'run answer'),
    (38, 'captionlake', 'capability', 'reader', 'access', 'API', 'run judge asks servers'),
    (39, 'captionlake', 'capability', 'reader', 'failures', 'asked again, then left out and counted', 'run judge'),
    (40, 'captionlake', 'caparena-auto', 'reader', 'access', 'API', 'run battle asks servers'),
    (41, 'captionlake', 'caparena-auto', 'reader', 'failures', 'asked again, then left out and counted', 'run battle')
) as facts (ordinal, program, benchmark, part, setting, value, basis);
