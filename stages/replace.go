package stages

import (
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/llm"
)

// sent is what is recorded of a request beside its messages.
type sent struct {
	llm.Sampling
	Choice        []string        `json:"choice,omitempty"`               // the only texts that the reply may be
	TemplateFlags map[string]bool `json:"chat_template_kwargs,omitempty"` // flags of the model's chat template
	Model         string          `json:"model"`                          // name that the servers know the model by
	Prompt        string          `json:"prompt,omitempty"`               // text of the prompt, of captions alone
}

// settingsOf is the JSON of the settings that a task is asked under.
func settingsOf(stage string, t Task) (string, error) {
	r := t.Request
	s := sent{Sampling: r.Sampling, Choice: r.Choice, TemplateFlags: r.TemplateFlags, Model: r.Model}
	if stage == CaptionStage {
		s.Prompt = text(r)
	}
	content, err := json.Marshal(s)
	return string(content), err
}

// unrecorded are the settings that earlier versions did not record.
var unrecorded = []string{"model", "prompt"}

// differences names the settings in which a request differs from the recorded calls about the same item, each as
// "name: old → new"; none when a call had the same ones. Of several calls the most alike counts. Both sides are JSON
// objects; what a recorded one of an earlier version does not say is taken to be the same.
func differences(recorded []string, now string) []string {
	var wanted map[string]any
	if json.Unmarshal([]byte(now), &wanted) != nil {
		return nil
	}
	var least []string
	for _, text := range recorded {
		var had map[string]any
		if json.Unmarshal([]byte(text), &had) != nil {
			continue
		}
		if _, ok := had["model"]; !ok {
			for _, name := range unrecorded {
				if value, ok := wanted[name]; ok {
					had[name] = value
				}
			}
		}
		var differ []string
		names := maps.Clone(had)
		maps.Copy(names, wanted)
		for _, name := range slices.Sorted(maps.Keys(names)) {
			if before, after := setting(had, name), setting(wanted, name); before != after {
				differ = append(differ, fmt.Sprintf("%s: %s → %s", name, before, after))
			}
		}
		if len(differ) == 0 {
			return nil
		}
		if least == nil || len(differ) < len(least) {
			least = differ
		}
	}
	return least
}

// setting shows a setting, a long text by its beginning and its length.
func setting(of map[string]any, name string) string {
	value, ok := of[name]
	if !ok {
		return "none"
	}
	content, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	const most = 60
	if runes := []rune(string(content)); len(runes) > most {
		return fmt.Sprintf("%s…\" (%d characters, %s)", string(runes[:most]), len(runes)-2, data.Fingerprint(string(content))[:8])
	}
	return string(content)
}

// A Replacement is what a run would ask again, although replies for the same items are recorded, because settings
// have changed since.
type Replacement struct {
	Requests int      `json:"requests"`           // requests that would be asked again
	Settings []string `json:"settings,omitempty"` // what differs: name: old → new
	Prompt   int64    `json:"prompt_tokens"`      // as in Estimate, of these requests
	Output   int64    `json:"completion_tokens"`
}

// replacementOf compares a plan with the calls that are recorded of its unit.
func replacementOf(l *data.Lake, w Work) (*Replacement, error) {
	r := &Replacement{}
	recorded := map[string][]string{} // by subject
	for _, calls := range []iter.Seq2[data.Call, error]{
		data.UnitRows(l, data.Calls, w.Unit()), data.JournalRows[data.Call](l, w.Unit().FileStem()),
	} {
		for c, err := range calls {
			if err != nil {
				return r, err
			}
			// A failed call has no reply that another would replace.
			if c.State != llm.StateFailed && !slices.Contains(recorded[c.Subject], c.Sampling) {
				recorded[c.Subject] = append(recorded[c.Subject], c.Sampling)
			}
		}
	}
	if len(recorded) == 0 {
		return r, nil
	}
	type pair struct{ recorded, now string }
	compared := map[pair][]string{} // most items have the same settings
	var cost Estimate
	for group, err := range w.Groups() {
		if err != nil {
			return r, err
		}
		var again []Task
		for _, t := range group.Tasks {
			had := recorded[t.Subject]
			if len(had) == 0 || t.Extra {
				continue
			}
			now, err := settingsOf(w.Stage, t)
			if err != nil {
				return r, err
			}
			key := pair{strings.Join(had, "\n"), now}
			differ, known := compared[key]
			if !known {
				differ = differences(had, now)
				compared[key] = differ
			}
			if len(differ) == 0 {
				continue
			}
			again = append(again, t)
			for _, d := range differ {
				if !slices.Contains(r.Settings, d) {
					r.Settings = append(r.Settings, d)
				}
			}
		}
		if len(again) > 0 {
			cost.add(Group{group.Affinity, again})
		}
	}
	r.Requests, r.Prompt, r.Output = cost.Pending, cost.Prompt, cost.Output
	return r, nil
}

// String says what would be asked again, why, and what it costs.
func (r *Replacement) String() string {
	return fmt.Sprintf("%d items have replies that were asked for under other settings (%s); asking again takes as many requests, about %d prompt tokens without pictures and at most %d tokens of replies",
		r.Requests, strings.Join(r.Settings, "; "), r.Prompt, r.Output)
}

// refuse is the error of a run that would ask again without being told to; nil when nothing would be.
func (r *Replacement) refuse(s Step) error {
	if r.Requests == 0 {
		return nil
	}
	return data.WithHint(fmt.Errorf("%s %s: %s", s.Stage, s.Name, r),
		"ask again with --replace, which puts the new replies in place of the old ones (calls keeps these); or set %s back", ConfigFile)
}

// wouldReplace refuses a step that would ask again what was asked under other settings.
func wouldReplace(l *data.Lake, s Step) error {
	work, err := s.Work(l)
	if err != nil {
		return err
	}
	again, err := replacementOf(l, work)
	if err != nil {
		return err
	}
	return again.refuse(s)
}
