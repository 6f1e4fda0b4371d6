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
// written as a dictionary or as the text "{name: value}". Dictionary entries with the value null
// are skipped. Such entries come from tables with the dictionaries of many files in one column:
// there each dictionary has the objects of all files, and most of these objects have null. A second
// element is an error unless the dimension has Several. A value of a closed set must belong to the
// set. The elements keep the order of the annotation, which is the order of the judge's replies.
func (d *Dimension) Elements(annotation any) ([]Element, error) {
	elements, err := d.annotated(annotation)
	if err != nil {
		return nil, err
	}
	if len(elements) == 0 || len(elements) > 1 && !d.Several {
		return nil, fmt.Errorf("the annotation has %d elements, where %s has one for each file", len(elements), d.ID)
	}
	for i, e := range elements {
		if strings.TrimSpace(e.Value) == "" {
			return nil, fmt.Errorf("the annotation of %s is empty", d.ID)
		}
		if d.Closed() {
			name, ok := d.Category(e.Value)
			if !ok {
				return nil, fmt.Errorf("%q is no category of %s: it has %s", clip(e.Value), d.ID,
					strings.Join(d.categoryNames(), ", "))
			}
			elements[i].Value = name
		}
	}
	return elements, nil
}

// annotated reads the names and values of an annotation's elements, whatever their number and
// values.
func (d *Dimension) annotated(annotation any) (elements []Element, err error) {
	if dictionary, ok := annotation.(Object); ok {
		if d.Shape != ShapeObject {
			return nil, fmt.Errorf("the annotation of %s is a dictionary, where a text belongs", d.ID)
		}
		for _, entry := range dictionary {
			if entry.Value == nil { // The file does not have this object (see Elements).
				continue
			}
			value, ok := scalar(entry.Value)
			if !ok || strings.TrimSpace(entry.Key) == "" {
				return nil, fmt.Errorf("the entry %q of the annotation is no name with a text or a number",
					clip(entry.Key))
			}
			elements = append(elements, Element{entry.Key, value})
		}
		return elements, nil
	}
	text, ok := scalar(annotation)
	if !ok {
		return nil, fmt.Errorf("the annotation of %s is no text", d.ID)
	}
	if d.Shape == ShapeText {
		return []Element{{Value: text}}, nil
	}
	e, ok := namedValue(text)
	if !ok {
		return nil, fmt.Errorf("the annotation %q of %s names no object: write it as {\"object\": value}", clip(text),
			d.ID)
	}
	return []Element{e}, nil
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
	colon := strings.LastIndexByte(text, ':')
	if colon < 0 {
		return Element{}, false
	}
	e := Element{unquote(text[:colon]), unquote(text[colon+1:])}
	return e, e.Name != "" && e.Value != ""
}

// unquote removes white space and one pair of quotation marks around a text.
func unquote(text string) string {
	text = strings.TrimSpace(text)
	for _, mark := range []string{`"`, `'`} {
		if inner, ok := strings.CutPrefix(text, mark); ok && strings.HasSuffix(inner, mark) {
			return strings.TrimSpace(strings.TrimSuffix(inner, mark))
		}
	}
	return text
}

// scalar returns a text or a number as text. It is false for any other value.
func scalar(value any) (string, bool) {
	switch v := value.(type) {
	case string:
		return v, true
	case Number:
		return string(v), true
	}
	return "", false
}

// copiedName is the name of the object in the element that a judge copied into its reply; empty if
// the reply names no object.
func (d *Dimension) copiedName(reply Object) string {
	if d.Shape != ShapeObject {
		return ""
	}
	element, _ := reply.Get(d.ReplyField)
	switch element := element.(type) {
	case Object:
		if len(element) == 1 {
			return element[0].Key
		}
	case string:
		if e, ok := namedValue(element); ok {
			return e.Name
		}
	}
	return ""
}
