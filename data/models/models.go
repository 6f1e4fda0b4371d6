// Package models knows models by the names that papers, leaderboards and model hubs use. It knows
// no lake.
package models

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/captionlake/captionlake/data/strictyaml"
)

// A Model is one model, as the table models has it.
type Model struct {
	ModelID      string   `yaml:"id"`
	Name         string   `yaml:"name"`
	Family       string   `yaml:"family"`
	Size         string   `yaml:"size"`
	Organization string   `yaml:"organization"`
	ModelType    string   `yaml:"type"`
	Aliases      []string `yaml:"aliases"`
}

// A Registry maps the names that papers, leaderboards and model hubs use to models.
type Registry struct {
	models []Model
	byName map[string]Model // by the nameKey of each id, name and alias
}

// Parse reads a registry from YAML: a list of models. name is the name of the file in errors.
func Parse(name string, content []byte) (*Registry, error) {
	r := &Registry{byName: map[string]Model{}}
	// The registry is a file of the program, so its length is not limited.
	if _, err := strictyaml.Read(name, content, len(content), &r.models); err != nil {
		return nil, err
	}
	slices.SortFunc(r.models, func(a, b Model) int { return strings.Compare(a.ModelID, b.ModelID) })
	for _, m := range r.models {
		for _, alias := range append([]string{m.ModelID, m.Name}, m.Aliases...) {
			r.byName[nameKey(alias)] = m
		}
	}
	return r, nil
}

// Resolve finds the model of a name, which includes the model's size. Case, spaces and punctuation
// do not matter, except that a separator between two digits stays: "Qwen2.5 7B" is "qwen2-5-7b" and
// is not "Qwen2-57B". Resolve never guesses: a name that the registry does not list is not found.
func (r *Registry) Resolve(name string) (m Model, known bool) {
	m, known = r.byName[nameKey(name)]
	return m, known
}

// ModelIDFor returns the model_id of a name in a user's own file: the registry's model_id if the
// name is known, otherwise a slug of the name, so that a new model needs no registration. The same
// name always gives the same id.
func (r *Registry) ModelIDFor(name string) string {
	if m, ok := r.Resolve(name); ok {
		return m.ModelID
	}
	return idOf(name)
}

// All lists the models, ordered by model_id.
func (r *Registry) All() []Model { return slices.Clone(r.models) }

// nameKey removes differences that do not distinguish models: case, spaces and punctuation. A run
// of separators between two digits becomes one dash, because there it separates numbers.
func nameKey(name string) string {
	name = separators.ReplaceAllString(strings.ToLower(name), " ")
	for range 2 { // In "1 2 3" both matches need the 2, so one replacement finds only the first match.
		name = betweenDigits.ReplaceAllString(name, "$1-$2")
	}
	return strings.ReplaceAll(name, " ", "")
}

var (
	separators    = regexp.MustCompile(`[^\pL\p{Nd}]+`)
	betweenDigits = regexp.MustCompile(`(\p{Nd}) (\p{Nd})`)
	notInSlugs    = regexp.MustCompile(`[^a-z0-9.]+`)
)

// idOf makes a model_id of a name. If a slug cannot hold the name, because the name is long or in
// another script, the id ends in a digest of the whole name. So two long names that begin alike get
// different ids.
func idOf(name string) string {
	slug := Slug(name)
	foreign := strings.ContainsFunc(name, func(r rune) bool { return r >= unicode.MaxASCII })
	if slug != "" && len(slug) < longestSlug && !foreign { // A shorter slug was not cut.
		return slug
	}
	sum := sha256.Sum256([]byte(name))
	return cmp.Or(slug, "model") + "-" + hex.EncodeToString(sum[:4])
}

// longestSlug is the number of characters that Slug keeps; after a dash it keeps one more.
const longestSlug = 80

// Slug turns a name into a text that any file system accepts. It writes letters in lower case,
// keeps a to z, digits and dots, and writes a dash for each run of other characters. The text has
// at most 81 characters.
func Slug(name string) string {
	s := strings.Trim(notInSlugs.ReplaceAllString(strings.ToLower(name), "-"), "-")
	if end := longestSlug; len(s) > end {
		if s[end-1] == '-' {
			end++ // A slug does not end in a dash, so the character after the dash stays too.
		}
		s = s[:end]
	}
	return strings.Trim(s, ".") // A dot at the beginning hides a file, and Windows allows none at the end.
}
