package rubric

import (
	"fmt"
	"strings"
)

// An Element is one annotated visual element of a media file.
type Element struct {
	Name  string // the object that the value belongs to; empty if the annotation names none
	Value string // the annotated value as text: a name, a number, a colour, a category, a sentence
}

// Elements reads the annotation of one media file, as ParseLiteral returns it. Objects may be
// written as a dictionary or as the text "{name: value}". Entries without a value are skipped,
// because tables that hold all objects in one column fill the other columns with nulls. If a
// dimension has one element for each file, two are an error. The value of a closed set must belong
// to it. The elements keep the order of the annotation, which is the order of the judge's replies.
func (d *Dimension) Elements(annotation any) ([]Element, error) {
	var elements []Element
	switch a := annotation.(type) {
	case Object:
		if d.Shape != ShapeObject {
			return nil, fmt.Errorf("the annotation of %s is a dictionary, where a text belongs", d.ID)
		}
		for _, f := range a {
			if f.Value == nil {
				continue
			}
			value, ok := scalar(f.Value)
			if !ok || strings.TrimSpace(f.Key) == "" {
				return nil, fmt.Errorf("the entry %q of the annotation is no name with a text or a number", clip(f.Key))
			}
			elements = append(elements, Element{f.Key, value})
		}
	default:
		text, ok := scalar(annotation)
		if !ok {
			return nil, fmt.Errorf("the annotation of %s is no text", d.ID)
		}
		if d.Shape == ShapeText {
			elements = []Element{{Value: text}}
			break
		}
		e, ok := namedValue(text)
		if !ok {
			return nil, fmt.Errorf("the annotation %q of %s names no object: write it as {\"object\": value}",
				clip(text), d.ID)
		}
		elements = []Element{e}
	}
	if len(elements) == 0 || len(elements) > 1 && !d.Several {
		return nil, fmt.Errorf("the annotation has %d elements, where %s has one for each file", len(elements), d.ID)
	}
	for i := range elements {
		if strings.TrimSpace(elements[i].Value) == "" {
			return nil, fmt.Errorf("the annotation of %s is empty", d.ID)
		}
		if d.Closed() {
			name, ok := d.Category(elements[i].Value)
			if !ok {
				return nil, fmt.Errorf("%q is no category of %s: it has %s", clip(elements[i].Value), d.ID,
					strings.Join(d.categoryNames(), ", "))
			}
			elements[i].Value = name
		}
	}
	return elements, nil
}

// Text is the element as a judge sees and copies it: "{cup: 2}" for an object's value (CAPability
// Figure A3), otherwise only the value.
func (e Element) Text() string {
	if e.Name == "" {
		return e.Value
	}
	return "{" + e.Name + ": " + e.Value + "}"
}

// namedValue reads "{cup: 2}" or "cup: 2". The value comes after the last colon, since names may
// contain colons.
func namedValue(text string) (Element, bool) {
	text = strings.TrimSpace(text)
	if inner, ok := strings.CutPrefix(text, "{"); ok {
		text = strings.TrimSuffix(inner, "}")
	}
	i := strings.LastIndexByte(text, ':')
	if i < 0 {
		return Element{}, false
	}
	e := Element{unquote(text[:i]), unquote(text[i+1:])}
	return e, e.Name != "" && e.Value != ""
}

func unquote(text string) string {
	text = strings.TrimSpace(text)
	for _, q := range []string{`"`, `'`} {
		if inner, ok := strings.CutPrefix(text, q); ok && strings.HasSuffix(inner, q) {
			return strings.TrimSpace(strings.TrimSuffix(inner, q))
		}
	}
	return text
}

// scalar returns a text or a number as text.
func scalar(value any) (string, bool) {
	switch v := value.(type) {
	case string:
		return v, true
	case Number:
		return string(v), true
	}
	return "", false
}

// echoedName is the object that a reply says it is about; empty if it does not say.
func (d *Dimension) echoedName(reply Object) string {
	echo, ok := reply.Get(d.ReplyField)
	if !ok || d.Shape != ShapeObject {
		return ""
	}
	switch v := echo.(type) {
	case Object:
		if len(v) == 1 {
			return v[0].Key
		}
	case string:
		if e, ok := namedValue(v); ok {
			return e.Name
		}
	}
	return ""
}
