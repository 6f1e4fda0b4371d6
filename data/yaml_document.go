package data

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	near "github.com/captionlake/captionlake/data/spelling"
)

// A YAMLDocument is a document that was read strictly, and knows where its values are.
type YAMLDocument struct {
	path string
	file *ast.File
}

// ReadYAML reads a document of at most limit bytes into a value; path is for messages. Unknown and repeated keys, values of another kind, a
// second document and all that [CheckYAML] refuses are errors that name line and column.
func ReadYAML(path string, content []byte, limit int, into any) (*YAMLDocument, error) {
	var fault *YAMLFault
	if err := CheckYAML(content, limit); errors.As(err, &fault) {
		return nil, fmt.Errorf("%s:%w", path, fault)
	}
	file, err := decodeYAML(content, into)
	var located yaml.Error
	if errors.As(err, &located) && located.GetToken() != nil {
		token := located.GetToken()
		err := fmt.Errorf("%s:%d:%d: %s", path, token.Position.Line, token.Position.Column, yamlMessage(located))
		var unknown *yaml.UnknownFieldError
		if key := near.Nearest(token.Value, yamlKeys(reflect.TypeOf(into), nil)); errors.As(located, &unknown) && key != "" {
			err = fmt.Errorf("%w; did you mean %s?", err, key)
		}
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &YAMLDocument{path, file}, nil
}

// decodeYAML reads the YAML and its syntax tree. The library panics at some malformed documents, such as a tag without a value; a user's
// file must not end the program.
func decodeYAML(content []byte, into any) (file *ast.File, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = errors.New("this YAML cannot be read: leave tags, anchors and other rare forms out")
		}
	}()
	if err := yaml.NewDecoder(bytes.NewReader(content), yaml.Strict()).Decode(into); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	file, err = parser.ParseBytes(content, 0)
	if err == nil && len(file.Docs) > 1 {
		err = &yaml.SyntaxError{Message: "a second document begins here, which nothing reads: remove the line", Token: file.Docs[1].Start}
	}
	return file, err
}

// yamlKeys are the keys of the structs that a type is made of.
func yamlKeys(t reflect.Type, seen []reflect.Type) (keys []string) {
	if slices.Contains(seen, t) {
		return nil
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return yamlKeys(t.Elem(), append(seen, t))
	case reflect.Struct:
		for field := range t.Fields() {
			if key, _, _ := strings.Cut(field.Tag.Get("yaml"), ","); key != "" && key != "-" {
				keys = append(keys, key)
			}
			keys = append(keys, yamlKeys(field.Type, append(seen, t))...)
		}
	}
	return keys
}

// yamlMessage words an error of the YAML library for people who do not know Go.
func yamlMessage(err yaml.Error) string {
	var mismatch *yaml.TypeError
	if !errors.As(err, &mismatch) {
		return err.GetMessage()
	}
	switch mismatch.DstType.Kind() {
	case reflect.Int, reflect.Int64:
		return "a whole number belongs here"
	case reflect.Float64:
		return "a number belongs here"
	case reflect.Bool:
		return "true or false belongs here"
	case reflect.String:
		return "a text belongs here"
	}
	return err.GetMessage()
}

// Place is where the value at a YAML path such as endpoints[0].name is: path:line:column, or the path alone where it cannot be told.
func (d *YAMLDocument) Place(at string) string {
	if node := d.node(at); node != nil && node.GetToken() != nil {
		position := node.GetToken().Position
		return fmt.Sprintf("%s:%d:%d", d.path, position.Line, position.Column)
	}
	return d.path
}

// Number is the number at a YAML path as it is written, which a field of whole numbers has cut off; false where there is none.
func (d *YAMLDocument) Number(at string) (float64, bool) {
	scalar, ok := d.node(at).(ast.ScalarNode)
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseFloat(fmt.Sprint(scalar.GetValue()), 64)
	return n, err == nil
}

// node is the value at a YAML path; nil where there is none.
func (d *YAMLDocument) node(at string) ast.Node {
	p, err := yaml.PathString("$." + at)
	if err != nil {
		return nil
	}
	node, err := p.FilterFile(d.file)
	if err != nil {
		return nil
	}
	return node
}
