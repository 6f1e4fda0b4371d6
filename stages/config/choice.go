package config

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/spelling"
)

// A Choice narrows a run. Empty fields leave the configuration as it is. The tags of a field
// describe its flag; %s in the help stands for the known values.
type Choice struct {
	// a single stage or track; empty for all stages that run without being named
	Stage      string   `json:"stage,omitempty"`
	Captioners []string `json:"captioners,omitempty" flag:"captioner"`
	Prompts    []string `json:"prompts,omitempty" flag:"prompt"`
	Readers    []string `json:"readers,omitempty" flag:"reader"`
	Evidence   []string `json:"evidence,omitempty" flag:"evidence"`
	Protocol   string   `json:"protocol,omitempty" flag:"protocol"`
	Repeats    int      `json:"repeats,omitempty" flag:"repeats"`
	// seed of the question pool: each question is asked about one drawn caption of the named prompts,
	// or of Simple; 0 for no pool
	Pool   int      `json:"pool,omitempty" flag:"pool" bare:"1"`
	Judges []string `json:"judges,omitempty" flag:"judge"`
	// domains to make questions for
	Domains []string `json:"domains,omitempty" flag:"domain"`
	// benchmarks of annotated elements; with them, captions are made only for these benchmarks, and no
	// questions are answered
	Benchmarks []string `json:"benchmarks,omitempty" flag:"benchmark"`
}

// A Flag is one way to narrow a run: a flag of the commands that plan a run.
type Flag struct {
	Name  string
	Help  string
	Bare  string            // value of the flag if it is given without one; empty if a value is required
	Value func(*Choice) any // the field that the flag sets: a *[]string, a *string or an *int
	known []string          // values that it may have; nil for any
}

// values are the values that a choice gives the flag: texts, or a number.
func (f Flag) values(o *Choice) (texts []string, number int) {
	switch v := f.Value(o).(type) {
	case *[]string:
		return *v, 0
	case *string:
		if *v != "" {
			texts = []string{*v}
		}
	case *int:
		number = *v
	}
	return texts, number
}

// helps are the helps of the flags, where %s stands for the known values.
var helps = map[string]string{
	"captioner": "captioners, instead of the configuration's",
	"prompt":    "caption prompts, instead of the configuration's",
	"reader":    "readers, instead of the configuration's",
	"evidence":  "%s, instead of the configuration's",
	"protocol":  "protocol of the questions, instead of the configuration's",
	"repeats":   "how often each question is asked, instead of the configuration's",
	"pool": "ask every question about one caption of the prompt Simple, or of the prompts of --prompt, " +
		"drawn with this seed (1 by default), to compare readers",
	"judge":     "judges of annotated elements and of battles, instead of the configuration's",
	"domain":    "domains to make questions for, instead of all that have pictures and a taxonomy",
	"benchmark": "%s, instead of the configuration's: a run about annotated elements",
}

// Flags lists every way to narrow a run, in the order of the help. A stage names the flags that it
// uses.
func Flags() (flags []Flag) {
	known := map[string][]string{"evidence": captionqa.Evidences(), "protocol": captionqa.AskProtocols(),
		"benchmark": data.AnnotatedBenchmarks()}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Choice]()) {
		if name := f.Tag.Get("flag"); name != "" {
			flags = append(flags, Flag{
				name, strings.Replace(helps[name], "%s", oneOf(known[name]), 1), f.Tag.Get("bare"),
				func(o *Choice) any { return reflect.ValueOf(o).Elem().FieldByIndex(f.Index).Addr().Interface() },
				known[name],
			})
		}
	}
	return flags
}

// Given are the names of the flags that a choice has set.
func (o *Choice) Given() (names []string) {
	for _, f := range Flags() {
		if texts, number := f.values(o); len(texts) > 0 || number != 0 {
			names = append(names, f.Name)
		}
	}
	return names
}

// Check returns an error if a value of the choice cannot narrow a run.
func (o *Choice) Check() error {
	for _, f := range Flags() {
		texts, number := f.values(o)
		if number < 0 { // 0 stands for a flag that is not given.
			return data.Errorf("leave it out for the default", "--%s is a number above 0, not %d", f.Name, number)
		}
		for _, name := range texts {
			if f.known != nil && !slices.Contains(f.known, name) {
				return data.Errorf(spelling.Meant("choose "+oneOf(f.known), f.known, name), "there is no %s %q", f.Name,
					name)
			}
		}
	}
	return nil
}

// Narrow returns the configuration with the choice's values in place of its lists. A captioner that
// no endpoint serves, because its captions were loaded, is chosen by its model_id. Stage, Pool and
// Domains have no counterpart in the configuration: stages read them from the choice.
func (c Config) Narrow(o Choice) Config {
	c.Captions.Captioners = or(o.Captioners, c.Captions.Captioners)
	c.Captions.Prompts = or(c.promptNames(o.Prompts), c.Captions.Prompts)
	c.Answers.Readers = or(o.Readers, c.Answers.Readers)
	c.Answers.Evidence = or(o.Evidence, c.Answers.Evidence)
	c.Answers.Protocol = cmp.Or(o.Protocol, c.Answers.Protocol)
	c.Answers.Repeats = cmp.Or(o.Repeats, c.Answers.Repeats)
	c.Judges.Models = or(o.Judges, c.Judges.Models)
	c.Battles.Judges = or(o.Judges, c.Battles.Judges)
	c.Judges.Benchmarks = or(o.Benchmarks, c.Judges.Benchmarks)
	c.Judges.Repeats = cmp.Or(o.Repeats, c.Judges.Repeats)
	return c
}

// or is list, or other if list is empty.
func or(list, other []string) []string {
	if len(list) > 0 {
		return list
	}
	return other
}

// Wants reports whether the captions of a captioner under a prompt are chosen. The captioner is
// given by its model_id; the choice may have any name of the model.
func (o *Choice) Wants(captioner, prompt string) bool {
	isPrompt := func(name string) bool { return strings.EqualFold(strings.TrimSpace(name), prompt) }
	isCaptioner := func(name string) bool {
		id, err := data.ModelIDFor(name)
		return name == captioner || err == nil && id == captioner
	}
	return (len(o.Prompts) == 0 || slices.ContainsFunc(o.Prompts, isPrompt)) &&
		(len(o.Captioners) == 0 || slices.ContainsFunc(o.Captioners, isCaptioner))
}

// oneOf lists names, as in: caption, image or none.
func oneOf(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}
