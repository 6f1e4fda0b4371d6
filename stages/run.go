package stages

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/llm"
)

// A Step is one unit of a run: requests to one model, and the reading of its replies into a table.
type Step struct {
	Stage    string // CaptionStage, AnswerStage, JudgeStage or AskStage
	Name     string // name of the unit
	Model    ModelName
	Endpoint EndpointConfig
	Protocol string
	Idle     string                         // what to tell a user when the plan is empty; may be empty
	Work     func(*data.Lake) (Work, error) // plans the requests, when earlier steps have made their inputs
	Read     func(*data.Lake) (int, error)  // turns the recorded replies into rows and returns their number
	// Again plans the requests that take the place of unreadable replies, for the second try (attempt 1) and on, until it
	// says false. It may be nil. Offline batches and estimates do not know of them: the next live run asks them.
	Again func(l *data.Lake, attempt int) (Work, bool, error)
}

// A Choice narrows a run down; what is empty is as the configuration says.
type Choice struct {
	Stage      string   `json:"stage,omitempty"` // a stage alone; empty for captions, answers, and judgments where judges are configured
	Captioners []string `json:"captioners,omitempty"`
	Prompts    []string `json:"prompts,omitempty"`
	Readers    []string `json:"readers,omitempty"`
	Evidence   []string `json:"evidence,omitempty"`
	Protocol   string   `json:"protocol,omitempty"`
	Repeats    int      `json:"repeats,omitempty"`
	Pool       int      `json:"pool,omitempty"` // seed of the pool to ask about instead of all captions, of the prompts named or of Simple; 0 for none. Only with the stage answer
	Judges     []string `json:"judges,omitempty"`
	Benchmarks []string `json:"benchmarks,omitempty"` // benchmarks of annotated elements; captions are then made for these, and no answers
}

// Narrow returns the configuration with what the choice names in the place of its lists. Captioners whose captions were
// loaded, and which no endpoint serves, are chosen by their model_id.
func (c Config) Narrow(o Choice) Config {
	use := func(list *[]string, chosen []string) {
		if len(chosen) > 0 {
			*list = chosen
		}
	}
	use(&c.Captions.Captioners, o.Captioners)
	use(&c.Captions.Prompts, c.promptNames(o.Prompts))
	use(&c.Answers.Readers, o.Readers)
	use(&c.Answers.Evidence, o.Evidence)
	c.Answers.Protocol = cmp.Or(o.Protocol, c.Answers.Protocol)
	c.Answers.Repeats = cmp.Or(o.Repeats, c.Answers.Repeats)
	use(&c.Judges.Models, o.Judges)
	use(&c.Judges.Benchmarks, o.Benchmarks)
	c.Judges.Repeats = cmp.Or(o.Repeats, c.Judges.Repeats)
	return c
}

// CaptionSteps lists the captions to make: every captioner under every prompt.
func CaptionSteps(c *Config) ([]Step, error) {
	var steps []Step
	for _, name := range c.Captions.Captioners {
		model, endpoint, err := c.Model(name)
		if err != nil {
			return nil, err
		}
		for _, prompt := range c.Captions.Prompts {
			j := CaptionJob{
				Captioner: model, Prompt: prompt, Text: c.promptText(prompt),
				MaxTokens: c.Captions.MaxTokens,
			}
			steps = append(steps, Step{
				Stage: CaptionStage, Name: j.unit(), Model: model, Endpoint: endpoint, Protocol: captionProtocol,
				Idle: "the lake has no pictures to caption: load them with captionlake ingest FOLDER",
				Work: func(l *data.Lake) (Work, error) { return CaptionWork(l, j) },
				Read: func(l *data.Lake) (int, error) { return ReadCaptions(l, j) },
			})
		}
	}
	return steps, nil
}

func (c *Config) promptText(name string) string {
	for _, p := range c.Prompts {
		if p.Name == name {
			return p.Text
		}
	}
	return ""
}

// AnswerSteps lists the questions to ask: every reader about every caption that the lake holds, about the pictures, and
// about nothing, as the evidence says. The choice narrows captioners and prompts down; for QA-on-image the captioners
// that an endpoint serves answer, since the utility gap compares a model with its own captions.
func AnswerSteps(l *data.Lake, c *Config, o Choice) ([]Step, error) {
	sets, err := captionSets(l)
	if err != nil {
		return nil, err
	}
	if o.Pool != 0 && len(o.Prompts) == 0 {
		o.Prompts = []string{poolPrompt}
	}
	sets = slices.DeleteFunc(sets, func(s captionSet) bool { return !o.wants(s) })
	var drawn *pool
	if o.Pool != 0 {
		if len(sets) == 0 && slices.Contains(c.Answers.Evidence, EvidenceCaption) {
			return nil, data.WithHint(fmt.Errorf("the lake has no captions of the prompt %s to draw a pool from", strings.Join(o.Prompts, ", ")),
				"name the prompts of the pool with --prompt, here and, with --pool-prompt, for analyze")
		}
		if drawn, err = drawPool(l, o.Pool, sets); err != nil {
			return nil, err
		}
	}
	var steps []Step
	add := func(j AnswerJob, endpoint EndpointConfig) {
		steps = append(steps, Step{
			Stage: AnswerStage, Name: j.unit(), Model: j.Reader, Endpoint: endpoint, Protocol: j.Protocol,
			Idle: "the lake has no questions that this evidence belongs to: load a bank with captionlake ingest PATH",
			Work: func(l *data.Lake) (Work, error) { return AnswerWork(l, j) },
			Read: func(l *data.Lake) (int, error) { return Score(l, j) },
		})
	}
	for _, evidence := range c.Answers.Evidence {
		readers := c.Answers.Readers
		if evidence == EvidenceImage {
			readers = c.Captions.Captioners
		}
		for _, name := range readers {
			reader, endpoint, err := c.Model(name)
			if err != nil {
				return nil, err
			}
			for repeat := range c.Answers.Repeats {
				j := AnswerJob{Protocol: c.Answers.Protocol, Reader: reader, Evidence: evidence, Repeat: repeat}
				if evidence != EvidenceCaption {
					add(j, endpoint)
					continue
				}
				j.pool = drawn
				for _, s := range sets {
					j.Captioner, j.Prompt = s.Captioner, s.Prompt
					add(j, endpoint)
				}
			}
		}
	}
	return steps, nil
}

// captionSet is the captions of one captioner under one prompt.
type captionSet struct {
	Captioner string `parquet:"captioner"`
	Prompt    string `parquet:"prompt"`
}

func (o Choice) wants(s captionSet) bool {
	if len(o.Prompts) > 0 && !slices.ContainsFunc(o.Prompts, func(name string) bool { return strings.EqualFold(name, s.Prompt) }) {
		return false
	}
	return len(o.Captioners) == 0 || slices.ContainsFunc(o.Captioners, func(name string) bool {
		id, err := data.ModelIDFor(name)
		return name == s.Captioner || err == nil && id == s.Captioner
	})
}

// captionSets lists the sets of captions that the lake holds.
func captionSets(l *data.Lake) ([]captionSet, error) {
	seen := map[captionSet]bool{}
	var sets []captionSet
	for s, err := range data.Project[captionSet](l, data.Captions, nil) {
		if err != nil {
			return nil, err
		}
		if !seen[s] {
			seen[s] = true
			sets = append(sets, s)
		}
	}
	slices.SortFunc(sets, func(a, b captionSet) int {
		return cmp.Or(strings.Compare(a.Captioner, b.Captioner), strings.Compare(a.Prompt, b.Prompt))
	})
	return sets, nil
}

// tries plans the requests of a step: the first try at everything, and then, when that is recorded, the tries in the place
// of unreadable replies.
func (s Step) tries(l *data.Lake) iter.Seq2[Work, error] {
	return func(yield func(Work, error) bool) {
		work, err := s.Work(l)
		if !yield(work, err) || err != nil || s.Again == nil {
			return
		}
		for attempt := 1; ; attempt++ {
			work, more, err := s.Again(l, attempt)
			if err == nil && !more || !yield(work, err) || err != nil {
				return
			}
		}
	}
}

// A Runner carries steps out.
type Runner struct {
	Lake        *data.Lake
	Config      *Config
	RetryFailed bool
	Replace     bool // ask again what was asked under other settings
	Progress    func(Progress)
	Connect     func(EndpointConfig) (Client, error) // nil connects to the endpoint's servers

	clients map[string]Client
	met     map[string]bool // endpoints that have been asked something
	spent   spending
}

// A Client is what the runner needs of an endpoint's servers.
type Client interface {
	Caller
	Parallel() int
	Facts(ctx context.Context) []llm.ServerFacts
	ProbeConstraint(ctx context.Context, model string, flags map[string]bool) []llm.ConstraintVerdict
}

var _ Client = (*llm.Client)(nil)

// spending counts what a run has cost so far.
type spending struct{ requests, tokens atomic.Int64 }

// A StepReport is the end of one step.
type StepReport struct {
	Summary
	Stage string `json:"stage"`
	Model string `json:"model"`
	Rows  int    `json:"rows"`            // rows of captions or answers that the replies gave
	Note  string `json:"note,omitempty"`  // what a user should know of the step
	Cause string `json:"cause,omitempty"` // error that most of the failed calls ended with
}

// Step carries one step out: asks what is pending, records the calls and reads them. An interrupted step keeps what
// came back.
func (r *Runner) Step(ctx context.Context, s Step) (StepReport, error) {
	report := StepReport{Stage: s.Stage, Model: s.Model.ID, Summary: Summary{Work: s.Name}}
	if !r.Replace {
		if err := wouldReplace(r.Lake, s); err != nil {
			return report, err
		}
	}
	client, err := r.client(s.Endpoint)
	if err != nil {
		return report, err
	}
	door := &gate{Client: client, step: s, new: !r.met[s.Endpoint.Name]}
	engine := &Engine{
		Lake: r.Lake, Caller: &budgeted{door, r.Config.Budget, &r.spent}, Workers: s.Endpoint.workers(), Parallel: client.Parallel,
		RetryFailed: r.RetryFailed, Progress: r.Progress, Now: time.Now,
		Detail: func() any { return serverRecord(s.Endpoint, door.before, client.Facts(ctx)) },
	}
	for work, err := range s.tries(r.Lake) {
		if err != nil {
			return report, err
		}
		summary, err := engine.Run(ctx, work)
		report.Summary.add(summary)
		if err != nil {
			return report, fmt.Errorf("%s %s: %w", s.Stage, s.Name, resumable(err))
		}
	}
	if door.before != nil {
		r.met[s.Endpoint.Name] = true
	}
	report.Note = door.note()
	if report.Planned == 0 {
		report.Note = s.Idle
	}
	report.Cause = commonest(engine.causes)
	report.Rows, err = s.Read(r.Lake)
	return report, err
}

// commonest is the error that most calls ended with, of equally many the first by name.
func commonest(causes map[string]int) string {
	var cause string
	for c, n := range causes {
		if n > causes[cause] || n == causes[cause] && c < cause {
			cause = c
		}
	}
	return cause
}

// ErrNothingCame is wrapped by the error of a run of which every request failed.
var ErrNothingCame = errors.New("every request failed")

// NothingCame returns an error with the commonest cause if the steps of a run asked anything and every request failed.
func NothingCame(reports []StepReport) error {
	asked, failed, causes := 0, 0, map[string]int{}
	for _, r := range reports {
		asked += r.Answered
		failed += r.Failed
		causes[r.Cause] += r.Failed
	}
	if asked == 0 || failed < asked {
		return nil
	}
	return data.WithHint(fmt.Errorf("%w (%d), most often because: %s", ErrNothingCame, asked, commonest(causes)),
		"remove the cause, look at the servers with captionlake doctor, and ask again with: captionlake run --retry-failed")
}

// resumable adds to the end of a run how to go on.
func resumable(err error) error {
	var hinted *data.HintError
	if errors.As(err, &hinted) {
		return err
	}
	switch llm.ClassOf(err) {
	case llm.ClassDrained, llm.ClassCanceled:
		return data.WithHint(&interruption{err}, "run the same command again: every reply that came back is kept")
	case llm.ClassAuth:
		return data.WithHint(err, "put the right key into the environment variable that key_env names in %s, and run the same command again", ConfigFile)
	case llm.ClassNotFound, llm.ClassOtherModel:
		return data.WithHint(err, "compare the addresses and models of %s with those that the servers have: captionlake doctor", ConfigFile)
	case llm.ClassUnavailable:
		return data.WithHint(err, "start the servers, look at them with captionlake doctor, and run the same command again: every reply that came back is kept")
	}
	return err
}

func (r *Runner) client(e EndpointConfig) (Client, error) {
	if c, ok := r.clients[e.Name]; ok {
		return c, nil
	}
	connect := r.Connect
	if connect == nil {
		connect = func(e EndpointConfig) (Client, error) { return e.Client() }
	}
	c, err := connect(e)
	if err != nil {
		return nil, err
	}
	if r.clients == nil {
		r.clients, r.met = map[string]Client{}, map[string]bool{}
	}
	r.clients[e.Name] = c
	return c, nil
}

// interruption words the end of a run that was told to stop, in the place of how the last of its calls ended.
type interruption struct{ cause error }

func (*interruption) Error() string   { return "interrupted" }
func (i *interruption) Unwrap() error { return i.cause }

// budgeted stops asking once the run has cost what the configuration allows.
type budgeted struct {
	Caller
	budget BudgetConfig
	spent  *spending
}

func (b *budgeted) Chat(ctx context.Context, q llm.Request, affinity llm.Affinity) (llm.Reply, error) {
	requests, tokens := b.spent.requests.Add(1), b.spent.tokens.Load()
	if b.budget.Requests > 0 && requests > b.budget.Requests || b.budget.Tokens > 0 && tokens >= b.budget.Tokens {
		return llm.Reply{}, data.WithHint(fmt.Errorf("%w: %d requests, %d tokens", ErrBudget, requests-1, tokens),
			"raise the budget in %s and run the same command again: every reply is kept", ConfigFile)
	}
	reply, err := b.Caller.Chat(ctx, q, affinity)
	b.spent.tokens.Add(int64(reply.PromptTokens + reply.CompletionTokens))
	return reply, err
}

// serverRecord is what runs.detail keeps of the servers that answered.
func serverRecord(e EndpointConfig, before, after []llm.ServerFacts) any {
	type replica struct {
		Endpoint string        `json:"endpoint"`
		Version  string        `json:"version"`
		Metrics  *llm.Counters `json:"metrics,omitempty"` // what the server counted during the step
	}
	record := struct {
		Image    string    `json:"image,omitempty"`
		Replicas []replica `json:"replicas"`
	}{Image: e.Image}
	for i, a := range after {
		one := replica{Endpoint: a.Endpoint, Version: a.Version}
		if i < len(before) && before[i].Counters != nil && a.Counters != nil {
			since := a.Counters.Since(*before[i].Counters)
			one.Metrics = &since
		}
		record.Replicas = append(record.Replicas, one)
	}
	return record
}
