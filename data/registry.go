package data

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// The types of a model.
const (
	ModelOpen        = "open"        // weights can be had
	ModelProprietary = "proprietary" // behind an interface only
	ModelHuman       = "human"       // people
	ModelMetric      = "metric"      // a formula or a scoring model that is not asked in words
	ModelRehearsal   = "rehearsal"   // a model of the rehearsal server, which knows nothing
)

// A ModelRegistry maps the names that papers, leaderboards and model hubs use to models.
type ModelRegistry struct {
	models []Model
	byName map[string]int // nameKey of every name to its position in models
}

var embeddedRegistry = sync.OnceValues(func() (*ModelRegistry, error) {
	content, err := reference.ReadFile("models.yaml")
	if err != nil {
		return nil, err
	}
	r, err := ParseRegistry(content)
	if err != nil {
		return nil, fmt.Errorf("models.yaml: %w", err)
	}
	return r, nil
})

// Registry returns the registry that the binary carries.
func Registry() (*ModelRegistry, error) { return embeddedRegistry() }

// maxRegistryBytes bounds a registry, which is parsed whole. The embedded one has a hundredth of it.
const maxRegistryBytes = 4 << 20

// registryEntry is one model as models.yaml writes it.
type registryEntry struct {
	ID           string   `yaml:"id"`
	Name         string   `yaml:"name"`
	Family       string   `yaml:"family"`
	Size         string   `yaml:"size"`
	Organization string   `yaml:"organization"`
	Type         string   `yaml:"type"`
	Aliases      []string `yaml:"aliases"`
}

// ParseRegistry reads a registry from YAML: a list of entries with id, name, family, size, organization, type and
// aliases. An incomplete entry, an unknown type, and a name that two models share are errors; all of them are
// reported together.
func ParseRegistry(content []byte) (*ModelRegistry, error) {
	var entries []registryEntry
	if _, err := ReadYAML("models.yaml", content, maxRegistryBytes, &entries); err != nil {
		return nil, err
	}
	r := &ModelRegistry{byName: map[string]int{}}
	var faults []error
	for _, e := range entries {
		if e.ID == "" || e.Name == "" || e.Family == "" || e.Organization == "" {
			faults = append(faults, fmt.Errorf("model %q: id, name, family and organization must all be given", e.ID))
		}
		if e.ID != modelSlug(e.ID) {
			faults = append(faults, fmt.Errorf("model %q: an id has only lower-case letters, digits, dots and dashes", e.ID))
		}
		switch e.Type {
		case ModelOpen, ModelProprietary, ModelHuman, ModelMetric, ModelRehearsal:
		default:
			faults = append(faults, fmt.Errorf("model %q: type %q is not one of open, proprietary, human, metric, rehearsal", e.ID, e.Type))
		}
		faults = append(faults, r.add(e)...)
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	slices.SortFunc(r.models, func(a, b Model) int { return strings.Compare(a.ModelID, b.ModelID) })
	for i, m := range r.models {
		for _, name := range append([]string{m.ModelID, m.Name}, m.Aliases...) {
			r.byName[nameKey(name)] = i
		}
	}
	return r, nil
}

// add appends a model and reports the names that an earlier one has.
func (r *ModelRegistry) add(e registryEntry) (faults []error) {
	i := len(r.models)
	r.models = append(r.models, Model{
		ModelID: e.ID, Name: e.Name, Family: e.Family, Size: e.Size,
		Organization: e.Organization, ModelType: e.Type, Aliases: append([]string{}, e.Aliases...),
	})
	for _, name := range append([]string{e.ID, e.Name}, e.Aliases...) {
		key := nameKey(name)
		if other, taken := r.byName[key]; taken && other != i {
			faults = append(faults, fmt.Errorf("the name %q belongs to both %s and %s", name, r.models[other].ModelID, e.ID))
			continue
		}
		r.byName[key] = i
	}
	return faults
}

// Resolve finds the model that a name stands for. size is the number of parameters where the source has it in a column
// of its own, else empty; a name that has the size already may be given with the same size again. Case, spaces and
// punctuation do not matter, except that a separator between two digits keeps its place: "Qwen2.5 7B" is
// "qwen2-5-7b" and is not "Qwen2-57B". It never guesses: a name that is not listed is not found.
func (r *ModelRegistry) Resolve(name, size string) (Model, bool) {
	if size != "" {
		if i, ok := r.byName[nameKey(name+" "+size)]; ok {
			return r.models[i].clone(), true
		}
	}
	i, ok := r.byName[nameKey(name)]
	if !ok || size != "" && nameKey(r.models[i].Size) != nameKey(size) {
		return Model{}, false
	}
	return r.models[i].clone(), true
}

// ModelIDFor returns the model_id of a name in a user's own file: that of the registry where the name is known, and
// otherwise a slug of the name, so that a new model needs no registration. The same name always gives the same id.
func (r *ModelRegistry) ModelIDFor(name string) string {
	if m, ok := r.Resolve(name, ""); ok {
		return m.ModelID
	}
	return modelSlug(name)
}

// ModelIDFor is ModelIDFor of the registry that the binary carries.
func ModelIDFor(name string) (string, error) {
	r, err := Registry()
	if err != nil {
		return "", err
	}
	return r.ModelIDFor(name), nil
}

// All lists the models, ordered by model_id.
func (r *ModelRegistry) All() []Model {
	all := make([]Model, len(r.models))
	for i, m := range r.models {
		all[i] = m.clone()
	}
	return all
}

func (m Model) clone() Model {
	m.Aliases = slices.Clone(m.Aliases)
	return m
}

// nameKey folds what does not distinguish models: case, spaces and punctuation. A run of separators between two digits
// becomes one dash, because there it keeps numbers apart.
func nameKey(name string) string {
	var b strings.Builder
	var last rune
	separated := false
	for _, r := range strings.ToLower(name) {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			separated = true
			continue
		}
		if separated && unicode.IsDigit(last) && unicode.IsDigit(r) {
			b.WriteByte('-')
		}
		b.WriteRune(r)
		last, separated = r, false
	}
	return b.String()
}

// modelSlug makes a model_id of a name. A name with more to it than a slug can hold, such as one in another script or
// a very long one, gets a digest of the whole name, so that two names never share an id by truncation.
func modelSlug(name string) string {
	s := slug(name)
	lossless := len(s) > 0 && len(s) < 80
	for _, r := range name {
		lossless = lossless && r < unicode.MaxASCII
	}
	if lossless {
		return s
	}
	sum := sha256.Sum256([]byte(name))
	digest := hex.EncodeToString(sum[:4])
	if s == "" {
		return "model-" + digest
	}
	return s + "-" + digest
}
