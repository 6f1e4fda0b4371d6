package stages

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
)

// assumedTokens is how long a caption still to be made is taken to be: the paper's mean number of words under its prompt
// (CaptionQA Figure 13) at four tokens for three words. A prompt of the user's own counts as Simple.
func assumedTokens(prompt string) int64 {
	words := map[string]int64{captionqa.PromptShort: 22, captionqa.PromptLong: 510, captionqa.PromptTaxonomyHinted: 650}[prompt]
	return cmp.Or(words, 356) * 4 / 3
}

// Forecast estimates the questions about captions that a run has yet to make, which no step plans before they are there:
// every reader on every captioner and prompt of the configuration of which the lake has no caption. It is empty when the
// choice leaves either stage out.
func (r *Runner) Forecast(o Choice) ([]Estimate, error) {
	c := r.Config
	if o.Stage != "" || len(o.Benchmarks) > 0 || !slices.Contains(c.Answers.Evidence, EvidenceCaption) {
		return nil, nil
	}
	have, err := captionSets(r.Lake)
	if err != nil {
		return nil, err
	}
	if pictures, err := anyPicture(r.Lake); err != nil || !pictures {
		return nil, err
	}
	var all []Estimate
	for _, name := range c.Answers.Readers {
		reader, _, err := c.Model(name)
		if err != nil {
			return nil, err
		}
		blank, tasks, groups, err := r.blank(reader)
		if err != nil {
			return nil, err
		}
		for _, captioner := range c.Captions.Captioners {
			model, _, err := c.Model(captioner)
			if err != nil {
				return nil, err
			}
			for _, prompt := range c.Captions.Prompts {
				if slices.Contains(have, captionSet{model.ID, prompt}) {
					continue
				}
				e, tokens := blank, assumedTokens(prompt)
				e.Prompt += tokens * tasks
				e.Shared += tokens * (tasks - groups)
				if err := r.price(&e, reader.Served); err != nil {
					return nil, err
				}
				for repeat := range c.Answers.Repeats {
					e.Name = AnswerJob{Protocol: c.Answers.Protocol, Reader: reader, Evidence: EvidenceCaption, Captioner: model.ID, Prompt: prompt, Repeat: repeat}.unit()
					all = append(all, e)
				}
			}
		}
	}
	return all, nil
}

// blank estimates the questions of the whole bank about an empty caption, and counts them and the items that they are of.
func (r *Runner) blank(reader ModelName) (e Estimate, tasks, groups int64, err error) {
	e = Estimate{Stage: AnswerStage, Model: reader.ID, Assumed: true}
	work, err := AnswerWork(r.Lake, AnswerJob{Protocol: r.Config.Answers.Protocol, Reader: reader, Evidence: EvidenceNone})
	if err != nil {
		return e, 0, 0, err
	}
	for group, err := range work.Groups() {
		if err != nil {
			return e, 0, 0, err
		}
		e.add(group)
		groups++
	}
	e.Planned = e.Pending
	return e, int64(e.Pending), groups, nil
}

func anyPicture(l *data.Lake) (bool, error) {
	for it, err := range items(l) {
		if err != nil || len(it.pictures) > 0 {
			return err == nil, err
		}
	}
	return false, nil
}

// Total adds estimates up. Its time is 0, unknown, when that of a step with something pending is.
func Total(estimates []Estimate) Estimate {
	total := Estimate{Name: fmt.Sprintf("%d units", len(estimates)), Priced: true}
	unknown := false
	for _, e := range estimates {
		total.Planned += e.Planned
		total.Pending += e.Pending
		total.Prompt += e.Prompt
		total.Shared += e.Shared
		total.Output += e.Output
		total.Seconds += e.Seconds
		total.Cost += e.Cost
		total.Priced = total.Priced && e.Priced
		total.Assumed = total.Assumed || e.Assumed
		unknown = unknown || e.Pending > 0 && e.Seconds == 0
	}
	if unknown {
		total.Seconds = 0
	}
	return total
}
