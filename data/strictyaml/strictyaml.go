// Package strictyaml reads YAML documents strictly, and gives the line and column of every fault.
// It knows nothing of lakes.
package strictyaml

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/captionlake/captionlake/data/spelling"
)

// maxNesting is how deep the values of a YAML document may nest. The deepest document of the
// program nests seven deep.
const maxNesting = 64

// A Fault says where and why a YAML document is refused.
type Fault struct {
	Line, Col int // from 1
	Message   string
}

// Error gives the place and the reason.
func (f *Fault) Error() string { return fmt.Sprintf("%d:%d: %s", f.Line, f.Col, f.Message) }

func fault(n *yaml.Node, format string, args ...any) *Fault {
	return &Fault{max(n.Line, 1), max(n.Column, 1), fmt.Sprintf(format, args...)}
}

// Parse reads one document of at most limit bytes; an empty document is null. All errors are
// [Fault]. Parse refuses invalid YAML, a second document, and values nested more than 64 deep. It
// also refuses anchors, aliases, merge keys and tags, because these can make a small document large
// or change its meaning.
func Parse(content []byte, limit int) (*yaml.Node, error) {
	if len(content) > limit {
		return nil, &Fault{1, 1, fmt.Sprintf("the document has more than %d KiB; check that this is the right file",
			limit>>10)}
	}
	decoder := yaml.NewDecoder(bytes.NewReader(content))
	var document, second yaml.Node
	err := decoder.Decode(&document)
	if errors.Is(err, io.EOF) {
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null"}, nil
	}
	if err == nil {
		if err = decoder.Decode(&second); err == nil {
			return nil, fault(&second, "a second document begins here, which nothing reads: remove the line")
		}
	}
	if !errors.Is(err, io.EOF) {
		return nil, syntaxFault(content, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	return document.Content[0], checkPlain(document.Content[0], 1) // The outermost value has the depth 1.
}

const (
	tooDeep   = "values are nested more than 64 deep; check that this is the right file"
	elsewhere = "%.20q is a reference to another place, which is not supported: " +
		"write the value itself, in quotes if it is a text"
	// parserFault begins messages of the library's parser, which counts lines from 0. Other messages
	// come from the library's scanner, which counts lines from 1.
	parserFault = "did not find expected"
)

// syntaxFault adds the place to an error of the YAML library, which gives only the line.
func syntaxFault(content []byte, message string) *Fault {
	line := 1
	number, rest, _ := strings.Cut(strings.TrimPrefix(message, "line "), ": ")
	if n, err := strconv.Atoi(number); err == nil {
		message, line = rest, n
		if strings.HasPrefix(message, parserFault) {
			line++
		}
	}
	if strings.HasPrefix(message, "exceeded max depth") {
		return &Fault{line, 1, tooDeep}
	}
	if name, ok := strings.CutPrefix(message, "unknown anchor '"); ok {
		// The library gives no line for an alias, so the place is where the text first has the alias.
		alias := "*" + strings.TrimSuffix(name, "' referenced")
		before, _, _ := bytes.Cut(content, []byte(alias))
		return &Fault{1 + bytes.Count(before, []byte("\n")), len(before) - bytes.LastIndexByte(before, '\n'),
			fmt.Sprintf(elsewhere, alias)}
	}
	return &Fault{line, 1, "not YAML here or below: " + message}
}

// checkPlain refuses references to other values, tags, deep nesting, and keys that are repeated or
// that are lists or mappings.
func checkPlain(n *yaml.Node, depth int) error {
	switch {
	case depth > maxNesting:
		return fault(n, tooDeep)
	case n.Kind == yaml.AliasNode || n.Anchor != "" || n.Tag == "!!merge":
		return fault(n, elsewhere, cmp.Or(n.Anchor, n.Value))
	case n.Style&yaml.TaggedStyle != 0:
		return fault(n, "the tag %.20q is not supported: write the value itself", n.Tag)
	}
	keys := map[string]bool{}
	for i, inner := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 {
			if inner.Kind != yaml.ScalarNode {
				return fault(inner, "a name is a text; write it without brackets")
			}
			if keys[inner.Value] {
				return fault(inner, "the key %q is a duplicate: keep one", inner.Value)
			}
			keys[inner.Value] = true
		}
		if err := checkPlain(inner, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// A Document is a document that was read strictly. It knows the places of its values.
type Document struct {
	path string
	root *yaml.Node
}

// An Entry is a key of a mapping, in the order of the document, with its value: a text, a []any, a
// []Entry or nil.
type Entry struct {
	Key   string `yaml:"-"`
	Value any    `yaml:"-"`
}

// keyed is an Entry, or a struct that embeds an Entry. A mapping can be read into a list of entries
// or of such structs.
type keyed interface{ set(Entry) }

// set implements keyed.
func (e *Entry) set(entry Entry) { *e = entry }

// Read reads a document of at most limit bytes into a value; path is for messages. Unknown and
// repeated keys, values of another kind and everything that [Parse] refuses are errors with line
// and column. In a field of type any or []Entry, a scalar is its text as written. A list of structs
// that embed Entry may be written as a mapping.
func Read(path string, content []byte, limit int, into any) (*Document, error) {
	root, err := Parse(content, limit)
	if err == nil {
		err = assign(root, reflect.ValueOf(into).Elem())
	}
	if err != nil {
		return nil, fmt.Errorf("%s:%w", path, err)
	}
	return &Document{path, root}, nil
}

// assign sets a value from a node; null leaves it unchanged.
func assign(n *yaml.Node, v reflect.Value) error {
	if n.Tag == "!!null" {
		return nil
	}
	if own, ok := v.Addr().Interface().(yaml.Unmarshaler); ok {
		if err := own.UnmarshalYAML(n); err != nil {
			return fault(n, "%v", err)
		}
		return nil
	}
	switch kind := v.Kind(); {
	case kind == reflect.Interface:
		v.Set(reflect.ValueOf(valueOf(n)))
	case kind == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return assign(n, v.Elem())
	case kind == reflect.Slice && n.Kind == yaml.MappingNode &&
		reflect.PointerTo(v.Type().Elem()).Implements(reflect.TypeFor[keyed]()):
		for _, entry := range valueOf(n).([]Entry) {
			item := reflect.New(v.Type().Elem())
			item.Interface().(keyed).set(entry)
			v.Set(reflect.Append(v, item.Elem()))
		}
	case kind == reflect.Slice && n.Kind == yaml.SequenceNode:
		v.Set(reflect.MakeSlice(v.Type(), len(n.Content), len(n.Content)))
		for i, item := range n.Content {
			if err := assign(item, v.Index(i)); err != nil {
				return err
			}
		}
	case (kind == reflect.Struct || kind == reflect.Map) && n.Kind == yaml.MappingNode:
		return assignMapping(n, v)
	case kind == reflect.String && n.Kind == yaml.ScalarNode:
		v.SetString(n.Value)
	// A whole number may belong in any field that is left here. Decode refuses it for a field that
	// takes no number.
	case kind == reflect.Bool && n.Tag == "!!bool", n.Tag == "!!int", kind == reflect.Float64 && n.Tag == "!!float":
		if n.Decode(v.Addr().Interface()) == nil {
			return nil
		}
		fallthrough // The value is of another kind than the field, or out of its range.
	default:
		what := map[reflect.Kind]string{reflect.Slice: "a list", reflect.Struct: "a mapping of names to values",
			reflect.Map: "a mapping of names to values", reflect.String: "a text", reflect.Bool: "true or false",
			reflect.Float64: "a number"}[kind]
		// All other kinds of fields take whole numbers.
		return fault(n, "%s belongs here", cmp.Or(what, "a whole number"))
	}
	return nil
}

// assignMapping sets the fields of a struct, named by their tags, or the entries of a map with
// texts as keys.
func assignMapping(n *yaml.Node, v reflect.Value) error {
	fields := map[string]reflect.Value{}
	if v.Kind() == reflect.Map {
		v.Set(reflect.MakeMap(v.Type()))
	} else {
		// VisibleFields also lists the fields of embedded structs, so the embedded structs themselves are
		// left out.
		for _, f := range reflect.VisibleFields(v.Type()) {
			name, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
			if f.IsExported() && !f.Anonymous && name != "-" {
				fields[cmp.Or(name, strings.ToLower(f.Name))] = v.FieldByIndex(f.Index)
			}
		}
	}
	for i := 0; i < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if v.Kind() == reflect.Map {
			element := reflect.New(v.Type().Elem()).Elem()
			if err := assign(value, element); err != nil {
				return err
			}
			v.SetMapIndex(reflect.ValueOf(key.Value).Convert(v.Type().Key()), element)
			continue
		}
		field, ok := fields[key.Value]
		if !ok {
			known := slices.Sorted(maps.Keys(fields))
			return fault(key, "unknown field %q; %s", key.Value,
				spelling.Meant("known are: "+strings.Join(known, ", "), known, key.Value))
		}
		if err := assign(value, field); err != nil {
			return err
		}
	}
	return nil
}

// valueOf is the value of a node for a field of type any: a text, a []any or a []Entry.
func valueOf(n *yaml.Node) any {
	switch n.Kind {
	case yaml.SequenceNode:
		list := []any{}
		for _, item := range n.Content {
			list = append(list, valueOf(item))
		}
		return list
	case yaml.MappingNode:
		var entries []Entry
		for i := 0; i < len(n.Content); i += 2 {
			entries = append(entries, Entry{n.Content[i].Value, valueOf(n.Content[i+1])})
		}
		return entries
	}
	return n.Value
}

// Place is the place of the value at a YAML path such as endpoints[0].name: path:line:column, or
// only the path if the value is not found.
func (d *Document) Place(at string) string {
	if n := d.node(at); n != nil {
		return fmt.Sprintf("%s:%d:%d", d.path, n.Line, n.Column)
	}
	return d.path
}

// Number is the number at a YAML path; ok is false if there is no number.
func (d *Document) Number(at string) (number float64, ok bool) {
	n := d.node(at)
	return number, n != nil && n.Tag != "!!null" && n.Decode(&number) == nil
}

// node is the value at a YAML path; nil if it is not found.
func (d *Document) node(at string) *yaml.Node {
	n := d.root
	// The path endpoints[0].name has the steps endpoints, 0 and name.
	for step := range strings.SplitSeq(strings.NewReplacer("[", ".", "]", "").Replace(at), ".") {
		var inner *yaml.Node
		place, err := strconv.Atoi(step)
		switch {
		case n.Kind == yaml.SequenceNode && err == nil && place < len(n.Content):
			inner = n.Content[place]
		case n.Kind == yaml.MappingNode:
			for k := 0; k < len(n.Content); k += 2 { // Keys and values alternate.
				if n.Content[k].Value == step {
					inner = n.Content[k+1]
				}
			}
		}
		if inner == nil {
			return nil
		}
		n = inner
	}
	return n
}
