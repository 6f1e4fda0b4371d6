package ingest

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
)

// missing is the error of a file that does not say something that its rows need.
func missing(s Source, what, next string) error {
	return data.WithHint(fmt.Errorf("%s: neither the file nor the command says %s", s.Path, what), "%s", next)
}

// jsonShape says what the JSON files of CaptionQA look alike and apart by: the kind of the first value under the
// first key, and the keys of the first object in it.
type jsonShape struct {
	value nodeKind
	keys  map[string]bool
}

// shapeOf reads as much of a file's head as tells its shape. Nulls and empty lists tell nothing and are passed over.
func shapeOf(head []byte) jsonShape {
	dec := headDecoder(head)
	if !opens(dec) {
		return jsonShape{}
	}
	for {
		if err := dec.SkipValue(); err != nil { // the key
			return jsonShape{}
		}
		switch dec.PeekKind() {
		case 'n':
			if err := dec.SkipValue(); err != nil {
				return jsonShape{}
			}
		case '"':
			return jsonShape{value: kindString}
		case '{':
			return jsonShape{value: kindObject}
		case '[':
			_, _ = dec.ReadToken() // It is there.
			if dec.PeekKind() != ']' {
				return jsonShape{kindArray, firstKeys(dec)}
			}
			_, _ = dec.ReadToken()
		default:
			return jsonShape{}
		}
	}
}

// headDecoder reads the head of a file, which may end anywhere.
func headDecoder(head []byte) *jsontext.Decoder {
	return newDecoder(bytes.NewBuffer(bytes.TrimPrefix(head, []byte(byteOrderMark))))
}

// opens reads the start of an object.
func opens(dec *jsontext.Decoder) bool {
	t, err := dec.ReadToken()
	return err == nil && t.Kind() == '{'
}

// firstKeys reads the keys of the object that begins here, as far as the text goes; nil where there is none.
func firstKeys(dec *jsontext.Decoder) map[string]bool {
	if !opens(dec) {
		return nil
	}
	keys := map[string]bool{}
	for {
		t, err := dec.ReadToken()
		if err != nil || t.Kind() != '"' {
			return keys
		}
		keys[t.String()] = true
		if err := dec.SkipValue(); err != nil {
			return keys
		}
	}
}

// eachImage reads a file {image: value}. A key that is a file name stands for the image_id without folders and ending;
// keys that come to the same image_id are faults. domains finds the domain of an image, and untold says what to do where
// nothing tells it.
func eachImage(j *Job, domains func(imageID string) (string, error), untold string, each func(imageID, domain string, at pos, value node) error) error {
	text, err := j.Source.text()
	if err != nil {
		return err
	}
	domainTold := false
	return newJSONReader(text, j.Fault).entries(captionqa.ItemName, func(key string, at pos, value node) error {
		imageID := captionqa.ItemName(key)
		if strings.TrimSpace(imageID) == "" {
			j.Fault(at.line, at.col, "the key %q names no image: write the image_id, such as nat_001", clip(key))
			return nil
		}
		domain, err := domains(imageID)
		if err != nil {
			return err
		}
		if domain == "" && !domainTold {
			j.Fault(at.line, at.col, "the name %q does not tell its domain%s", clip(imageID), untold)
			domainTold = true // One option says it for all.
		}
		return each(imageID, domain, at, value)
	})
}

// questionFields is a question object of the authors' JSON files while its fields are taken out.
type questionFields struct {
	at    pos
	value node
	fault faultFunc
	ok    bool
}

func (q *questionFields) report(at pos, format string, args ...any) {
	q.fault(at.line, at.col, format, args...)
	q.ok = false
}

// place is where a field is, or the question if it has no such field.
func (q *questionFields) place(key string) pos {
	if n, ok := q.value.field(key); ok {
		return n.at
	}
	return q.value.at
}

// need returns a field that must be there and be of a kind.
func (q *questionFields) need(key string, kind nodeKind) (node, bool) {
	n, ok := q.value.field(key)
	switch {
	case !ok:
		q.report(q.value.at, "the question has no %q: add it", key)
	case n.kind != kind:
		q.report(n.at, "%q is %s where %s belongs: correct it", key, n.kind, kind)
		ok = false
	}
	return n, ok
}

func (q *questionFields) string(key string) string {
	n, _ := q.need(key, kindString)
	return n.text
}

// options reads a list of option texts. A whole number stands for its digits, as in the authors' code; other values
// have no one spelling.
func (q *questionFields) options(key string) []string {
	n, ok := q.need(key, kindArray)
	if !ok {
		return nil
	}
	options := make([]string, 0, len(n.items))
	for i, item := range n.items {
		whole := item.kind == kindNumber && !strings.ContainsAny(item.text, ".eE")
		if item.kind != kindString && !whole {
			q.report(item.at, "option %d is %s where a string belongs: write its text in quotes", i+1, item.kind)
		}
		options = append(options, item.text)
	}
	return options
}

// category reads the taxonomy node: a string, or a list of strings whose first counts, as in the authors' code. It may
// be absent.
func (q *questionFields) category() string {
	n, ok := q.value.field("category")
	if !ok || n.kind == kindNull {
		return ""
	}
	if n.kind == kindArray {
		if len(n.items) == 0 {
			return ""
		}
		n = n.items[0]
	}
	if n.kind != kindString {
		q.report(n.at, "\"category\" is %s where a string belongs: write it as in \"Attribute - Color\"", n.kind)
	}
	return n.text
}

// eachQuestion goes through the list of questions of one image.
func eachQuestion(fault faultFunc, imageID string, value node, each func(q *questionFields) error) error {
	if value.kind != kindArray {
		fault(value.at.line, value.at.col, "the value of %q is %s where a list of questions belongs: correct it", clip(imageID), value.kind)
		return nil
	}
	for _, item := range value.items {
		if item.kind != kindObject {
			fault(item.at.line, item.at.col, "this is %s, and a question object belongs here: correct it", item.kind)
			continue
		}
		if err := each(&questionFields{at: item.at, value: item, fault: fault, ok: true}); err != nil {
			return err
		}
	}
	return nil
}
