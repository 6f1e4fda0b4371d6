package samples

import (
	"context"
	"encoding/json"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/captionlake/captionlake/data/rows"
	"github.com/captionlake/captionlake/plots/report"
)

// A Source gives the samples of a lake. Equal lakes must give equal rows in equal order.
type Source interface {
	// Samples hands over the rows of a part of the samples of a kind, batch by batch. The part
	// conditions gives each Condition, in the order of their numbers. The part items gives each
	// Item; the items of a picture are together. The part details gives a Detail for each sample
	// at a place, counted from 0, of at least from and less than to. The part captions gives each
	// Caption of the pictures of these samples, by picture. If the lake has no samples of the kind,
	// no rows are handed over.
	Samples(ctx context.Context, kind, part string, from, to int, hand func(arrow.RecordBatch) error) error
	report.Pictures
}

// each hands the rows of a part of the samples to a function. The parts conditions and items do not
// use from and to.
func each[T any](ctx context.Context, source Source, kind, part string, from, to int, hand func(T) error) error {
	return source.Samples(ctx, kind, part, from, to, func(batch arrow.RecordBatch) error {
		defer batch.Release()
		for row, err := range rows.Structs[T](batch) {
			if err == nil {
				err = hand(row)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// A Condition is one way in which samples were tried: which model did what, and how.
type Condition struct {
	Who      string `json:"who"`      // id of the captioner; of battles, the judge
	Name     string `json:"name"`     // of this model, to show to people
	By       string `json:"by"`       // id of the reader or judge; empty where nobody else had a part
	Prompt   string `json:"prompt"`   // caption prompt; empty without one
	Protocol string `json:"protocol"` // how it was asked, parsed and scored
	// of questions: the evidence; of elements: caption or question; of battles: order of the captions
	Form       string `json:"form"`
	Repeat     int    `json:"repeat"`         // number of the repetition, from 0
	Provenance string `json:"provenance"`     // published, measured or simulated
	N          int    `json:"n"`              // samples tried
	Good       int    `json:"good"`           // samples with the good outcome of the kind
	Main       bool   `json:"main,omitempty"` // people want to see this condition first
}

// An Item is a sample: a question, an element of a rubric or a battle.
type Item struct {
	ID     string   `json:"id"`     // the same in every version of the lake
	Image  string   `json:"image"`  // item of the lake whose picture and captions belong to it
	Facets []string `json:"facets"` // a value for each of Kind.Facets; empty where unknown
	Title  string   `json:"title"`  // one line
	// Marks says how each condition came out, five characters each: three digits of the condition's
	// number in base 36, the outcome's place in Kind.Outcomes, and the letter of the option that
	// was chosen or a dash. The order of the conditions does not matter.
	Marks string `json:"marks"`
}

// A Detail holds the texts of a sample that a list does not show.
type Detail struct {
	Options []string   `json:"options,omitempty"` // without the cannot option; nil without any
	Key     int        `json:"key"`               // place of the right option; -1 without one
	Fields  [][]string `json:"fields,omitempty"`  // pairs of a name and a text
	Marks   string     `json:"marks"`             // of the item
	// Said is a list of the replies of models. Each reply is a list: the condition's number, the raw
	// reply or reason, the tokens of the prompt, the tokens of the reply, the finish reason, the
	// thoughts that were kept apart, and the error. An unknown entry is null.
	Said json.RawMessage `json:"said,omitempty"`
}

// A Caption is a caption of a picture.
type Caption struct {
	Image      string `parquet:"image_id" json:"-"`
	Who        string `json:"who"`
	Prompt     string `json:"prompt"`
	Text       string `json:"text"`
	Words      int    `json:"words"`
	Tokens     *int   `json:"tokens,omitempty"`
	Finish     string `json:"finish,omitempty"`
	Provenance string `json:"provenance"`
}
