// Package cookbook has queries for what analysts and authors ask: each is one SQL file with the question that it answers, and values that it
// takes. It knows neither DuckDB nor a lake: what it gives is the text of a query over the lake's tables, marts and shortcuts.
package cookbook

import (
	"cmp"
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/spelling"
)

// A Recipe is one question and its query.
type Recipe struct {
	Name       string            `json:"name"`
	Asks       string            `json:"asks"`            // the question, as a person would ask it
	Tells      string            `json:"tells,omitempty"` // what must be known of the answer
	First      int               `json:"-"`               // place among the questions that are asked first, from 1; 0 for others
	Parameters []Parameter       `json:"parameters,omitempty"`
	Example    map[string]string `json:"-"` // values for the demo's lake, of parameters that have none of their own
	NoRows     string            `json:"-"` // why the demo's lake gives no rows; empty when it does

	query string
}

// A Parameter is a value that a recipe takes: $NAME in its query.
type Parameter struct {
	Name    string `json:"name"`
	What    string `json:"what"`
	Default string `json:"default"`
	Needed  bool   `json:"needed"` // it has no default
	whole   bool   // it is a whole number
	query   bool   // its default is a query of one value
}

//go:embed *.sql
var files embed.FS

// Recipes lists the recipes: those that are asked first in their order, then the others by name. To add one: one file.
func Recipes() []Recipe { return slices.Clone(recipes()) }

// recipes reads the files once: their text is part of the program, and a test reads them all.
var recipes = sync.OnceValue(func() []Recipe {
	names, err := fs.Glob(files, "*.sql")
	if err != nil {
		panic(err)
	}
	var all []Recipe
	for _, name := range names {
		text, err := files.ReadFile(name)
		if err != nil {
			panic(err)
		}
		r, err := parse(string(text))
		if err != nil {
			panic(fmt.Sprintf("%s: %v", name, err))
		}
		all = append(all, r)
	}
	slices.SortStableFunc(all, func(a, b Recipe) int {
		place := func(r Recipe) int {
			if r.First == 0 {
				return len(all)
			}
			return r.First
		}
		return place(a) - place(b)
	})
	return all
})

// Find returns the recipe of a name.
func Find(name string) (Recipe, error) {
	for _, r := range recipes() {
		if r.Name == name {
			return r, nil
		}
	}
	var names []string
	for _, r := range recipes() {
		names = append(names, r.Name)
	}
	return Recipe{}, data.WithHint(fmt.Errorf("the cookbook has no recipe %q", name), "%s", spelling.Meant("captionlake cookbook lists them", names, name))
}

func parse(text string) (r Recipe, err error) {
	var header strings.Builder
	for strings.HasPrefix(text, "--") {
		var line string
		line, text, _ = strings.Cut(text, "\n")
		header.WriteString(strings.TrimPrefix(line[2:], " ") + "\n")
	}
	var h struct {
		Recipe     string         `yaml:"recipe"`
		Asks       string         `yaml:"asks"`
		Tells      string         `yaml:"tells"`
		First      int            `yaml:"first"`
		Parameters yaml.MapSlice  `yaml:"parameters"`
		Example    map[string]any `yaml:"example"`
		NoRows     string         `yaml:"no_rows"`
	}
	if err := yaml.UnmarshalWithOptions([]byte(header.String()), &h, yaml.Strict(), yaml.UseOrderedMap()); err != nil {
		return r, err
	}
	r = Recipe{Name: h.Recipe, Asks: h.Asks, Tells: h.Tells, First: h.First, NoRows: h.NoRows, query: strings.TrimSuffix(strings.TrimSpace(text), ";")}
	for _, p := range h.Parameters {
		pair, ok := p.Value.([]any)
		if !ok || len(pair) != 2 {
			return r, fmt.Errorf("parameter %v: write [default or null, what it is]", p.Key)
		}
		parameter := Parameter{Name: fmt.Sprint(p.Key), What: fmt.Sprint(pair[1]), Needed: pair[0] == nil}
		if pair[0] != nil {
			parameter.Default = fmt.Sprint(pair[0])
			switch v := pair[0].(type) {
			case yaml.MapSlice: // {sql: QUERY}
				parameter.Default, parameter.query = fmt.Sprint(v[0].Value), true
			case string:
			default:
				parameter.whole = true
			}
		}
		r.Parameters = append(r.Parameters, parameter)
	}
	for name, value := range h.Example {
		if r.Example == nil {
			r.Example = map[string]string{}
		}
		r.Example[name] = fmt.Sprint(value)
	}
	if r.Name == "" || r.Asks == "" || r.query == "" {
		return r, fmt.Errorf("the header has no recipe or asks, or there is no query")
	}
	return r, nil
}

var marks = regexp.MustCompile(`\$\w+`)

// Query is the query with values for its parameters, which are SQL texts and whole numbers and never SQL. It is an error if a value is for
// no parameter, or a parameter has none.
func (r Recipe) Query(values map[string]string) (string, error) {
	literals := map[string]string{}
	for _, p := range r.Parameters {
		value, given := values[p.Name]
		switch {
		case !given && p.Needed:
			return "", data.WithHint(fmt.Errorf("%s needs a value for %s: %s", r.Name, p.Name, p.What), "%s", r.Line())
		case !given && p.query:
			literals["$"+p.Name] = "(" + p.Default + ")"
			continue
		case !given:
			value = p.Default
		}
		if _, err := strconv.Atoi(value); p.whole && err != nil {
			return "", fmt.Errorf("%s: %s=%s is not a whole number; it is: %s", r.Name, p.Name, value, p.What)
		}
		if !p.whole {
			value = "'" + strings.ReplaceAll(value, "'", "''") + "'"
		}
		literals["$"+p.Name] = value
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if _, known := literals["$"+name]; !known {
			return "", data.WithHint(fmt.Errorf("%s has no parameter %s", r.Name, name), "%s", r.Line())
		}
	}
	return marks.ReplaceAllStringFunc(r.query, func(mark string) string {
		if literal, ok := literals[mark]; ok {
			return literal
		}
		return mark
	}), nil
}

// Document is the query as it is written, below what it answers and what its parameters are.
func (r Recipe) Document() string {
	var b strings.Builder
	fmt.Fprintf(&b, "-- %s\n", r.Asks)
	if r.Tells != "" {
		fmt.Fprintf(&b, "-- To know: %s.\n", r.Tells)
	}
	for _, p := range r.Parameters {
		fmt.Fprintf(&b, "-- $%s: %s", p.Name, p.What)
		if !p.Needed {
			fmt.Fprintf(&b, " (%s)", cmp.Or(p.Default, "empty"))
		}
		b.WriteByte('\n')
	}
	return b.String() + r.query + ";\n"
}

// Line is the command that answers the question, with the values of the example.
func (r Recipe) Line() string {
	line := "captionlake cookbook " + r.Name
	for _, p := range r.Parameters {
		if p.Needed {
			line += " " + p.Name + "=" + r.Example[p.Name]
		}
	}
	return line
}
