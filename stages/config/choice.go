package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/spelling"
)

// A Choice narrows a run. Empty fields leave the configuration as it is.
type Choice struct {
	// a single stage or track; empty for all stages that run without being named
	Stage      string   `json:"stage,omitempty"`
	Captioners []string `json:"captioners,omitempty"`
	Prompts    []string `json:"prompts,omitempty"`
	Readers    []string `json:"readers,omitempty"`
	Evidence   []string `json:"evidence,omitempty"`
	Protocol   string   `json:"protocol,omitempty"`
	Repeats    int      `json:"repeats,omitempty"`
	// seed of the question pool, which replaces all captions; it draws from the named prompts, or
	// from Simple; 0 for no pool
	Pool    int      `json:"pool,omitempty"`
	Judges  []string `json:"judges,omitempty"`
	Domains []string `json:"domains,omitempty"` // domains to make questions for
	// benchmarks of annotated elements; captions are then made only for them, and no answers
	Benchmarks []string `json:"benchmarks,omitempty"`
}

// A Flag is one way to narrow a run: a flag of the commands that plan a run.
type Flag struct {
	Name  string
	Help  string
	Bare  string            // value of the flag if it is given without one; empty if a value is required
	Value func(*Choice) any // the field it sets: a *[]string, a *string or an *int
}

// Flags lists every way to narrow a run, in the order of the help. A stage names the flags that it
// uses.
func Flags() []Flag {
	return []Flag{
		{"captioner", "captioners, instead of the configuration's", "", func(o *Choice) any { return &o.Captioners }},
		{"prompt", "caption prompts, instead of the configuration's", "", func(o *Choice) any { return &o.Prompts }},
		{"reader", "readers, instead of the configuration's", "", func(o *Choice) any { return &o.Readers }},
		{"evidence", oneOf(captionqa.Evidences()) + ", instead of the configuration's", "",
			func(o *Choice) any { return &o.Evidence }},
		{"protocol", "protocol of the questions, instead of the configuration's", "",
			func(o *Choice) any { return &o.Protocol }},
		{"repeats", "how often each question is asked, instead of the configuration's", "",
			func(o *Choice) any { return &o.Repeats }},
		{"pool", "ask every question about one caption of the prompt Simple, or of the prompts of --prompt, drawn with this seed (1 by default), to compare readers", "1", func(o *Choice) any { return &o.Pool }},
		{"judge", "judges of annotated elements and of battles, instead of the configuration's", "",
			func(o *Choice) any { return &o.Judges }},
		{"domain", "domains to make questions for, instead of all that have pictures and a taxonomy", "",
			func(o *Choice) any { return &o.Domains }},
		{"benchmark", oneOf(data.AnnotatedBenchmarks()) + ", instead of the configuration's: a run about annotated elements", "", func(o *Choice) any { return &o.Benchmarks }},
	}
}

// Given are the names of the flags that a choice has set.
func (o *Choice) Given() []string {
	var names []string
	for _, f := range Flags() {
		set := false
		switch v := f.Value(o).(type) {
		case *[]string:
			set = len(*v) > 0
		case *string:
			set = *v != ""
		case *int:
			set = *v != 0
		}
		if set {
			names = append(names, f.Name)
		}
	}
	return names
}

// Check returns an error if a run cannot be narrowed in this way.
func (o *Choice) Check() error {
	for _, name := range o.Benchmarks {
		if known := data.AnnotatedBenchmarks(); !slices.Contains(known, name) {
			return data.WithHint(fmt.Errorf("there is no benchmark %q of annotated elements", name),
				"%s", spelling.Meant("choose "+oneOf(known), known, name))
		}
	}
	for _, name := range o.Evidence {
		if known := captionqa.Evidences(); !slices.Contains(known, name) {
			return data.WithHint(fmt.Errorf("there is no evidence %q", name),
				"%s", spelling.Meant("choose "+oneOf(known), known, name))
		}
	}
	if o.Repeats < 0 {
		return data.WithHint(fmt.Errorf("%d repeats are not possible", o.Repeats),
			"ask each question once or more often")
	}
	if o.Pool < 0 {
		return data.WithHint(fmt.Errorf("the seed %d of the pool is negative", o.Pool), "leave it out for the default")
	}
	if known := captionqa.AskProtocols(); o.Protocol != "" && !slices.Contains(known, o.Protocol) {
		return data.WithHint(fmt.Errorf("there is no protocol %q to ask under", o.Protocol),
			"%s", spelling.Meant("choose one of: "+strings.Join(known, ", "), known, o.Protocol))
	}
	return nil
}

// Narrow returns the configuration with the choice's values in place of its lists. Captioners that
// no endpoint serves, with loaded captions, are chosen by their model_id.
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

// or is a list, or another one if it is empty.
func or(list, other []string) []string {
	if len(list) > 0 {
		return list
	}
	return other
}

// Wants reports whether the captions of a captioner under a prompt are chosen. The captioner is
// given by its model_id; the choice may have any of its names.
func (o *Choice) Wants(captioner, prompt string) bool {
	if len(o.Prompts) > 0 &&
		!slices.ContainsFunc(o.Prompts,
			func(name string) bool { return strings.EqualFold(strings.TrimSpace(name), prompt) }) {
		return false
	}
	return len(o.Captioners) == 0 || slices.ContainsFunc(o.Captioners, func(name string) bool {
		id, err := data.ModelIDFor(name)
		return name == captioner || err == nil && id == captioner
	})
}

// oneOf lists names, as in: caption, image or none.
func oneOf(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}
