package engine

import (
	"encoding/json"
	"fmt"
	"hash/maphash"
	"iter"
	"maps"
	"slices"
	"strings"
	"unique"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/llm"
)

// sent is what is recorded of a request beside its messages.
type sent struct {
	llm.Sampling
	Choice        []string        `json:"choice,omitempty"`               // the only texts that the reply may be
	TemplateFlags map[string]bool `json:"chat_template_kwargs,omitempty"` // flags of the model's chat template
	Model         string          `json:"model"`                          // name that the servers know the model by
	Prompt        string          `json:"prompt,omitempty"`               // text of the prompt, where it is a setting
}

// settingsOf is the JSON of the settings that a request is asked under; empty for vectors, which have none.
func (u *unit) settingsOf(r *llm.Request) (string, error) {
	if r.Embeds() {
		return "", nil
	}
	s := sent{Sampling: r.Sampling, Choice: r.Choice, TemplateFlags: r.TemplateFlags, Model: r.Model}
	if u.TextIsSetting {
		s.Prompt = text(r)
	}
	content, err := json.Marshal(s)
	return string(content), err
}

// A Replacement is what a run would ask again, although replies for the same items are recorded, because settings have
// changed since.
type Replacement struct {
	Requests int      `json:"requests"`           // requests that would be asked again
	Settings []string `json:"settings,omitempty"` // what differs: name: old → new
	Prompt   int64    `json:"prompt_tokens"`      // as in Estimate, of these requests
	Output   int64    `json:"completion_tokens"`
}

// String says what would be asked again, why, and what it costs.
func (r *Replacement) String() string {
	return fmt.Sprintf("%d items have replies that were asked for under other settings (%s); asking again takes as many requests, about %d prompt tokens without pictures and at most %d tokens of replies",
		r.Requests, strings.Join(r.Settings, "; "), r.Prompt, r.Output)
}

// refusal is the error of a run that would ask again without being told to.
func (r *Replacement) refusal() error {
	return data.WithHint(fmt.Errorf("%s", r),
		"ask again with --replace, which puts the new replies in place of the old ones (calls keeps these); or set %s back", config.File)
}

// A comparison compares requests that are pending with the settings of the calls that are recorded about the same items.
// Nothing is read before something is pending.
type comparison struct {
	recorded map[uint64]string // by the hash of the subject: the distinct settings of its calls, one to a line
	seed     maphash.Seed
	compared map[comparedSettings][]string // most items have the same settings
	found    Replacement
}

type comparedSettings struct{ before, now string }

// load reads the settings of a unit's recorded calls. Items are kept by their hashes, and equal settings once, because a
// unit may have hundreds of thousands of calls.
func (c *comparison) load(l *data.Lake, u *unit) error {
	c.recorded, c.compared, c.seed = map[uint64]string{}, map[comparedSettings][]string{}, maphash.MakeSeed()
	stem := u.calls().FileStem()
	for _, calls := range []iter.Seq2[data.Call, error]{
		data.UnitRows(l, data.Calls, u.calls()), data.JournalRows[data.Call](l, stem), data.SharedJournalRows[data.Call](l, stem),
	} {
		for call, err := range calls {
			if err != nil {
				return err
			}
			item := maphash.String(c.seed, call.Subject)
			before, known := c.recorded[item]
			// A failed call has no reply that another would replace.
			if call.State == llm.StateFailed || known && slices.Contains(strings.Split(before, "\n"), call.Sampling) {
				continue
			}
			settings := call.Sampling
			if known {
				settings = before + "\n" + settings
			}
			c.recorded[item] = unique.Make(settings).Value()
		}
	}
	return nil
}

// replaces reports whether a pending request is about an item that was asked about under other settings.
func (c *comparison) replaces(l *data.Lake, u *unit, t *plannedCall) (bool, error) {
	if c.recorded == nil {
		if err := c.load(l, u); err != nil {
			return false, err
		}
	}
	before, ok := c.recorded[maphash.String(c.seed, t.subject)]
	if !ok || t.attempt > 0 {
		return false, nil
	}
	now, err := u.settingsOf(t.request)
	if err != nil {
		return false, err
	}
	key := comparedSettings{before, now}
	differ, known := c.compared[key]
	if !known {
		differ = differences(strings.Split(before, "\n"), now)
		c.compared[key] = differ
	}
	for _, d := range differ {
		if !slices.Contains(c.found.Settings, d) {
			c.found.Settings = append(c.found.Settings, d)
		}
	}
	return len(differ) > 0, nil
}

// count adds requests of one group that would be asked again.
func (c *comparison) count(group []*plannedCall) {
	var cost Estimate
	cost.add(group)
	c.found.Requests += cost.Pending
	c.found.Prompt += cost.Prompt
	c.found.Output += cost.Output
}

// unrecordedEarlier are the settings that earlier versions did not record.
var unrecordedEarlier = []string{"model", "prompt"}

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
			for _, name := range unrecordedEarlier {
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
