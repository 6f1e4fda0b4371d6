package data

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/captionlake/captionlake/data/strictyaml"
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
	byName map[string]Model // by the nameKey of every name
}

var embeddedRegistry = sync.OnceValues(func() (*ModelRegistry, error) {
	content, err := reference.ReadFile("models.yaml")
	if err != nil {
		return nil, err
	}
	r := &ModelRegistry{byName: map[string]Model{}}
	if _, err := strictyaml.Read("models.yaml", content, len(content), &r.models); err != nil {
		return nil, err
	}
	slices.SortFunc(r.models, func(a, b Model) int { return strings.Compare(a.ModelID, b.ModelID) })
	for _, m := range r.models {
		for _, name := range append([]string{m.ModelID, m.Name}, m.Aliases...) {
			r.byName[nameKey(name)] = m
		}
	}
	return r, nil
})

// Registry returns the registry that the binary carries.
func Registry() (*ModelRegistry, error) { return embeddedRegistry() }

// Resolve finds the model that a name stands for. size is the number of parameters where the source has it in a column
// of its own, else empty; a name that has the size already may be given with the same size again. Case, spaces and
// punctuation do not matter, except that a separator between two digits keeps its place: "Qwen2.5 7B" is
// "qwen2-5-7b" and is not "Qwen2-57B". It never guesses: a name that is not listed is not found.
func (r *ModelRegistry) Resolve(name, size string) (Model, bool) {
	if size != "" {
		if m, ok := r.byName[nameKey(name+" "+size)]; ok {
			return m, true
		}
	}
	m, ok := r.byName[nameKey(name)]
	if !ok || size != "" && nameKey(m.Size) != nameKey(size) {
		return Model{}, false
	}
	return m, true
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
func (r *ModelRegistry) All() []Model { return slices.Clone(r.models) }

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
