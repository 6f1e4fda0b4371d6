package stages

import (
	"fmt"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
)

// The sizes of the CaptionQA bank: its 657 images have 50 questions each in the full set, 33,027 together, and 13 in the
// public one (CaptionQA Table 1).
const (
	bankImages    = 657
	fullQuestions = 33_027
)

// fillSynthetic makes a bank of so many questions, spread evenly over the images, and for each image one caption of some
// 320 tokens of each captioner.
func fillSynthetic(l *data.Lake, images, questions int, captioners ...string) error {
	if len(captioners) == 0 {
		captioners = []string{"synthetic"}
	}
	tx, err := l.Begin(data.Unit{Stage: "test", Name: "synthetic", Provenance: data.ProvenanceSimulated})
	if err != nil {
		return err
	}
	defer tx.Abort()
	bank, err := data.NewRowWriter(tx, data.Questions)
	if err != nil {
		return err
	}
	captions, err := data.NewRowWriter(tx, data.Captions)
	if err != nil {
		return err
	}
	orders := captionqa.NewOrderStream(0)
	colours := []string{"Red", "Blue", "Green", "Yellow"}
	n := 0
	for i := range images {
		id := fmt.Sprintf("nat_%05d", i)
		for _, captioner := range captioners {
			text := fmt.Sprintf("Picture %d as %s has it. ", i, captioner) +
				strings.Repeat("The bench near the pond is blue, and three kites fly above the trees. ", 18)
			if err := captions.Write(data.Caption{
				ImageID: id, Captioner: captioner, Prompt: captionqa.PromptSimple, Domain: "Natural", Caption: text,
				Words: int32(len(strings.Fields(text))), Provenance: data.ProvenanceSimulated,
			}); err != nil {
				return err
			}
		}
		for q := 0; n < questions*(i+1)/images; q++ {
			if err := bank.Write(data.Question{
				QuestionID: fmt.Sprintf("%s/%04d", id, q), ImageID: id, Domain: "Natural", Category: "Object Attributes", Ordinal: int32(n),
				Question: fmt.Sprintf("What colour is the bench number %d?", q), Options: colours, AnswerIndex: int32(q % 4),
				OptionOrder: orders.Next(5), OrderRule: "upstream-full-bank", Source: "synthetic",
			}); err != nil {
				return err
			}
			n++
		}
	}
	return tx.Commit()
}
