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
	known []string          // values that it may have; nil for any
}

// values are the values that a choice gives the flag.
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

// Flags lists every way to narrow a run, in the order of the help. A stage names the flags that it
// uses.
func Flags() []Flag {
	const instead = ", instead of the configuration's"
	evidence, benchmarks := captionqa.Evidences(), data.AnnotatedBenchmarks()
	return []Flag{
		{"captioner", "captioners" + instead, "", func(o *Choice) any { return &o.Captioners }, nil},
		{"prompt", "caption prompts" + instead, "", func(o *Choice) any { return &o.Prompts }, nil},
		{"reader", "readers" + instead, "", func(o *Choice) any { return &o.Readers }, nil},
		{"evidence", oneOf(evidence) + instead, "", func(o *Choice) any { return &o.Evidence }, evidence},
		{"protocol", "protocol of the questions" + instead, "", func(o *Choice) any { return &o.Protocol },
			captionqa.AskProtocols()},
		{"repeats", "how often each question is asked" + instead, "", func(o *Choice) any { return &o.Repeats }, nil},
		{"pool", "ask every question about one caption of the prompt Simple, or of the prompts of --prompt, drawn with this seed (1 by default), to compare readers",
			"1", func(o *Choice) any { return &o.Pool }, nil},
		{"judge", "judges of annotated elements and of battles" + instead, "",
			func(o *Choice) any { return &o.Judges }, nil},
		{"domain", "domains to make questions for, instead of all that have pictures and a taxonomy", "",
			func(o *Choice) any { return &o.Domains }, nil},
		{"benchmark", oneOf(benchmarks) + instead + ": a run about annotated elements", "",
			func(o *Choice) any { return &o.Benchmarks }, benchmarks},
	}
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

// Check returns an error if a run cannot be narrowed in this way.
func (o *Choice) Check() error {
	for _, f := range Flags() {
		texts, number := f.values(o)
		if number < 0 {
			return data.WithHint(fmt.Errorf("--%s is a number above 0, not %d", f.Name, number),
				"leave it out for the default")
		}
		for _, name := range texts {
			if f.known != nil && !slices.Contains(f.known, name) {
				return data.WithHint(fmt.Errorf("there is no %s %q", f.Name, name),
					"%s", spelling.Meant("choose "+oneOf(f.known), f.known, name))
			}
		}
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
