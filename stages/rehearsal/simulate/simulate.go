package simulate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
)

// stageName is the stage of every simulated unit.
const stageName = "simulate"

// version changes whenever the same options make other rows.
const version = "1"

// reader is the model that reads the captions (CaptionQA section 3.5).
const reader = "qwen2.5-72b"

// Options says what to simulate.
type Options struct {
	Seed    uint64   // of every random draw; the same seed gives the same rows
	Scale   float64  // times the paper's numbers of images and questions, above 0 and at most 100
	Prompts []string // of Prompts(); none means all. Simple brings the answers from pictures with it
	Threads int      // units worked on at a time; 0 means one for each processor, at most four. Rows do not depend on it
	// Progress, if not nil, is called after each unit with how many of how many are done, from one goroutine at a time.
	Progress func(unit string, done, total int)
}

// maxScale bounds a lake at three million questions.
const maxScale = 100

func (o Options) complete() (Options, error) {
	if !(o.Scale > 0 && o.Scale <= maxScale) {
		return o, data.WithHint(fmt.Errorf("scale %v is not above 0 and up to %d", o.Scale, maxScale), "choose a scale such as 0.1, 1 or 10")
	}
	if len(o.Prompts) == 0 {
		o.Prompts = Prompts()
	}
	o.Prompts = slices.Compact(slices.Sorted(slices.Values(o.Prompts)))
	for _, p := range o.Prompts {
		if !slices.Contains(Prompts(), p) {
			return o, data.WithHint(fmt.Errorf("the paper has no caption prompt %q", p), "choose of: %s", strings.Join(Prompts(), ", "))
		}
	}
	if o.Threads <= 0 {
		// A unit keeps its rows in memory until it is sorted, so more threads cost memory.
		o.Threads = min(runtime.GOMAXPROCS(0), 4)
	}
	return o, nil
}

// A simulation is everything that is fixed before any answer is drawn.
type simulation struct {
	ref     *reference
	seed    uint64
	scale   float64
	bank    *bank
	targets map[cellKey]target
}

// newSimulation makes the bank and the targets of every cell.
func newSimulation(seed uint64, scale float64) (*simulation, error) {
	ref, err := loadReference()
	if err != nil {
		return nil, err
	}
	s := &simulation{ref: ref, seed: seed, scale: scale, targets: map[cellKey]target{}}
	if s.bank, err = makeBank(ref, seed, scale); err != nil {
		return nil, err
	}
	for _, b := range s.bank.domains {
		for _, model := range ref.models {
			for _, prompt := range Prompts() {
				key := cellKey{model, prompt, b.shape.name}
				s.targets[key] = ref.targetOf(key, b)
			}
		}
	}
	return s, nil
}

// units lists the models under the given prompts, and with Simple the models of Table 4 before the pictures.
func (s *simulation) units(prompts []string) []unit {
	var units []unit
	for _, prompt := range prompts {
		for _, model := range s.ref.models {
			units = append(units, unit{model, prompt})
		}
		if prompt == captionqa.PromptSimple {
			for _, model := range s.ref.gapModels() {
				units = append(units, unit{model, ""})
			}
		}
	}
	return units
}

// Run writes a simulated lake: the unit of the pictures, that of the questions, and one unit of answers for each model
// under each prompt and for each model of Table 4 before the pictures. Units that are there with the same options are
// left alone. Answers of earlier simulations with another seed or scale are removed, since their questions are gone.
//
// A lake that holds anything else is refused, as Check says.
//
// The report covers all cells of the given prompts, whether or not they were written now. On an error, the units
// committed before it stay.
func Run(ctx context.Context, lake *data.Lake, options Options) (*Report, error) {
	o, err := options.complete()
	if err != nil {
		return nil, err
	}
	if err := Check(lake); err != nil {
		return nil, err
	}
	s, err := newSimulation(o.Seed, o.Scale)
	if err != nil {
		return nil, err
	}
	report := newReport(s, o)
	units := s.units(o.Prompts)
	if err := s.removeStale(lake, units); err != nil {
		return nil, err
	}
	step := func(name string, rows int64, written bool) {
		report.count(rows, written)
		if o.Progress != nil {
			o.Progress(name, report.Units, 2+len(units)) // the bank is two: pictures and questions
		}
	}
	if err := s.writeBank(lake, step); err != nil {
		return nil, err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(o.Threads)
	for _, u := range units {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			outcomes := s.outcomes(u)
			rows, written, err := s.writeAnswers(ctx, lake, u, outcomes)
			if err != nil {
				return err
			}
			report.mu.Lock()
			defer report.mu.Unlock()
			report.add(u, outcomes)
			step(u.String(), rows, written)
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	report.finish()
	return report, nil
}

func (u unit) String() string {
	if u.onImage() {
		return u.model + " image"
	}
	return u.model + " " + u.prompt
}

// unitOf describes a unit of the lake.
func (s *simulation) unitOf(name, protocol string) data.Unit {
	return data.Unit{
		Stage: stageName, Name: name, Protocol: protocol, Provenance: data.ProvenanceSimulated,
		Fingerprint: data.Fingerprint(version, strconv.FormatUint(s.seed, 10), strconv.FormatFloat(s.scale, 'g', -1, 64), name, s.ref.digest),
		Source:      "simulation after the printed figures of CaptionQA",
		Detail:      fmt.Sprintf(`{"seed":%d,"scale":%s}`, s.seed, strconv.FormatFloat(s.scale, 'f', -1, 64)),
	}
}

// removeStale removes units of answers that this run does not write and that belong to questions of another seed or
// scale.
func (s *simulation) removeStale(lake *data.Lake, kept []unit) error {
	for _, u := range s.units(Prompts()) {
		if slices.Contains(kept, u) {
			continue
		}
		described := s.unitOf(u.String(), captionqa.ProtocolUpstream)
		file, err := lake.Store().Open(data.Answers.Name() + "/" + described.FileStem() + ".parquet")
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if err := file.Close(); err != nil {
			return err
		}
		if done, err := lake.Done(described); err != nil {
			return err
		} else if !done {
			if err := lake.Remove(described.FileStem()); err != nil {
				return err
			}
		}
	}
	return nil
}

// write commits one unit of one table, unless it is there already. It returns the rows written.
func write[T any](lake *data.Lake, u data.Unit, table data.Table[T], rows func(yield func(T) error) error) (int64, bool, error) {
	done, err := lake.Done(u)
	if err != nil || done {
		return 0, false, err
	}
	tx, err := lake.Begin(u)
	if err != nil {
		return 0, false, err
	}
	defer tx.Abort()
	w, err := data.NewRowWriter(tx, table)
	if err != nil {
		return 0, false, err
	}
	if err := rows(func(row T) error { return w.Write(row) }); err != nil {
		return 0, false, err
	}
	if err := tx.Commit(); err != nil {
		return 0, false, err
	}
	return w.Rows(), true, nil
}

// writeBank writes the pictures and the questions.
func (s *simulation) writeBank(lake *data.Lake, step func(string, int64, bool)) error {
	rows, written, err := write(lake, s.unitOf("images", ""), data.Images, func(yield func(data.Image) error) error {
		for _, image := range s.bank.images {
			if err := yield(image); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	step("images", rows, written)
	rows, written, err = write(lake, s.unitOf("questions", ""), data.Questions, func(yield func(data.Question) error) error {
		for i := range s.bank.questions {
			if err := yield(s.bank.questions[i].row); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	step("questions", rows, written)
	return nil
}

// choices are the values that choice_index points to; the rows share them.
var choices = [4]int32{0, 1, 2, 3}

// scores are the points of each outcome by number of options.
var scores = func() (table [3][5]float64) {
	for outcome, name := range outcomeNames {
		for k := 2; k <= 4; k++ {
			table[outcome][k] = captionqa.Score(name, k)
		}
	}
	return table
}()

// writeAnswers writes the answers of one unit.
func (s *simulation) writeAnswers(ctx context.Context, lake *data.Lake, u unit, outcomes []uint8) (int64, bool, error) {
	name := u.String()
	wrong := stream(s.seed, "wrong option", u.model, u.prompt)
	return write(lake, s.unitOf(name, captionqa.ProtocolUpstream), data.Answers, func(yield func(data.Answer) error) error {
		for i := range s.bank.questions {
			if i%100_000 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if err := yield(answerOf(u, &s.bank.questions[i], outcomes[i], wrong)); err != nil {
				return err
			}
		}
		return nil
	})
}

// answerOf is the row of one answer. A wrong answer is the question's most tempting option in two cases of three.
func answerOf(u unit, q *question, outcome uint8, wrong *rand.Rand) data.Answer {
	k := int32(len(q.row.Options))
	a := data.Answer{
		Protocol: captionqa.ProtocolUpstream, Reader: reader, Evidence: captionqa.EvidenceCaption, Captioner: u.model, Prompt: u.prompt,
		QuestionID: q.row.QuestionID, ImageID: q.row.ImageID, Domain: q.row.Domain, Category: q.row.Category,
		Subcategory: q.row.Subcategory, Options: k, OffersCannot: !q.row.YesNo, Outcome: string(outcomeNames[outcome]),
		Score: scores[outcome][k], Provenance: data.ProvenanceSimulated,
	}
	if u.onImage() {
		a.Reader, a.Evidence, a.OffersCannot = u.model, captionqa.EvidenceImage, false
	}
	switch outcome {
	case outcomeCorrect:
		a.ChoiceIndex = &choices[q.row.AnswerIndex]
	case outcomeIncorrect:
		choice := q.distractor
		if wrong.IntN(3) == 0 {
			choice = (q.row.AnswerIndex + 1 + wrong.Int32N(k-1)) % k
		}
		a.ChoiceIndex = &choices[choice]
	}
	return a
}
