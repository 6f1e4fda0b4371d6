package stages

import (
	"fmt"
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

// A questionPool has one caption for each question, drawn from all captions of the chosen
// captioners and prompts. So readers are compared on the same caption-question pairs at the cost of
// one caption (CaptionQA section 3.5, "Performance"). The mart reader_comparison has the same draw
// if its prompts are the same.
type questionPool struct {
	drawn map[string]captionSet // by question_id
	sum   string                // digest of the drawn captions
}

// poolOf draws the pool of a run; nil for a run without a pool.
func poolOf(s *engine.Scope, chosen config.Choice, sets []captionSet) (*questionPool, error) {
	if chosen.Pool == 0 {
		return nil, nil
	}
	if len(sets) == 0 && slices.Contains(s.Config.Answers.Evidence, captionqa.EvidenceCaption) {
		return nil, data.WithHint(fmt.Errorf("the lake has no captions of the prompt %s to draw a pool from",
			strings.Join(chosen.Prompts, ", ")),
			"name the prompts of the pool with --prompt, here and for analyze")
	}
	return drawPool(s.Lake, chosen.Pool, sets)
}

// drawPool draws a caption for each question that has one in the sets. The draw of a question does
// not depend on the other questions.
func drawPool(l *data.Lake, seed int, sets []captionSet) (*questionPool, error) {
	names := make([]string, len(sets))
	for i, s := range sets {
		names[i] = s.Captioner + "\n" + s.Prompt
	}
	p := &questionPool{drawn: map[string]captionSet{}}
	parts := []string{"pool"}
	for q, err := range data.Query[struct {
		captionSet
		QuestionID string `parquet:"question_id"`
	}](l, `
		select q.question_id, c.captioner, c.prompt
		from questions as q
		inner join captions as c using (image_id)
		where c.captioner || chr(10) || c.prompt in (select unnest($2::varchar[]))
		qualify row_number() over (partition by q.question_id order by pool_lot($1, q.question_id, c.captioner, c.prompt)) = 1
		order by q.question_id`, seed, names) {
		if err != nil {
			return nil, err
		}
		p.drawn[q.QuestionID] = q.captionSet
		parts = append(parts, q.QuestionID, q.Captioner, q.Prompt)
	}
	p.sum = data.Fingerprint(parts...)
	return p, nil
}

// has reports whether to ask a question about the captions of a set; a nil pool has every pair.
func (p *questionPool) has(questionID string, s captionSet) bool {
	return p == nil || p.drawn[questionID] == s
}

// digest differs for different pools.
func (p *questionPool) digest() string {
	if p == nil {
		return ""
	}
	return p.sum
}
