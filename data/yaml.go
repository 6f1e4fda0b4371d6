package data

import (
	"bytes"
	"fmt"

	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/token"
)

// yamlNesting is how deep the values of a YAML document may nest. The deepest that is read here nests seven deep.
const yamlNesting = 64

// A YAMLFault says where and why a YAML document is refused before it is parsed.
type YAMLFault struct {
	Line, Col int // from 1
	Message   string
}

// Error gives the place and the reason.
func (f *YAMLFault) Error() string { return fmt.Sprintf("%d:%d: %s", f.Line, f.Col, f.Message) }

// CheckYAML refuses a document that a YAML parser must not see, with a *YAMLFault: one of more than limit bytes, one that
// nests more than 64 deep, because the parser's memory grows with the square of the depth (200 kB of opening brackets
// take 12 GB), and one with anchors, aliases or merge keys, by which a small document becomes a large one. The depth is
// an upper bound: brackets within texts count as well, as long as they are not closed.
func CheckYAML(content []byte, limit int) error {
	if len(content) > limit {
		return &YAMLFault{1, 1, fmt.Sprintf("the document has more than %d KiB; check that this is the right file", limit>>10)}
	}
	if fault := checkNesting(content); fault != nil {
		return fault
	}
	for _, t := range lexer.Tokenize(string(content)) {
		switch t.Type {
		case token.AnchorType, token.AliasType, token.MergeKeyType:
			return &YAMLFault{max(t.Position.Line, 1), max(t.Position.Column, 1),
				fmt.Sprintf("%.20q stands for something in another place, which is not read here: write the value itself, in quotes if it is a text", t.Value)}
		}
	}
	return nil
}

// checkNesting looks at brackets, and at the columns in which values begin: indentation, dashes and question marks.
func checkNesting(content []byte) *YAMLFault {
	open, number := 0, 0
	var columns []int // in which the values around the line's first one begin
	for line := range bytes.Lines(content) {
		number++
		deep := func(column int) *YAMLFault {
			return &YAMLFault{number, column + 1, fmt.Sprintf("values are nested more than %d deep; check that this is the right file", yamlNesting)}
		}
		text := bytes.TrimRight(line, "\r\n")
		at := len(text) - len(bytes.TrimLeft(text, " \t"))
		if at < len(text) {
			for len(columns) > 0 && columns[len(columns)-1] >= at {
				columns = columns[:len(columns)-1]
			}
			for columns = append(columns, at); at+1 < len(text) && (text[at] == '-' || text[at] == '?') && (text[at+1] == ' ' || text[at+1] == '\t'); columns = append(columns, at) {
				at += 1 + len(text[at+1:]) - len(bytes.TrimLeft(text[at+1:], " \t"))
			}
		}
		if len(columns) > yamlNesting {
			return deep(columns[yamlNesting])
		}
		for i, c := range text {
			switch c {
			case '[', '{':
				open++
			case ']', '}':
				open = max(open-1, 0)
			}
			if open > yamlNesting {
				return deep(i)
			}
		}
	}
	return nil
}
