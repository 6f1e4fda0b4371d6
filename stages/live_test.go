package stages

import (
	"os"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/llm"
)

// live are the real vLLM servers that the environment names. The others are skipped:
//
//	CAPTIONLAKE_VLLM=http://127.0.0.1:8011/v1 go test ./stages -run TestLive -v
type live struct {
	text   string // CAPTIONLAKE_VLLM: a server of a text model, such as http://127.0.0.1:8011/v1
	vision string // CAPTIONLAKE_VLLM_VISION: one of a model that looks at pictures
}

func liveServers(t *testing.T) live {
	t.Helper()
	s := live{os.Getenv("CAPTIONLAKE_VLLM"), os.Getenv("CAPTIONLAKE_VLLM_VISION")}
	if s.text == "" {
		t.Skip("CAPTIONLAKE_VLLM names no server")
	}
	return s
}

// model asks a server for the name of its model.
func (s live) model(t *testing.T, address string) string {
	t.Helper()
	c := must.Get(llm.New(llm.Config{Endpoint: llm.Endpoint{Name: "live", Replicas: []string{address}}}))(t)
	facts := c.Facts(t.Context())[0]
	if len(facts.Models) == 0 {
		t.Fatalf("%s: %+v", address, facts)
	}
	return facts.Models[0].ID
}

// config asks the text server about captions of the given captioners.
func (s live) configuration(t *testing.T) *config.Config {
	t.Helper()
	reader := s.model(t, s.text)
	c := &config.Config{
		Endpoints: []config.Endpoint{{Name: "reader", Replicas: []string{s.text}, Models: []string{reader}}},
		Answers: config.Answers{Readers: []string{reader},
			Evidence: []string{captionqa.EvidenceCaption, captionqa.EvidenceNone}, Protocol: captionqa.ProtocolUpstream,
			Repeats: 1},
	}
	if s.vision != "" {
		captioner := s.model(t, s.vision)
		c.Endpoints = append(c.Endpoints,
			config.Endpoint{Name: "captioner", Replicas: []string{s.vision}, Models: []string{captioner}})
		c.Captions = config.Captions{Captioners: []string{captioner}, Prompts: []string{captionqa.PromptSimple},
			MaxTokens: 16}
	}
	return c
}

// Captions and answers under every protocol from real servers. No request fails, all are recorded,
// and the same command asks for nothing more; under the protocol of one token not even what was cut
// off, since a reply of it is whole.
func TestLiveRun(t *testing.T) {
	s := liveServers(t)
	l := sampleLake(t)
	c := s.configuration(t)
	var choices []config.Choice
	if s.vision != "" {
		choices = append(choices, captioning)
	} else if err := fillSynthetic(l, 4, 40); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{captionqa.ProtocolUpstream, captionqa.ProtocolConstrained,
		captionqa.ProtocolProbabilities} {
		choices = append(choices, config.Choice{Stage: "answer", Protocol: p})
	}
	for _, choice := range choices {
		reports, err := runAll(t.Context(), l, c, choice)
		if err != nil && choice.Protocol == captionqa.ProtocolUpstream &&
			strings.Contains(err.Error(), "no reply can be read") {
			t.Logf("a model with random weights: %v", err)
			continue
		}
		must.Succeed(t, err)
		for _, report := range reports {
			t.Logf("%s %s %s: planned %d, answered %d, failed %d, truncated %d, rows %d, %d of %d prompt tokens cached",
				choice.Stage, choice.Protocol, report.Unit,
				report.Planned, report.Answered, report.Failed, report.Truncated, report.Rows, report.Cached,
				report.Prompt)
			if report.Planned == 0 || report.Answered != report.Planned || report.Failed != 0 || report.Rows == 0 {
				t.Errorf("%+v", report)
			}
			if choice.Protocol == captionqa.ProtocolProbabilities && report.Truncated != 0 {
				t.Errorf("replies of the one token that was asked for count as cut off: %+v", report)
			}
		}
		again := New(l, c, choice)
		again.RetryFailed = choice.Protocol == captionqa.ProtocolProbabilities
		reports = must.Get(again.Run(t.Context()))(t)
		for _, report := range reports {
			expect.Equal(t, report.Answered, 0, report)
		}
	}
	noDoubleCalls(t, l)
}
