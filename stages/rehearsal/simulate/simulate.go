package simulate

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
)

// stageName is the stage of every simulated unit.
const stageName = "simulate"

// version changes whenever the same options make other rows.
const version = "3"

// reader is the model that reads the captions (CaptionQA section 3.5).
const reader = "qwen2.5-72b"

// Options say what to simulate.
type Options struct {
	Seed    uint64   // of all random draws; the same seed gives the same rows
	Scale   float64  // multiplies the paper's numbers of images and questions; above 0 and at most 100
	Prompts []string // of captionqa.TablePrompts; empty for all. Simple also adds the answers from pictures
	// Progress, if not nil, is called after each unit with the number of units done and in all.
	// Calls do not overlap.
	Progress func(unit string, done, total int)
}

// maxScale bounds a lake at three million questions.
const maxScale = 100

// complete checks the options, and fills in all prompts if none are given.
func (o Options) complete() (Options, error) {
	if !(o.Scale > 0 && o.Scale <= maxScale) {
		return o, data.Errorf("choose a scale such as 0.1, 1 or 10", "scale %v is not above 0 and up to %d", o.Scale,
			maxScale)
	}
	known := captionqa.TablePrompts()
	if len(o.Prompts) == 0 {
		o.Prompts = known
	}
	o.Prompts = slices.Compact(slices.Sorted(slices.Values(o.Prompts)))
	for _, p := range o.Prompts {
		if !slices.Contains(known, p) {
			return o, data.WithHint(fmt.Errorf("the paper has no caption prompt %q", p),
				"choose of: %s", strings.Join(known, ", "))
		}
	}
	return o, nil
}

// A Report says what was simulated.
type Report struct {
	Seed    uint64   `json:"seed"`
	Scale   float64  `json:"scale"`
	Prompts []string `json:"prompts"`
	Units   int      `json:"units"`   // units of the simulation
	Written int      `json:"written"` // units written now; the others existed already
	Rows    int64    `json:"rows"`    // rows written now
}

// A simulation is everything that is fixed before any answer is drawn, and what has been written.
type simulation struct {
	lake    *data.Lake
	options Options
	ref     *reference
	bank    *bank
	total   int // number of units

	mu     sync.Mutex
	report Report
}

// begin begins a simulation with a total number of units. It checks the options and the lake before
// anything is written.
func begin(lake *data.Lake, options Options, total int) (*simulation, error) {
	o, err := options.complete()
	if err != nil {
		return nil, err
	}
	return &simulation{lake: lake, options: o, total: total,
		report: Report{Seed: o.Seed, Scale: o.Scale, Prompts: o.Prompts}}, Check(lake)
}

// put commits one unit of one table, unless it exists already: then its rows are not made.
func put[T any](ctx context.Context, s *simulation, u data.Unit, table data.Table[T], made iter.Seq[T]) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	done, err := s.lake.Done(u)
	var rows []T
	if err == nil && !done {
		rows = slices.Collect(made)
		_, err = data.Put(s.lake, u, table, rows...)
	}
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.report.Units++
	if !done {
		s.report.Written++
		s.report.Rows += int64(len(rows))
	}
	if s.options.Progress != nil {
		s.options.Progress(u.Name, s.report.Units, s.total)
	}
	return nil
}

// Run writes a simulated lake: a unit of pictures, a unit of questions, and a unit of answers for
// each model under each prompt and for each model of Table 4 that sees the pictures. Units that
// exist with the same options are left alone. A lake with other data is refused, as Check says. On
// an error, the units committed before it stay.
func Run(ctx context.Context, lake *data.Lake, options Options) (*Report, error) {
	s, err := begin(lake, options, 0) // The number of units is set below, when the models are known.
	if err != nil {
		return nil, err
	}
	if s.ref, err = readReference(lake); err != nil {
		return nil, err
	}
	s.bank = makeBank(s.ref, s.options.Seed, s.options.Scale)
	var units []unit
	for _, prompt := range s.options.Prompts {
		for _, model := range s.ref.models("accuracy") {
			units = append(units, unit{model, prompt})
		}
		if prompt == captionqa.PromptSimple {
			for _, model := range s.ref.models("utility_gap") {
				units = append(units, unit{model: model}) // it sees the pictures
			}
		}
	}
	s.total = 2 + len(units) // the bank has two units: pictures and questions
	// Pictures and questions have no protocol.
	if err := put(ctx, s, s.unitOf("images", ""), data.Images, slices.Values(s.bank.images)); err != nil {
		return nil, err
	}
	questions := make([]data.Question, len(s.bank.questions))
	for i := range questions {
		questions[i] = s.bank.questions[i].row
	}
	if err := put(ctx, s, s.unitOf("questions", ""), data.Questions, slices.Values(questions)); err != nil {
		return nil, err
	}
	group, ctx := errgroup.WithContext(ctx)
	// A unit keeps its rows in memory until it is sorted, so more units at once take more memory.
	group.SetLimit(min(runtime.GOMAXPROCS(0), 4))
	for _, u := range units {
		group.Go(func() error {
			return put(ctx, s, s.unitOf(u.String(), captionqa.ProtocolUpstream), data.Answers, s.answers(u))
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return &s.report, nil
}

// unitOf describes a unit of the lake.
func (s *simulation) unitOf(name, protocol string) data.Unit {
	seed, scale := s.options.Seed, s.options.Scale
	return data.Unit{
		Stage: stageName, Name: name, Protocol: protocol, Provenance: data.ProvenanceSimulated,
		Fingerprint: data.Fingerprint(version, fmt.Sprint(seed), strconv.FormatFloat(scale, 'g', -1, 64), name),
		Source:      "simulation after the printed figures of CaptionQA",
		Detail:      fmt.Sprintf(`{"seed":%d,"scale":%s}`, seed, strconv.FormatFloat(scale, 'f', -1, 64)),
	}
}

// answers makes the answers of one unit, one after another: outcomes has the drawn outcome of each
// question.
func (s *simulation) answers(u unit) iter.Seq[data.Answer] {
	return func(yield func(data.Answer) bool) {
		wrong := stream(s.options.Seed, "wrong option", u.String())
		for i, outcome := range s.outcomes(u) {
			if !yield(answerOf(u, &s.bank.questions[i], outcome, wrong)) {
				return
			}
		}
	}
}

// answerOf is the row of one answer. One in three wrong answers is drawn from all wrong options;
// the other two choose the question's distractor. wrong has the random numbers of these draws.
func answerOf(u unit, q *question, outcome captionqa.Outcome, wrong *rand.Rand) data.Answer {
	options := int32(len(q.row.Options))
	a := data.Answer{
		Protocol: captionqa.ProtocolUpstream, Reader: reader, Evidence: captionqa.EvidenceCaption,
		Captioner: u.model, Prompt: u.prompt, QuestionID: q.row.QuestionID, ImageID: q.row.ImageID,
		Domain: q.row.Domain, Category: q.row.Category, Subcategory: q.row.Subcategory,
		Options: options, OffersCannot: !q.row.YesNo, Outcome: string(outcome),
		Score: captionqa.Score(outcome, int(options)), Provenance: data.ProvenanceSimulated,
	}
	if u.onImage() {
		a.Reader, a.Evidence, a.OffersCannot = u.model, captionqa.EvidenceImage, false
	}
	choice := q.row.AnswerIndex
	switch outcome {
	case captionqa.Correct:
		a.ChoiceIndex = &choice
	case captionqa.Incorrect:
		choice = q.distractor
		if wrong.IntN(3) == 0 {
			choice = (q.row.AnswerIndex + 1 + wrong.Int32N(options-1)) % options // any option but the answer
		}
		a.ChoiceIndex = &choice
	}
	return a
}
