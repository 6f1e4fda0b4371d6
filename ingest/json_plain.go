package ingest

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// A plainReader reads values whose text is known to be JSON and has nothing in it that would be reported: no duplicate key, no
// invalid UTF-8, no half of a surrogate pair, no deep nesting. That is nearly every value, and knowing it beforehand saves most
// of the work. Where a value is not so, the plainReader gives up, and the value is read again token by token for its faults.
//
// Texts are parts of one copy of the whole value. Lists and objects are valid until the next value is read.
type plainReader struct {
	raw    []byte
	text   string // raw again
	at     int    // offset in raw
	line   int    // of the byte at that offset
	start  int    // offset of the line's first byte; negative where the value begins within a line
	halves bool   // halves of surrogate pairs are read as U+FFFD

	items, madeItems   []node // of the lists that are being read, the innermost last; of those that were read
	fields, madeFields []field
	scratch            []byte
}

// keptNodes is how many nodes of a value a plainReader keeps room for: what a hostile value needed beyond is given back.
const keptNodes = 1 << 12

// read reads the one value that raw holds, with white space around it, whose first byte is at a place.
func (p *plainReader) read(raw []byte, first pos, depth int, halves bool) (node, bool) {
	if !utf8.Valid(raw) {
		return node{}, false
	}
	p.raw, p.text, p.at, p.halves = raw, string(raw), 0, halves
	p.line, p.start = first.line, 1-first.col
	p.items, p.fields = p.items[:0], p.fields[:0]
	if cap(p.madeItems) > keptNodes || cap(p.madeFields) > keptNodes {
		p.madeItems, p.madeFields = nil, nil
	}
	p.madeItems, p.madeFields = p.madeItems[:0], p.madeFields[:0]
	n, ok := p.value(depth)
	p.raw, p.text = nil, ""
	return n, ok
}

// place passes over white space, commas and colons to the next token, and says where it is.
func (p *plainReader) place() pos {
	for ; ; p.at++ {
		switch p.raw[p.at] {
		case ' ', '\t', '\r', ',', ':':
		case '\n':
			p.line, p.start = p.line+1, p.at+1
		default:
			return pos{p.line, p.at - p.start + 1}
		}
	}
}

func (p *plainReader) value(depth int) (n node, ok bool) {
	n.at = p.place()
	switch p.raw[p.at] {
	case '{':
		n.kind = kindObject
		n.fields, ok = p.members(depth)
		return n, ok
	case '[':
		n.kind = kindArray
		n.items, ok = p.list(depth)
		return n, ok
	case '"':
		n.kind = kindString
		n.text, ok = p.str()
		return n, ok
	case 't':
		n.kind, n.truth = kindBool, true
		p.at += len("true")
	case 'f':
		n.kind = kindBool
		p.at += len("false")
	case 'n':
		p.at += len("null")
	default:
		from := p.at
		for p.at < len(p.raw) && isOfNumber(p.raw[p.at]) {
			p.at++
		}
		n.kind, n.text = kindNumber, p.text[from:p.at]
	}
	return n, true
}

func isOfNumber(c byte) bool {
	return c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E'
}

// str reads the string that begins here.
func (p *plainReader) str() (string, bool) {
	from := p.at + 1
	end := from + bytes.IndexByte(p.raw[from:], '"')
	if bytes.IndexByte(p.raw[from:end], '\\') < 0 {
		p.at = end + 1
		return p.text[from:end], true
	}
	for end = from; p.raw[end] != '"'; end++ {
		if p.raw[end] == '\\' {
			end++
		}
	}
	p.at = end + 1
	var err error
	p.scratch, err = jsontext.AppendUnquote(p.scratch[:0], p.raw[from-1:end+1])
	return string(p.scratch), err == nil || p.halves
}

func (p *plainReader) list(depth int) ([]node, bool) {
	if depth >= maxDepth {
		return nil, false
	}
	from := len(p.items)
	p.at++
	for p.place(); p.raw[p.at] != ']'; p.place() {
		item, ok := p.value(depth + 1)
		if !ok {
			return nil, false
		}
		p.items = append(p.items, item)
	}
	p.at++
	made := len(p.madeItems)
	p.madeItems = append(p.madeItems, p.items[from:]...)
	p.items = p.items[:from]
	return slices.Clip(p.madeItems[made:]), true
}

func (p *plainReader) members(depth int) ([]field, bool) {
	if depth >= maxDepth {
		return nil, false
	}
	from := len(p.fields)
	var keys keyLines
	p.at++
	for at := p.place(); p.raw[p.at] != '}'; at = p.place() {
		key, ok := p.str()
		if !ok || keys.line(p.fields[from:], key, at.line) > 0 {
			return nil, false
		}
		value, ok := p.value(depth + 1)
		if !ok {
			return nil, false
		}
		p.fields = append(p.fields, field{key, at, value})
	}
	p.at++
	made := len(p.madeFields)
	p.madeFields = append(p.madeFields, p.fields[from:]...)
	p.fields = p.fields[:from]
	return slices.Clip(p.madeFields[made:]), true
}
