package stages

import (
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/engine"
)

// poolPrompt is the default prompt of a pool's captions. The paper does not name the prompts of its
// pool. Its accuracy, 68.98, fits captions under Simple; over all four prompts, with short captions
// among them, it would be far lower.
const poolPrompt = captionqa.PromptSimple

// poolOf draws the pool of a run: the set of captions from which each question is asked, by
// question_id. Each question has one caption, drawn from all captions of the chosen sets. So
// readers are compared on the same caption-question pairs at the cost of one caption (CaptionQA
// section 3.5, "Performance"). The mart reader_comparison has the same draw if its prompts are the
// same. Different pools have different digests. chosen.Pool is the seed of the draw. If it is 0,
// there is no pool and both results are empty: every question is asked about every caption.
func poolOf(s *engine.Scope, chosen config.Choice,
	sets []captionSet) (drawn map[string]captionSet, digest string, err error) {
	if chosen.Pool == 0 {
		return nil, "", nil
	}
	// Other evidence needs no pool, because a pool only says which caption comes with a question.
	if len(sets) == 0 && slices.Contains(s.Config.Answers.Evidence, captionqa.EvidenceCaption) {
		return nil, "", data.Errorf("name the prompts of the pool with --prompt, here and for analyze",
			"the lake has no captions of the prompt %s to draw a pool from", strings.Join(chosen.Prompts, ", "))
	}
	names := make([]string, len(sets))
	for i, set := range sets {
		names[i] = set.Captioner + "\n" + set.Prompt
	}
	drawn = map[string]captionSet{}
	content := []string{"pool"} // of the digest
	// The draw of a question does not depend on the other questions.
	for q, err := range data.Query[struct {
		captionSet
		QuestionID string `parquet:"question_id"`
	}](s.Lake, `
		select q.question_id, c.captioner, c.prompt
		from questions as q
		inner join captions as c using (image_id)
		where c.captioner || chr(10) || c.prompt in (select unnest($2::varchar[]))
		qualify row_number() over (partition by q.question_id order by pool_lot($1, q.question_id, c.captioner, c.prompt)) = 1
		order by q.question_id`, chosen.Pool, names) {
		if err != nil {
			return nil, "", err
		}
		drawn[q.QuestionID] = q.captionSet
		content = append(content, q.QuestionID, q.Captioner, q.Prompt)
	}
	return drawn, data.Fingerprint(content...), nil
}
