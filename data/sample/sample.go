// Package sample has a small image benchmark: pictures of four domains, true facts about each
// picture, and multiple-choice questions that follow from the facts. A program of this project drew
// the pictures and wrote the facts from the same models of scenes, so nothing in them has a foreign
// licence. The set replaces the CaptionQA bank, which cannot be shipped, in the form that the paper
// describes: taxonomy-tagged questions with two, three or four options (CaptionQA sections 4.1 and
// 8). The pictures are files, so that their digests are the same on every machine.
//
// Question identifiers, option orders, protocols, scores of captions and the place of a lake's
// files belong to the callers of this package.
package sample

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"image/png"
	"slices"

	"github.com/captionlake/captionlake/data"
)

// The four domains of the benchmark, spelled as in the domain column of every table.
const (
	Natural    = "Natural"
	Document   = "Document"
	ECommerce  = "E-commerce"
	EmbodiedAI = "Embodied AI"
)

// Source is the value of the source column in rows from this package.
const Source = "captionlake sample set"

// Fact is one true statement about a picture.
type Fact struct {
	Category    string `json:"category"`         // first taxonomy level
	Subcategory string `json:"subcategory"`      // second taxonomy level
	Aspect      string `json:"aspect,omitempty"` // third taxonomy level; empty if the taxonomy stops at the second
	Subject     string `json:"subject"`          // what the fact is about, such as "bench"
	Attribute   string `json:"attribute"`        // which property of the subject, such as "colour"
	Value       string `json:"value"`            // the property's value, such as "blue"
	Text        string `json:"text"`             // the fact as one English sentence of a caption; it contains Value
	// from 1, if a short caption would say the fact, to 4, if only a very detailed caption says it
	Salience int `json:"salience"`
}

// Frame is one picture.
type Frame struct {
	PNG           []byte // the encoded file
	Width, Height int    // in pixels
}

// Question is one multiple-choice question about an image. It has the taxonomy node of the fact at
// FactIndex, and the Text of that fact alone answers the question. Options has 2 to 4 entries;
// yes/no questions have exactly "Yes" and "No". No two entries are equal. Options[AnswerIndex] is
// the right option.
type Question struct {
	Question                      string
	Options                       []string
	AnswerIndex                   int
	Category, Subcategory, Aspect string
	FactIndex                     int
}

// Image is one item of the sample set: a picture, or two frames of the same camera at successive
// moments.
type Image struct {
	ID        string // such as nat_s01
	Domain    string
	Title     string
	Frames    []Frame
	Facts     []Fact
	Questions []Question
}

//go:embed items.json pictures/*.png
var files embed.FS

// Images returns the sample set in bank order. Every call returns a new copy.
func Images() ([]Image, error) {
	content, err := files.ReadFile("items.json")
	if err != nil {
		return nil, err
	}
	var items []struct {
		Image
		Frames int // the number of frames; it hides the frames of Image, which are read below
	}
	if err := json.Unmarshal(content, &items); err != nil {
		return nil, fmt.Errorf("items of the sample set: %w", err)
	}
	out := make([]Image, len(items))
	for i, item := range items {
		out[i] = item.Image
		for k := range item.Questions {
			q := &item.Questions[k] // also a question of out[i], which has the same slice
			f := item.Facts[q.FactIndex]
			q.Category, q.Subcategory, q.Aspect = f.Category, f.Subcategory, f.Aspect
		}
		for frame := range item.Frames {
			content, err := files.ReadFile(fmt.Sprintf("pictures/%s_%d.png", item.ID, frame))
			if err != nil {
				return nil, err
			}
			size, err := png.DecodeConfig(bytes.NewReader(content))
			if err != nil {
				return nil, fmt.Errorf("frame %d of sample image %s: %w", frame, item.ID, err)
			}
			out[i].Frames = append(out[i].Frames, Frame{PNG: content, Width: size.Width, Height: size.Height})
		}
	}
	return out, nil
}

// Rows returns the item's rows of the images table, one for each frame, with the item's facts as
// JSON. The caller stores the frames' files and sets the paths.
func (m Image) Rows() ([]data.Image, error) {
	facts, err := json.Marshal(m.Facts)
	if err != nil {
		return nil, fmt.Errorf("facts of sample image %s: %w", m.ID, err)
	}
	rows := make([]data.Image, len(m.Frames))
	for i, f := range m.Frames {
		sum := sha256.Sum256(f.PNG)
		rows[i] = data.Image{
			ImageID: m.ID, Frame: int32(i), Domain: m.Domain, SHA256: hex.EncodeToString(sum[:]),
			Format: "png", Width: int32(f.Width), Height: int32(f.Height), Bytes: int64(len(f.PNG)), Source: Source,
			Facts: string(facts),
		}
	}
	return rows, nil
}

// QuestionRows returns the item's questions as rows of the questions table. The caller sets the
// fields that depend on the rest of the bank or on a protocol (question_id, ordinal, yes_no,
// option_order, order_rule).
func (m Image) QuestionRows() []data.Question {
	rows := make([]data.Question, len(m.Questions))
	for i, q := range m.Questions {
		rows[i] = data.Question{
			ImageID: m.ID, Domain: m.Domain, Category: q.Category, Subcategory: q.Subcategory, Aspect: q.Aspect,
			Question: q.Question, Options: slices.Clone(q.Options), AnswerIndex: int32(q.AnswerIndex),
			Source: Source,
		}
	}
	return rows
}
