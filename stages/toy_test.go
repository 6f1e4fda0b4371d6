package stages

import (
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/batch"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/engine"
	"github.com/captionlake/captionlake/stages/llm"
)

// A toy counts what the engine has done with its items.
type toy struct{}

// stage is what it takes to add a stage: one chat unit whose replies may have to be asked for
// again, one unit of embeddings, and one that only computes.
func (t *toy) stage() engine.Stage {
	words := []string{"one", "two", "three", "two"}
	subject := func(i int) string { return fmt.Sprintf("%d-%s", i, words[i]) }
	items := func(_ *engine.Scope, each engine.Each[int]) error {
		for i := range words {
			if err := each(i, engine.Keys{Subject: subject(i)}); err != nil {
				return err
			}
		}
		return nil
	}
	return engine.Stage{
		Name: "toy", Help: "say, encode and count words", Flags: []string{"reader"}, Section: "answers",
		Units: func(s *engine.Scope) error {
			reader, err := s.Config.Model(s.Config.Answers.Readers[0])
			if err != nil {
				return err
			}
			embedder, err := s.Config.Model("rehearsal/embedder")
			if err != nil {
				return err
			}
			chat := &engine.Unit[int]{
				Conditions: engine.Conditions{Name: "say", Model: reader, Protocol: "toy/say", Attempts: 2},
				Items:      items,
				Request: func(i int) (llm.Request, error) {
					return llm.Request{Messages: []llm.Message{llm.User("Say " + words[i] + ".")},
						Sampling: llm.Greedy(8)}, nil
				},
				Accept: func(_ int, r llm.Reply) error {
					if r.Text == mumbled {
						return errors.New("it is mumbled")
					}
					return nil
				},
				Rows: engine.Into("toy/said", data.Captions, func(i int, o engine.Outcome) ([]data.Caption, error) {
					return []data.Caption{{ImageID: subject(i), Captioner: "toy", Prompt: fmt.Sprint(o.Readable),
						Caption: o.Text, Provenance: o.Provenance}}, nil
				}),
			}
			embed := &engine.Unit[int]{
				Conditions: engine.Conditions{Name: "encode", Model: embedder, Protocol: "toy/encode"},
				Items:      items,
				Request:    func(i int) (llm.Request, error) { return llm.Request{Inputs: []string{words[i]}}, nil },
				Rows: engine.Into("toy/vectors", data.Embeddings,
					func(i int, o engine.Outcome) ([]data.Embedding, error) {
						if o.Failed {
							return nil, nil
						}
						vectors, err := o.Vectors()
						if err != nil {
							return nil, err
						}
						return []data.Embedding{{CandidateID: subject(i), Model: embedder.ID, Vector: vectors[0],
							RequestHash: o.RequestHash, Provenance: o.Provenance}}, nil
					}),
			}
			// Rows of items that nobody is asked about.
			count := &engine.Unit[int]{
				Conditions: engine.Conditions{Name: "count", Protocol: "toy/count", Simulated: true},
				Items:      items,
				Rows: engine.Into("toy/counted", data.QuestionGroups,
					func(i int, o engine.Outcome) ([]data.QuestionGroup, error) {
						return []data.QuestionGroup{{ImageID: "toy", CandidateID: subject(i),
							GroupID:    int32(len(words[i])),
							Provenance: o.Provenance}}, nil
					}),
			}
			s.Add(chat, embed, count)
			return nil
		},
	}
}

// mumbled is what the servers of these tests say when a reply cannot be read.
const mumbled = "It is hard to say."

// toyRun prepares a run of the toy stage alone.
func (t *toy) run(l *data.Lake, c *config.Config) *engine.Runner {
	return engine.New(l, []engine.Stage{t.stage()}, c, config.Choice{})
}

func toyConfig(address string) *config.Config {
	c := rehearsal(address)
	c.Endpoints[0].Models = append(c.Endpoints[0].Models, "rehearsal/embedder")
	return c
}

// toyRows is all that the toy stage has written, as text.
func toyRows(t testing.TB, l *data.Lake) string {
	t.Helper()
	var b strings.Builder
	for _, c := range laketest.All(t, l, data.Captions) {
		fmt.Fprintln(&b, c.ImageID, c.Captioner, c.Prompt, c.Caption, c.Words, c.Provenance)
	}
	for _, e := range laketest.All(t, l, data.Embeddings) {
		fmt.Fprintln(&b, e.CandidateID, e.Model, e.Vector, e.RequestHash, e.Provenance)
	}
	for _, g := range laketest.All(t, l, data.QuestionGroups) {
		fmt.Fprintln(&b, g.CandidateID, g.GroupID, g.Provenance)
	}
	return b.String()
}

// A stage that a test adds runs live, offline and as a dry run, whether its units chat, embed or
// only compute: equal requests are asked once, unreadable replies again, and nothing is paid twice.
func TestAStageIsOneValue(t *testing.T) {
	unreadable := mumbling(func(temperature float64, body string) bool {
		return temperature == 0 && strings.Contains(body, "Say three")
	})
	var asked atomic.Int64
	count := counting(&asked)
	server := func(l *data.Lake) string {
		return serve(t, l, func(h http.Handler) http.Handler { return count(unreadable(h)) })
	}
	var s toy

	live := laketest.New(t)
	c := toyConfig(server(live))
	estimates, err := s.run(live, c).Estimate()
	if err != nil || len(estimates) != 3 || estimates[0].Pending != 3 || estimates[1].Pending != 3 ||
		estimates[2].Planned != 0 || estimates[0].Prompt == 0 {
		t.Fatalf("a dry run: %+v %v", estimates, err)
	}
	must.Equal(t, asked.Load(), 0, "a dry run asks requests")
	reports, err := s.run(live, c).Run(t.Context())
	if err != nil || len(reports) != 3 {
		t.Fatalf("%+v %v", reports, err)
	}
	// Three words and one of them again; three words to encode; nothing to count with.
	if say, encode, counted := reports[0], reports[1], reports[2]; say.Answered != 4 || say.Rows != 4 ||
		encode.Answered != 3 || encode.Rows != 4 ||
		counted.Planned != 0 || counted.Rows != 4 || asked.Load() != 7 {
		t.Fatalf("%d requests: %+v", asked.Load(), reports)
	}
	rows := toyRows(t, live)
	if strings.Contains(rows, mumbled) || !strings.Contains(rows, "2-three") {
		t.Errorf("the rows:\n%s", rows)
	}
	noDoubleCalls(t, live)
	reports, err = s.run(live, c).Run(t.Context())
	if err != nil || asked.Load() != 7 || reports[1].Recorded != 3 || reports[1].Rows != 4 || toyRows(t, live) != rows {
		t.Fatalf("the second run asks %d requests: %+v %v", asked.Load()-7, reports, err)
	}

	// Through files: the pending requests, then the one that could not be read, then nothing.
	l := laketest.New(t)
	c = toyConfig(server(l))
	for _, want := range []int{6, 1, 0} {
		dir := t.TempDir()
		manifests := must.Get(batch.Export(s.run(l, c), batch.Options{Dir: dir}))(t)
		requests := 0
		for _, m := range manifests {
			requests += m.Requests
			replies := filepath.Join(dir, m.Replies)
			offlineBatch(t, c.Endpoints[0].Replicas[0], filepath.Join(dir, m.File), replies)
			report, err := batch.Import(t.Context(), s.run(l, c), replies)
			if err != nil || report.Taken != m.Requests || report.Missing != 0 {
				t.Fatalf("%+v %v", report, err)
			}
		}
		must.Equal(t, requests, want, "requests are exported")
	}
	before := asked.Load()
	if _, err := s.run(l, c).Run(t.Context()); err != nil || asked.Load() != before {
		t.Fatalf("%d requests are left after the batches: %v", asked.Load()-before, err)
	}
	expect.Equal(t, toyRows(t, l), rows, "through files, and live")
	noDoubleCalls(t, l)
}

// Every stage of the list has what the command line, its help and the configuration need of it.
func TestStagesAreComplete(t *testing.T) {
	flags := map[string]bool{}
	for _, f := range config.Flags() {
		flags[f.Name] = false
	}
	seen := map[string]bool{}
	for _, s := range All() {
		if s.Name == "" || seen[s.Name] || s.Help == "" || s.Units == nil ||
			!strings.Contains(config.Template, "\n"+s.Section+":") {
			t.Errorf("the stage %q is incomplete, twice in the list, or has no section in the configuration", s.Name)
		}
		seen[s.Name] = true
		for _, f := range s.Flags {
			if _, known := flags[f]; !known {
				t.Errorf("the stage %s has an unknown flag --%s", s.Name, f)
			}
			flags[f] = true
		}
	}
	for f, used := range flags {
		if !used {
			t.Errorf("no stage has the flag --%s", f)
		}
	}
	// A flag that the stage does not know is refused instead of passed over.
	refused(t, laketest.New(t), rehearsal(closedAddress()), config.Choice{Stage: "judge", Readers: []string{"x"}},
		"answer", "the stage judge does not know --reader")
}
