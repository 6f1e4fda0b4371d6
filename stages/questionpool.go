package stages

import (
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/engine"
)

// poolPrompt is the prompt of a pool's captions when none is named. The paper does not say which prompts its pool has; its accuracy,
// 68.98, is one of captions made under Simple: over all four prompts, short captions among them, it would be far lower.
const poolPrompt = captionqa.PromptSimple

// A questionPool has one caption for each question, drawn from all that the lake has of the captioners and prompts chosen, so
// that readers are compared on the same caption-question pairs at the cost of one caption (CaptionQA section 3.5,
// "Performance"). The mart question_pool has the same draw, when its prompts are the same.
type questionPool struct {
	drawn map[string]captionSet // by question_id
	sum   string                // digest of what was drawn
}

// poolRank orders the captions that a question could be asked about; the least is drawn. As a digest it depends on
// nothing but the names and the seed. Its text is also that of the SQL model.
func poolRank(seed int, questionID string, s captionSet) string {
	sum := md5.Sum(fmt.Appendf(nil, "captionlake/pool/1\n%d\n%s\n%s\n%s", seed, questionID, s.Captioner, s.Prompt))
	return hex.EncodeToString(sum[:])
}

// poolOf draws the pool of a run; nil for one without.
func poolOf(s *engine.Scope, chosen config.Choice, sets []captionSet) (*questionPool, error) {
	if chosen.Pool == 0 {
		return nil, nil
	}
	if len(sets) == 0 && slices.Contains(s.Config.Answers.Evidence, captionqa.EvidenceCaption) {
		return nil, data.WithHint(fmt.Errorf("the lake has no captions of the prompt %s to draw a pool from", strings.Join(chosen.Prompts, ", ")),
			"name the prompts of the pool with --prompt, here and for analyze")
	}
	return drawPool(s.Lake, chosen.Pool, sets)
}

// drawPool draws a caption for each question of which the sets have one. The draw of a question does not depend on the
// other questions.
func drawPool(l *data.Lake, seed int, sets []captionSet) (*questionPool, error) {
	type place struct {
		captionSet
		ImageID string `parquet:"image_id"`
	}
	chosen := map[captionSet]bool{}
	for _, s := range sets {
		chosen[s] = true
	}
	captioned := map[string][]captionSet{} // by image_id
	for c, err := range data.Project[place](l, data.Captions, nil) {
		if err != nil {
			return nil, err
		}
		if chosen[c.captionSet] {
			captioned[c.ImageID] = append(captioned[c.ImageID], c.captionSet)
		}
	}
	p := &questionPool{drawn: map[string]captionSet{}}
	for q, err := range data.Select(l, data.Questions, nil) {
		if err != nil {
			return nil, err
		}
		least := ""
		for _, s := range captioned[q.ImageID] {
			if rank := poolRank(seed, q.QuestionID, s); least == "" || rank < least {
				least, p.drawn[q.QuestionID] = rank, s
			}
		}
	}
	parts := []string{"pool"}
	for _, id := range slices.Sorted(maps.Keys(p.drawn)) {
		parts = append(parts, id, p.drawn[id].Captioner, p.drawn[id].Prompt)
	}
	p.sum = data.Fingerprint(parts...)
	return p, nil
}

// has reports whether a question is to be asked about the captions of a set; a nil pool has every pair.
func (p *questionPool) has(questionID string, s captionSet) bool {
	return p == nil || p.drawn[questionID] == s
}

// digest tells pools apart.
func (p *questionPool) digest() string {
	if p == nil {
		return ""
	}
	return p.sum
}
