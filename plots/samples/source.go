package samples

import (
	"context"
	"encoding/json"
	"io"
)

// A Source gives the rows of the samples of a lake. Equal lakes must give equal rows in equal order.
type Source interface {
	// Conditions lists under what the samples of a kind were tried, in the order of their numbers; none where the lake has no such samples.
	Conditions(ctx context.Context, kind string) ([]Condition, error)
	// Items gives the samples of a kind, those of a picture together.
	Items(ctx context.Context, kind string, yield func(Item) error) error
	// Details gives the texts of the samples from one place in the order of Items up to another, which is left out.
	Details(ctx context.Context, kind string, from, to int, yield func(Detail) error) error
	// Captions gives the captions of the pictures of these samples, by picture.
	Captions(ctx context.Context, kind string, from, to int, yield func(Caption) error) error
	// Frames lists the pictures of items, by image and frame, without those whose file the lake does not have.
	Frames(ctx context.Context) ([]Frame, error)
	// Picture opens the file of a frame.
	Picture(ctx context.Context, f Frame) (io.ReadCloser, error)
}

// A Condition is one way in which samples were tried: which model did what, and how.
type Condition struct {
	Who        string `json:"who"`            // id of the captioner; of battles, the judge
	Name       string `json:"name"`           // of it, to show to people
	By         string `json:"by"`             // id of the reader or judge; empty where nobody else had a part
	Prompt     string `json:"prompt"`         // caption prompt; empty without one
	Protocol   string `json:"protocol"`       // how it was asked, parsed and scored
	Form       string `json:"form"`           // of questions the evidence, of elements caption or question, of battles the order of the captions
	Repeat     int    `json:"repeat"`         // number of the repetition, from 0
	Provenance string `json:"provenance"`     // published, measured or simulated
	N          int    `json:"n"`              // samples tried
	Good       int    `json:"good"`           // of them, with the first outcome of the kind
	Main       bool   `json:"main,omitempty"` // of those that a reader wants to see first
}

// An Item is a sample: a question, an element of a rubric or a battle.
type Item struct {
	ID     string   // the same in every version of the lake
	Image  string   // item of the lake whose picture and captions belong to it
	Facets []string // by Kind.Facets; empty where unknown
	Title  string   // one line
	// Marks says how each condition came out, five characters each: three digits of the condition's number in base 36, the outcome's place
	// in Kind.Outcomes, and the letter of the option that was chosen or a dash. Their order does not matter.
	Marks string
}

// A Detail holds the texts of a sample that a list does not show.
type Detail struct {
	Options []string // without the cannot option; nil without any
	Key     int      // place of the right option; -1 without one
	Fields  [][2]string
	// Said is JSON: a list of what models said, each a list of the condition's number, the raw reply or reason, the tokens of prompt and reply,
	// the finish reason, the thoughts that were kept apart, and the error; null where unknown.
	Said json.RawMessage
}

// A Caption is a caption of a picture.
type Caption struct {
	Image, Who, Prompt, Text string
	Words                    int
	Tokens                   *int
	Finish, Provenance       string
}

// A Frame is one picture of an item.
type Frame struct {
	Image         string
	Digest        string // SHA-256 in lower-case hex
	Format        string // such as png
	Width, Height int    // pixels; 0 when unknown
}
