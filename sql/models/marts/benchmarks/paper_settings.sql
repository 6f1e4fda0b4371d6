-- what: with which settings the authors of a benchmark run it, and a program of others that runs it, as far as no log says them
-- key: [program, benchmark, part, setting]
-- source: the papers, and the code that their authors released
-- columns:
--   program: [varchar, [authors, lmms-eval, captionlake], "whose settings they are"]
--   benchmark: [varchar, [captionqa, capability, cv-capbench, caparena-auto]]
--   part: [varchar, [captioner, reader], "captioner, or reader: the reader or judge of the captions"]
--   setting: [varchar, [prompt, temperature, max tokens, model, protocol, access, failures, missing captions]]
--   place: [bigint, 1.., place of the setting in lists]
--   value: [varchar, not null, "value; several that are alike good stand with 'or' between them"]
--   basis: [varchar, not null, "paper with its section, or file of the released code"]
--   provenance: [varchar, [published]]

-- Ids of prompts, models and protocols are captionlake's.
select program, benchmark, part, setting, row_number() over (order by ordinal) as place, value, basis, 'published' as provenance
from (
    values
    (1, 'authors', 'captionqa', 'captioner', 'prompt', 'Long or Short or Simple or Taxonomy-Hinted',
        'CaptionQA, section 3.3'),
    (2, 'authors', 'captionqa', 'captioner', 'temperature', '0.7', 'CaptionQA, caption.py, default of --temperature'),
    (3, 'authors', 'captionqa', 'captioner', 'max tokens', '500', 'CaptionQA, caption.py, default of --max-tokens'),
    (4, 'authors', 'captionqa', 'captioner', 'missing captions', 'left out',
        'CaptionQA, qa.py skips an item without a caption'),
    (5, 'authors', 'captionqa', 'reader', 'model', 'qwen2.5-72b', 'CaptionQA, section 3.5'),
    (6, 'authors', 'captionqa', 'reader', 'protocol', 'captionqa/upstream',
        'CaptionQA, qa.py, prompt, shuffled options, first letter, score'),
    (7, 'authors', 'captionqa', 'reader', 'temperature', '0', 'CaptionQA, qa.py'),
    (8, 'authors', 'captionqa', 'reader', 'max tokens', '4', 'CaptionQA, qa.py, default of --max-tokens'),
    (9, 'authors', 'captionqa', 'reader', 'access', 'offline', 'CaptionQA, qa.py calls vLLM in its own process'),
    (10, 'authors', 'captionqa', 'reader', 'failures', 'end the run', 'CaptionQA, qa.py does not catch errors of vLLM'),
    (11, 'authors', 'capability', 'captioner', 'prompt', 'capability', 'CAPability, appendix B.2'),
    (12, 'authors', 'capability', 'captioner', 'temperature', '0',
        'CAPability, appendix A.1, of open models; APIs keep their default'),
    (13, 'authors', 'capability', 'captioner', 'max tokens', '8192', 'CAPability, appendix A.1'),
    (14, 'authors', 'capability', 'reader', 'model', 'gpt-4-turbo', 'CAPability, section 4.1, and eval.py'),
    (15, 'authors', 'capability', 'reader', 'temperature', 'default of the API', 'CAPability, eval.py sends none'),
    (16, 'authors', 'capability', 'reader', 'access', 'API', 'CAPability, eval.py'),
    (17, 'authors', 'capability', 'reader', 'failures', 'up to 5 of a dimension left out',
        'CAPability, eval.py, max_allow_missing'),
    (18, 'authors', 'cv-capbench', 'captioner', 'prompt', 'cv-capbench', 'CV-CapBench, section 4.1'),
    (19, 'authors', 'cv-capbench', 'reader', 'model', 'qwen2.5-72b', 'CV-CapBench, section 4.1'),
    (20, 'authors', 'caparena-auto', 'reader', 'model', 'gpt-4o or gpt-4o-0806',
        'CapArena, section 5, and vlm_as_a_judge.py'),
    (21, 'authors', 'caparena-auto', 'reader', 'protocol', 'caparena/battle-reference', 'CapArena, section 5'),
    (22, 'authors', 'caparena-auto', 'reader', 'temperature', '0.1',
        'CapArena, vlm_as_a_judge.py, which overrides 0.5 when it sends'),
    (23, 'authors', 'caparena-auto', 'reader', 'max tokens', '1500', 'CapArena, vlm_as_a_judge.py'),
    (24, 'authors', 'caparena-auto', 'reader', 'access', 'API', 'CapArena, vlm_as_a_judge.py'),
    (25, 'authors', 'caparena-auto', 'reader', 'failures', 'left out',
        'CapArena, caparena_auto_scores.py skips battles without a verdict'),
    (26, 'lmms-eval', 'captionqa', 'captioner', 'missing captions', 'left out',
        'lmms-eval, tasks/captionqa: a log has the samples that were asked'),
    (27, 'lmms-eval', 'captionqa', 'reader', 'protocol', 'captionqa/upstream',
        'lmms-eval, tasks/captionqa/utils.py: the prompts and the parser of qa.py'),
    (28, 'lmms-eval', 'captionqa', 'reader', 'temperature', '0', 'lmms-eval, tasks/captionqa/utils.py'),
    (29, 'lmms-eval', 'captionqa', 'reader', 'max tokens', '4', 'lmms-eval, tasks/captionqa/utils.py'),
    (30, 'lmms-eval', 'captionqa', 'reader', 'access', 'API',
        'lmms-eval, tasks/captionqa/utils.py: one request at a time'),
    (31, 'lmms-eval', 'captionqa', 'reader', 'failures', 'wrong answers',
        'lmms-eval, tasks/captionqa/utils.py: an error gives an empty reply'),
    (32, 'lmms-eval', 'capability', 'reader', 'temperature', 'default of the API',
        'lmms-eval, tasks/capability/utils.py sends none'),
    (33, 'lmms-eval', 'capability', 'reader', 'access', 'API', 'lmms-eval, tasks/capability/utils.py'),
    (34, 'lmms-eval', 'capability', 'reader', 'failures', 'up to 5 of a dimension left out',
        'lmms-eval, tasks/capability, eval_max_allow_missing'),
    (35, 'captionlake', 'captionqa', 'captioner', 'missing captions', 'left out',
        'captionlake, run answer asks about captions that there are'),
    (36, 'captionlake', 'captionqa', 'reader', 'access', 'API', 'captionlake, run answer asks servers'),
    (37, 'captionlake', 'captionqa', 'reader', 'failures', 'asked again, then score 0 and are counted',
        'captionlake, run answer'),
    (38, 'captionlake', 'capability', 'reader', 'access', 'API', 'captionlake, run judge asks servers'),
    (39, 'captionlake', 'capability', 'reader', 'failures', 'asked again, then left out and counted',
        'captionlake, run judge'),
    (40, 'captionlake', 'caparena-auto', 'reader', 'access', 'API', 'captionlake, run battle asks servers'),
    (41, 'captionlake', 'caparena-auto', 'reader', 'failures', 'asked again, then left out and counted',
        'captionlake, run battle')
) as facts (ordinal, program, benchmark, part, setting, value, basis);
