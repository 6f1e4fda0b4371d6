package rubric

import (
	"slices"
	"strings"
)

// The views that both papers group the dimensions into (CAPability Table 1, CV-CapBench Table 1).
const (
	ViewObject    = "object"
	ViewGlobal    = "global"
	ViewText      = "text"
	ViewCamera    = "camera"
	ViewTemporal  = "temporal"
	ViewKnowledge = "knowledge"
)

// The media of a dimension's annotations. Static dimensions have images, dynamic ones have videos.
const (
	MediaImage = "image"
	MediaVideo = "video"
)

// NotMentioned is the judge's reply for a closed set if the caption does not mention the dimension
// (CAPability Figure A3).
const NotMentioned = "N/A"

// A Shape says whether a dimension's annotation is one text or a dictionary.
type Shape int

const (
	// ShapeText is one text: a name, a sentence, a category.
	ShapeText Shape = iota
	// ShapeObject is a dictionary from an object's name to its annotated value: {"cup": 2}.
	ShapeObject
)

// A Category is one member of a closed set.
type Category struct {
	Name        string // as annotators wrote it and as a judge has to write it
	Explanation string // definition of the category, in our words
}

// A Dimension is one aspect of a caption that is annotated and judged separately.
type Dimension struct {
	ID         string     // its name in files, annotations and tables, such as object_color
	Name       string     // as CAPability's appendix B.1 and CV-CapBench's Table 2 print it
	Heading    string     // the short form at the head of CAPability's Tables 3 to 6
	View       string     // one of the six views; both papers agree
	Dynamic    bool       // whether a single frame cannot show the dimension
	Media      string     // MediaImage or MediaVideo
	Shape      Shape      // form of the annotation
	Several    bool       // whether a media file may have several annotated elements, each judged separately
	Categories []Category // the closed set; empty for an open-ended dimension
	ReplyField string     // field in which the judge copies the element; empty for closed sets
}

// Closed reports whether the judge sorts the caption into categories instead of comparing it with
// the annotation.
func (d *Dimension) Closed() bool { return len(d.Categories) > 0 }

// categoryNames lists the closed set in the papers' order. It is empty for open-ended dimensions.
func (d *Dimension) categoryNames() []string {
	names := make([]string, len(d.Categories))
	for i, c := range d.Categories {
		names[i] = c.Name
	}
	return names
}

// Category finds the member of the closed set that a text names. Case and outer spaces do not
// matter. A judge may also copy the explanation behind a colon: "Left: the camera pans left" names
// "left".
func (d *Dimension) Category(text string) (name string, ok bool) {
	written, _, _ := strings.Cut(text, ":")
	for _, c := range d.Categories {
		if strings.EqualFold(strings.TrimSpace(written), c.Name) {
			return c.Name, true
		}
	}
	return "", false
}

// dimensions is the table of the method, in the column order of the papers' result tables.
var dimensions = []Dimension{
	{
		ID: "object_category", Name: "Object Category", Heading: "Obj. Cate.", View: ViewObject, Media: MediaImage,
		ReplyField: "object_category",
	},
	{
		ID: "object_number", Name: "Object Number", Heading: "Obj. Num.", View: ViewObject, Media: MediaImage,
		Shape:      ShapeObject,
		ReplyField: "object_number",
	},
	{
		ID: "object_color", Name: "Object Color", Heading: "Obj. Color", View: ViewObject, Media: MediaImage,
		Shape:      ShapeObject,
		ReplyField: "object_color",
	},
	{
		ID: "spatial_relation", Name: "Spatial Relation", Heading: "Spa. Rel.", View: ViewObject, Media: MediaImage,
		ReplyField: "spatial_relation",
	},
	{
		ID: "scene", Name: "Scene", Heading: "Scene", View: ViewGlobal, Media: MediaImage,
		ReplyField: "scene",
	},
	{
		ID: "camera_angle", Name: "Camera Angle", Heading: "Cam. Ang.", View: ViewCamera, Media: MediaImage,
		Categories: []Category{
			{"level angle", "the camera looks straight ahead, at the height of what it shows"},
			{"high angle", "the camera looks down from above what it shows"},
			{"low angle", "the camera looks up from below what it shows"},
			{"dutch angle", "the camera is rolled about its axis, so that the horizon is aslant"},
		},
	},
	{
		ID: "OCR", Name: "OCR", Heading: "OCR", View: ViewText, Media: MediaImage,
		ReplyField: "OCR",
	},
	{
		ID: "style", Name: "Style", Heading: "Style", View: ViewGlobal, Media: MediaImage,
		Categories: []Category{
			{"realistic", "true to life, as a photograph or as exact as one"},
			{"animated", "a cartoon, an anime or a computer-generated figure or world, in two or three dimensions"},
			{"special effect", "something that cannot be filmed as it is, made with practical or digital tricks"},
			{"old-fashioned", "the look of an earlier time, such as vintage or classical pictures"},
			{"pixel art", "drawn in visible square pixels, like early video games"},
			{"sketch art", "drawn in loose lines, like a pencil sketch"},
			{"abstract art", "shapes and colours that depict nothing as it is"},
			{"impressionism art", "visible strokes and bright dabs that catch a moment's light"},
			{"cubism art", "subjects broken into flat geometric pieces, seen from several sides at once"},
		},
	},
	{
		ID: "character_identification", Name: "Character Identification", Heading: "Cha. Iden.", View: ViewKnowledge,
		Media:      MediaImage,
		ReplyField: "character_identification",
	},
	{
		ID: "dynamic_object_number", Name: "Dynamic Object Number", Heading: "(D) Obj. Num.", View: ViewObject,
		Dynamic: true,
		Media:   MediaVideo, Shape: ShapeObject, Several: true,
		ReplyField: "object_number",
	},
	{
		ID: "action", Name: "Action", Heading: "Act.", View: ViewTemporal, Dynamic: true, Media: MediaVideo,
		ReplyField: "action",
	},
	{
		ID: "camera_movement", Name: "Camera Movement", Heading: "Cam. Mov.", View: ViewCamera, Dynamic: true,
		Media: MediaVideo,
		Categories: []Category{
			{"left", "the camera turns to the left (pan) or travels to the left (track)"},
			{"right", "the camera turns to the right (pan) or travels to the right (track)"},
			{"up", "the camera turns upwards (tilt) or rises (boom)"},
			{"down", "the camera turns downwards (tilt) or sinks (boom)"},
			{"in", "the camera comes nearer (dolly) or the frame narrows on the subject (zoom)"},
			{"out", "the camera draws back (dolly) or the frame widens (zoom)"},
			{"fixed", "the camera hardly moves"},
		},
	},
	{
		ID: "event", Name: "Event", Heading: "Event", View: ViewTemporal, Dynamic: true, Media: MediaVideo,
		ReplyField: "event",
	},
}

// Dimensions lists the thirteen dimensions in the column order of the papers' result tables.
func Dimensions() []Dimension {
	all := slices.Clone(dimensions)
	for i := range all {
		all[i].Categories = slices.Clone(all[i].Categories)
	}
	return all
}

// ByID finds a dimension by its ID. Case does not matter, since files may write OCR, the only ID in
// capitals, in small letters.
func ByID(id string) (*Dimension, bool) {
	for _, d := range dimensions {
		if strings.EqualFold(d.ID, id) {
			d.Categories = slices.Clone(d.Categories)
			return &d, true
		}
	}
	return nil, false
}
