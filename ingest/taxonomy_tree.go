package ingest

import (
	"errors"
	"fmt"

	yamlerrors "github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/captionlake/captionlake/data"
)

// treeDepth is how deep a document may nest before it is refused, so that hostile nesting costs nothing.
const treeDepth = 16

// A treeError is a fault of syntax.
type treeError struct {
	at      pos
	message string
}

func (e *treeError) Error() string { return fmt.Sprintf("%d:%d: %s", e.at.line, e.at.col, e.message) }

// parseYAMLTree reads one YAML document. Anchors, aliases, tags and merge keys are refused: a taxonomy needs none, and
// they are how a small file becomes a large one.
func parseYAMLTree(content []byte) (v node, err error) {
	// The parser is a library that meets a user's file here: a defect of its own shall be a fault of the file.
	defer func() {
		if p := recover(); p != nil {
			v, err = node{}, &treeError{pos{}, fmt.Sprintf("not YAML that can be read (%v); write the file as JSON", p)}
		}
	}()
	var fault *data.YAMLFault
	if err := data.CheckYAML(content, maxTaxonomyBytes); errors.As(err, &fault) {
		return v, &treeError{pos{fault.Line, fault.Col}, fault.Message}
	}
	file, err := parser.ParseBytes(content, 0)
	if err != nil {
		var located yamlerrors.Error
		if errors.As(err, &located) && located.GetToken() != nil && located.GetToken().Position != nil {
			p := located.GetToken().Position
			return v, &treeError{pos{p.Line, p.Column}, "not YAML: " + located.GetMessage() + "; correct the place or what comes before it"}
		}
		return v, &treeError{pos{1, 1}, "not YAML; correct the file, or write it as JSON"}
	}
	if len(file.Docs) != 1 || file.Docs[0].Body == nil {
		return v, &treeError{pos{1, 1}, "a taxonomy is one YAML document with categories; keep one"}
	}
	return yamlTree(file.Docs[0].Body, 0)
}

func yamlTree(n ast.Node, depth int) (node, error) {
	v := node{}
	if token := n.GetToken(); token != nil && token.Position != nil {
		v.at = pos{token.Position.Line, token.Position.Column}
	}
	if depth > treeDepth {
		return v, &treeError{v.at, fmt.Sprintf("the document nests more than %d deep; check that this is the right file", treeDepth)}
	}
	switch n := n.(type) {
	case *ast.NullNode:
		v.kind = kindNull
	case *ast.StringNode:
		v.kind, v.text = kindString, n.Value
	case *ast.LiteralNode:
		v.kind, v.text = kindString, n.Value.Value
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		// YAML takes unquoted words such as 42 or yes for other types; here they are the words that were written.
		v.kind, v.text = kindString, n.GetToken().Value
	case *ast.SequenceNode:
		v.kind = kindArray
		for _, item := range n.Values {
			below, err := yamlTree(item, depth+1)
			if err != nil {
				return v, err
			}
			v.items = append(v.items, below)
		}
	case *ast.MappingValueNode:
		v.kind = kindObject
		return v, v.addYAML(n, depth)
	case *ast.MappingNode:
		v.kind = kindObject
		for _, pair := range n.Values {
			if err := v.addYAML(pair, depth); err != nil {
				return v, err
			}
		}
	default:
		return v, &treeError{v.at, fmt.Sprintf("%s is not read in a taxonomy; write the text itself", n.Type())}
	}
	return v, nil
}

func (n *node) addYAML(pair *ast.MappingValueNode, depth int) error {
	key, err := yamlTree(pair.Key, depth+1)
	if err != nil {
		return err
	}
	if key.kind != kindString && key.kind != kindNull {
		return &treeError{key.at, "a name is a text; write it without brackets"}
	}
	below, err := yamlTree(pair.Value, depth+1)
	if err != nil {
		return err
	}
	n.fields = append(n.fields, field{key.text, key.at, below})
	return nil
}
