package ingest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	yamlerrors "github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/captionlake/captionlake/data"
)

// treeDepth is how deep a document may nest before it is refused, so that hostile nesting costs nothing.
const treeDepth = 16

type treeKind int

const (
	treeOther treeKind = iota // a number, a truth value or anything else that has no place in the document
	treeNull
	treeText
	treeList
	treeObject
)

// A treeValue is a value of a small JSON or YAML document with its place, keys in document order.
type treeValue struct {
	kind      treeKind
	line, col int // from 1; 0 when unknown
	text      string
	items     []treeValue
	entries   []treeEntry
}

type treeEntry struct {
	key       string
	line, col int
	value     treeValue
}

// A treeError is a fault of syntax.
type treeError struct {
	line, col int
	message   string
}

func (e *treeError) Error() string { return fmt.Sprintf("%d:%d: %s", e.line, e.col, e.message) }

// jsonTree reads a JSON document that is wholly in memory.
type jsonTree struct {
	content []byte
	decoder *json.Decoder
	start   int // offset of the latest token
	counted int // bytes whose lines are counted
	line    int
	begin   int // offset of the line's first byte
}

func parseJSONTree(content []byte) (treeValue, error) {
	t := &jsonTree{content: content, line: 1}
	body := bytes.TrimPrefix(content, []byte(byteOrderMark))
	t.content = body
	t.decoder = json.NewDecoder(bytes.NewReader(body))
	v, err := t.value(0)
	if err != nil {
		return v, err
	}
	line, col, token, err := t.token()
	if errors.Is(err, io.EOF) {
		return v, nil
	}
	if err != nil {
		return v, t.fault(err)
	}
	return v, &treeError{line, col, fmt.Sprintf("%q follows the end of the document; delete it", clip(fmt.Sprint(token)))}
}

// token reads the next token and where it begins.
func (t *jsonTree) token() (line, col int, token json.Token, err error) {
	start := int(t.decoder.InputOffset())
	for start < len(t.content) && bytes.IndexByte([]byte(" \t\r\n,:"), t.content[start]) >= 0 {
		start++
	}
	t.start = start
	line, col = t.place(start)
	token, err = t.decoder.Token()
	return line, col, token, err
}

// place is the line and the column of an offset. Offsets only grow.
func (t *jsonTree) place(offset int) (line, col int) {
	for ; t.counted < min(offset, len(t.content)); t.counted++ {
		if t.content[t.counted] == '\n' {
			t.line++
			t.begin = t.counted + 1
		}
	}
	return t.line, max(offset-t.begin, 0) + 1
}

func (t *jsonTree) fault(err error) error {
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		line, col := t.place(len(t.content))
		return &treeError{line, col, "the document ends in the middle; get the whole file"}
	case errors.As(err, &syntax):
		// The decoder counts to the offending byte in some errors and past it in others; it is never before the token.
		line, col := t.place(max(int(syntax.Offset)-1, t.start))
		return &treeError{line, col, "not JSON: " + syntax.Error() + "; correct the place or what stands before it"}
	}
	return err
}

func (t *jsonTree) value(depth int) (treeValue, error) {
	line, col, token, err := t.token()
	v := treeValue{line: line, col: col}
	if err != nil {
		return v, t.fault(err)
	}
	if depth > treeDepth {
		return v, &treeError{line, col, fmt.Sprintf("the document nests more than %d deep; check that this is the right file", treeDepth)}
	}
	switch token := token.(type) {
	case nil:
		v.kind = treeNull
	case string:
		v.kind, v.text = treeText, token
	case json.Delim:
		if token == '{' {
			v.kind = treeObject
		} else {
			v.kind = treeList
		}
		for t.decoder.More() {
			if v.kind == treeList {
				item, err := t.value(depth + 1)
				if err != nil {
					return v, err
				}
				v.items = append(v.items, item)
				continue
			}
			line, col, key, err := t.token()
			if err != nil {
				return v, t.fault(err)
			}
			below, err := t.value(depth + 1)
			if err != nil {
				return v, err
			}
			v.entries = append(v.entries, treeEntry{fmt.Sprint(key), line, col, below})
		}
		if _, _, _, err := t.token(); err != nil {
			return v, t.fault(err)
		}
	}
	return v, nil
}

// parseYAMLTree reads one YAML document. Anchors, aliases, tags and merge keys are refused: a taxonomy needs none, and
// they are how a small file becomes a large one.
func parseYAMLTree(content []byte) (v treeValue, err error) {
	// The parser is a library that meets a user's file here: a defect of its own shall be a fault of the file.
	defer func() {
		if p := recover(); p != nil {
			v, err = treeValue{}, &treeError{0, 0, fmt.Sprintf("not YAML that can be read (%v); write the file as JSON", p)}
		}
	}()
	var fault *data.YAMLFault
	if err := data.CheckYAML(content, maxTaxonomyBytes); errors.As(err, &fault) {
		return v, &treeError{fault.Line, fault.Col, fault.Message}
	}
	file, err := parser.ParseBytes(content, 0)
	if err != nil {
		var located yamlerrors.Error
		if errors.As(err, &located) && located.GetToken() != nil && located.GetToken().Position != nil {
			p := located.GetToken().Position
			return v, &treeError{p.Line, p.Column, "not YAML: " + located.GetMessage() + "; correct the place or what stands before it"}
		}
		return v, &treeError{1, 1, "not YAML; correct the file, or write it as JSON"}
	}
	if len(file.Docs) != 1 || file.Docs[0].Body == nil {
		return v, &treeError{1, 1, "a taxonomy is one YAML document with categories; keep one"}
	}
	return yamlTree(file.Docs[0].Body, 0)
}

func yamlTree(n ast.Node, depth int) (treeValue, error) {
	v := treeValue{}
	if token := n.GetToken(); token != nil && token.Position != nil {
		v.line, v.col = token.Position.Line, token.Position.Column
	}
	if depth > treeDepth {
		return v, &treeError{v.line, v.col, fmt.Sprintf("the document nests more than %d deep; check that this is the right file", treeDepth)}
	}
	switch n := n.(type) {
	case *ast.NullNode:
		v.kind = treeNull
	case *ast.StringNode:
		v.kind, v.text = treeText, n.Value
	case *ast.LiteralNode:
		v.kind, v.text = treeText, n.Value.Value
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		// YAML takes unquoted words such as 42 or yes for other types; here they are the words that were written.
		v.kind, v.text = treeText, n.GetToken().Value
	case *ast.SequenceNode:
		v.kind = treeList
		for _, item := range n.Values {
			below, err := yamlTree(item, depth+1)
			if err != nil {
				return v, err
			}
			v.items = append(v.items, below)
		}
	case *ast.MappingValueNode:
		v.kind = treeObject
		return v, v.addYAML(n, depth)
	case *ast.MappingNode:
		v.kind = treeObject
		for _, pair := range n.Values {
			if err := v.addYAML(pair, depth); err != nil {
				return v, err
			}
		}
	default:
		return v, &treeError{v.line, v.col, fmt.Sprintf("%s is not read in a taxonomy; write the text itself", n.Type())}
	}
	return v, nil
}

func (v *treeValue) addYAML(pair *ast.MappingValueNode, depth int) error {
	key, err := yamlTree(pair.Key, depth+1)
	if err != nil {
		return err
	}
	if key.kind != treeText && key.kind != treeNull {
		return &treeError{key.line, key.col, "a name is a text; write it without brackets"}
	}
	below, err := yamlTree(pair.Value, depth+1)
	if err != nil {
		return err
	}
	v.entries = append(v.entries, treeEntry{key.text, key.line, key.col, below})
	return nil
}
