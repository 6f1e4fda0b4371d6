package engine

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/text"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/llm"
)

// refusal is an error if the run would repeat requests because their settings changed. It is asked
// for only without --replace.
func (p *plan) refusal() error {
	found, err := p.replacement()
	if err != nil || found == nil {
		return err
	}
	return data.WithHint(fmt.Errorf("%s", found),
		"ask again with --replace: new replies replace the old ones, which calls keeps; or restore %s", config.File)
}

// replacement describes the items that would be asked about although they have replies under other
// settings; nil for none. Items and settings are compared by hashes, because a unit may have
// hundreds of thousands of calls.
func (p *plan) replacement() (*Replacement, error) {
	known := map[uint64]bool{} // hashes of items with a reply: without settings, and with the settings of each reply
	last := ""                 // settings of the last of these replies, shown as the old settings
	under := func(subject, settings string) uint64 { return xxh3.HashString(subject + "\x00" + settings) }
	for call, err := range p.ownCalls(p.scope.Lake) {
		if err != nil {
			return nil, err
		}
		if call.State != llm.StateFailed { // A failed call has no reply to replace.
			known[under(call.Subject, "")], known[under(call.Subject, call.Sampling)] = true, true
			last = call.Sampling
		}
	}
	if len(known) == 0 {
		return nil, nil
	}
	found, changed := Replacement{}, map[string]bool{} // changed: settings of the found requests
	err := p.items(p.scope, func(item *item) error {
		if !known[under(item.Subject, "")] || item.Spared {
			return nil
		}
		body, err := p.ask(item)
		if err != nil || len(body.Messages) == 0 {
			return nil // The plan itself reports the error; without messages nothing is sampled.
		}
		settings := body.Settings(p.TextIsSetting)
		if known[under(item.Subject, settings)] {
			return nil
		}
		q := request{item: item}
		q.identify(&body)
		if p.index.noted(q.key) > 0 || !p.scope.pending(&q) {
			return nil // Another unit has asked the same, or the item is in another part of the run.
		}
		changed[settings] = true
		found.Requests++
		found.Prompt += int64(len(body.Text()) / bytesPerToken)
		found.Most += int64(body.Sampling.MaxTokens)
		return nil
	})
	if err != nil || found.Requests == 0 {
		return nil, err
	}
	for settings := range changed {
		found.Settings = append(found.Settings, differences(last, settings)...)
	}
	slices.Sort(found.Settings)
	found.Settings = slices.Compact(found.Settings)
	return &found, nil
}

// differences lists what differs between the settings of a recorded request and of a planned one,
// each as "name: old → new". Both arguments are JSON objects. If one of them cannot be read as
// JSON, the list is empty.
func differences(recorded, planned string) (lines []string) {
	var before, after map[string]json.RawMessage
	if json.Unmarshal([]byte(recorded), &before) != nil || json.Unmarshal([]byte(planned), &after) != nil {
		return nil
	}
	shown := func(value json.RawMessage) string { return cmp.Or(text.Clip(string(value), 60), "none") }
	names := maps.Clone(before)
	maps.Copy(names, after)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if string(before[name]) != string(after[name]) {
			lines = append(lines, fmt.Sprintf("%s: %s → %s", name, shown(before[name]), shown(after[name])))
		}
	}
	return lines
}
