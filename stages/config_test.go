package stages

import (
	"testing"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/stages/config"
)

// Each stage checks its section of the configuration, and the faults name line and column.
func TestStagesCheckTheirSections(t *testing.T) {
	const server = "endpoints:\n  - name: a\n    replicas: [http://127.0.0.1:1/v1]\n    models: [m]\n"
	for _, c := range []struct{ text, want string }{
		{server + "answers:\n  readers: [m, other]\n", `c.yaml:6:16: there is no reader "other"; known are: m`},
		{server + "answers:\n  protocol: strict\n",
			`c.yaml:6:13: there is no protocol "strict"; known are: captionqa/upstream, captionqa/constrained, ` +
				`captionqa/probabilities, captionqa/without-cannot`},
		{server + "answers:\n  evidence: [caption, video]\n",
			`c.yaml:6:23: there is no evidence "video"; known are: caption, image, none`},
		{server + "captions:\n  prompts: [Haiku]\n", `c.yaml:6:13: there is no prompt "Haiku"`},
		{server + "answers: {repeats: -1}\n", "c.yaml:5:20: repeats is a whole number, 1 or more"},
		{server + "answers: {repeats: 0}\n", "c.yaml:5:20: repeats is a whole number, 1 or more"},
		{server + "answers: {repeats: 2.7}\n", "c.yaml:5:20: a whole number belongs here"},
		{server + "captions: {max_tokens: 200.9}\n", "c.yaml:5:24: a whole number belongs here"},
		{server + "construct: {similarity: 0}\n", "c.yaml:5:25: similarity is a number from 0.01 to 1"},
		{server + "captions: {captioners: [n], max_tokens: -1}\n",
			`c.yaml:5:25: there is no captioner "n"; did you mean m?`},
		{server + "captions: {captioners: [m], max_tokens: -1}\n",
			"c.yaml:5:41: max_tokens is a whole number, 1 or more"},
		{server + "judges: {temperature: -0.5}\n", "c.yaml:5:23: temperature is a number from 0 to 2"},
	} {
		_, err := config.Parse("c.yaml", []byte(c.text), check)
		laketest.Hint(t, err, "", c.want)
	}
}

func TestConfigReportsAllFaultsAtOnce(t *testing.T) {
	_, err := config.Parse("c.yaml",
		[]byte("endpoints:\n  - name: a\n    models: [m]\nanswers:\n  readers: [x]\n  protocol: y\n"), check)
	for _, want := range []string{"has no replicas", `no reader "x"`, `no protocol "y"`} {
		expect.Failure(t, err, want)
	}
}

// The template that init writes is sound for every stage.
func TestConfigTemplateIsSound(t *testing.T) {
	if _, err := config.Parse(config.File, []byte(config.Template), check); err != nil {
		t.Error(err)
	}
}
