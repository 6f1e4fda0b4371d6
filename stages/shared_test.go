package stages

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/config"
	rehearsalserver "github.com/captionlake/captionlake/stages/rehearsal/server"
)

// A request that two units share, failed for the one and asked again for the other, is a reply for
// both: otherwise the first unit's answers stay failed for good, since nothing asks again for a
// recorded reply.
func TestAReplyForOneUnitReplacesTheFailureOfAnother(t *testing.T) {
	l := sampleLake(t)
	c := rehearsal(serve(t, l))
	c.Captions.Captioners, c.Captions.Prompts = []string{"rehearsal/captioner-medium", "rehearsal/captioner-large"},
		[]string{captionqa.PromptShort}
	mustRun(t, l, c, captioning) // Short captions of the two are the same for many pictures.
	plan := must.Get(rehearsalserver.ParseFaults("malformed=20%"))(t)
	broken := *c
	broken.Endpoints = []config.Endpoint{c.Endpoints[0]}
	broken.Endpoints[0].Replicas,
		broken.Endpoints[0].Attempts = []string{serveAs(t, l, rehearsalserver.Options{Faults: plan})}, 1
	mustRun(t, l, &broken, config.Choice{Stage: "answer", Captioners: []string{"rehearsal-captioner-large"}})
	for _, captioner := range []string{"rehearsal-captioner-medium", "rehearsal-captioner-large"} {
		o := config.Choice{Stage: "answer", Captioners: []string{captioner}}
		retryFailed(t, l, c, o)
	}
	for _, a := range laketest.All(t, l, data.Answers) {
		if a.Outcome == string(captionqa.Failed) {
			t.Fatalf("%s of %s is failed, though its request was answered", a.QuestionID, a.Captioner)
		}
	}
}

// The sizes of the CaptionQA bank: its 657 images have 50 questions each in the full set, 33,027
// together, and 13 in the public one (CaptionQA Table 1).
const (
	bankImages    = 657
	fullQuestions = 33_027
)

// fillSynthetic makes a bank of so many questions, spread evenly over the images, and for each
// image one caption of some
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
	var bank []data.Question
	var captions []data.Caption
	orders := captionqa.NewOrderStream(0)
	colours := []string{"Red", "Blue", "Green", "Yellow"}
	n := 0
	for i := range images {
		id := fmt.Sprintf("nat_%05d", i)
		for _, captioner := range captioners {
			who := captioner
			if i%2 == 0 { // Of every other image, captions of a model and of its -copy are equal.
				who = strings.TrimSuffix(captioner, "-copy")
			}
			text := fmt.Sprintf("Picture %d as %s has it. ", i, who) +
				strings.Repeat("The bench near the pond is blue, and three kites fly above the trees. ", 18)
			captions = append(captions, data.Caption{
				ImageID: id, Captioner: captioner, Prompt: captionqa.PromptSimple, Domain: "Natural", Caption: text,
				Words: int32(len(strings.Fields(text))), Provenance: data.ProvenanceSimulated,
			})
		}
		for q := 0; n < questions*(i+1)/images; q++ {
			bank = append(bank, data.Question{
				QuestionID: fmt.Sprintf("%s/%04d", id, q), ImageID: id, Domain: "Natural",
				Category: "Object Attributes", Ordinal: int32(n),
				Question: fmt.Sprintf("What colour is the bench number %d?", q), Options: colours,
				AnswerIndex: int32(q % 4),
				OptionOrder: orders.Next(5), OrderRule: "upstream-full-bank", Source: "synthetic",
			})
			n++
		}
	}
	return errors.Join(write(tx, data.Questions, bank), write(tx, data.Captions, captions), tx.Commit())
}
