package config

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/spelling"
	"github.com/captionlake/captionlake/data/strictyaml"
	"github.com/captionlake/captionlake/stages/llm"
)

// A Check collects the faults of a configuration with their places. Servers, models and media are
// checked here; each stage checks its own section.
type Check struct {
	Config   *Config
	document *strictyaml.Document
	models   []string // models that the endpoints serve
	faults   []error
}

// Fault reports a fault of the value at a YAML path such as endpoints[0].name.
func (k *Check) Fault(at, format string, args ...any) {
	k.faults = append(k.faults, fmt.Errorf("%s: %s", k.document.Place(at), fmt.Sprintf(format, args...)))
}

// Whole reports a number in the file that is not whole, is below least, or is too large to be exact
// as a float64. A number that is not in the file has its default.
func (k *Check) Whole(at string, least float64) {
	if n, ok := k.document.Number(at); ok && !(n >= least && n == math.Trunc(n) && n < 1<<53) {
		k.Fault(at, "%s is a whole number, %g or more", key(at), least)
	}
}

// Between reports a number in the file that is outside a range.
func (k *Check) Between(at string, least, most float64) {
	if n, ok := k.document.Number(at); ok && !(n >= least && n <= most) {
		k.Fault(at, "%s is a number from %g to %g", key(at), least, most)
	}
}

// key is the last name of a YAML path.
func key(at string) string { return at[strings.LastIndex(at, ".")+1:] }

// Known reports the values of a list that are not among the known ones. what names a value in the
// message.
func (k *Check) Known(at, what string, values, known []string) {
	for i, v := range values {
		if !slices.Contains(known, v) {
			k.unknown(fmt.Sprintf("%s[%d]", at, i), what, v, known)
		}
	}
}

// unknown reports a value that is not known, with the known value that it most likely means.
func (k *Check) unknown(at, what, value string, known []string) {
	k.Fault(at, "there is no %s %q; %s", what, value,
		spelling.Meant("known are: "+strings.Join(known, ", "), known, value))
}

// Served reports the models of a list that no endpoint serves.
func (k *Check) Served(at, what string, models []string) { k.Known(at, what, models, k.models) }

// ServedOne reports a model that no endpoint serves.
func (k *Check) ServedOne(at, model string) { k.One(at, model, k.models...) }

// One reports a value that is not among the known ones.
func (k *Check) One(at, value string, known ...string) {
	if !slices.Contains(known, value) {
		k.unknown(at, key(at), value, known)
	}
}

// Prompts reports the names of a list that are not caption prompts.
func (k *Check) Prompts(at string, names []string) { k.Known(at, "prompt", names, k.Config.prompts()) }

// common checks everything that no stage checks.
func (k *Check) common() {
	k.endpoints()
	for i, m := range k.Config.Models {
		k.ServedOne(fmt.Sprintf("models[%d].name", i), m.Name)
		if m.Sampling != llm.SamplingChecked { // SamplingChecked is empty: the file names no mode.
			k.One(fmt.Sprintf("models[%d].sampling", i), string(m.Sampling), string(llm.SamplingDefault),
				string(llm.SamplingExplicit))
		}
		for _, name := range slices.Sorted(maps.Keys(m.Template)) {
			if !isTemplateFlag(m.Template[name]) {
				k.Fault(fmt.Sprintf("models[%d].template.%s", i, name),
					"%s is true, false, a number or a text, but not yes, no, on or off, and not a key", name)
			}
		}
		for _, price := range []string{"input", "cached", "output"} { // A price above 1e6 is a slip.
			k.Between(fmt.Sprintf("models[%d].price.%s", i, price), 0, 1e6)
		}
	}
	k.prompts()
	k.One("media.video", k.Config.Media.Video, VideoURL, VideoFrames)
	k.Whole("media.frames", 1)
	k.Whole("budget.requests", 0)
	k.Whole("budget.tokens", 0)
	k.spark()
}

// switchWord matches texts that people write for a truth value, and that are texts in YAML.
var switchWord = regexp.MustCompile(`(?i)^(yes|no|on|off)$`)

// isTemplateFlag reports whether a value may be sent for a chat template. The lake records it, so
// it must not look like an API key. The texts yes, no, on and off would all count as true in a
// template.
func isTemplateFlag(value any) bool {
	switch v := value.(type) {
	case bool, int:
		return true
	case float64:
		return !math.IsNaN(v) && !math.IsInf(v, 0)
	case string:
		return !llm.KeyLike.MatchString(v) && !switchWord.MatchString(v)
	}
	return false
}

// endpoints checks the endpoints, and collects the models that they serve.
func (k *Check) endpoints() {
	served, named := map[string]string{}, map[string]bool{} // endpoints by model; names of endpoints
	for i, e := range k.Config.Endpoints {
		at := fmt.Sprintf("endpoints[%d]", i)
		if e.Name == "" {
			k.Fault(at, "the endpoint has no name")
		}
		if named[e.Name] {
			k.Fault(at+".name",
				"the endpoint %s is a duplicate: list its servers as replicas of one endpoint, or choose another name", e.Name)
		}
		named[e.Name] = true
		k.replicas(at, e.Replicas)
		if e.Dialect != "" {
			k.One(at+".dialect", string(e.Dialect), string(llm.DialectVLLM), string(llm.DialectOpenAI))
		}
		if e.Affinity != "" {
			k.One(at+".affinity", e.Affinity, AffinityOn, AffinityOff)
		}
		k.session(at+".session", e.Session)
		// Names of variables have no such characters, and the keys of OpenAI begin with sk.
		if strings.ContainsAny(e.KeyEnv, "-. ") || strings.HasPrefix(e.KeyEnv, "sk") {
			k.Fault(at+".key_env",
				"key_env is the name of an environment variable, but it looks like a key: move the key to a variable")
		}
		k.Whole(at+".attempts", 1)
		k.Whole(at+".concurrency.initial", 1)
		k.Whole(at+".concurrency.max", 1)
		// Max is 0 if the file does not give it.
		if e.Concurrency.Max > 0 && e.Concurrency.Initial > e.Concurrency.Max {
			k.Fault(at+".concurrency.initial", "concurrency begins at %d, above its max of %d", e.Concurrency.Initial,
				e.Concurrency.Max)
		}
		for j, m := range e.Models {
			if other, known := served[m]; known {
				k.Fault(fmt.Sprintf("%s.models[%d]", at, j),
					"the model %s is served by endpoint %s already: list its servers as replicas of one endpoint", m, other)
			}
			served[m] = e.Name
		}
	}
	k.models = slices.Sorted(maps.Keys(served))
}

// prompts checks the user's own caption prompts.
func (k *Check) prompts() {
	names := captionqa.CaptionPrompts()
	for i, p := range k.Config.Prompts {
		at := fmt.Sprintf("prompts[%d]", i)
		if p.Name == "" || strings.TrimSpace(p.Text) == "" {
			k.Fault(at, "a prompt needs a name and a text")
		}
		if slices.Contains(names, p.Name) {
			k.Fault(at+".name", "the prompt %s is a duplicate: choose another name", p.Name)
		}
		names = append(names, p.Name)
	}
}
