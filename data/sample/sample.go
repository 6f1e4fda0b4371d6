// Package sample draws a small image benchmark: pictures of four domains, the facts that are true of each of
// them, and multiple-choice questions that follow from the facts. Pictures, facts and questions all come from the
// same scene models in this package: nothing in it carries a foreign licence, and the counts, colours, words and
// numbers of most facts are the very fields that the picture is drawn from; places, materials and actions are
// stated by hand beside the drawing. It stands in for the CaptionQA bank, which cannot be shipped, in the form that
// the paper describes: taxonomy-tagged questions with two, three or four options (CaptionQA sections 4.1 and 8).
//
// The package draws and counts; it knows nothing of question identifiers, option orders, protocols, captions'
// scores or where a lake keeps its files. Those belong to the caller.
package sample

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/captionlake/captionlake/data"
)

// The four domains of the benchmark, spelled as in the domain column of every table.
const (
	Natural    = "Natural"
	Document   = "Document"
	ECommerce  = "E-commerce"
	EmbodiedAI = "Embodied AI"
)

// Source is what the source column says of rows that come from this package.
const Source = "captionlake sample set"

// Fact is one thing that is true of a picture.
type Fact struct {
	Category    string `json:"category"`         // first taxonomy level
	Subcategory string `json:"subcategory"`      // second taxonomy level
	Aspect      string `json:"aspect,omitempty"` // third taxonomy level; empty where the taxonomy stops at the second
	Subject     string `json:"subject"`          // what the fact is about, such as "bench"
	Attribute   string `json:"attribute"`        // which property of the subject, such as "colour"
	Value       string `json:"value"`            // the property's value, such as "blue"
	Text        string `json:"text"`             // the fact as one English sentence of a caption; it contains Value
	Salience    int    `json:"salience"`         // 1 when a short caption would say it, to 4 when only a very detailed caption would
}

// Frame is one picture. Width and Height are in pixels, PNG is the encoded file.
type Frame struct {
	PNG           []byte
	Width, Height int
}

// Question is one multiple-choice question about an image. It can be answered from the Text of the fact at
// FactIndex alone. Options has 2, 3 or 4 distinct entries, yes/no questions have exactly "Yes" and "No", and the key
// is Options[AnswerIndex].
type Question struct {
	Question                      string
	Options                       []string
	AnswerIndex                   int
	Category, Subcategory, Aspect string
	FactIndex                     int
}

// Image is one item of the sample set: a picture, or two frames of the same camera at successive moments.
type Image struct {
	ID        string // such as nat_s01
	Domain    string
	Title     string
	Frames    []Frame
	Facts     []Fact
	Questions []Question
}

// scene is the model behind one item: how its frames are drawn and what is true of them.
type scene struct {
	id, domain, title string
	width, height     int
	draw              []func(*canvas)
	notes             *notes
}

// scenes lists the whole set in bank order.
func scenes() []scene {
	var all []scene
	all = append(all, naturalScenes()...)
	all = append(all, documentScenes()...)
	all = append(all, commerceScenes()...)
	return append(all, embodiedScenes()...)
}

// Images draws the sample set and generates its questions, in bank order. Every call gives the same result; the
// encoded bytes may differ between Go versions, whose PNG encoders may compress differently, and in rare pixels
// between processor families, which round floating-point sums differently. The error names the item that could not be made.
func Images() ([]Image, error) {
	var out []Image
	for _, s := range scenes() {
		img, err := s.image()
		if err != nil {
			return nil, fmt.Errorf("sample image %s: %w", s.id, err)
		}
		out = append(out, img)
	}
	return out, nil
}

// image draws the scene's frames and turns its notes into facts and questions.
func (s scene) image() (Image, error) {
	img := Image{ID: s.id, Domain: s.domain, Title: s.title}
	for _, draw := range s.draw {
		c := newCanvas(s.width, s.height)
		draw(c)
		png, err := c.png()
		if err != nil {
			return Image{}, err
		}
		img.Frames = append(img.Frames, Frame{PNG: png, Width: s.width, Height: s.height})
	}
	var err error
	img.Facts, img.Questions, err = s.notes.questions(s.id)
	return img, err
}

// Rows returns the images table's rows of the item, one for each frame, with the item's facts as JSON. The function path
// gives the place of a frame relative to the lake's folder; the caller writes the file there.
func (m Image) Rows(path func(id string, frame int) string) ([]data.Image, error) {
	facts, err := json.Marshal(m.Facts)
	if err != nil {
		return nil, fmt.Errorf("facts of sample image %s: %w", m.ID, err)
	}
	rows := make([]data.Image, len(m.Frames))
	for i, f := range m.Frames {
		sum := sha256.Sum256(f.PNG)
		rows[i] = data.Image{
			ImageID: m.ID, Frame: int32(i), Domain: m.Domain, Path: path(m.ID, i), SHA256: hex.EncodeToString(sum[:]),
			Format: "png", Width: int32(f.Width), Height: int32(f.Height), Bytes: int64(len(f.PNG)), Source: Source, Facts: string(facts),
		}
	}
	return rows, nil
}

// QuestionRows returns the item's questions as rows of the questions table. The fields that depend on the rest of the
// bank or on a protocol (question_id, ordinal, yes_no, option_order, order_rule) are left for the caller.
func (m Image) QuestionRows() []data.Question {
	rows := make([]data.Question, len(m.Questions))
	for i, q := range m.Questions {
		rows[i] = data.Question{
			ImageID: m.ID, Domain: m.Domain, Category: q.Category, Subcategory: q.Subcategory, Aspect: q.Aspect,
			Question: q.Question, Options: append([]string(nil), q.Options...), AnswerIndex: int32(q.AnswerIndex), Source: Source,
		}
	}
	return rows
}
