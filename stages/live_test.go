package stages

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/batch"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/llm"
)

// live is what the environment names of real vLLM servers. What it does not name is skipped:
//
//	CAPTIONLAKE_VLLM=http://127.0.0.1:8011/v1 go test ./stages -run TestLive -v
type live struct {
	text    string // CAPTIONLAKE_VLLM: a server of a text model, such as http://127.0.0.1:8011/v1
	vision  string // CAPTIONLAKE_VLLM_VISION: one of a model that looks at pictures
	embed   string // CAPTIONLAKE_VLLM_EMBED: one of a model that embeds texts
	batch   string // CAPTIONLAKE_VLLM_BATCH: a command such as "vllm run-batch --model … --served-model-name …", to which -i and -o are added
	restart string // CAPTIONLAKE_VLLM_RESTART: a command that kills the text server and starts it again
}

func liveServers(t *testing.T) live {
	t.Helper()
	s := live{os.Getenv("CAPTIONLAKE_VLLM"), os.Getenv("CAPTIONLAKE_VLLM_VISION"), os.Getenv("CAPTIONLAKE_VLLM_EMBED"),
		os.Getenv("CAPTIONLAKE_VLLM_BATCH"), os.Getenv("CAPTIONLAKE_VLLM_RESTART")}
	if s.text == "" {
		t.Skip("CAPTIONLAKE_VLLM names no server")
	}
	return s
}

// model asks a server for the name of its model.
func (s live) model(t *testing.T, address string) string {
	t.Helper()
	c, err := llm.New(llm.Config{Endpoint: llm.Endpoint{Name: "live", Replicas: []string{address}}})
	must.Succeed(t, err)
	defer c.Close()
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
		Answers:   config.Answers{Readers: []string{reader}, Evidence: []string{captionqa.EvidenceCaption, captionqa.EvidenceNone}, Protocol: captionqa.ProtocolUpstream, Repeats: 1},
	}
	if s.vision != "" {
		captioner := s.model(t, s.vision)
		c.Endpoints = append(c.Endpoints, config.Endpoint{Name: "captioner", Replicas: []string{s.vision}, Models: []string{captioner}})
		c.Captions = config.Captions{Captioners: []string{captioner}, Prompts: []string{captionqa.PromptSimple}, MaxTokens: 16}
	}
	return c
}

// Captions and answers under every protocol from real servers. No request fails, all are recorded, and the same command asks
// for nothing more; under the protocol of one token not even what was cut off, since a reply of it is whole.
func TestLiveRun(t *testing.T) {
	s := liveServers(t)
	l := sampleLake(t)
	c := s.configuration(t)
	var choices []config.Choice
	if s.vision != "" {
		choices = append(choices, config.Choice{Stage: "caption"})
	} else if err := fillSynthetic(l, 4, 40); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{captionqa.ProtocolUpstream, captionqa.ProtocolConstrained, captionqa.ProtocolProbabilities} {
		choices = append(choices, config.Choice{Stage: "answer", Protocol: p})
	}
	for _, choice := range choices {
		for _, report := range mustRun(t, l, c, choice) {
			t.Logf("%s %s %s: planned %d, answered %d, failed %d, truncated %d, rows %d, %d of %d prompt tokens cached", choice.Stage, choice.Protocol, report.Unit,
				report.Planned, report.Answered, report.Failed, report.Truncated, report.Rows, report.Cached, report.Prompt)
			if report.Planned == 0 || report.Answered != report.Planned || report.Failed != 0 || report.Rows == 0 {
				t.Errorf("%+v", report)
			}
			if choice.Protocol == captionqa.ProtocolProbabilities && report.Truncated != 0 {
				t.Errorf("replies of the one token that was asked for count as cut off: %+v", report)
			}
		}
		again := New(l, c, choice)
		again.RetryFailed = choice.Protocol == captionqa.ProtocolProbabilities
		reports, err := again.Run(t.Context())
		must.Succeed(t, err)
		for _, report := range reports {
			if report.Answered != 0 {
				t.Errorf("asked again: %+v", report)
			}
		}
	}
	noDoubleCalls(t, l)
}

// An offline batch that vLLM runs gives what a live run gives.
func TestLiveBatch(t *testing.T) {
	s := liveServers(t)
	if s.batch == "" {
		t.Skip("CAPTIONLAKE_VLLM_BATCH names no command")
	}
	l := laketest.New(t)
	must.Succeed(t, fillSynthetic(l, 3, 39))
	c := s.configuration(t)
	c.Answers.Evidence = []string{captionqa.EvidenceCaption}
	dir := t.TempDir()
	choice := config.Choice{Stage: "answer", Protocol: captionqa.ProtocolConstrained}
	manifests, err := exportBatches(l, c, choice, batch.Options{Dir: dir})
	if err != nil || len(manifests) != 1 {
		t.Fatalf("%+v %v", manifests, err)
	}
	replies := filepath.Join(dir, manifests[0].Replies)
	command := exec.CommandContext(t.Context(), "sh", "-c", s.batch+` -i "$1" -o "$2"`, "sh", filepath.Join(dir, manifests[0].File), replies)
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	report, err := importBatch(l, c, replies)
	must.Succeed(t, err)
	t.Logf("%+v", report)
	live := laketest.New(t)
	must.Succeed(t, fillSynthetic(live, 3, 39))
	mustRun(t, live, c, choice)
	batched, asked := answerLines(t, l), answerLines(t, live)
	same := 0
	for i := range min(len(batched), len(asked)) {
		if batched[i] == asked[i] {
			same++
		}
	}
	t.Logf("%d of %d answers are those of a live run", same, len(asked))
	if len(batched) != len(asked) || same < len(asked)*9/10 {
		t.Errorf("%d answers of the batch, %d of the run, %d the same", len(batched), len(asked), same)
	}
}

// A server that is killed in the middle of a run and comes back loses nothing: the run waits, and every request is answered
// once.
func TestLiveRestart(t *testing.T) {
	s := liveServers(t)
	if s.restart == "" {
		t.Skip("CAPTIONLAKE_VLLM_RESTART names no command")
	}
	l := laketest.New(t)
	must.Succeed(t, fillSynthetic(l, 40, 520))
	c := s.configuration(t)
	c.Answers.Evidence = []string{captionqa.EvidenceCaption}
	c.Endpoints[0].Concurrency = config.Concurrency{Initial: 4, Max: 8} // so that the run is still under way
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Minute)
	defer cancel()
	began := make(chan struct{})
	restarted := make(chan error, 1)
	go func() {
		<-began
		out, err := exec.CommandContext(ctx, "sh", "-c", s.restart).CombinedOutput()
		t.Logf("restart: %s", strings.TrimSpace(string(out)))
		restarted <- err
	}()
	last := 0
	r := New(l, c, config.Choice{Stage: "answer"})
	r.Progress = func(_ string, done, _ int) {
		if last = done; done == 20 {
			close(began)
		}
	}
	started := time.Now()
	reports, err := r.Run(ctx)
	if err != nil || len(reports) != 1 {
		t.Fatalf("after %d items: %v", last, err)
	}
	report := reports[0]
	t.Logf("planned %d, answered %d, failed %d in %v", report.Planned, report.Answered, report.Failed, time.Since(started).Round(time.Second))
	if report.Answered != report.Planned || report.Failed != 0 {
		t.Errorf("%+v", report)
	}
	must.Succeed(t, <-restarted)
	attempts := int32(0)
	for _, call := range laketest.All(t, l, data.Calls) {
		attempts = max(attempts, call.Attempts)
	}
	t.Logf("at most %d attempts for a call", attempts)
	if attempts < 2 {
		t.Error("no call met the server's death")
	}
	noDoubleCalls(t, l)
}
