package main

import (
	_ "embed" // the configuration

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/ingest"
	"github.com/captionlake/captionlake/stages/bank"
	"github.com/captionlake/captionlake/stages/config"
)

// constructDemoLake is the lake of demo --construct unless --lake names another: the lake of the
// plain demo has other questions about the same pictures.
const constructDemoLake = "lake-construct"

//go:embed demo_construct.yaml
var constructDemoConfig string

// fillConstructDemo makes banks of questions from the sample set's pictures and the published
// taxonomies. Then a rehearsal captioner describes the pictures, and a reader answers the
// questions.
func (a *app) fillConstructDemo(lake *data.Lake) error {
	a.step("1/6 published taxonomies, pictures of the sample set")
	if _, err := ingest.LoadReference(a.context, lake); err != nil {
		return err
	}
	if _, err := ingest.LoadSample(a.context, lake, false); err != nil { // false: without its questions
		return data.WithHint(err, "the lake has these pictures, with questions about them; "+
			"make another one: captionlake --lake %s demo --construct", constructDemoLake)
	}
	a.step("2/6 rehearsal: candidates, blind test, duplicates, validators")
	err := a.rehearse(lake, constructDemoConfig, func(c *config.Config) error {
		if _, err := a.runStages(lake, c, runFlags{choice: config.Choice{Stage: "construct"}}); err != nil {
			return err
		}
		a.step("3/6 banks of the candidates that the validators accepted")
		for _, domain := range data.CaptionQA().Domains {
			if _, err := bank.Publish(lake, bank.PublishOptions{Domain: domain.Name, Partial: true}); err != nil {
				return err
			}
		}
		a.step("4/6 rehearsal: captions of the pictures")
		if _, err := a.runStages(lake, c, runFlags{choice: config.Choice{Stage: "caption"}}); err != nil {
			return err
		}
		a.step("5/6 rehearsal: the banks' questions, answered from the captions")
		_, err := a.runStages(lake, c, runFlags{choice: config.Choice{Stage: "answer"}})
		return err
	})
	if err == nil {
		a.step("6/6 results")
	}
	return err
}

const constructDemoNext = `
simulated  from rehearsal models: good for trying things out, not a result

The lake is the folder LAKE. Each question names its candidate, and each
candidate its node, generator and call.
Try next:
  captionlake --lake LAKE bank review
  captionlake --lake LAKE bank publish --domain Natural
  captionlake --lake LAKE show construct_funnel
Your own pictures and taxonomy: stages/README.md, "A bank of your own".
`
